"""Score one attempt from ``run.json`` and the output folder of the try it names, nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from labagent.errors import InfrastructureError, InputError, InputFault
from labagent.models.answers import AnswerError
from labagent.models.family import Family
from labagent.models.run import EnvironmentRecord, RunRecord
from labagent.models.score import Departure, EntryStatus, QuantityScore, ScoreRecord
from labagent.models.tables import Quantity, Reference, Target
from labagent.scoring.attempt import Attempt, Scorer, Unscorable
from labagent.scoring.departures import Facts, find_departures
from labagent.scoring.installed import installed_versions
from labagent.scoring.judge import judge
from labagent.scoring.run_facts import Did, what_it_did
from labagent.scoring.scorers import load_scorer


def score_attempt(
    *,
    run_folder: Path,
    target: Target,
    references: Mapping[str, Reference],
    labels: Path | None,
    family: Family,
    environment: EnvironmentRecord | None = None,
    data: Path | None = None,
) -> ScoreRecord:
    """What an attempt is worth.

    A run that did not complete keeps its status and is not within, whatever it left; its values are shown.

    Args:
        run_folder: ``…/runs/<arm>/<target>/<n>``.
        target: what was to be reproduced; its ``protocol`` is what departures are measured against.
        references: the published values by quantity.
        labels: withheld labels, where the target has them.
        family: the target's family: scorer and settings.
        environment: what the run was given, for departures in package versions.
        data: the folder of the target's staged files, for departures in their size.

    Raises:
        InfrastructureError: ``run.json`` or the labels cannot be used.
        InputError: the target's protocol file cannot be used.
    """
    run = read_run(run_folder)
    if run.target != target.target:
        raise InfrastructureError(f"{run_folder}: is a run of {run.target}, not of {target.target}")
    if run.status == "env_failed" or not run.try_folder:
        return _without_output(run, family, references)
    output = _output_folder(run_folder, run)
    attempt = Attempt(output, target, references, labels, family)
    scorer = load_scorer(family.scorer)
    scored = measure_all(attempt, scorer, completed=run.status == "completed")
    facts = _facts(run, environment, scored, what_it_did(output.parent, data))
    status, reason = entry_status(run, scored)
    return ScoreRecord(
        arm=run.arm,
        target=run.target,
        attempt=run.attempt,
        family=family.name,
        status=status,
        within=status == "scored" and all(q.within for q in scored),
        reason=reason,
        quantities=tuple(scored),
        departures=(
            *find_departures(read_protocol(target.protocol), facts, output),
            *getattr(scorer, "departures", _none)(attempt),
            *_of_repairs(environment),
        ),
    )


def read_run(folder: Path) -> RunRecord:
    """The record of a run.

    Raises:
        InfrastructureError: there is none, or it does not follow its schema.
    """
    path = folder / "run.json"
    try:
        return RunRecord.read(path)
    except (OSError, ValueError) as error:
        raise InfrastructureError(f"{path}: is no record of a run: {error}") from error


def read_protocol(path: str) -> Mapping[str, Any]:
    """A target's protocol (YAML); empty where it names no file.

    Raises:
        InputError: the file is missing, no YAML, or no mapping.
    """
    if not path:
        return {}
    try:
        protocol = yaml.safe_load(Path(path).read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise InputError([InputFault(path, f"is no readable YAML: {error}")]) from error
    if not isinstance(protocol, dict | None):
        raise InputError([InputFault(path, "must be a mapping: seeds, splits, replicates, versions, …")])
    return protocol or {}


def measure_all(attempt: Attempt, scorer: Scorer, *, completed: bool) -> list[QuantityScore]:
    """Every quantity that has a reference, in the order of the references."""
    contract = {quantity.name: quantity for quantity in attempt.target.answer}
    return [
        _measure(attempt, scorer, contract.get(name), reference, completed=completed)
        for name, reference in attempt.references.items()
    ]


def entry_status(run: RunRecord, scored: Sequence[QuantityScore]) -> tuple[EntryStatus, str]:
    """The status of an attempt and the reason, empty where it was scored."""
    if run.status != "completed":
        return run.status, run.reason or f"ended by {run.ended_by}"
    if not scored:
        return "unscorable", "the target has no reference"
    reasons = [f"{q.quantity}: {q.reason}" for q in scored if q.value is None]
    return ("unscorable", "; ".join(reasons)) if reasons else ("scored", "")


def _facts(
    run: RunRecord, environment: EnvironmentRecord | None, scored: Sequence[QuantityScore], did: Did
) -> Facts:
    """What the records say that can be held against a protocol."""
    given = environment or EnvironmentRecord(status="env_failed", builder="venv")
    splits = max((len(q.splits) for q in scored), default=0)
    return Facts(
        splits=splits,
        split_names=next((tuple(q.splits) for q in scored if len(q.splits) == splits), ()),
        did=did,
        installed=installed_versions(
            given.lock, mapped=given.mapped, layer=run.installed, python=given.python
        ),
        machine_r=any(said.startswith("R ") for said in given.mapped.values()),
    )


def _of_repairs(environment: EnvironmentRecord | None) -> Iterator[Departure]:
    """What had to be changed before the environment could be built."""
    for repair in environment.repairs if environment else ():
        for said in repair.changes:
            item, _, rest = said.partition(": ")
            asked, _, ours = rest.rpartition(" → ")
            yield Departure(item=f"environment: {item}", published=asked or "as specified", ours=ours)


def _measure(
    attempt: Attempt, scorer: Scorer, quantity: Quantity | None, reference: Reference, *, completed: bool
) -> QuantityScore:
    """One quantity; without a value, the reason."""
    if quantity is None:
        return judge(reference.quantity, None, reference, "the answer contract does not ask for it")
    try:
        measured = scorer.measure(attempt, quantity)
    except (AnswerError, Unscorable) as error:
        failed = judge(quantity.name, None, reference, str(error))
        return failed.model_copy(update={"criteria": getattr(error, "criteria", ())})
    score = judge(quantity.name, measured, reference)
    if completed:
        return score
    return score.model_copy(update={"within": False, "reason": "the run did not complete"})


def _none(attempt: Attempt) -> tuple[Departure, ...]:
    """Departures of a scorer that sees none."""
    return ()


def _output_folder(run_folder: Path, run: RunRecord) -> Path:
    """The output of the try that counts, which must lie in the run's folder."""
    output = run_folder / run.try_folder / "output"
    if not output.resolve().is_relative_to(run_folder.resolve()):
        raise InfrastructureError(f"{run_folder / 'run.json'}: try_folder leads out: {run.try_folder}")
    return output


def _without_output(run: RunRecord, family: Family, references: Mapping[str, Reference]) -> ScoreRecord:
    """The score of a run that never started."""
    reason = run.reason or f"ended by {run.ended_by}"
    return ScoreRecord(
        arm=run.arm,
        target=run.target,
        attempt=run.attempt,
        family=family.name,
        status="failed" if run.status == "completed" else run.status,
        within=False,
        reason=reason,
        quantities=tuple(judge(name, None, ref, reason) for name, ref in references.items()),
    )
