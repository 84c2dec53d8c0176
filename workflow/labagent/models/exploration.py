"""What the explore agent did: the brief, the rounds, the evidence found, and what did not hold."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from labagent.models.base import FileRecord, Record
from labagent.models.skill import Source

Short = Annotated[str, StringConstraints(min_length=1, max_length=400)]
Line = Annotated[str, StringConstraints(min_length=1, max_length=1500)]
Query = Annotated[str, StringConstraints(min_length=1, max_length=300)]
Identifier = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")]
PrescriptionKind = Literal["method", "threshold", "package", "version", "parameter"]


class Criterion(Record):
    """Something that must be known before a skill is written."""

    id: Identifier
    text: Short


class Capability(Record):
    """Something the method can do, by which names of the lab's API, and what it needs to be given."""

    id: Identifier
    does: Short
    identifiers: Annotated[tuple[Short, ...], Field(max_length=40)] = ()
    needs: Annotated[str, StringConstraints(max_length=600)] = ""


class Analysis(Record):
    """One analysis skill of an open question: its name, the targets it answers, what it does."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=64)]
    targets: Annotated[tuple[str, ...], Field(min_length=1)]
    does: Short


class Brief(Record):
    """The research brief with its capability manifest.

    ``targets`` maps a target to the capabilities it needs; ``queries`` are the first ones of every scout;
    ``questions`` are rewritings of an open question, one a perspective; ``analyses`` the skills that answer
    open tasks, ``shared`` the loci that they have in common.
    """

    method: Short
    purpose: Line
    criteria: Annotated[tuple[Criterion, ...], Field(min_length=1, max_length=16)]
    capabilities: Annotated[tuple[Capability, ...], Field(min_length=1, max_length=24)]
    targets: dict[str, tuple[Identifier, ...]] = {}
    questions: dict[str, Short] = {}
    analyses: Annotated[tuple[Analysis, ...], Field(max_length=8)] = ()
    shared: Annotated[tuple[Identifier, ...], Field(max_length=6)] = ()
    queries: Annotated[tuple[Query, ...], Field(min_length=1, max_length=12)]


class Found(Record):
    """A statement a scout reports, and the place that says it; ``terms`` occur there, as was looked up."""

    id: str
    statement: Line
    source: Source
    terms: tuple[str, ...]
    perspective: str
    round: int


class Dropped(Record):
    """Something a step said that did not hold, and why; ``step`` names who said it."""

    step: str
    text: str
    why: str


class RoundRecord(Record):
    """One round: new pieces of evidence, criteria met (with evidence) and open, whether returns diminish."""

    number: int
    lanes: tuple[str, ...]
    new: int
    total: int
    artefacts: tuple[str, ...] = ()
    met: dict[str, tuple[str, ...]] = {}
    open: tuple[str, ...] = ()
    diminishing: bool = False
    queries: dict[str, tuple[str, ...]] = {}
    why: str = ""


class PrescriptionRecord(Record):
    """A method, threshold, package, version or parameter that a draft prescribes.

    ``supported`` by the evidence listed, decided by a ``check`` that the skill runs, or ``struck`` out.
    """

    kind: PrescriptionKind
    text: str
    file: str
    line: int | None = None
    outcome: Literal["supported", "check", "struck"]
    evidence: tuple[str, ...] = ()
    why: str = ""


class ExplorationRecord(FileRecord):
    """``results/explore/<explorer>/<skill>/exploration.json``: beside the draft, never in the skill.

    ``stopped_by``: what ended the rounds. ``failures`` are steps without a usable reply. ``cached`` counts
    replies taken from the recording of an earlier, killed start. ``analyses`` has, for open tasks, each skill
    with the reason it was refused for (empty: drafted), ``shared`` the hash of each locus they share.
    """

    skill: str
    explorer: str
    brief: Brief | None = None
    rounds: tuple[RoundRecord, ...] = ()
    stopped_by: Literal["", "criteria", "diminishing", "supervisor", "rounds", "cap", "failed"] = ""
    reason: str = ""
    found: tuple[Found, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    prescriptions: tuple[PrescriptionRecord, ...] = ()
    critique: tuple[str, ...] = ()
    struck: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    analyses: dict[str, str] = {}
    shared: dict[str, str] = {}
    calls: int = 0
    cached: int = 0
    tokens: int = 0
    cost_usd: float | None = 0.0
    key: str = ""


class Edit(Record):
    """One change a patch makes: the skill's file, what it does, and the command of the trace behind it."""

    file: str
    change: str
    fix: str
    turn: int


class PatchRecord(FileRecord):
    """``patch.json`` beside a proposed version of a skill.

    ``status``: ``proposed`` (it passes the tiers asked for), ``refused`` (it does not), ``nothing`` (no fix
    in the trace can be made an edit), ``admitted`` (it took the place of the draft).
    """

    skill: str
    origin: str
    run: str
    status: Literal["proposed", "refused", "nothing", "admitted"]
    reason: str = ""
    base_sha256: str = ""
    skill_sha256: str = ""
    edits: tuple[Edit, ...] = ()
    left: tuple[str, ...] = ()
    tier: int = 3
