"""BioBench in the workflow: which runs there are, their keys and edges, and the jobs themselves."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labagent.errors import InfrastructureError, InputError, InputFault
from labagent.inputs import Inputs
from labagent.models.biobench_runs import BiobenchRun, BiobenchScores, RunPlace
from labagent.models.config import Config
from labagent.workflow.paths import Paths

if TYPE_CHECKING:
    from labagent.models.asking import AnswerRecord

MAIN = "import sys; from labagent.cli import run_command; raise SystemExit(run_command(sys.argv[1:]))"
Progress = Callable[[int, int, "AnswerRecord"], None]


class Bench:
    """Input functions and params of the rules of BioBench; nothing is read before it is asked for."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs
        self.paths = Paths(inputs.config.results)
        self.key = cache(self._key)

    def tasks(self, wildcards: Any) -> list[str]:
        """The task file of a run.

        Raises:
            InputError: the config has no such set.
        """
        return [_set(self.inputs.config, wildcards.bench)]

    def key_of(self, wildcards: Any) -> str:
        """What the answers of a run depend on."""
        return self.key(place_of(wildcards.bench, wildcards.condition, wildcards.model, int(wildcards.seed)))

    def scores(self) -> list[str]:
        """Scores of all runs of the config; none where the workflow does not make them."""
        if not self.inputs.config.biobench.run:
            return []
        from labagent.biobench.runs import places

        return [_filled(self.paths.biobench_scores, place) for place in places(self.inputs.config)]

    def _key(self, place: RunPlace) -> str:
        """A key, computed once."""
        from labagent.biobench.runs import plan

        return plan(self.inputs.root, self.inputs.config, place).key


def check_biobench(inputs: Inputs) -> None:
    """Check conditions, models and task files of the section ``biobench`` where the workflow runs it.

    Raises:
        InputError: with every fault found.
    """
    if not inputs.config.biobench.run:
        return
    from labagent.biobench.runs import faults

    if found := faults(inputs.root, inputs.config):
        raise InputError(found)


def place_of(bench: str, condition: str, model: str, seed: int) -> RunPlace:
    """A run by the words of a path."""
    return RunPlace(set=bench, condition=condition, model=model, seed=seed)


def run(root: Path, config: Config, place: RunPlace, progress: Progress | None = None) -> BiobenchRun:
    """Answer the tasks of a run that have no answer yet.

    Raises:
        InputError: the run is not what the config has.
        InfrastructureError: the machinery failed; the next call goes on.
    """
    from labagent.biobench.running import run as answer_all
    from labagent.biobench.runs import plan
    from labagent.workflow.jobs import paid_by

    who = f"biobench/{place.condition}-{place.model}/{place.set}/{place.seed}"
    with paid_by(root, config, who):
        return answer_all(plan(root, config, place), progress)


def score(root: Path, config: Config, place: RunPlace) -> BiobenchScores:
    """Score a run, and write ``scores.json`` beside it.

    Raises:
        InputError: there is no such run, or its set is not in the config.
    """
    from labagent.biobench.runs import folder_of
    from labagent.biobench.scored import score_run
    from labagent.biobench.tasks import read_tasks

    folder = folder_of(root / config.results, place)
    if not (folder / "run.json").is_file():
        message = "there is no such run, or it is not finished: labagent biobench run makes it"
        raise InputError([InputFault(str(folder), message)])
    chosen = config.biobench.sets[place.set]
    tasks = read_tasks(root / _set(config, place.set))
    recorded = chosen.mode == "replay" or any(name.startswith("recorded:") for name in chosen.backends)
    scores = score_run(BiobenchRun.read(folder / "run.json"), folder, tasks, recorded=recorded)
    scores.write(folder / "scores.json")
    return scores


def apart(root: Path, commands: Sequence[Sequence[str]]) -> None:
    """Run several ``labagent`` commands, each in a process of its own, one after another.

    Raises:
        InfrastructureError: one of them failed; those after it are not begun.
    """
    for words in commands:
        done = subprocess.run([sys.executable, "-c", MAIN, *words], cwd=root)
        if done.returncode != 0:
            raise InfrastructureError(f"labagent {' '.join(words)} ended with status {done.returncode}")


def _set(config: Config, name: str) -> str:
    """The task file of a set."""
    try:
        return config.biobench.sets[name].tasks
    except KeyError:
        allowed = ", ".join(config.biobench.sets)
        message = f'there is no set "{name}"; allowed: {allowed}'
        raise InputError([InputFault("config/config.yaml", message, column="biobench.sets")]) from None


def _filled(pattern: str, place: RunPlace) -> str:
    """A path with a run's words."""
    return pattern.format(bench=place.set, condition=place.condition, model=place.model, seed=place.seed)
