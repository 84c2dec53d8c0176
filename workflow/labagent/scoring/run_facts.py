"""What a run did, as far as its successful commands, what they printed and the staged data show it.

Only what is written out as a number counts: ``n_iter=500`` is a fact, ``n_iter=protocol["rounds"]`` is not.
Names are compared without case, ``-``, ``_`` and ``.``. What the run only says of itself (a line
``CHOICE: iterations=500``) is kept apart.
"""

from __future__ import annotations

import csv
import gzip
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from labagent.trace import scan_trace

MAX_COMMAND = 1 << 20
MAX_TABLE = 2 << 30
_VALUE = r"""["']?(?P<value>[^\s,;()\[\]{}"'#]{1,40})"""
_ASSIGNED = re.compile(
    rf"""(?<![\w.-])(?P<name>[A-Za-z_][\w.]{{0,60}})["']?[ \t]*(?:(?<![=!<>])=(?!=)|<-|:)[ \t]*{_VALUE}"""
)
_FLAG = re.compile(rf"(?<![\w-])--?(?P<name>[A-Za-z][\w.-]{{1,60}}?)(?:=|[ \t]+){_VALUE}")
_SEEDED = re.compile(
    r"(?<!\w)(?:set\.seed|manual_seed(?:_all)?|random\.seed|default_rng|RandomState|seed_everything)"
    r"\([ \t]*(?P<value>[^\s,()]*)"
)
_LOOP = re.compile(
    r"(?<!\w)for[ \t]*\(?[ \t]*(?P<name>[A-Za-z_]\w{0,40})[ \t]+in[ \t]+(?P<over>[^\n]{1,200})"
)
_NUMBER = re.compile(r"-?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?L?")
_CHOICE = re.compile(
    r"^[ \t]*CHOICE:[ \t]*([a-z][a-z0-9_.-]{0,39})[ \t]*=[ \t]*(\S{1,40})[ \t]*\r?$", re.MULTILINE
)
_SPANS = (
    re.compile(r"range\([ \t]*(?P<stop>\d{1,6})[ \t]*\)"),
    re.compile(r"range\([ \t]*(?P<start>\d{1,6})[ \t]*,[ \t]*(?P<stop>\d{1,6})[ \t]*\)"),
    re.compile(r"(?P<start>\d{1,6}):(?P<last>\d{1,6})[ \t]*\)"),
    re.compile(r"\$\([ \t]*seq[ \t]+(?P<start>\d{1,6})[ \t]+(?P<last>\d{1,6})[ \t]*\)"),
    re.compile(r"\{(?P<start>\d{1,6})\.\.(?P<last>\d{1,6})\}"),
)
_LISTED = re.compile(r"(?:c?[\[(])[ \t]*(?P<items>-?\d+L?(?:[ \t]*,[ \t]*-?\d+L?)*)[ \t]*,?[ \t]*[\])]")
_WORDS = re.compile(r"(?P<items>\d+(?:[ \t]+\d+)*)[ \t]*;?[ \t]*(?:do\b|$)")
SEED_CALL = "seed"
MAX_LOOP = 100_000


@dataclass(frozen=True)
class Step:
    """A command that succeeded: its turn and its text without lines that are comments."""

    turn: int
    text: str


@dataclass(frozen=True)
class Seen:
    """A number seen for a name, in the command of a turn; ``None`` where it is not written out."""

    value: float | None
    turn: int


