"""Points of a rebuilt figure: claims about it, each with a fixed test on the answer table.

The one quantity is the sum of the points of the claims that hold. How the run differs from the published
figure (replicates, methods, enumeration) is listed beside the points and changes none of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from labagent.errors import InfrastructureError
from labagent.models.answers import AnswerError, answer_file, read_answer_json, read_bytes
from labagent.models.base import Record
from labagent.models.family import Family
from labagent.models.score import CriterionScore, Departure
from labagent.models.tables import Quantity, Reference, Target
from labagent.scoring.attempt import Attempt, Measurement, Unscorable
from labagent.scoring.figure.claims import Claim, Claims, Group, judge_claim, read_claims
from labagent.scoring.figure.facts import figure_departures
from labagent.scoring.figure.table import MAX_BYTES, Table, read_table

SIGNATURES = {"figure.png": b"\x89PNG\r\n\x1a\n", "figure.pdf": b"%PDF-", "figure.svg": b"<svg"}
LEAST_PICTURE = 500


class Settings(Record):
    """``settings`` of a family with this scorer.

    ``methods`` names the file in which a run says what it used. ``groups``: points of the claims of each
    group, ``claims`` how many there are, ``leading`` points of the claims that the introduced method leads;
    each is checked where it is given.
    """

    methods: str = "methods.json"
    groups: dict[Group, float] = {}
    claims: int | None = None
    leading: float | None = None


def check(
    family: Family, target: Target, references: Mapping[str, Reference], labels: Path | None
) -> list[str]:
    """Faults in the settings, the contract and the claims."""
    try:
        settings = Settings.model_validate(family.settings)
    except ValidationError as error:
        return [f"settings.{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
    faults = []
    if len(target.answer) != 1 or target.answer[0].key:
        faults.append("answer must name one table without a key, for example points=figure.csv")
    if labels is None:
        return [*faults, f"has no claims; expected rubrics/{target.target}.yaml beside its table"]
    try:
        return [*faults, *unfit(read_claims(labels), settings)]
    except InfrastructureError as error:
        return [*faults, str(error)]


def unfit(sheet: Claims, settings: Settings) -> list[str]:
    """How the claims differ from what the family's settings say of them."""
    faults = []
    if settings.claims is not None and len(sheet.claims) != settings.claims:
        faults.append(f"there are {len(sheet.claims)} claims, the family has {settings.claims}")
    for group, points in settings.groups.items():
        given = math.fsum(c.points for c in sheet.claims if c.group == group)
        if not math.isclose(given, points):
            faults.append(f"claims of group {group} have {given:g} points, the family gives {points:g}")
    leads = math.fsum(c.points for c in sheet.claims if c.kind == "leads")
    if settings.leading is not None and not math.isclose(leads, settings.leading):
        faults.append(f"claims of kind leads have {leads:g} points, the family gives {settings.leading:g}")
    return faults


def measure(attempt: Attempt, quantity: Quantity) -> Measurement:
    """The points of the claims that hold; see ``labagent.scoring.attempt.Scorer``."""
    sheet = _claims(attempt)
    rows = score_table(sheet, _table(attempt, quantity, sheet), drawing=find_drawing(attempt.output))
    return Measurement(value=math.fsum(row.earned for row in rows), basis="computed", criteria=rows)


def departures(attempt: Attempt) -> list[Departure]:
    """What the answer shows of how the figure was made; none where its table cannot be read."""
    settings = Settings.model_validate(attempt.family.settings)
    try:
        sheet = _claims(attempt)
        table = _table(attempt, attempt.target.answer[0], sheet)
    except (Unscorable, AnswerError):
        return []
    return list(figure_departures(sheet.figure, table, _stated(attempt.output, settings.methods)))


def score_table(sheet: Claims, table: Table, *, drawing: str) -> list[CriterionScore]:
    """Every claim with its points."""
    return [_row(claim, sheet, table, drawing) for claim in sheet.claims]


def find_drawing(output: Path) -> str:
    """The name of the picture in an output folder, empty where there is none that begins like one."""
    for name, signature in SIGNATURES.items():
        try:
            content = read_bytes(answer_file(output, name), 4096)
        except (AnswerError, OSError):
            continue
        if signature in content[: 2048 if name.endswith("svg") else 16] and len(content) >= LEAST_PICTURE:
            return name
    return ""


def _row(claim: Claim, sheet: Claims, table: Table, drawing: str) -> CriterionScore:
    """The points of one claim."""
    outcome = judge_claim(claim, sheet, table, drawing=drawing)
    return CriterionScore(
        criterion=claim.id,
        title=claim.title,
        level=claim.group,
        points=claim.points,
        earned=claim.points if outcome.holds else 0.0,
        verdict="met" if outcome.holds else "missed",
        evidence=outcome.evidence,
    )


def _claims(attempt: Attempt) -> Claims:
    """The claims of the attempt's target."""
    if attempt.labels is None:
        raise Unscorable(f"{attempt.target.target} has no claims")
    return read_claims(attempt.labels)


def _table(attempt: Attempt, quantity: Quantity, sheet: Claims) -> Table:
    """The answer table."""
    try:
        content = read_bytes(answer_file(attempt.output, quantity.file), MAX_BYTES)
    except OSError as error:
        raise AnswerError(f"{quantity.file}: cannot be read ({error.strerror})") from error
    return read_table(content, quantity.file, sheet.figure.cells())


def _stated(output: Path, name: str) -> dict[str, Any] | None:
    """What the run says of its methods."""
    try:
        value = read_answer_json(answer_file(output, name), name)
    except AnswerError:
        return None
    return value if isinstance(value, dict) else None
