"""Any value: computed from predictions where labels are withheld, else self-reported.

A quantity whose answer is a file without a key is a table of predictions; its metric (the reference's) is
computed here from the withheld labels, per split, and averaged. A quantity with a key is taken as reported.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field, ValidationError

from labagent.models.answers import read_answer
from labagent.models.base import Record
from labagent.models.family import Family
from labagent.models.tables import Quantity, Reference, Target
from labagent.scoring.attempt import Attempt, Measurement, Unscorable
from labagent.scoring.metrics import find_metric, known_metrics
from labagent.scoring.per_split import label_faults, metric_per_split


class Settings(Record):
    """``settings`` of a family with this scorer.

    ``ddof``: of the SD over splits. ``round_splits``, ``round_mean``: decimals to which a protocol rounds
    each split's value before averaging, and the mean and SD. ``min_splits``: fewer are refused.
    """

    ddof: Annotated[int, Field(ge=0, le=1)] = 0
    round_splits: Annotated[int, Field(ge=0)] | None = None
    round_mean: Annotated[int, Field(ge=0)] | None = None
    min_splits: Annotated[int, Field(ge=1)] = 1


def check(
    family: Family, target: Target, references: Mapping[str, Reference], labels: Path | None
) -> list[str]:
    """Faults in settings, metrics, contract and labels; metrics of self-reported values may have any name."""
    faults = []
    try:
        Settings.model_validate(family.settings)
    except ValidationError as error:
        faults += [f"settings.{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()]
    if labels is None:
        faults += [
            f'answer "{q.name}" ends in !, which is for the scorer tolerances'
            for q in target.answer
            if q.exact
        ]
        computed = [q for q in target.answer if not q.key]
        faults += [
            f'answer "{q.name}={q.file}" is computed from predictions, which needs '
            f"labels/{target.target}.csv beside the table (or name a key: {q.name}=answer.json:{q.name})"
            for q in computed
        ]
    else:
        faults += label_faults(labels)
        unknown = sorted({r.metric for r in references.values() if find_metric(r.metric) is None})
        faults += [f'unknown metric "{m}"; allowed: {", ".join(known_metrics())}' for m in unknown]
    return faults


def measure(attempt: Attempt, quantity: Quantity) -> Measurement:
    """The quantity's value; see ``labagent.scoring.attempt.Scorer``."""
    answer = read_answer(attempt.output, quantity)
    if isinstance(answer, float):
        return Measurement(value=answer, basis="self-reported")
    if attempt.labels is None:
        raise Unscorable(
            f"{quantity.file}: no withheld labels to score predictions of {attempt.target.target}"
        )
    settings = Settings.model_validate(attempt.family.settings)
    name = attempt.references[quantity.name].metric
    return _summarize(metric_per_split(answer, attempt.labels, name, quantity.file), settings, quantity.file)


def _summarize(values: dict[str, float], settings: Settings, shown: str) -> Measurement:
    """Mean and SD over splits, rounded as the protocol does."""
    if len(values) < settings.min_splits:
        raise Unscorable(f"{shown}: has {len(values)} split(s); this family needs {settings.min_splits}")
    if settings.round_splits is not None:
        values = {split: round(value, settings.round_splits) for split, value in values.items()}
    count = len(values)
    mean = math.fsum(value / count for value in values.values())
    dispersion = None
    if count > 1:
        deviations = [value - mean for value in values.values()]
        dispersion = math.hypot(*deviations) / math.sqrt(count - settings.ddof)
        if not math.isfinite(dispersion):
            raise Unscorable(f"{shown}: the SD over splits is too large for a number")
    if settings.round_mean is not None:
        mean = round(mean, settings.round_mean)
        dispersion = None if dispersion is None else round(dispersion, settings.round_mean)
    splits = values if set(values) != {""} else {}
    return Measurement(value=mean, basis="computed", dispersion=dispersion, splits=splits)
