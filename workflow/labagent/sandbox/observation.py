"""A command's output as an agent sees it: bounded, printable, and honest about what was left out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from labagent.redaction import redact

WINDOW = 1 << 19
"""Bytes read from each end of a long output."""

HEAD_SHARE = 0.6

_ESCAPES = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # colours, cursor movement
    r"|\x1b[\]PX^_].{0,500}?(?:\x1b\\|\x07)"  # titles, links and other strings
    r"|\x1b[ -/]*[0-~]"
)
_OVERSTRIKE_PASSES = 3
_OVERSTRIKE = re.compile(r"[^\n]\x08")
_BIDI = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\ufffd")
_CONTROL = {
    **{code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)},
    0x7F: "\u2421",
    **dict.fromkeys(range(0x80, 0xA0), "\ufffd"),
    **dict.fromkeys((0x2028, 0x2029), "\ufffd"),
    **_BIDI,
}


@dataclass(frozen=True)
class Observation:
    """``text`` shows ``bytes - omitted`` bytes of an output of ``bytes`` bytes."""

    text: str
    bytes: int
    omitted: int


@dataclass(frozen=True)
class _Line:
    """A cleaned line and the number of bytes it had."""

    size: int
    text: str


def observe(path: Path, *, limit: int = 8000, name: str = "") -> Observation:
    """Head and tail of a file of any size and content, in bounded memory, without secrets.

    Secrets are taken out before anything is cut: half of one would not be known any more.

    Args:
        path: the file with a command's whole output.
        limit: characters of output to show; 60 % go to the head, the rest to the tail.
        name: how the note calls the file; default its own name.
    """
    size = path.stat().st_size
    if size <= 2 * WINDOW:
        lines = _clean(path.read_bytes())
        head, tail = lines, lines
        if sum(len(line.text) + 1 for line in lines) <= limit + 1:
            return Observation("\n".join(line.text for line in lines), size, 0)
    else:
        head, tail = _clean(_read(path, 0)), _clean(_read(path, size - WINDOW))
    first, shown_first = _take(head, int(limit * HEAD_SHARE), from_end=False)
    last, shown_last = _take(tail, limit - int(limit * HEAD_SHARE), from_end=True)
    omitted = max(0, size - shown_first - shown_last)
    note = f"[... {omitted} bytes left out; all {size} bytes are in {name or path.name} ...]"
    return Observation(f"{first}\n{note}\n{last}", size, omitted)


def clean_text(raw: bytes) -> str:
    """Bytes of a terminal as plain text: no escapes, no control characters, progress bars folded."""
    return "\n".join(line.text for line in _clean(raw))


def _read(path: Path, start: int) -> bytes:
    """``WINDOW`` bytes from ``start``."""
    with path.open("rb") as stream:
        stream.seek(start)
        return stream.read(WINDOW)


def _clean(raw: bytes) -> list[_Line]:
    """Split into lines, each with its size in bytes before cleaning."""
    lines = _without_secrets(raw).split(b"\n")
    last = len(lines) - 1
    cleaned = [_clean_line(line) for line in lines]
    if redact("\n".join(cleaned)) != "\n".join(cleaned):  # colours stood in the middle of one
        cleaned = [redact(line) for line in cleaned]
    return [_Line(len(line) + (at < last), cleaned[at]) for at, line in enumerate(lines)]


def _without_secrets(raw: bytes) -> bytes:
    """Output without secrets; the same bytes where there are none."""
    text = raw.decode("utf-8", "surrogateescape")
    clean = redact(text)
    return raw if clean == text else clean.encode("utf-8", "surrogateescape")


def _clean_line(raw: bytes) -> str:
    """One line: invalid UTF-8 replaced, escapes dropped, control characters made visible."""
    text = raw.decode("utf-8", "replace")
    if text.isprintable():
        return text
    text = _ESCAPES.sub("", text)
    for _ in range(_OVERSTRIKE_PASSES if "\x08" in text else 0):
        text = _OVERSTRIKE.sub("", text)
    states = [state for state in text.split("\r") if state.strip()]
    return (states[-1] if states else "").translate(_CONTROL)


def _take(lines: list[_Line], budget: int, *, from_end: bool) -> tuple[str, int]:
    """As many characters as ``budget`` allows from one end, and the bytes of the file they stand for."""
    kept: list[str] = []
    shown = 0
    for line in reversed(lines) if from_end else lines:
        if len(line.text) + 1 > budget:
            part = line.text[len(line.text) - budget :] if from_end else line.text[:budget]
            if part:
                kept.append(part)
                newline = from_end and len(kept) > 1
                shown += min(line.size, len(part.encode("utf-8", "replace")) + newline)
            break
        kept.append(line.text)
        shown += line.size
        budget -= len(line.text) + 1
    return "\n".join(reversed(kept) if from_end else kept), shown
