"""Tasks of BioBench: a question, what a right answer holds, and which tools it has to come from."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from labagent.models.base import Record

Category = Literal["sequence", "protein", "literature", "mutation"]
Split = Literal["basic", "edge", "multistep"]
Route = Literal["sequence", "protein", "mutation", "literature", "none"]
Outcome = Literal["answer", "ask", "refuse", "not_found", "no_answer", "any"]
"""What must become of the question: answered, asked back, refused, looked up without a hit; ``no_answer`` is
any of the last three, ``any`` is left open."""

Tool = Annotated[str, Field(pattern=r"^[a-z]+\.[a-z_]+(\|[a-z]+\.[a-z_]+)*$")]
"""The name of a tool; of several with ``|`` between, each of which does what is asked, any one."""


class NumberGold(Record):
    """A quantity. ``absolute``: a difference, either way round. An empty ``unit`` is not looked for."""

    kind: Literal["number"] = "number"
    name: str
    value: float
    tolerance: float = Field(default=0.0, ge=0)
    unit: Literal["", "nt", "aa", "%", "Da", "M-1 cm-1"] = ""
    absolute: bool = False


class IdentifierGold(Record):
    """An identifier that stands whole in the answer."""

    kind: Literal["identifier"] = "identifier"
    namespace: str
    value: str = Field(min_length=1)


class StringGold(Record):
    """A text; one of ``accepted`` stands in the answer, case does not count."""

    kind: Literal["string"] = "string"
    name: str
    accepted: tuple[str, ...] = Field(min_length=1)


class SequenceGold(Record):
    """A sequence; white space in the answer does not count, case does. ``prefix``: it may go on."""

    kind: Literal["sequence"] = "sequence"
    name: str
    value: str = Field(pattern=r"^[A-Z*]+$")
    prefix: bool = False


class BooleanGold(Record):
    """A yes or no: one of ``says`` stands in the answer and none of ``denies``."""

    kind: Literal["boolean"] = "boolean"
    name: str
    value: bool
    says: tuple[str, ...] = Field(min_length=1)
    denies: tuple[str, ...] = ()


class SetGold(Record):
    """At least ``minimum`` members of a set of identifiers; empty ``values``: any of the namespace.

    ``only``: none of the namespace from outside the set.
    """

    kind: Literal["set"] = "set"
    namespace: str
    values: tuple[str, ...] = ()
    minimum: int = Field(ge=0)
    only: bool = False

    @model_validator(mode="after")
    def _reachable(self) -> SetGold:
        """A set with members holds enough of them."""
        if self.values and self.minimum > len(self.values):
            raise ValueError(f"minimum {self.minimum} is more than the {len(self.values)} values of the set")
        if self.only and not self.values:
            raise ValueError("only needs values")
        return self


Gold = Annotated[
    NumberGold | IdentifierGold | StringGold | SequenceGold | BooleanGold | SetGold,
    Field(discriminator="kind"),
]


class BiobenchTask(Record):
    """A line of ``tasks.jsonl``.

    ``history`` are the user's earlier turns; ``tools`` are the exact names of those an answer must have
    called; ``facts`` the accessions the gold is about; ``published`` tasks are those of the published set,
    ``keywords`` what its strict rule looks for; ``correction`` says why such a task is scored otherwise than
    published.
    """

    schema_version: Literal[1] = 1
    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    category: Category
    split: Split
    language: Literal["en", "zh"]
    history: tuple[str, ...] = ()
    question: str = Field(min_length=1)
    route: Route
    outcome: Outcome
    tools: tuple[Tool, ...] = ()
    gold: tuple[Gold, ...] = ()
    derivation: str = Field(min_length=1)
    facts: tuple[str, ...] = ()
    published: bool = False
    keywords: tuple[str, ...] = ()
    correction: str = ""

    @model_validator(mode="after")
    def _can_fail(self) -> BiobenchTask:
        """A task that has to be answered can be answered wrongly."""
        if self.outcome == "answer" and not (self.gold or self.keywords):
            raise ValueError(f"{self.id}: an answer without gold cannot fail")
        return self


class Correction(Record):
    """What a published task is scored by instead, and why. Fields that are ``None`` stay as published."""

    id: str
    reason: str = Field(min_length=20)
    route: Route | None = None
    outcome: Outcome | None = None
    tools: tuple[Tool, ...] | None = None
    gold: tuple[Gold, ...] | None = None


class Corrections(Record):
    """``benchmarks/biobench/corrections.yaml``."""

    corrections: tuple[Correction, ...]


class TaskScore(Record):
    """The metrics of one answer. ``strict`` is ``None`` for a task that is not of the published set.

    ``missing`` are gold values (JSON) that do not stand in the answer; of ``factual`` sentences ``cited``
    cite a call and ``valid`` cite calls whose results hold what they say. ``unflagged`` sentences are not
    said to be factual and yet give a value that the question does not: those no citation is asked of.
    """

    task: str
    split: Split
    category: Category
    outcome_right: bool
    missing: tuple[str, ...]
    accurate: bool
    strict: bool | None
    route_right: bool
    tools_right: bool
    factual: int
    cited: int
    valid: int
    trace_complete: bool
    failed: bool
    unflagged: int = 0


class Share(Record):
    """So many of so many, with Wilson's 95 % interval; empty interval where there is nothing to count."""

    hits: int
    total: int
    low: float | None = None
    high: float | None = None


class BiobenchSummary(Record):
    """The metrics over a set of answers, and of the echo baseline over the same tasks."""

    accuracy: Share
    strict: Share
    routes: Share
    tools: Share
    cited: Share
    valid: Share
    trace: Share
    failures: Share
    echo_accuracy: Share
    echo_strict: Share
