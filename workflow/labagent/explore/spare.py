"""The time that trying examples may take, and which of several is the shortest."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from labagent.models.snapshot import Example

COUNTS = re.compile(
    r"\b\w*(?:epochs?|iter|iterations?|estimators|samples|draws|boot\w*|replic\w*|steps|chains|trials|seeds|permut\w*"
    r"|max_mins|generations)[\w\"'\]]*\s*[=:(,]?\s*(\d[\d_]*)",
    re.IGNORECASE,
)
TOO_LONG = re.compile(r"tier 3, \w+: .*ran longer than")


@dataclass(frozen=True)
class Spare:
    """Seconds for all examples of a lab, and for one run of one of them.

    ``started`` is on the monotonic clock.
    """

    all_seconds: float
    example_seconds: float
    started: float = field(default_factory=time.monotonic)

    @property
    def over(self) -> bool:
        """Whether no time is left to try one more."""
        return time.monotonic() >= self.until

    @property
    def until(self) -> float:
        """When the time is over, on the monotonic clock."""
        return self.started + self.all_seconds


def is_too_long(reason: str) -> bool:
    """Whether a draft was refused because it ran for too long."""
    return TOO_LONG.match(reason) is not None


def effort(pieces: Sequence[Example]) -> tuple[int, int]:
    """How long an example may run, to order several by: its largest count of repetitions, its length.

    Args:
        pieces: the parts of the example.

    Returns:
        The largest number given to a name like ``epochs`` (0 where it gives none), and the lines of code.
    """
    code = "\n".join(piece.code for piece in pieces)
    counts = [int(number.replace("_", "")) for number in COUNTS.findall(code)]
    return max(counts, default=0), len(code.split("\n"))
