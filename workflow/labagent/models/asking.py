"""Questions and answers: how a question was read, what was called, what was said and by which call."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from labagent.models.base import FileRecord, Record
from labagent.models.tools import ToolFailure

RouteName = Literal["sequence", "protein", "mutation", "literature", "none"]
AnswerOutcome = Literal["answer", "ask", "refuse", "not_found", "failed"]
StoreMode = Literal["live", "record", "replay", "auto"]
"""``live``: call, keep nothing. ``record``: call and keep. ``replay``: answer from the store, a miss is
an error. ``auto``: answer from the store where it has the call, else call and keep."""


class Entity(Record):
    """Something a question speaks of.

    ``namespace`` is that of :class:`labagent.tools.naming.records.Identifier` (``uniprot``, ``gene``,
    ``organism``, ``dbsnp``, ``pmid`` …), ``sequence`` or ``variant``. ``value`` is the canonical form (a
    variant's is HGVS), ``written`` and ``start`` say where it stands in the question; ``resolved_from``
    is empty, or names the earlier turn (from 1) and the words it was resolved from. ``facts`` are JSON
    values read from it (type and length of a sequence, kind and gene of a variant, organism of a gene).
    """

    namespace: str
    value: str
    written: str = ""
    start: int = -1
    certain: bool = True
    resolved_from: str = ""
    notes: tuple[str, ...] = ()
    facts: dict[str, Any] = Field(default_factory=dict)


class Routing(Record):
    """How a question is read. ``reason`` names the rule that decided and what it saw.

    ``ambiguous``: it is not answered before ``asks`` (a question back) is; ``decided_by`` is ``rules``,
    ``model`` (where rules left it open) or ``caller``. ``query`` is the literature query in PubMed's
    syntax, where there is one; ``aspects`` are what is asked about the entities (``function``,
    ``location``, ``translate``, ``mass`` …). ``plan`` is the template of a question that needs several
    steps, else empty.
    """

    route: RouteName
    entities: tuple[Entity, ...] = ()
    reason: str
    ambiguous: bool = False
    asks: str = ""
    language: Literal["en", "zh"] = "en"
    decided_by: Literal["rules", "model", "caller"] = "rules"
    query: str = ""
    aspects: tuple[str, ...] = ()
    plan: Literal["", "protein_research", "literature_review", "mutation_assessment"] = ""


class CallRecord(Record):
    """A tool call of an answer.

    ``id`` is ``c1``, ``c2`` … in the order of the calls; ``key`` its address in the store (sha256 of
    tool, version and canonical arguments); ``source`` what answered (``computed``, ``facts``,
    ``mirror:<name>``, ``recorded:<name>``, ``live``; a call from the store keeps the source it had) and
    ``retrieved`` when that was said first (ISO 8601, empty for computed results).
    """

    id: str
    tool: str
    version: str
    arguments: dict[str, Any]
    key: str
    status: Literal["ok", "error"]
    result: dict[str, Any] | None = None
    result_sha256: str = ""
    error: ToolFailure | None = None
    source: str = ""
    retrieved: str = ""


class Statement(Record):
    """A sentence of an answer; ``cites`` are ids of calls whose results hold its values."""

    text: str
    factual: bool = True
    cites: tuple[str, ...] = ()


class PlanStep(Record):
    """A step of an answer: which tools it called, whether its results passed their check, what it found."""

    name: str
    calls: tuple[str, ...] = ()
    status: Literal["ok", "empty", "error", "skipped"]
    note: str = ""


class AnswerRecord(FileRecord):
    """``results/answers/<id>/answer.json``: a question answered; ``text`` is what the asker reads
    (Markdown).

    ``condition`` is how it was answered (``full``, or one of the benchmark's); ``dropped`` are sentences
    of a model that no call supports. ``trace_complete``: the trace beside it has no hole.
    """

    id: str
    question: str
    history: tuple[str, ...] = ()
    condition: str = "full"
    model: str = "offline"
    outcome: AnswerOutcome
    routing: Routing
    steps: tuple[PlanStep, ...] = ()
    calls: tuple[CallRecord, ...] = ()
    statements: tuple[Statement, ...] = ()
    dropped: tuple[str, ...] = ()
    text: str
    trace_complete: bool = False

    @property
    def route(self) -> str:
        """Which route was taken."""
        return self.routing.route
