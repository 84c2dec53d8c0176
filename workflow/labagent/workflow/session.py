"""The workflow's resolved configuration, handed from the Snakefile to its jobs.

The Snakefile validates the inputs once and stores the resolved config (file and command line merged) under
its hash; jobs find it through an environment variable, so that no job parameter depends on all of it.
"""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from labagent.errors import InputError, InputFault, LabagentError, ModelConfigError
from labagent.files import read_json, sha256_json, write_json
from labagent.inputs import Inputs, load_config, load_inputs, load_leaderboard
from labagent.models.config import Config
from labagent.models.run import RunRecord
from labagent.workflow.benching import check_biobench
from labagent.workflow.questions import check_questions, models_of

VARIABLE = "LABAGENT_CONFIG"
FOLDER = ".labagent/config"


def is_main() -> bool:
    """Whether this is the workflow itself, not a job of it."""
    return VARIABLE not in os.environ


def open_session(root: Path, overrides: Mapping[str, Any], path: Path | None = None) -> Inputs:
    """Validate all inputs and store the resolved config for the jobs of this run.

    Raises:
        InputError: with every fault found.
    """
    inputs = load_inputs(root, overrides, path)
    check_scorers(inputs)
    check_questions(inputs)
    check_models(inputs)
    check_harnesses(inputs)
    check_biobench(inputs)
    if is_main():
        forget_missing(inputs)
    value = inputs.config.model_dump(mode="json")
    stored = root / FOLDER / f"{sha256_json(value)[:16]}.json"
    if not stored.exists():
        write_json(stored, value)
    os.environ[VARIABLE] = str(stored)
    _put_first_on_path(Path(sys.executable).parent)
    return inputs


def _put_first_on_path(folder: Path) -> None:
    """Let jobs find the ``labagent`` of this Python, however Snakemake was called."""
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if places[0] != str(folder):
        os.environ["PATH"] = os.pathsep.join([str(folder), *places])


def check_scorers(inputs: Inputs) -> None:
    """Ask each family's scorer whether it can score its targets, and read its leaderboards.

    The report reads the leaderboards last; a fault in them must not wait until all runs are over.

    Raises:
        InputError: unknown scorers, settings, metrics, boards or methods; leaderboards that cannot be read.
    """
    from labagent.scoring.scorers import load_scorer

    faults = []
    for name in sorted({target.family for target in inputs.selected_targets}):
        family = inputs.families[name]
        shown = f"benchmarks/{name}/family.yaml"
        try:
            scorer = load_scorer(family.scorer)
        except LabagentError as error:
            faults.append(InputFault(shown, str(error), column="scorer"))
            continue
        for target in (t for t in inputs.selected_targets if t.family == name):
            references, labels = inputs.references[target.target], inputs.labels.get(target.target)
            try:
                messages = scorer.check(family, target, references, labels)
            except InputError as error:  # a table of the family, the same for all its targets
                faults += error.faults
                break
            for message in messages:
                place = shown if message.startswith("settings.") else inputs.tables.get(target.target, shown)
                faults.append(InputFault(place, f'target "{target.target}": {message}'))
        faults += _leaderboard_faults(inputs, name)
    if faults:
        raise InputError(faults)


def _leaderboard_faults(inputs: Inputs, family: str) -> list[InputFault]:
    """What is wrong in a family's leaderboards, and references whose board or method is not there."""
    try:
        rows = load_leaderboard(inputs.families[family])
    except InputError as error:
        return list(error.faults)
    methods: dict[str, set[str]] = {}
    for row in rows:
        methods.setdefault(row.board, set()).add(row.method)
    faults = []
    for target in (t.target for t in inputs.selected_targets if t.family == family and rows):
        for reference in inputs.references[target].values():
            if reference.board and reference.board not in methods:
                message = f'board "{reference.board}" has no row in the leaderboards of {family}'
            elif reference.board and reference.method and reference.method not in methods[reference.board]:
                message = f'method "{reference.method}" has no published row on board "{reference.board}"'
            else:
                continue
            column = "method" if reference.board in methods else "board"
            where = inputs.tables[target]
            faults.append(InputFault(where, f'target "{target}": {message}', None, column))
    return faults


