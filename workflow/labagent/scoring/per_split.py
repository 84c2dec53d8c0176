"""A metric of every split of a table of predictions, against withheld labels: what scorers share."""

from __future__ import annotations

from pathlib import Path

from labagent.errors import InfrastructureError
from labagent.scoring.attempt import Unscorable
from labagent.scoring.metrics import find_metric, known_metrics
from labagent.scoring.predictions import join, read_labels, read_predictions


def metric_per_split(predictions: Path, labels: Path, metric_name: str, shown: str) -> dict[str, float]:
    """The metric of every split, in the order of the splits' names; one of no name without splits.

    Args:
        predictions: a table an agent wrote.
        labels: the withheld labels.
        metric_name: a name of :mod:`labagent.scoring.metrics`.
        shown: how the table is named in reasons.

    Raises:
        Unscorable: the table, or a split of it, cannot be scored.
        InfrastructureError: the labels cannot be used.
    """
    metric = find_metric(metric_name)
    if metric is None:
        raise Unscorable(f'unknown metric "{metric_name}"; allowed: {", ".join(known_metrics())}')
    joined = join(read_predictions(predictions, shown), read_labels(labels), shown)
    values = {}
    for split, pairs in sorted(joined.items()):
        try:
            values[split] = metric(pairs)
        except Unscorable as error:
            place = f'{shown}, split "{split}"' if split else shown
            raise Unscorable(f"{place}: {metric_name} cannot be computed: {error}") from error
    return values


def label_faults(labels: Path) -> list[str]:
    """What is wrong with withheld labels."""
    try:
        read_labels(labels)
    except InfrastructureError as error:
        return [str(error)]
    return []
