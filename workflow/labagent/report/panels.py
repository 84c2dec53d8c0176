"""Panels of the page: a quantity of a target as published and in every arm, drawn and in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from labagent.models.tables import Reference
from labagent.report import numbers
from labagent.report.strips import Strip, verdict
from labagent.report.study import Attempt, Study
from labagent.report.svg import cut, marker

Link = Callable[[str, str, int], str]
NAME = 12  # characters of an arm's name beside a strip


@dataclass(frozen=True)
class Line:
    """An arm's line: its symbol, name, value and verdict, and where its trace is."""

    arm: str
    short: str
    symbol: str
    value: str
    word: str
    mark: str
    detail: str
    href: str


@dataclass(frozen=True)
class Panel:
    """One quantity with its drawing."""

    name: str
    strip: Strip
    drawing: str
    lines: list[Line]


@dataclass(frozen=True)
class ResultCell:
    """One quantity in one arm: ``mark`` is ``within``, ``off`` or ``none``."""

    text: str
    word: str
    mark: str
    detail: str = ""
    href: str = ""


@dataclass(frozen=True)
class Result:
    """One quantity of a target: as published, and by arm."""

    target: str
    first: bool
    reference: Reference
    published: str
    criterion: str
    cells: list[ResultCell]


def panels_of(strips: Sequence[Strip], family: str, link: Link) -> list[Panel]:
    """The panels of a family's strips."""
    return [
        Panel(f"panel-{family}-{number}", strip, strip.draw(), _lines(strip, link))
        for number, strip in enumerate(strips)
    ]


def results_of(study: Study, family: str, most: int, link: Link) -> tuple[list[Result], int]:
    """The first ``most`` quantities of a family with each arm's first attempt, and how many it has."""
    rows = [
        (target.target, position == 0, reference)
        for target in study.inputs.selected_targets
        if target.family == family
        for position, reference in enumerate(study.inputs.references.get(target.target, {}).values())
    ]
    return [_result(study, *row, link) for row in rows[:most]], len(rows)


def sources_of(study: Study, family: str) -> list[tuple[str, list[str]]]:
    """Sources of a family's published values, each with the quantities it gives."""
    found: dict[str, list[str]] = {}
    for target in study.inputs.selected_targets:
        if target.family != family:
            continue
        for reference in study.inputs.references.get(target.target, {}).values():
            disputed = f" (disputed: {reference.disputed})" if reference.disputed else ""
            found.setdefault(reference.source + disputed, []).append(f"{target.target}, {reference.quantity}")
    return list(found.items())


def _lines(strip: Strip, link: Link) -> list[Line]:
    """A line an arm."""
    found = []
    for position, (arm, attempts) in enumerate(strip.arms):
        value, word, mark = verdict(strip, attempts[0])
        found.append(
            Line(
                arm=arm,
                short=cut(arm, NAME),
                symbol=marker(0, 0, position),
                value=value,
                word=word,
                mark=mark,
                detail=attempts[0].reason,
                href=link(arm, strip.target, 1),
            )
        )
    return found


def _result(study: Study, target: str, first: bool, reference: Reference, link: Link) -> Result:
    """One row of a family's table."""
    return Result(
        target,
        first,
        reference,
        numbers.published(reference),
        numbers.criterion(reference),
        [_cell(study.by_pair[arm, target].first, reference, link(arm, target, 1)) for arm in study.arms],
    )


def _cell(attempt: Attempt, reference: Reference, href: str) -> ResultCell:
    """What the page says of one quantity in one attempt."""
    q = next((q for q in attempt.quantities if q.quantity == reference.quantity), None)
    status = attempt.status.replace("_", " ")
    if q is None or q.value is None:
        return ResultCell(numbers.NONE, status, "none", (q.reason if q else "") or attempt.reason, href)
    text = numbers.ours(q, reference)
    if attempt.status != "scored" or attempt.tainted:
        return ResultCell(text, "tainted" if attempt.tainted else status, "none", attempt.reason, href)
    basis = "computed here from predictions" if q.basis == "computed" else "self-reported"
    inside = "within" if q.within else "off"
    return ResultCell(text, "within" if q.within else "not within", inside, basis, href)
