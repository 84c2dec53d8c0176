"""Every requested quantity within its tolerance: one JSON answer, a binary verdict, credit a quantity.

Numbers are compared by the reference's own tolerance. What a withheld sheet (``rubrics/<target>.yaml``) lists
under ``exact`` is compared as it is (a name, a class, true or false) and counts 1 or 0. Only the keys of the
answer contract are read: an extra key neither helps nor hurts. An entry is within only if all quantities are.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from pathlib import Path

from pydantic import StrictBool, StrictInt, StrictStr

from labagent.errors import InfrastructureError
from labagent.models.answers import AnswerError, answer_file, find_key, finite_number, read_answer_json
from labagent.models.base import Record
from labagent.models.family import Family
from labagent.models.score import CriterionScore
from labagent.models.tables import Quantity, Reference, Target
from labagent.scoring.attempt import Attempt, Measurement, Unscorable
from labagent.scoring.judge import judge, limit_of
from labagent.scoring.sheets import read_sheet

MAX_TEXT = 200


class Settings(Record):
    """``settings`` of a family with this scorer: there are none."""


class Sheet(Record):
    """``rubrics/<target>.yaml``: the kind of problem, and the fields that are no numbers."""

    type: str = ""
    exact: dict[str, StrictStr | StrictBool | StrictInt] = {}


def check(
    family: Family, target: Target, references: Mapping[str, Reference], labels: Path | None
) -> list[str]:
    """Faults in the contract, the tolerances and the sheet of exact fields."""
    faults = [f"settings.{key}: is not known; this scorer has none" for key in family.settings]
    try:
        sheet = exact_fields(labels)
    except InfrastructureError as error:
        return [*faults, str(error)]
    names = {quantity.name for quantity in target.answer}
    faults += [
        f'answer "{q.name}={q.file}" must name a key of a JSON file' for q in target.answer if not q.key
    ]
    faults += [
        f'answer "{q.name}" must {"" if q.name in sheet.exact else "not "}end in ! (compared as it is)'
        for q in target.answer
        if q.exact != (q.name in sheet.exact)
    ]
    faults += [f'exact: "{name}" is no quantity of it' for name in sheet.exact if name not in names]
    for name, reference in references.items():
        if reference.tolerance is None:
            faults.append(f'reference "{name}" has no tolerance')
        elif name in sheet.exact and (reference.value, reference.tolerance) != (1.0, 0.0):
            faults.append(f'reference "{name}" is exact: its value must be 1 and its tolerance 0')
    return faults


def measure(attempt: Attempt, quantity: Quantity) -> Measurement:
    """The number given, or 1 or 0 for an exact field; see ``labagent.scoring.attempt.Scorer``."""
    sheet = exact_fields(attempt.labels)
    reference = attempt.references[quantity.name]
    try:
        given = _given(attempt.output, quantity)
        if quantity.name in sheet.exact:
            equal = same(given, sheet.exact[quantity.name], f'{quantity.file}: "{quantity.key}"')
            value, said = float(equal), "equal" if equal else "not equal"
        else:
            value = finite_number(given, f'{quantity.file}: "{quantity.key}"')
            said = f"{value:g} is {abs(value - reference.value):.3g} away, limit {_limit(reference):.3g}"
    except AnswerError as error:
        raise Unscorable(str(error), [_row(quantity, met=False, said=str(error))]) from error
    measured = Measurement(value=value, basis="self-reported", group=sheet.type)
    met = judge(quantity.name, measured, reference).within
    return Measurement(
        value=value, basis="self-reported", group=sheet.type, criteria=[_row(quantity, met=met, said=said)]
    )


def exact_fields(path: Path | None) -> Sheet:
    """The sheet of exact fields; empty where a target has none.

    Raises:
        InfrastructureError: the file cannot be used.
    """
    return Sheet() if path is None else read_sheet(path, Sheet, "sheet of exact fields")


def same(given: object, wanted: str | bool | int, place: str) -> bool:
    """Whether a JSON value is the wanted one; texts without regard to case and outer blanks.

    Raises:
        AnswerError: it is of another kind.
    """
    if isinstance(wanted, str):
        if not isinstance(given, str) or len(given) > MAX_TEXT:
            raise AnswerError(f"{place} must be a text of at most {MAX_TEXT} characters")
        return _plain(given) == _plain(wanted)
    if isinstance(wanted, bool):
        if not isinstance(given, bool):
            raise AnswerError(f"{place} must be true or false")
        return given is wanted
    return finite_number(given, place) == wanted


def _given(folder: Path, quantity: Quantity) -> object:
    """The JSON value under a quantity's key."""
    value = read_answer_json(answer_file(folder, quantity.file), quantity.file)
    if not isinstance(value, dict):
        raise AnswerError(f"{quantity.file}: must hold one JSON object")
    return find_key(value, quantity.key, quantity.file)


def _row(quantity: Quantity, *, met: bool, said: str) -> CriterionScore:
    """The credit of one quantity."""
    return CriterionScore(
        criterion=quantity.name,
        points=1.0,
        earned=float(met),
        verdict="met" if met else "missed",
        evidence=said,
    )


def _limit(reference: Reference) -> float:
    """How far a number may lie from the published one."""
    return limit_of(reference, "tolerance") or 0.0


def _plain(text: str) -> str:
    """A text as it is compared."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
