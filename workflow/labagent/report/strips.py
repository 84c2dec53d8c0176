"""One strip of a figure: a quantity on its own axis, with every arm on a line of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any

from labagent.models.score import QuantityScore
from labagent.models.tables import Reference
from labagent.report.numbers import beside, criterion, published
from labagent.report.study import Attempt
from labagent.scoring.judge import criterion_of, limit_of

INK, MUTED, BAND, PAPER = "#1f2328", "#646b75", "#cfdcec", "#ffffff"
COLOURS = ("#2f74c8", "#c96a12", "#1d8f7e", "#a8478f", "#7d7a00", "#c23b3b", "#5d63c9", "#6b7f2a")
MARKERS = "osD^vPX*"
LINE = 0.155
LEGEND_COLUMNS = 5


@dataclass(frozen=True)
class Strip:
    """One quantity of one target, with every arm's attempts."""

    target: str
    reference: Reference
    arms: Sequence[tuple[str, Sequence[Attempt]]]

    def of(self, attempt: Attempt) -> QuantityScore | None:
        """This quantity in an attempt, where it has a value."""
        found = (q for q in attempt.quantities if q.quantity == self.reference.quantity)
        return next((q for q in found if q.value is not None), None)


def draw_legend(figure: Any, arms: Sequence[str]) -> None:
    """What markers and the band mean; long names are cut, arms wrap over two lines."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles = [
        Line2D([], [], color=INK, lw=1.4, label="published"),
        Patch(facecolor=BAND, label="within"),
        *(
            Line2D([], [], color=COLOURS[i % 8], marker=MARKERS[i % 8], ls="", ms=5, label=_cut(arm, 22))
            for i, arm in enumerate(arms)
        ),
        Line2D([], [], color=MUTED, marker="o", ls="", ms=5, mfc="none", label="hollow: not within"),
    ]
    figure.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(0.0, 1.0), ncols=LEGEND_COLUMNS,
        frameon=False, fontsize=7.5, labelcolor=INK, handletextpad=0.5, columnspacing=1.4,
    )  # fmt: skip


def legend_height(arms: int) -> float:
    """Height of the legend in inches; its entries are the arms and three more."""
    return 0.2 + 0.17 * -(-(arms + 3) // LEGEND_COLUMNS)


def draw_strip(axes: Any, strip: Strip) -> None:
    """Draw one quantity."""
    reference = strip.reference
    limit = limit_of(reference, criterion_of(reference)) or 0.0
    axes.axvspan(reference.value - limit, reference.value + limit, color=BAND, lw=0, zorder=0)
    axes.axvline(reference.value, color=INK, lw=1.4, zorder=1)
    seen = [reference.value - limit, reference.value + limit]
    for position, (_, attempts) in enumerate(strip.arms):
        seen += _arm(axes, strip, attempts, position)
    _frame(axes, seen, len(strip.arms))
    unit = f" ({reference.unit})" if reference.unit else ""
    better = {"higher": "higher is better", "lower": "lower is better", "match": "to be matched"}
    note = f"{reference.quantity}: {published(reference)} ({criterion(reference)})"
    label = axes.annotate
    style = {"xycoords": "axes fraction", "textcoords": "offset points", "ha": "right", "va": "top"}
    label(_cut(strip.target, 40), (0, 1), (-10, 2), **style, fontsize=8.5, weight="bold", color=INK)
    label(_cut(note, 50), (0, 1), (-10, -9.5), **style, fontsize=7.5, color=MUTED)
    text = _cut(f"{reference.metric}{unit}, {better[reference.direction]}", 50)
    label(text, (0, 1), (-10, -20), **style, fontsize=7.5, color=MUTED)


def _arm(axes: Any, strip: Strip, attempts: Sequence[Attempt], position: int) -> list[float]:
    """Draw an arm's attempts on its line; the positions they take on the axis are returned."""
    colour, marker = COLOURS[position % 8], MARKERS[position % 8]
    seen = []
    for attempt in reversed(attempts):
        q = strip.of(attempt)
        if q is None or q.value is None:
            continue
        first = attempt is attempts[0]
        inside = q.within and attempt.status == "scored" and not attempt.tainted
        fill = colour if inside else "none"
        if first and q.dispersion:
            axes.plot([q.value - q.dispersion, q.value + q.dispersion], [position] * 2, color=colour, lw=1)
            seen += [q.value - q.dispersion, q.value + q.dispersion]
        size = 5.5 if first else 3.5
        axes.plot([q.value], [position], marker=marker, ms=size, color=colour, mfc=fill, mew=1.1, ls="")
        seen.append(q.value)
    style = {"xycoords": ("axes fraction", "data"), "textcoords": "offset points", "va": "center"}
    axes.annotate(value_text(strip, attempts[0]), (1, position), (10, 0), **style, fontsize=7.5, color=INK)
    return seen


def value_text(strip: Strip, attempt: Attempt) -> str:
    """The value of the first attempt and its verdict, or why there is none."""
    q = strip.of(attempt)
    if q is None or q.value is None:
        return attempt.status.replace("_", " ")
    if attempt.status != "scored":
        return f"{beside(q.value, strip.reference)}  {attempt.status}"
    verdict = "tainted" if attempt.tainted else "within" if q.within else "not within"
    return f"{beside(q.value, strip.reference)}  {verdict}"


def _frame(axes: Any, seen: Sequence[float], arms: int) -> None:
    """Limits, ticks and lines of a strip."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

    low, high = min(seen), max(seen)
    room = (high - low) * 0.07 or abs(high) * 0.05 or 1.0
    axes.set_xlim(low - room, high + room)
    axes.set_ylim(arms - 0.4, -0.6)
    axes.set_yticks([])
    locator = MaxNLocator(4)
    ticks = locator.tick_values(*axes.get_xlim())
    label = _tick_format(ticks[1] - ticks[0], max(abs(low), abs(high)))
    axes.xaxis.set_major_locator(FixedLocator(ticks if len(label(high)) < 9 else ticks[::2]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: label(x)))
    axes.tick_params(axis="x", labelsize=7, colors=MUTED, length=2.5, pad=1.5)
    axes.set_facecolor("none")
    for side in ("top", "left", "right"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)


def _tick_format(step: float, largest: float) -> Callable[[float], str]:
    """How ticks are written so that neighbours differ by what they say they do."""
    exponent = floor(log10(step) + 1e-9)
    factor = round(step / 10.0**exponent, 6)
    decimals = -exponent + (factor != round(factor))
    if step >= 1e-5 and largest < 1e6:
        return lambda x: f"{0.0 if abs(x) < step / 1e6 else x:.{max(decimals, 0)}f}"
    digits = max(1, floor(log10(largest)) + decimals + 1)
    return lambda x: f"{0.0 if abs(x) < step / 1e6 else x:.{digits}g}"


def _cut(text: str, length: int) -> str:
    """A text with its middle left out where it is too long."""
    if len(text) <= length:
        return text
    tail = length // 3
    return f"{text[: length - tail - 1]}…{text[-tail:]}"


def plot_height(arms: int) -> float:
    """Height of a strip's plot in inches."""
    return max(0.24, LINE * arms + 0.09)
