"""What the memory gained, and whether runs failed less as it grew."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate

from labagent.inputs import Inputs
from labagent.models.run import RunRecord
from labagent.report.figure import Figure
from labagent.report.figures import arm_key
from labagent.report.numbers import plain
from labagent.report.study import Attempt, Study
from labagent.report.svg import axis, marker, path, rule, share, text, ticks
from labagent.report.tables import Table

ORDER = 60
POINTS = 120  # of an arm's line
HEIGHT, TOP = 150.0, 32.0
Lines = Mapping[str, list[tuple[float, float]]]


def files(inputs: Inputs) -> Sequence[str]:
    """Lessons, and failing commands."""
    return ["memory.svg", "failing.svg"]


def draw(study: Study, tables: Mapping[str, Table]) -> Sequence[Figure]:
    """A line an arm over its runs in the order in which they began."""
    runs = {arm: _in_order(study, arm) for arm in study.arms}
    written = {arm: _sums(found, lambda run: run.lessons_written) for arm, found in runs.items()}
    failing = {arm: _means(found) for arm, found in runs.items()}
    return [
        _figure(
            study,
            written,
            ("memory.svg", "Growth of the memory", "lessons written", "new lessons taken into the memory"),
            "New lessons that runs left in the memory, added up. A frozen memory gains none.",
        ),
        _figure(
            study,
            failing,
            ("failing.svg", "Failing commands", "failing commands per run", "mean of the runs so far"),
            "Commands that failed per run, mean up to this run. Where lessons help, the line falls.",
        ),
    ]


def _figure(study: Study, lines: Lines, names: tuple[str, str, str, str], caption: str) -> Figure:
    """One of the two figures."""
    file, title, what, words = names
    across = max((points[-1][0] for points in lines.values() if points), default=1.0)
    top = max((y for points in lines.values() for _, y in points), default=0.0) * 1.1 or 1.0
    left = -across * 6 / 94
    drawn = [text(0, 9, f"{what} ({words})", "muted")]
    for level, label in ticks(0, top, 1e6, 5):
        y = TOP + HEIGHT * (1 - level / top)
        drawn += [rule(0, y, 100, y, "grid"), text(0, y - 3, label, "muted")]
    drawn.append(axis(left, across, ticks(1, across, 250, 6), TOP + HEIGHT))
    said = []
    for position, (arm, points) in enumerate(lines.items()):
        if not points:
            continue
        at = [(share(x, left, across), TOP + HEIGHT * (1 - y / top)) for x, y in points]
        drawn += [path(at, TOP + HEIGHT, f"s{position % 8}"), marker(*at[-1], position)]
        said.append(
            f"{arm}: {plain(points[0][1])} after one run, {plain(points[-1][1])} after {points[-1][0]:.0f}."
        )
    return Figure(
        file=file,
        beside="lessons",
        title=title,
        caption=caption + f" A line has at most {POINTS} points.",
        description=" ".join(said) or "No run began.",
        body="".join(drawn),
        height=TOP + HEIGHT + 18,
        axes="runs of the arm (number, in the order in which they began)",
        legend=arm_key(study),
    )


def _in_order(study: Study, arm: str) -> list[RunRecord]:
    """An arm's runs in the order in which they began; those in which nothing ran are left out."""
    found = []
    for target in study.inputs.selected_targets:
        for attempt in study.by_pair[arm, target.target].attempts:
            if attempt.run is not None and attempt.run.try_folder:
                found.append((_began(attempt, attempt.run), attempt.run))
    return [run for _, run in sorted(found, key=lambda pair: pair[0])]


def _began(attempt: Attempt, run: RunRecord) -> float:
    """Seconds since the epoch of the trace's first event; 0 where there is none."""
    try:
        with (attempt.folder / run.try_folder / "trace.jsonl").open("rb") as stream:
            return float(json.loads(stream.readline(1 << 16)).get("time", 0.0))
    except (OSError, ValueError, AttributeError):
        return 0.0


def _sums(runs: Sequence[RunRecord], count: Callable[[RunRecord], int]) -> list[tuple[float, float]]:
    """(run, sum up to it)."""
    return _thinned([(i, float(s)) for i, s in enumerate(accumulate(map(count, runs)), start=1)])


def _means(runs: Sequence[RunRecord]) -> list[tuple[float, float]]:
    """(run, mean of failing commands up to it)."""
    sums = accumulate(run.failing_turns for run in runs)
    return _thinned([(i, s / i) for i, s in enumerate(sums, start=1)])


def _thinned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """At most ``POINTS`` points at equal distances, the last one among them."""
    if len(points) <= POINTS:
        return points
    return [points[(number + 1) * len(points) // POINTS - 1] for number in range(POINTS)]
