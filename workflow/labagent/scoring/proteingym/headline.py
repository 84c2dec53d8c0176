"""ProteinGym's headline average of per-assay values: by protein, then function category, then over all."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from labagent.scoring.proteingym.assays import Assay


@dataclass(frozen=True)
class Headline:
    """The average and its categories; ``assays`` counts the values it is made from."""

    average: float
    categories: Mapping[str, float]
    assays: int


def headline(scores: Mapping[str, float], assays: Iterable[Assay]) -> Headline | None:
    """The headline of a method; ``None`` without any value.

    Assays of one protein in one category are averaged first, so that a protein measured often does not count
    more; then proteins, then categories, each with equal weight. An assay without a value is left out, as
    ProteinGym does it.

    Args:
        scores: value by assay.
        assays: all assays; those without a value are passed over.
    """
    proteins: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    count = 0
    for assay in assays:
        if assay.assay in scores:
            proteins[assay.selection][assay.uniprot].append(scores[assay.assay])
            count += 1
    if not count:
        return None
    categories = {
        category: _mean([_mean(values) for values in by_protein.values()])
        for category, by_protein in sorted(proteins.items())
    }
    return Headline(_mean(list(categories.values())), categories, count)


def _mean(values: list[float]) -> float:
    """The mean."""
    return math.fsum(values) / len(values)
