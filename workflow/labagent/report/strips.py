"""One quantity of one target on an axis of its own: the published value, what counts as within, every arm."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from labagent.models.score import QuantityScore
from labagent.models.tables import Reference
from labagent.report.numbers import beside, criterion, published
from labagent.report.study import Attempt
from labagent.report.svg import axis, bar, marker, rule, share, text, ticks
from labagent.scoring.judge import criterion_of, limit_of

LINE = 20  # pixels of an arm's line
AXIS = 18
ATTEMPTS = 10  # that are drawn of an entry
BETTER = {"higher": "higher is better", "lower": "lower is better", "match": "to be matched"}


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

    @property
    def axis_label(self) -> str:
        """What the axis shows, its unit, and which way is better."""
        unit = f" ({self.reference.unit})" if self.reference.unit else ""
        return f"{self.reference.metric}{unit}, {BETTER[self.reference.direction]}"

    @property
    def note(self) -> str:
        """The quantity, the published value and what decides."""
        return f"{self.reference.quantity}: {published(self.reference)} ({criterion(self.reference)})"

    @property
    def height(self) -> int:
        """Pixels of the drawing."""
        return LINE * len(self.arms) + AXIS

    def describe(self) -> str:
        """What the drawing shows, in words."""
        values = "; ".join(f"{arm} {value_text(self, attempts[0])}" for arm, attempts in self.arms)
        return f"{self.reference.metric}: published {published(self.reference)}; {values}."

    def draw(self) -> str:
        """The drawing: band, published value, a line an arm, the axis."""
        low, high = self._range()
        middle = self.reference.value
        limit = limit_of(self.reference, criterion_of(self.reference)) or 0.0
        bottom = LINE * len(self.arms)
        left, right = (share(middle + side * limit, low, high) for side in (-1, 1))
        drawn = [bar(left, right, 0, bottom, "band")]
        drawn += [rule(0, LINE * (i + 0.5), 100, LINE * (i + 0.5), "rail") for i in range(len(self.arms))]
        drawn.append(rule(share(middle, low, high), 0, share(middle, low, high), bottom, "published"))
        for position, (_, attempts) in enumerate(self.arms):
            drawn += self._arm(attempts, position, low, high)
        drawn.append(axis(low, high, ticks(low, high), bottom))
        return "".join(drawn)

    def _arm(self, attempts: Sequence[Attempt], position: int, low: float, high: float) -> list[str]:
        """An arm's attempts on its line, the first one on top and larger."""
        y = LINE * (position + 0.5)
        drawn = []
        for attempt in reversed(attempts[:ATTEMPTS]):
            q = self.of(attempt)
            if q is None or q.value is None:
                continue
            first = attempt is attempts[0]
            if first and q.dispersion:
                ends = [share(q.value + side * q.dispersion, low, high) for side in (-1, 1)]
                drawn.append(rule(ends[0], y, ends[1], y, f"s{position % 8}"))
            inside = q.within and attempt.status == "scored" and not attempt.tainted
            drawn.append(marker(share(q.value, low, high), y, position, hollow=not inside, small=not first))
        return drawn

    def _range(self) -> tuple[float, float]:
        """The ends of the axis: all that is drawn, and some room."""
        reference = self.reference
        limit = limit_of(reference, criterion_of(reference)) or 0.0
        seen = [reference.value - limit, reference.value + limit]
        for _, attempts in self.arms:
            for attempt in attempts[:ATTEMPTS]:
                q = self.of(attempt)
                if q is not None and q.value is not None:
                    spread = (q.dispersion or 0.0) if attempt is attempts[0] else 0.0
                    seen += [q.value - spread, q.value + spread]
        low, high = min(seen), max(seen)
        room = (high - low) * 0.06 or abs(high) * 0.05 or 1.0
        return low - room, high + room


def value_text(strip: Strip, attempt: Attempt) -> str:
    """The value of the first attempt and its verdict, or why there is none."""
    value, word, _ = verdict(strip, attempt)
    return f"{value} {word}".strip()


def verdict(strip: Strip, attempt: Attempt) -> tuple[str, str, str]:
    """The value of an attempt, its verdict in a word, and the class of that word."""
    q = strip.of(attempt)
    status = attempt.status.replace("_", " ")
    if q is None or q.value is None:
        return "", status, "none"
    value = beside(q.value, strip.reference)
    if attempt.status != "scored" or attempt.tainted:
        return value, "tainted" if attempt.tainted else status, "none"
    return value, "within" if q.within else "not within", "within" if q.within else "off"


def file_block(strip: Strip, width: float) -> tuple[str, float]:
    """A strip for a file ``width`` pixels wide, with its words at both sides; and its height."""
    labels, values = 300, 190
    drawn = [text(0, 12, strip.target[:46], "strong"), text(0, 26, strip.note[:52])]
    box = f'x="{labels}" width="{width - labels - values}" height="{strip.height}" overflow="visible"'
    drawn.append(f"<svg {box}>{strip.draw()}</svg>")
    drawn.append(text(labels, strip.height + 12, strip.axis_label, "muted"))
    for position, (arm, attempts) in enumerate(strip.arms):
        words = f"{arm[:14]} {value_text(strip, attempts[0])}"
        drawn.append(text(width - values + 14, LINE * (position + 0.5) + 3.5, words, "ink"))
    return "".join(drawn), max(strip.height, 40) + 26