def check_models(inputs: Inputs) -> None:
    """Check that each model in use has a known name and a key, once for each state of the environment.

    Raises:
        InputError: litellm does not know a name, or a key is missing; names the variable, never its value.
    """
    config = inputs.config
    explorers = {arm.explorer for arm in inputs.selected_arms.values() if arm.explorer}
    if any(lab.source == "explore" for lab in inputs.labs.values()):
        explorers.add(config.default_explorer)
    used = {arm.model for arm in inputs.selected_arms.values()}
    used |= {config.explorers[name].model for name in explorers} | models_of(inputs)
    named = sorted(used & set(config.models))
    if not named:
        return
    from labagent.llm.keys import keys_loaded

    try:
        with keys_loaded():  # not for longer: jobs read the file themselves
            faults = [fault for name in named if (fault := _model_fault(inputs, name)) is not None]
    except ModelConfigError as error:
        faults = [InputFault("config/config.yaml", str(error), column="models")]
    if faults:
        raise InputError(faults)


def _model_fault(inputs: Inputs, name: str) -> InputFault | None:
    """What is wrong with a model; looked at once for each state of the environment."""
    from labagent.llm import check_model

    settings = inputs.config.models[name]
    endings = ("_KEY", "_TOKEN", settings.api_key_env or "_KEY")
    keys = sorted(name for name, value in os.environ.items() if value and name.endswith(endings))
    state = sha256_json([settings.model_dump(mode="json"), keys])[:24]
    stamp = inputs.root / ".labagent" / "models" / state
    if stamp.exists():
        return None
    try:
        check_model(settings)
    except ModelConfigError as error:
        return InputFault("config/config.yaml", str(error), column=f"models.{name}")
    write_json(stamp, {"model": settings.model})
    return None


def check_harnesses(inputs: Inputs) -> None:
    """Check that each harness in use names a known adapter and a command; a missing program is no fault here.

    Raises:
        InputError: with every fault found.
    """
    faults = []
    for name, arm in inputs.selected_arms.items():
        if arm.harness is not None:
            from labagent.reproduce.harness.checks import fault

            if reason := fault(arm.harness):
                column = f"arms.{name}.harness"
                faults.append(InputFault("config/config.yaml", reason, column=column))
    if faults:
        raise InputError(faults)


def forget_missing(inputs: Inputs) -> None:
    """Remove records of attempts that only lacked their harness, where it is here now: they are made again.

    No input of theirs changes when a tool is installed, so nothing else would tell.
    """
    for name, arm in inputs.selected_arms.items():
        if arm.harness is None:
            continue
        from labagent.reproduce.harness.checks import missing_here

        here = not missing_here(arm.harness)
        results = inputs.root / inputs.config.results
        runs = results / "runs" / name
        for record in runs.glob("*/*/run.json") if here else ():
            if RunRecord.read(record).ended_by == "harness_missing":
                attempt = record.parent.relative_to(runs)
                # Snakemake does not make a missing file anew for a score, or a report, that stands.
                (results / "scores" / name / f"{attempt}.json").unlink(missing_ok=True)
                record.unlink()
                (results / "report" / "report.md").unlink(missing_ok=True)


def current_config(root: Path) -> Config:
    """The config a job works with: what the Snakefile stored, else ``config/config.yaml``.

    Raises:
        InputError: no stored config, and the file is wrong.
    """
    stored = os.environ.get(VARIABLE)
    if stored and Path(stored).is_file():
        return Config.model_validate(read_json(Path(stored)))
    return load_config(root)


def current_inputs(root: Path) -> Inputs:
    """All inputs, with the config a job works with."""
    return load_inputs(root, current_config(root).model_dump(mode="json"))


@contextmanager
def logged(log: str | Path) -> Iterator[None]:
    """Send a script's standard output and error to its log file.

    An error raised on purpose ends the script with its message alone, there and on the terminal; any other
    leaves its traceback in the log, too.
    """
    with Path(log).open("a", encoding="utf-8", buffering=1) as stream:
        stream.truncate(0)
        before = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = stream
        try:
            yield
        except LabagentError as error:
            print(f"labagent: {error}", file=stream)
            print(f"labagent: {error}", file=before[1])
            raise SystemExit(2) from None
        except Exception:
            traceback.print_exc(file=stream)
            raise
        finally:
            sys.stdout, sys.stderr = before
