"""A replayed try against the recorded one: commands, answer files, and all of the trace but times."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from labagent.files import list_files, sha256_file
from labagent.models.tables import Quantity
from labagent.reproduce.recorded import RecordedTry
from labagent.trace.steady import steady

DIFF_LINES = 16
SHOWN = 200
# Of no run the same; what only a replay has; what follows from an observation's text.
PASSED_OVER = frozenset({"seq", "time", "chain", "seconds", "sha256", "replay_of"})
COUNTS = frozenset({"bytes", "omitted"})


@dataclass(frozen=True)
class Comparison:
    """``differences`` make a replay unequal; ``notes`` do not."""

    commands: int
    answers: int
    events: int
    differences: tuple[str, ...]
    notes: tuple[str, ...]


def compare(recorded: RecordedTry, again: RecordedTry, answer: Sequence[Quantity]) -> Comparison:
    """Compare two tries.

    Commands and answer files have to be equal byte by byte, events in all but times. Observations that differ
    in times, addresses and the like alone (:func:`labagent.trace.steady.steady`) are a note, as are other
    files of the output folder and another kind of isolation.

    Args:
        recorded: the try that was recorded.
        again: its replay.
        answer: the files of the answer contract.
    """
    files = sorted({quantity.file for quantity in answer})
    commands = list(_commands(recorded, again))
    events, notes = _events(recorded, again)
    return Comparison(
        commands=sum(event["event"] == "command" for event in recorded.events),
        answers=len(files),
        events=len(recorded.events),
        differences=(*commands, *_answers(recorded, again, files), *events),
        notes=(*notes, *_others(recorded, again, files)),
    )


def _commands(recorded: RecordedTry, again: RecordedTry) -> Iterator[str]:
    """Commands that are not the same bytes."""
    first, second = (
        [event for event in one.events if event["event"] == "command"] for one in (recorded, again)
    )
    for number, (old, new) in enumerate(zip_longest(first, second), start=1):
        if old is None or new is None:
            side = "recorded" if new is None else "replayed"
            yield f"{len(first)} commands recorded, {len(second)} replayed; number {number} was only {side}"
            return
        if old["command"] != new["command"]:
            yield f"command {number}, turn {old['turn']}:\n{_diff(old['command'], new['command'])}"


def _answers(recorded: RecordedTry, again: RecordedTry, files: Sequence[str]) -> Iterator[str]:
    """Answer files that are not the same bytes."""
    for name in files:
        old, new = (one.folder / "output" / name for one in (recorded, again))
        if _hash(old) != _hash(new):
            yield f"output/{name}: {_kind(old)} recorded, {_kind(new)} replayed"


def _others(recorded: RecordedTry, again: RecordedTry, files: Sequence[str]) -> Iterator[str]:
    """Other files of the output that differ; they may hold times."""
    names = {
        path.relative_to(one.folder / "output").as_posix()
        for one in (recorded, again)
        for path in list_files(one.folder / "output")
    }
    for name in sorted(names - set(files)):
        old, new = (one.folder / "output" / name for one in (recorded, again))
        if _hash(old) != _hash(new):
            yield f"output/{name} is not the same (it is no answer file)"


def _events(recorded: RecordedTry, again: RecordedTry) -> tuple[list[str], list[str]]:
    """Events that differ, and what is worth a note."""
    differences, notes = [], []
    for number, (old, new) in enumerate(zip_longest(recorded.events, again.events), start=1):
        if old is None or new is None or old["event"] != new["event"]:
            kinds = [event["event"] if event else "nothing" for event in (old, new)]
            differences.append(f"event {number}: {kinds[0]} was recorded, {kinds[1]} came")
            break
        where = f"event {number} ({old['event']}{_turn(old)})"
        if old["event"] == "probe" and old["sandbox"] != new["sandbox"]:
            notes.append(f"{where}: isolation was {old['sandbox']['kind']}, is {new['sandbox']['kind']}")
        if (
            old["event"] == "observation"
            and old["text"] != new["text"]
            and _same_text(recorded, again, old, new)
        ):
            notes.append(f"{where}: differs in times, addresses or the like")
        differences += [f"{where}, {fault}" for fault in _fields(recorded, again, old, new)]
    return differences, notes


def _fields(
    recorded: RecordedTry, again: RecordedTry, old: dict[str, Any], new: dict[str, Any]
) -> Iterator[str]:
    """Fields of two events that differ."""
    passed = PASSED_OVER | ({"sandbox"} if old["event"] == "probe" else set())
    if old["event"] == "observation" and _same_text(recorded, again, old, new):
        passed |= COUNTS | {"text"}
    if old["event"] == "command":
        passed |= {"command"}
    for name in sorted((old.keys() | new.keys()) - passed):
        first, second = old.get(name), new.get(name)
        if first == second:
            continue
        if isinstance(first, str) and isinstance(second, str) and "\n" in first + second:
            yield f"{name}:\n{_diff(first, second)}"
        else:
            yield f"{name}: {_short(first)} recorded, {_short(second)} replayed"


def _same_text(recorded: RecordedTry, again: RecordedTry, old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether two observations say the same but for times and the like."""
    return steady(old["text"], str(recorded.folder)) == steady(new["text"], str(again.folder))


def _diff(old: str, new: str) -> str:
    """The lines that differ."""
    lines = list(
        difflib.unified_diff(old.splitlines(), new.splitlines(), "recorded", "replayed", lineterm="", n=0)
    )
    more = [f"[... {len(lines) - DIFF_LINES} more lines ...]"] if len(lines) > DIFF_LINES else []
    return "\n".join(f"    {line[:SHOWN]}" for line in [*lines[:DIFF_LINES], *more])


def _short(value: Any) -> str:
    """A value on a line."""
    text = repr(value)
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"


def _turn(event: dict[str, Any]) -> str:
    """The turn of an event, where it has one."""
    return f", turn {event['turn']}" if event.get("turn") else ""


def _hash(path: Path) -> str:
    """The hash of a regular file; links out of the folder are not followed."""
    return sha256_file(path) if path.is_file() and not path.is_symlink() else ""


def _kind(path: Path) -> str:
    """What a file is, in a word."""
    return _hash(path)[:12] or "no file"
