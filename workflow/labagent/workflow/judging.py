"""What scores say of the choices that runs declared, for an arm's memory.

The memory is neither input nor output of a rule: this runs after the report, and by ``labagent memory
judge``.
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from labagent.audit.numbers import Value, numbers, value_of
from labagent.errors import LabagentError, MemoryStoreError
from labagent.inputs.load import load_config, load_inputs
from labagent.inputs.selection import awake_references
from labagent.memory import Memory, open_memory
from labagent.memory.judgment import Judged, choices_in, judge
from labagent.memory.log import read_lines
from labagent.models.memory import LessonEvent, OutcomeEvent
from labagent.models.run import RunRecord
from labagent.models.score import ScoreRecord

OBSERVATIONS = "observations"
LONGEST = 4 << 20


def judge_arm(root: Path, arm: str, *, everyone: bool = False) -> list[LessonEvent | OutcomeEvent]:
    """Compare an arm's scored attempts, and append what they teach to its memory.

    Args:
        root: the project's folder.
        arm: whose memory learns; nothing is kept where its memory is not ``live``.
        everyone: also compare with the attempts of other arms; what these found then reaches this arm, and
            the two can no longer be compared as if they knew nothing of each other.

    Returns:
        The events that were added.

    Raises:
        MemoryStoreError: there is no such arm, or its memory cannot be read or written.
    """
    config = load_config(root)
    if arm not in config.arms:
        raise MemoryStoreError(f'config/config.yaml has no arm "{arm}"; it has {", ".join(config.arms)}')
    memory = open_memory(config.memory, arm, config.arms[arm].memory, root=root)
    if memory.mode != "live":
        return []
    entries = list(_entries(root / config.results, None if everyone else arm))
    present = _present(memory)
    said = judge(entries, memory.state()) if entries else []
    tells = published(root)
    leaks = {e.id for e in said if e.event == "lesson" and tells(f"{e.signature}\n{e.why}")}
    events = [e for e in said if e.id not in present and not {e.id, getattr(e, "lesson", "")} & leaks]
    memory.append(events)
    return events


def judge_all(root: Path) -> None:
    """Judge every arm by its own attempts. What goes wrong is said and stops nothing."""
    for arm in load_config(root).arms:
        try:
            judge_arm(root, arm)
        except (LabagentError, OSError, ValueError) as error:
            print(f"labagent: choices of arm {arm} are not judged: {error}", file=sys.stderr)


def published(root: Path) -> Callable[[str], bool]:
    """Whether a text holds a published value of a target of this project.

    Raises:
        InputError: the project's tables have faults.
    """
    values: list[Value] = []
    if (root / "config" / "config.yaml").is_file():
        tables = awake_references(load_inputs(root)).values()
        values = [v for table in tables for reference in table.values() if (v := value_of(reference))]
    return lambda text: any(value.is_at(number) for number in numbers(text) for value in values)


def _present(memory: Memory) -> set[str]:
    """Ids of the events that the arm has."""
    return {event.id for _, event, _ in read_lines(memory.live) if event is not None}


def _entries(results: Path, arm: str | None) -> Iterator[Judged]:
    """The scored, untainted attempts that declared choices."""
    for path in sorted(results.glob(f"scores/{arm or '*'}/*/*.json")):
        score = ScoreRecord.read(path)
        folder = results / "runs" / score.arm / score.target / str(score.attempt)
        if score.status != "scored" or score.tainted or not (folder / "run.json").is_file():
            continue
        run = RunRecord.read(folder / "run.json")
        if choices := _choices(folder / run.try_folder / OBSERVATIONS):
            yield Judged(
                run=f"{score.arm}/{score.target}/{score.attempt}",
                target=score.target,
                family=score.family,
                skill=run.skill or "",
                choices=choices,
                within=score.within,
                time=(folder / "run.json").stat().st_mtime,
                stamp=hashlib.sha256((folder / "run.json").read_bytes()).hexdigest()[:12],
                results=tuple(_results(score)),
            )


def _choices(folder: Path) -> dict[str, str]:
    """What the commands of a try declared, later ones last."""
    found: dict[str, str] = {}
    for file in sorted(folder.glob("turn-*.txt")):
        with file.open("rb") as stream:
            found |= choices_in(stream.read(LONGEST).decode("utf-8", "replace"))
    return found


def _results(score: ScoreRecord) -> Iterator[float]:
    """Values of an attempt, its own and the published ones."""
    for quantity in score.quantities:
        for value in (quantity.value, quantity.reference, quantity.sd, *quantity.splits.values()):
            if value is not None and math.isfinite(value):
                yield value
