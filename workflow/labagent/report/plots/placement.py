"""Where arms stand among the rows of published leaderboards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from labagent.inputs import Inputs
from labagent.inputs.leaderboards import place_among, pool
from labagent.models.leaderboard import PublishedRow
from labagent.models.tables import Reference
from labagent.report.figure import Figure
from labagent.report.figures import arm_key
from labagent.report.numbers import plain
from labagent.report.strips import BETTER
from labagent.report.study import Study
from labagent.report.svg import axis, cut, marker, rule, share, text, ticks
from labagent.report.tables import Table

ORDER = 70
BOARDS = 40  # of a family
ROWS = 150  # published rows of a board that are drawn
ROW = 78
NAME = 44  # characters of a target's name


def files(inputs: Inputs) -> Sequence[str]:
    """A file for each family that reproduces rows of a leaderboard."""
    return [f"placement-{family}.svg" for family in _families(inputs)]


def draw(study: Study, tables: Mapping[str, Table]) -> Sequence[Figure]:
    """A strip a quantity: the published rows as thin lines, the arms as markers."""
    return [_figure(study, family) for family in _families(study.inputs)]


def _families(inputs: Inputs) -> list[str]:
    """Families with a board."""
    return sorted(
        {
            target.family
            for target in inputs.selected_targets
            for reference in inputs.references.get(target.target, {}).values()
            if reference.board and reference.direction != "match"
        }
    )


def _figure(study: Study, family: str) -> Figure:
    """The figure of one family."""
    all_rows = list(_references(study, family))
    shown = (
        [all_rows[n * len(all_rows) // BOARDS] for n in range(BOARDS)] if len(all_rows) > BOARDS else all_rows
    )
    drawn, words = [], []
    for position, (target, reference) in enumerate(shown):
        rivals = pool(study.boards.get((family, reference.board), []), reference.board, reference.method)
        values = _ours(study, target, reference)
        drawn.append(
            f'<svg y="{ROW * position}" overflow="visible">{_board(reference, target, rivals, values)}</svg>'
        )
        words.append(_said(reference, rivals, values))
    of = f" {BOARDS} of {len(all_rows)} quantities are drawn, at equal distances in the table." * (
        len(all_rows) > BOARDS
    )
    return Figure(
        file=f"placement-{family}.svg",
        beside=f"family-{family}",
        title=f"Place on the published leaderboards: {study.inputs.families[family].title}",
        caption="Thin lines are the values of the other published methods, markers the arms (scored, not "
        "tainted); the strong line is the row that was reproduced, which is not ranked against its own "
        f"reproduction.{of}",
        description=" ".join(words),
        body="".join(drawn),
        height=ROW * len(shown),
        axes="the board's own metric, named above each row",
        legend=arm_key(study),
    )


def _references(study: Study, family: str) -> Iterator[tuple[str, Reference]]:
    """(target, reference) of those that have a board."""
    for target in study.inputs.selected_targets:
        if target.family == family:
            for reference in study.inputs.references.get(target.target, {}).values():
                if reference.board and reference.direction != "match":
                    yield target.target, reference


def _ours(study: Study, target: str, reference: Reference) -> list[tuple[int, str, float]]:
    """(position, arm, value) of the arms whose first attempt was scored, untainted."""
    found = []
    for position, arm in enumerate(study.arms):
        first = study.by_pair[arm, target].first
        if first.status != "scored" or first.tainted:
            continue
        for q in first.quantities:
            if q.quantity == reference.quantity and q.value is not None:
                found.append((position, arm, q.value))
    return found


def _board(
    reference: Reference,
    target: str,
    rivals: Sequence[PublishedRow],
    values: Sequence[tuple[int, str, float]],
) -> str:
    """One strip."""
    numbers = [row.value for row in rivals] + [value for *_, value in values] + [reference.value]
    low, high = min(numbers), max(numbers)
    room = (high - low) * 0.05 or abs(high) * 0.05 or 1.0
    low, high = low - room, high + room
    step = max(1, -(-len(rivals) // ROWS))
    unit = f" ({reference.unit})" if reference.unit else ""
    published = share(reference.value, low, high)
    metric = f"{cut(reference.metric, 20)}{cut(unit, 18)}, {BETTER[reference.direction]}"
    drawn = [
        text(0, 11, cut(target, NAME), "strong"),
        text(0, 25, metric),
        *(rule(x, 33, x, 47, "other") for x in (share(r.value, low, high) for r in rivals[::step])),
        rule(published, 30, published, 50, "published"),
        *(marker(share(value, low, high), 40, position) for position, _, value in values),
        axis(low, high, ticks(low, high, 300, 6), 52),
    ]
    return "".join(drawn)


def _said(
    reference: Reference, rivals: Sequence[PublishedRow], values: Sequence[tuple[int, str, float]]
) -> str:
    """Places in words."""
    said = []
    for _, arm, value in values:
        assert reference.direction != "match"
        place = place_among(value, rivals, reference.direction)
        said.append(f"{arm} {plain(place.rank)} of {place.of}" if place else f"{arm} {plain(value)}")
    return f"{reference.board}, {len(rivals)} other published rows: {', '.join(said) or 'no arm was scored'}."
