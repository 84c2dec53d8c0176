"""What a scorer says of one attempt, and rows of the report."""

from __future__ import annotations

from typing import Literal

from labagent.models.base import FileRecord, Record

EntryStatus = Literal["scored", "capped", "failed", "env_failed", "unscorable", "infrastructure"]


class Departure(Record):
    """A way in which a run differs from the published protocol.

    ``origin``: ``measured`` from what the run left, or ``declared`` by the agent in ``departures.json``.
    """

    item: str
    published: str
    ours: str
    severity: Literal["note", "minor", "major"] = "minor"
    origin: Literal["measured", "declared"] = "measured"


class CriterionScore(Record):
    """One criterion of a rubric, claim about a figure, or requested field.

    ``points`` is the most it can earn, ``earned`` what it did. ``level`` is the rubric's (A, B, C) or the
    claim's group. ``evidence``: what decided, an excerpt of the answer or the numbers compared; it never
    repeats the rubric's wording. ``undecided``: this scorer cannot tell, no point was given or taken.
    """

    criterion: str
    title: str = ""
    level: str = ""
    points: float
    earned: float
    verdict: Literal["met", "partly", "missed", "contradicted", "undecided"]
    evidence: str = ""


class PartScore(Record):
    """The metric on a part of the data: ``kind`` of division (window, depth, class, burial), ``part`` of it.

    ``value`` is ``None`` where it cannot be computed, with the ``reason``; ``n`` counts the rows of the part.
    """

    kind: str
    part: str
    n: int
    value: float | None = None
    reason: str = ""


class QuantityScore(Record):
    """One quantity of one attempt against its reference.

    ``dispersion`` is the SD over splits or seeds of ours (ddof as the family says), ``None`` for a single
    value; ``splits`` their values by name. ``within`` follows the reference's own criterion, whose
    half-width is ``limit``: SD, else tolerance, else the 5 % band.
    ``as_good``: within, or better by direction. ``criteria``: what a rubric's points are made of. ``group``:
    the kind of task, where the family has kinds. ``parts``: the metric by parts of the data.
    """

    quantity: str
    metric: str
    direction: Literal["higher", "lower", "match"]
    value: float | None
    unit: str = ""
    dispersion: float | None = None
    splits: dict[str, float] = {}
    reference: float
    sd: float | None = None
    sd_kind: str = ""
    tolerance: float | None = None
    tolerance_kind: str = ""
    basis: Literal["computed", "self-reported"]
    criterion: Literal["sd", "tolerance", "band"]
    limit: float
    within: bool
    within_sd: bool | None = None
    within_band: bool
    as_good: bool | None = None
    reason: str = ""
    source: str = ""
    disputed: str = ""
    criteria: tuple[CriterionScore, ...] = ()
    group: str = ""
    parts: tuple[PartScore, ...] = ()


class Evidence(Record):
    """Something the leak audit saw.

    ``kind`` is a module of ``labagent/audit/kinds/``; ``turn`` 0 stands for what is of no turn. ``place`` is
    ``command``, ``output`` or a file; ``seen`` an excerpt. What does not taint is a note.
    """

    kind: str
    attempt_try: str
    turn: int
    place: str
    seen: str
    taints: bool = True


class Audit(Record):
    """The leak audit of one attempt, over all tries of its result."""

    verdict: Literal["clean", "tainted"]
    commands: int = 0
    evidence: tuple[Evidence, ...] = ()


class ScoreRecord(FileRecord):
    """``results/scores/<arm>/<target>/<n>.json``. ``tainted`` is the verdict of ``audit``."""

    arm: str
    target: str
    attempt: int
    family: str
    status: EntryStatus
    within: bool
    reason: str = ""
    quantities: tuple[QuantityScore, ...] = ()
    departures: tuple[Departure, ...] = ()
    tainted: bool = False
    audit: Audit | None = None
