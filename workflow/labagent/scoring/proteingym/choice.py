"""A choice of assays by strata, blind to every published score.

Any size is a prefix of one seeded order, so that a larger choice holds the smaller one. Each next assay is of
a protein not yet chosen while there is one, of the function category chosen least, in it of the alignment
depth chosen least, then of the depth and taxon chosen least; a hash of seed and name decides what is left.
The table's order and the version of Python change nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

from labagent.errors import InputError, InputFault
from labagent.scoring.proteingym.assays import Assay


def choose(assays: Sequence[Assay], size: int, seed: int) -> list[Assay]:
    """``size`` assays.

    Raises:
        InputError: the size is not between 1 and the number of assays.
    """
    if not 1 <= size <= len(assays):
        raise InputError(
            [InputFault("size", f"{size}: must be from 1 to {len(assays)}, all assays there are")]
        )
    left = {assay.assay: assay for assay in assays}
    chosen: list[Assay] = []
    counts: Counter[tuple[str, ...]] = Counter()
    while len(chosen) < size:
        best = min(left.values(), key=lambda assay: (*_taken(assay, counts), _lot(assay, seed)))
        chosen.append(left.pop(best.assay))
        counts.update(_strata(best))
    return chosen


def _strata(assay: Assay) -> tuple[tuple[str, ...], ...]:
    """What an assay belongs to, the most important first."""
    return (
        ("protein", assay.uniprot),
        ("selection", assay.selection),
        ("cell", assay.selection, assay.depth),
        ("depth", assay.depth),
        ("taxon", assay.taxon),
    )


def _taken(assay: Assay, counts: Counter[tuple[str, ...]]) -> tuple[int, ...]:
    """How often each of an assay's strata was chosen already."""
    return tuple(counts[stratum] for stratum in _strata(assay))


def _lot(assay: Assay, seed: int) -> str:
    """What decides between assays of equal strata."""
    return sha256(f"{seed}:{assay.assay}".encode()).hexdigest()
