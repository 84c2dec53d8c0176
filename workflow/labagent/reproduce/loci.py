"""Which step files of its skill an agent has read: seen from outside, in what its commands really printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from labagent.models.skill import Skill

LINES = 3
"""So many lines in a row are text of a locus; fewer may be quoted by an error message."""


@dataclass(frozen=True)
class LocusRead:
    """A locus of which ``lines`` of ``of`` lines with text were printed."""

    name: str
    lines: int
    of: int


class LocusReads:
    """Finds the text of loci in outputs.

    What counts is that the text of the file was printed, by ``locus``, ``cat`` or anything else. An output
    that merely says that a locus was read, or names one, is no reading of it.
    """

    def __init__(self, skill: Skill | None) -> None:
        """Index the loci of a skill; ``None`` where there is none."""
        self._loci = {locus.name: _lines(locus.text) for locus in skill.loci} if skill else {}
        owners: dict[tuple[str, ...], set[str]] = {}
        for name, lines in self._loci.items():
            for run in _runs(lines):
                owners.setdefault(run, set()).add(name)
        self._owner = {run: names.pop() for run, names in owners.items() if len(names) == 1}
        self._widths = sorted({len(run) for run in self._owner})

    def find(self, output: str) -> list[LocusRead]:
        """The loci whose text stands in an output, in the skill's order."""
        lines = _lines(output)
        seen: dict[str, set[str]] = {}
        for width in self._widths:
            for run in _runs(lines, width):
                if name := self._owner.get(run):
                    seen.setdefault(name, set()).update(run)
        return [
            LocusRead(name, sum(line in seen[name] for line in text), len(text))
            for name, text in self._loci.items()
            if name in seen
        ]


def _lines(text: str) -> list[str]:
    """Lines with text, blanks at their ends taken off."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def _runs(lines: Sequence[str], width: int = 0) -> Iterator[tuple[str, ...]]:
    """All runs of lines of a width; by default ``LINES``, or the whole of a shorter text."""
    width = width or min(LINES, len(lines))
    for start in range(len(lines) - width + 1) if width else ():
        yield tuple(lines[start : start + width])
