"""TDC's ADMET benchmark group: five or more runs on one fixed test set, in the protocol's own arithmetic.

The protocol (``evaluate_many`` of PyTDC): each run's metric is rounded to three decimals, the mean and the
population SD (ddof 0) of the rounded values are rounded again, fewer than five runs are refused. Rounding is
numpy's (half to even of the scaled value), not Python's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from labagent.inputs import load_boards
from labagent.models.answers import answer_file
from labagent.models.family import Family
from labagent.models.tables import Quantity, Reference, Target
from labagent.scoring.attempt import Attempt, Measurement, Unscorable
from labagent.scoring.per_split import label_faults, metric_per_split

MIN_RUNS = 5
DECIMALS = 3


def check(
    family: Family, target: Target, references: Mapping[str, Reference], labels: Path | None
) -> list[str]:
    """Faults in settings (there are none to set), board, metric, contract and labels."""
    faults = [f"settings.{key}: the protocol is fixed, it has no settings" for key in family.settings]
    keyed = [f"{q.name}={q.file}:{q.key}" for q in target.answer if q.key]
    faults += [f'answer "{item}": must name a table of predictions, without a key' for item in keyed]
    boards = load_boards(family)
    for reference in references.values():
        board = boards.get(reference.board)
        if board is None:
            faults.append(f'board "{reference.board}" is not in boards.tsv; it has {", ".join(boards)}')
        elif (reference.metric, reference.direction) != (board.metric, board.direction):
            faults.append(
                f"{reference.board} is judged by {board.metric} ({board.direction} is better), "
                f"not by {reference.metric} ({reference.direction})"
            )
    if labels is None:
        hint = family.obtain or "write it"
        faults.append(f"labels/{target.target}.csv with the withheld values is not there; {hint}")
    else:
        faults += label_faults(labels)
    return faults


def measure(attempt: Attempt, quantity: Quantity) -> Measurement:
    """The protocol's mean and SD; see ``labagent.scoring.attempt.Scorer``."""
    if quantity.key:
        raise Unscorable(f"{quantity.file}: the value is computed from predictions, not taken as reported")
    path = answer_file(attempt.output, quantity.file)
    if attempt.labels is None:
        raise Unscorable(f"{quantity.file}: no withheld labels to score {attempt.target.target} with")
    metric = attempt.references[quantity.name].metric
    values = metric_per_split(path, attempt.labels, metric, quantity.file)
    if len(values) < MIN_RUNS:
        raise Unscorable(
            f"{quantity.file}: has {len(values)} run(s) in its column split; the protocol refuses fewer than "
            f"{MIN_RUNS}"
        )
    rounded = {run: protocol_round(value) for run, value in values.items()}
    mean, dispersion = mean_and_sd(tuple(rounded.values()))
    return Measurement(value=mean, basis="computed", dispersion=dispersion, splits=rounded)


def mean_and_sd(runs: Sequence[float]) -> tuple[float, float]:
    """Mean and population SD of the runs' rounded values, both rounded to three decimals.

    Raises:
        Unscorable: fewer than five runs, or an SD too large for a number.
    """
    import numpy as np

    if len(runs) < MIN_RUNS:
        raise Unscorable(f"{len(runs)} run(s); the protocol refuses fewer than {MIN_RUNS}")
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = np.round(np.asarray(runs, dtype=float), DECIMALS)
        mean, deviation = float(np.mean(rounded)), float(np.std(rounded))
    if not (np.isfinite(mean) and np.isfinite(deviation)):
        raise Unscorable("mean or SD over the runs is too large for a number")
    return protocol_round(mean), protocol_round(deviation)


def protocol_round(value: float) -> float:
    """A value as the protocol rounds it.

    Raises:
        Unscorable: it is too large to be rounded.
    """
    import numpy as np

    with np.errstate(over="ignore", invalid="ignore"):
        rounded = float(np.round(value, DECIMALS))
    if not np.isfinite(rounded):
        raise Unscorable(f"{value} is too large for the protocol's rounding")
    return rounded
