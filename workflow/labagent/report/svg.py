"""Small pieces of SVG whose x is a share of the width, so that one drawing fits a phone, a page and a file.

Positions along x are in per cent of whatever the drawing is put into, heights and text in pixels: a drawing
gets wider without its letters getting larger. Colours are classes (``ink``, ``muted``, ``s0``…) that the page
and the file define.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import ceil, floor, log10

from labagent.report.inert import visible

CHARACTER = 6.1  # pixels a character takes at most, on average, in 10 px sans-serif
SERIES = 8
SHAPES = (
    "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0-4 0Z",
    "M-3.6-3.6H3.6V3.6H-3.6Z",
    "M0-5L5 0L0 5L-5 0Z",
    "M0-4.8L4.6 3.6H-4.6Z",
    "M0 4.8L4.6-3.6H-4.6Z",
    "M-1.6-4.5H1.6V-1.6H4.5V1.6H1.6V4.5H-1.6V1.6H-4.5V-1.6H-1.6Z",
    "M-4.6 0L3.6-4.6V4.6Z",
    "M4.6 0L-3.6-4.6V4.6Z",
)


def text(
    x: str | float, y: float, words: str, style: str = "muted", anchor: str = "start", dx: float = 0
) -> str:
    """A line of text; ``x`` is a length such as ``40%`` or pixels, ``dx`` pixels further right."""
    shift = f' dx="{dx:g}"' if dx else ""
    place = f'x="{x}" y="{y:g}"{shift} text-anchor="{anchor}"'
    return f'<text class="{style}" {place}>{escape(visible(words))}</text>'


def bar(left: float, right: float, y: float, height: float, style: str) -> str:
    """A rectangle from ``left`` to ``right`` per cent."""
    width = max(right - left, 0.0)
    return f'<rect class="{style}" x="{left:.2f}%" y="{y:g}" width="{width:.2f}%" height="{height:g}"/>'


def rule(x1: float, y1: float, x2: float, y2: float, style: str) -> str:
    """A line; x in per cent, y in pixels."""
    return f'<line class="{style}" x1="{x1:.2f}%" y1="{y1:g}" x2="{x2:.2f}%" y2="{y2:g}"/>'


def marker(x: float, y: float, number: int, *, hollow: bool = False, small: bool = False) -> str:
    """The marker of series ``number`` at ``x`` per cent."""
    size = ' transform="scale(.62)"' if small else ""
    style = f"s{number % SERIES} {'hollow' if hollow else 'full'}"
    shape = SHAPES[number % SERIES]
    return f'<svg x="{x:.2f}%" y="{y:g}" overflow="visible"><path class="{style}" d="{shape}"{size}/></svg>'


def path(points: Sequence[tuple[float, float]], height: float, style: str) -> str:
    """A line through points; x in per cent, y in pixels of a drawing ``height`` pixels high."""
    steps = "L".join(f"{10 * x:.1f} {y:.1f}" for x, y in points)
    box = f'viewBox="0 0 1000 {height:g}" preserveAspectRatio="none" width="100%" height="{height:g}"'
    return (
        f'<svg {box} overflow="visible"><path class="line {style}" '
        f'vector-effect="non-scaling-stroke" d="M{steps}"/></svg>'
    )


def axis(low: float, high: float, ticks: Sequence[tuple[float, str]], y: float) -> str:
    """A horizontal axis at ``y`` with its labels 12 pixels below."""
    drawn = [rule(0, y, 100, y, "axis")]
    for value, label in ticks:
        x = share(value, low, high)
        drawn += [rule(x, y, x, y + 3, "axis"), text(f"{x:.2f}%", y + 13, label, "muted", _anchor(x))]
    return "".join(drawn)


def share(value: float, low: float, high: float) -> float:
    """Where a value lies between two others, in per cent."""
    return 100 * (value - low) / (high - low) if high > low else 50.0


def ticks(low: float, high: float, width: float = 105, most: int = 4) -> list[tuple[float, str]]:
    """Round values with labels that do not touch on an axis ``width`` pixels long."""
    best: tuple[tuple[int, ...], list[tuple[float, str]]] = ((), [])
    for step in _steps(low, high):
        first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
        if last - first > 3 * most:
            continue
        numbers = range(first, last + 1)
        for stride, offset in ((1, 0), (2, 0), (2, 1), (3, 1)):
            values = [number * step for number in numbers[offset::stride]]
            labels = [_written(value, step, max(abs(low), abs(high))) for value in values]
            if not values or len(values) > most:
                continue
            merit = (min(len(values), 2), stride == 1, -max(map(len, labels)), len(values))
            if merit > best[0] and _apart([share(v, low, high) for v in values], labels, width):
                best = (merit, list(zip(values, labels, strict=True)))
    return best[1]


def key(entries: Iterable[tuple[str, str]], columns: int = 4) -> tuple[str, float]:
    """A legend for a file, of (drawn symbol, words): what it draws, and its height in pixels."""
    listed = list(entries)
    drawn = []
    for place, (symbol, words) in enumerate(listed):
        x, y = 100 / columns * (place % columns), 18 * (place // columns) + 10
        label = text(16, 3.5, cut(words, 26), "ink")
        placed = f'<svg x="6" overflow="visible">{symbol}</svg>'
        drawn.append(f'<svg x="{x:.2f}%" y="{y}" overflow="visible">{placed}{label}</svg>')
    return "".join(drawn), 18.0 * -(-len(listed) // columns)


def cut(words: str, length: int) -> str:
    """A text with its middle left out where it is too long."""
    if len(words) <= length:
        return words
    tail = length // 2 - 1
    return f"{words[: length - tail - 1]}…{words[-tail:] if tail else ''}"


def _steps(low: float, high: float) -> list[float]:
    """Round steps, the finest first, from a tenth of the range to the whole."""
    exponent = floor(log10(high - low)) - 1 if high > low else 0
    return [digit * 10.0**power for power in range(exponent, exponent + 3) for digit in (1, 2, 5)]


def _written(value: float, step: float, largest: float) -> str:
    """A tick's label, with the decimals its step has."""
    decimals = max(0, -floor(log10(step) + 1e-9))
    if largest >= 1e5 or decimals > 5:
        return f"{value:.{max(1, floor(log10(largest or 1)) - floor(log10(step)) + 1)}g}"
    return f"{0.0 if abs(value) < step / 1e6 else value:.{decimals}f}".replace("-", "−")


def _apart(places: Sequence[float], labels: Sequence[str], width: float) -> bool:
    """Whether labels at these places (per cent) leave 5 pixels between each other."""
    edge = -1e9
    for place, label in zip(places, labels, strict=True):
        long, x = CHARACTER * len(label), place * width / 100
        left = {"start": x, "middle": x - long / 2, "end": x - long}[_anchor(place)]
        if left < edge + 5:
            return False
        edge = left + long
    return True


def _anchor(x: float) -> str:
    """Labels near an end stay inside."""
    return "start" if x < 15 else "end" if x > 85 else "middle"
