"""An attempt from the records of the stages before it, and the replay of a recorded one."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from labagent.errors import InputError, InputFault
from labagent.files import fresh_folder
from labagent.inputs import load_target
from labagent.models.config import Arm, Config
from labagent.models.run import EnvironmentRecord, SelectionRecord
from labagent.models.sources import DataManifest
from labagent.reproduce import Attempt, MemoryChoice, reproduce
from labagent.reproduce.compare import Comparison, compare
from labagent.reproduce.recorded import RecordedTry, read_recorded
from labagent.reproduce.scratch import scratch_of
from labagent.workflow.auditing import labs_of
from labagent.workflow.paths import Paths

REPLAYS = "replays"
BUILTIN = ("model", "offline")
"""Agents whose attempts can be made again."""
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True)
class Replayed:
    """A replay: the try it replayed, its own, and how they compare."""

    recorded: Path
    again: Path
    comparison: Comparison


def attempt_of(
    root: Path, config: Config, arm: str, settings: Arm, target: str, number: int, key: str = ""
) -> Attempt:
    """What an attempt is made from.

    Args:
        root: the workflow's folder.
        config: its configuration.
        arm: the arm's name.
        settings: its settings; a replay arm's recorded try is read here.
        target: the target's name.
        number: the attempt, from 1.
        key: what it depends on.

    Raises:
        InputError: a replay arm's recording is not there.
    """
    paths = Paths(config.results)
    row = load_target(root, config, target).target
    place = {"arm": arm, "target": target}
    selection = SelectionRecord.read(root / paths.select.format(**place))
    manifest = root / paths.data.format(target=target)
    skill = None
    if selection.skill and selection.origin:
        verdict = paths.verdict.format(origin=selection.origin, skill=selection.skill)
        skill = (root / verdict).parent
    attempt = Attempt(
        arm=arm,
        target=target,
        number=number,
        folder=root / Path(paths.run.format(attempt=number, **place)).parent,
        selection=selection,
        environment=EnvironmentRecord.read(root / paths.environment.format(**place)),
        data=DataManifest.read(manifest),
        data_folder=manifest.parent / "files",
        scratch=scratch_of(config.cluster.scratch),
        task=Path(row.task),
        answer=row.answer,
        family=row.family,
        budget=config.budgets[row.budget],
        memory=MemoryChoice(
            mode=settings.memory,
            events=root / config.memory.folder / f"{arm}.jsonl",
            library=root / config.memory.library,
            at_start=config.memory.at_start,
            at_failure=config.memory.at_failure,
        ),
        sandbox=config.sandbox,
        skill=skill,
        protocol=Path(row.protocol) if row.protocol else None,
        sealed=tuple(glob for lab in labs_of(root, config, row, selection.skill) for glob in lab.sealed),
        model=config.models.get(settings.model),
        key=key,
        harness=settings.harness,
    )
    return attempt if settings.replay is None else _of_arm(attempt, root, config, settings)


def recordings(root: Path, config: Config, settings: Arm) -> Path:
    """The results folder that a replay arm takes its recordings from."""
    return root / (settings.recording or config.results)


def replay(root: Path, config: Config, place: Path) -> Replayed:
    """Make a recorded attempt again, without any call to a model, and compare.

    Args:
        root: the workflow's folder, whose results hold what the attempt was made from.
        config: its configuration.
        place: the attempt's folder, a try in it, ``run.json`` or ``trace.jsonl``.

    Raises:
        InputError: nothing there can be replayed, or what it was made from is gone.
        ReplayMiss: a request was not recorded; the text shows the nearest one and a diff.
    """
    recorded = read_recorded(place)
    arm, target, number = (recorded.start[name] for name in ("arm", "target", "attempt"))
    if not (NAME.fullmatch(str(arm)) and NAME.fullmatch(str(target)) and isinstance(number, int)):
        raise InputError([InputFault(str(place), f"names no attempt: {arm}/{target}/{number}")])
    if recorded.start["agent"] not in BUILTIN:
        message = f"was made by {recorded.start['agent']}, an agent of its own: there are no calls to replay"
        raise InputError([InputFault(str(place), message)])
    folder = root / config.results / REPLAYS / arm / target / str(number)
    if recorded.folder.is_relative_to(folder.resolve()):
        raise InputError([InputFault(str(place), "is a replay itself; give the attempt it was made from")])
    try:
        attempt = attempt_of(root, config, arm, Arm(), target, number)
    except FileNotFoundError as error:
        message = f"what the attempt was made from is not in this workflow's results: {error.filename}"
        raise InputError([InputFault(str(place), message)]) from error
    fresh_folder(folder)
    attempt = _again(replace(attempt, folder=folder), recorded)
    reproduce(attempt)
    again = read_recorded(folder)
    return Replayed(recorded.folder, again.folder, compare(recorded, again, attempt.answer))


def _of_arm(attempt: Attempt, root: Path, config: Config, settings: Arm) -> Attempt:
    """The attempt of a replay arm, with the recorded one of the arm it names."""
    pattern = Paths(str(recordings(root, config, settings))).run
    place = {"arm": settings.replay, "target": attempt.target, "attempt": attempt.number}
    record = Path(pattern.format(**place))
    if not record.is_file():
        message = f"no recorded attempt to replay; arm {settings.replay} has to make it first"
        raise InputError([InputFault(str(record), message)])
    recorded = read_recorded(record.parent)
    if recorded.start["agent"] != "model":
        raise InputError([InputFault(str(record), "was made without a model; there are no calls to replay")])
    return _again(attempt, recorded)


def _again(attempt: Attempt, recorded: RecordedTry) -> Attempt:
    """An attempt with a recorded one's budget, replies, probe and lessons; it teaches its memory nothing."""
    memory = replace(attempt.memory, mode="frozen")
    return replace(attempt, replay=recorded, model=None, budget=recorded.budget, memory=memory)