@dataclass(frozen=True)
class Did:
    """What a run did. ``choices`` are its own words; ``data`` is the folder of staged files, where known."""

    steps: tuple[Step, ...] = ()
    choices: Mapping[str, str] = field(default_factory=dict)
    data: Path | None = None

    @cached_property
    def arguments(self) -> dict[str, list[Seen]]:
        """Numbers by plain name, in the order of commands."""
        found: dict[str, list[Seen]] = {}
        for step in self.steps:
            for name, value in _arguments(step.text):
                found.setdefault(name, []).append(Seen(value, step.turn))
        return found

    @cached_property
    def loops(self) -> dict[str, tuple[tuple[int, ...], int]]:
        """The longest written-out loop by plain name of its variable, with the turn of its command."""
        found: dict[str, tuple[tuple[int, ...], int]] = {}
        for step in self.steps:
            for match in _LOOP.finditer(step.text):
                name, over = plain(match["name"]), _over(match["over"])
                if len(over) > len(found.get(name, ((), 0))[0]):
                    found[name] = (over, step.turn)
        return found

    def last(self, names: Iterable[str]) -> Seen | None:
        """What was last given for any of the names; ``None`` where nothing was, or no number."""
        seen = [s for name in names for s in self.arguments.get(plain(name), [])]
        latest = max(seen, key=lambda s: s.turn, default=None)
        return latest if latest and latest.value is not None else None

    def mentions(self, words: Iterable[str]) -> tuple[str, int] | None:
        """The first of the words that stands in a command, with its turn."""
        for word in words:
            pattern = re.compile(rf"(?<![\w.]){re.escape(word)}(?!\w)")
            for step in self.steps:
                if pattern.search(step.text):
                    return word, step.turn
        return None

    def rows_of(self, name: str) -> int | None:
        """Rows of a staged table below its header; ``None`` where there is no such file."""
        if self.data is None:
            return None
        path = (self.data / name).resolve()
        if (
            not path.is_relative_to(self.data.resolve())
            or not path.is_file()
            or path.stat().st_size > MAX_TABLE
        ):
            return None
        return _rows(path)


def what_it_did(try_folder: Path, data: Path | None = None) -> Did:
    """Read the trace of a try.

    Args:
        try_folder: the folder with ``trace.jsonl``; without one nothing is known.
        data: the folder of the target's staged files.
    """
    commands: dict[int, str] = {}
    steps: list[Step] = []
    choices: dict[str, str] = {}
    for event in scan_trace(try_folder / "trace.jsonl", "turn"):
        if event.get("event") == "command":
            commands[event["turn"]] = str(event.get("command", ""))[:MAX_COMMAND]
        elif event.get("event") == "observation" and event.get("status") == 0:
            steps.append(Step(event["turn"], _code(commands.get(event["turn"], ""))))
            choices.update(_CHOICE.findall(str(event.get("text", ""))))
    return Did(tuple(steps), choices, data)


def plain(name: str) -> str:
    """A name without case, ``-``, ``_`` and ``.``."""
    return re.sub(r"[-_.]", "", name).lower()


def number(text: object) -> float | None:
    """The number a text is; ``None`` for anything else, and for what is not finite."""
    match = _NUMBER.fullmatch(str(text).strip())
    if not match:
        return None
    value = float(match[0].rstrip("L").replace("_", ""))
    return value if math.isfinite(value) else None


def _code(command: str) -> str:
    """A command without lines that are comments."""
    return "\n".join(line for line in command.split("\n") if not line.lstrip().startswith("#"))


def _arguments(text: str) -> Iterator[tuple[str, float | None]]:
    """Names with what was given for them, seeds of generators under :data:`SEED_CALL`."""
    for pattern in (_ASSIGNED, _FLAG):
        for match in pattern.finditer(text):
            yield plain(match["name"]), number(match["value"])
    for match in _SEEDED.finditer(text):
        if match["value"]:
            yield SEED_CALL, number(match["value"].partition("=")[2] or match["value"])


def _over(text: str) -> tuple[int, ...]:
    """The numbers a loop goes over; none where they are not written out."""
    for pattern in _SPANS:
        if match := pattern.match(text):
            given = match.groupdict()
            start = int(given.get("start") or 0)
            stop = int(given["stop"]) if given.get("stop") else int(given["last"]) + 1
            return tuple(range(start, min(stop, start + MAX_LOOP)))
    match = _LISTED.match(text) or _WORDS.match(text)
    return tuple(int(item.rstrip("L")) for item in re.split(r"[\s,]+", match["items"])) if match else ()


def _rows(path: Path) -> int | None:
    """Rows of a table below its header; ``None`` where it cannot be read."""
    opened = gzip.open if path.suffix == ".gz" else open
    separator = "\t" if ".tsv" in path.suffixes or ".txt" in path.suffixes else ","
    try:
        with opened(path, "rt", encoding="utf-8-sig", errors="replace", newline="") as stream:
            count = sum(1 for row in csv.reader(stream, delimiter=separator) if row)
    except (OSError, EOFError, csv.Error):
        return None
    return max(count - 1, 0)
