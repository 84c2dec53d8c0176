"""Spearman's correlation of predictions with the withheld effects of one assay, and by its regions.

The direction is fixed in the task: a higher prediction means a higher measured score. A prediction the wrong
way round has a negative correlation; its sign is never turned.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from labagent.models.answers import answer_file
from labagent.models.family import Family
from labagent.models.tables import Quantity, Reference, Target
from labagent.scoring.attempt import Attempt, Measurement, Unscorable
from labagent.scoring.metrics import find_metric
from labagent.scoring.per_split import label_faults
from labagent.scoring.predictions import join, read_labels, read_predictions
from labagent.scoring.proteingym.assays import load_assays
from labagent.scoring.proteingym.regions import parts, read_burial

METRIC = "spearman"
BURIAL = "burial"
"""Folder of the family for tables ``<assay>.csv`` of a structure: position, rsa."""


def check(
    family: Family, target: Target, references: Mapping[str, Reference], labels: Path | None
) -> list[str]:
    """Faults in settings (there are none to set), assay, metric, contract and labels."""
    faults = [f"settings.{key}: this scorer has no settings" for key in family.settings]
    keyed = [f"{q.name}={q.file}:{q.key}" for q in target.answer if q.key]
    faults += [f'answer "{item}": must name a table of predictions, without a key' for item in keyed]
    known = {assay.assay for assay in load_assays(family)}
    for reference in references.values():
        if reference.board not in known:
            faults.append(f'board "{reference.board}" is no assay of assays.tsv')
        if find_metric(reference.metric) is not find_metric(METRIC) or reference.direction != "higher":
            faults.append(f"{reference.quantity}: must be {METRIC}, higher is better")
        if reference.sd_kind not in ("", "seeds"):
            faults.append(f"{reference.quantity}: the published error is of a difference, no SD of a value")
    if labels is None:
        hint = family.obtain or "write it"
        return [*faults, f"labels/{target.target}.csv with the withheld effects is not there; {hint}"]
    return faults + label_faults(labels)


def measure(attempt: Attempt, quantity: Quantity) -> Measurement:
    """The correlation over all variants of the assay; see ``labagent.scoring.attempt.Scorer``."""
    if quantity.key:
        raise Unscorable(f"{quantity.file}: the value is computed from predictions, not taken as reported")
    path = answer_file(attempt.output, quantity.file)
    if attempt.labels is None:
        raise Unscorable(f"{quantity.file}: no withheld effects to score {attempt.target.target} with")
    predictions, labels = read_predictions(path, quantity.file), read_labels(attempt.labels)
    joined = join(predictions, labels, quantity.file)
    if set(joined) != {""}:
        raise Unscorable(f"{quantity.file}: has a column split; one prediction a variant is asked for")
    metric = find_metric(METRIC)
    assert metric is not None
    try:
        value = metric(joined[""])
    except Unscorable as error:
        raise Unscorable(f"{quantity.file}: {METRIC} cannot be computed: {error}") from error
    board = attempt.references[quantity.name].board
    burial = read_burial(Path(attempt.family.folder) / BURIAL / f"{board}.csv") if board else None
    names = [name for _, name in sorted(labels)]
    return Measurement(value=value, basis="computed", parts=parts(names, joined[""], burial))
