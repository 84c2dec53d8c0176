"""Pairwise alignment with affine gaps (Gotoh) in memory that grows with the square root of the cells.

The forward pass keeps every k-th row only (k = √rows); the way back computes the rows between two kept ones
again, with a byte a cell for where each score came from. A row is a handful of numpy operations: the gap that
runs along a row is a running maximum. Twice the work of a full table; for 35,000 × 35,000 residues some 70 MB
instead of 1.2 GB.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import isqrt
from typing import Any

LOWEST = -(1 << 29)
FROM_DIAGONAL, FROM_UP, FROM_LEFT, FROM_NOTHING = 0, 1, 2, 3
UP_EXTENDS, LEFT_EXTENDS = 4, 8


@dataclass(frozen=True)
class Alignment:
    """Rows with gaps; ``a_start`` and ``b_start`` count residues before the first column."""

    score: int
    a: str
    b: str
    a_start: int
    b_start: int


@dataclass(frozen=True)
class Scoring:
    """Scores of pairs by letter (a square table over ``letters``), and costs of gaps, positive."""

    letters: str
    table: Any
    gap_open: int
    gap_extend: int


def align(a: str, b: str, scoring: Scoring, *, local: bool = False) -> Alignment:
    """The best alignment of ``a`` and ``b``; of equal ones, that with pairs before gaps from the end.

    Args:
        a: letters of ``scoring.letters``, no gaps, not empty.
        b: likewise.
        scoring: of pairs and gaps; a gap of k columns costs ``gap_open + (k - 1) * gap_extend``.
        local: the best part instead of end to end.
    """
    return _Gotoh(a, b, scoring, local).best()


@cache
def matrix_scoring(name: str, gap_open: int, gap_extend: int) -> Scoring:
    """A published substitution matrix. Letters it does not have (U, O, J of a protein) score as X."""
    import numpy as np
    from Bio.Align import substitution_matrices

    matrix = substitution_matrices.load(name)
    own = str(matrix.alphabet)
    letters = own if name == "NUC.4.4" else own + "".join(c for c in "UOJ" if c not in own)
    rows = [own.index(c if c in own else "X") for c in letters]
    table = np.array(matrix).round().astype(np.int32)[np.ix_(rows, rows)]
    return Scoring(letters, table, gap_open, gap_extend)


class _Gotoh:
    """One alignment: rows are residues of ``a``, columns those of ``b``."""

    def __init__(self, a: str, b: str, scoring: Scoring, local: bool) -> None:
        import numpy as np

        self.np, self.local, self.scoring = np, local, scoring
        self.a, self.b = a, b
        # where opening is cheaper than extending, every column opens a gap of its own
        self.open, self.extend = scoring.gap_open, min(scoring.gap_open, scoring.gap_extend)
        codes = {letter: k for k, letter in enumerate(scoring.letters)}
        self.codes = [codes[c] for c in a]
        self.profile = scoring.table[:, [codes[c] for c in b]]
        self.ramp = np.arange(len(b) + 1, dtype=np.int32) * self.extend
        self.every = max(isqrt(len(a)), 1)

    def best(self) -> Alignment:
        """Forward, keeping some rows; then back from the best cell."""
        np = self.np
        kept = [self._first_row()]
        scores, ups = kept[0]
        top = (int(scores.max()), 0, int(scores.argmax()))
        for i in range(1, len(self.a) + 1):
            scores, ups, _ = self._row(i, scores, ups, traced=False)
            if self.local and int(scores.max()) > top[0]:
                top = (int(scores.max()), i, int(scores.argmax()))
            if i % self.every == 0:
                kept.append((scores, ups))
        if not self.local:
            top = (int(np.asarray(scores)[-1]), len(self.a), len(self.b))
        return self._back(kept, *top)

    def _first_row(self) -> tuple[Any, Any]:
        """Row 0: nothing of ``a`` yet."""
        np = self.np
        scores = np.zeros(len(self.b) + 1, dtype=np.int32)
        if not self.local:
            scores[1:] = -self.open - self.ramp[:-1]
        return scores, np.full(len(self.b) + 1, LOWEST, dtype=np.int32)

    def _row(self, i: int, above: Any, ups_above: Any, *, traced: bool) -> tuple[Any, Any, Any]:
        """Scores of row ``i``, those that end in a gap of ``b``, and where each came from."""
        np = self.np
        ups = np.maximum(above - self.open, ups_above - self.extend)
        diagonal = np.empty_like(above)
        diagonal[1:] = above[:-1] + self.profile[self.codes[i - 1]]
        diagonal[0] = 0 if self.local else LOWEST
        without_left = np.maximum(diagonal, ups)
        if self.local:
            np.maximum(without_left, 0, out=without_left)
        lefts = np.full_like(above, LOWEST)
        # a gap is never opened from the end of another one along the row: extending costs no more
        lefts[1:] = np.maximum.accumulate(without_left + self.ramp)[:-1] - self.ramp[:-1] - self.open
        scores = np.maximum(without_left, lefts)
        return scores, ups, self._origin(scores, diagonal, ups, lefts, ups_above) if traced else None

    def _origin(self, scores: Any, diagonal: Any, ups: Any, lefts: Any, ups_above: Any) -> Any:
        """A byte a cell: which of the three scores is the best, and whether the gaps go on."""
        np = self.np
        origin = np.where(scores == diagonal, FROM_DIAGONAL, np.where(scores == ups, FROM_UP, FROM_LEFT))
        if self.local:
            origin[scores == 0] = FROM_NOTHING
        origin = origin.astype(np.uint8)
        origin[ups == ups_above - self.extend] |= UP_EXTENDS
        origin[1:][lefts[1:] == lefts[:-1] - self.extend] |= LEFT_EXTENDS
        return origin

    def _block(self, kept: list[tuple[Any, Any]], last: int) -> tuple[int, list[Any]]:
        """Origins of the rows between the kept one above row ``last`` and ``last``."""
        first = (last - 1) // self.every
        scores, ups = kept[first]
        origins = []
        for i in range(first * self.every + 1, last + 1):
            scores, ups, origin = self._row(i, scores, ups, traced=True)
            origins.append(origin)
        return first * self.every, origins

    def _back(self, kept: list[tuple[Any, Any]], score: int, i: int, j: int) -> Alignment:
        """Walk back from cell (``i``, ``j``)."""
        end = (i, j)
        top_a: list[str] = []
        top_b: list[str] = []
        state = FROM_DIAGONAL
        base, origins = (i, [])  # type: tuple[int, list[Any]]
        while i > 0 and (j > 0 or not self.local):
            if i <= base:
                base, origins = self._block(kept, i)
            here = int(origins[i - base - 1][j])
            move = here & 3 if state == FROM_DIAGONAL else state
            if move == FROM_NOTHING:
                break
            if move == FROM_UP:
                state = FROM_UP if here & UP_EXTENDS else FROM_DIAGONAL
            elif move == FROM_LEFT:
                state = FROM_LEFT if here & LEFT_EXTENDS else FROM_DIAGONAL
            top_a.append("-" if move == FROM_LEFT else self.a[i - 1])
            top_b.append("-" if move == FROM_UP else self.b[j - 1])
            i -= move != FROM_LEFT
            j -= move != FROM_UP
        if not self.local:
            top_a.extend("-" * j)
            top_b.extend(reversed(self.b[:j]))
            j = 0
        rows = "".join(reversed(top_a)), "".join(reversed(top_b))
        assert end[0] - i == len(rows[0]) - rows[0].count("-")
        return Alignment(score, rows[0], rows[1], i, j)
