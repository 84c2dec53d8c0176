"""One try as the audit reads it: commands with their outputs in order, and the code left behind."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from labagent.audit.facts import Facts
from labagent.files import read_json
from labagent.trace import read_trace
from labagent.trace.tries import TRACE, has_result, tries_of

CODE = frozenset({".py", ".r", ".sh", ".jl", ".pl", ".m", ".c", ".cpp", ".js", ".ipynb", ".do", ".sas"})
MAX_FILES = 500
MAX_BYTES = 4 << 20
MAX_COMMAND = 1 << 20
EXCERPT = 160
_ENCODED = re.compile(r"[A-Za-z0-9+/_-]{12,4096}={0,2}")


@dataclass(frozen=True)
class Sign:
    """Something seen: in which turn, where, and an excerpt; a note where it does not taint."""

    turn: int
    place: str
    seen: str
    taints: bool = True


@dataclass(frozen=True)
class Step:
    """A command of a turn, and all it printed."""

    turn: int
    command: str
    output: str = ""
    status: int | None = None

    @cached_property
    def text(self) -> str:
        """The command, and what its base64 and hexadecimal words say."""
        command = self.command[:MAX_COMMAND]
        return "\n".join([command, *decoded(command)])


@dataclass(frozen=True)
class Story:
    """A try. ``network`` and ``isolated`` are what its sandbox achieved; ``lessons`` ids of those shown."""

    folder: Path
    steps: tuple[Step, ...]
    network: str = "open"
    isolated: bool = True
    finished: bool = True
    lessons: frozenset[str] = frozenset()
    code: tuple[tuple[str, int, str], ...] = field(default=())

    @property
    def name(self) -> str:
        """``try-<k>``."""
        return self.folder.name


def tries_of_result(run_folder: Path, counted: str) -> list[Path]:
    """The try that counts and those killed or failed before it, since the result before."""
    found: list[Path] = []
    for folder in tries_of(run_folder):
        found.append(folder)
        if folder.name == counted:
            return found
        if has_result(read_trace(folder / TRACE)):
            found = []
    return found


def read_story(folder: Path, facts: Facts) -> Story:
    """Read a try's trace and the code files in its output folder."""
    events = read_trace(folder / TRACE)
    sandbox: dict[str, Any] = next((e["sandbox"] for e in events if e["event"] == "probe"), {})
    return Story(
        folder=folder,
        steps=tuple(_steps(events, folder / "observations")),
        network=str(sandbox.get("network", "open")),
        isolated=sandbox.get("kind", "bubblewrap") == "bubblewrap",
        finished=bool(events) and events[-1]["event"] == "end",
        lessons=frozenset(str(i) for e in events if e["event"] == "lessons" for i in e["ids"]),
        code=tuple(_code(folder / "output", events)),
    )


def excerpt(text: str, start: int, end: int) -> str:
    """What stands around a place of a text, on one line."""
    margin = max(0, (EXCERPT - (end - start)) // 2)
    return " ".join(text[max(0, start - margin) : end + margin].split())[:EXCERPT]


def decoded(text: str) -> Iterator[str]:
    """Words of a text that are base64 or hexadecimal of printable text."""
    for match in _ENCODED.finditer(text):
        word = match[0].rstrip("=")
        for decode in (_base64, bytes.fromhex):
            try:
                said = decode(word).decode("utf-8")
            except (ValueError, binascii.Error):
                continue
            if said.replace("\n", "").replace("\t", "").isprintable():
                yield said


def _base64(word: str) -> bytes:
    """Bytes of a base64 word of either alphabet, without its padding."""
    plain = word.replace("-", "+").replace("_", "/")
    return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)


def _steps(events: list[dict[str, Any]], outputs: Path) -> Iterator[Step]:
    """Commands with their observation; the last one of a killed try may have none."""
    seen = {e["turn"]: e for e in events if e["event"] == "observation"}
    for event in events:
        if event["event"] == "command":
            observed = seen.get(event["turn"], {})
            output = _whole(observed, outputs)
            yield Step(event["turn"], event["command"], output, observed.get("status"))


def _whole(observed: dict[str, Any], outputs: Path) -> str:
    """All a command printed, where its file is there and of a size to read."""
    text = str(observed.get("text", ""))
    if not observed.get("omitted"):
        return text
    return read_text(outputs / Path(str(observed.get("file", "-"))).name) or text


def _code(output: Path, events: list[dict[str, Any]]) -> Iterator[tuple[str, int, str]]:
    """Code files a run left: name, the turn that wrote them last, text."""
    turns = [(e["time"], e["turn"]) for e in events if e["event"] == "command"]
    paths = (p for p in sorted(output.rglob("*")) if p.suffix.lower() in CODE and not p.is_symlink())
    for _, path in zip(range(MAX_FILES), paths, strict=False):
        text = _sources(path)
        if text:
            written = path.stat().st_mtime
            turn = max((number for time, number in turns if time <= written + 1), default=0)
            yield path.relative_to(output).as_posix(), turn, text


def _sources(path: Path) -> str:
    """The text of a code file; of a notebook its sources alone, since outputs were computed."""
    if path.suffix.lower() != ".ipynb":
        return read_text(path)
    try:
        cells = read_json(path).get("cells", [])
        return "\n".join("".join(cell.get("source", "")) for cell in cells)
    except (OSError, ValueError, AttributeError, TypeError):
        return ""


def read_text(path: Path) -> str:
    """A regular file as text, empty when it is none, or too large to be read."""
    try:
        if path.is_symlink() or not path.is_file() or path.stat().st_size > MAX_BYTES:
            return ""
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""
