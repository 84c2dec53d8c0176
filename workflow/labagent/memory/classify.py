"""Which failure an output shows: its class, the line that names it, and what that line captured."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from labagent.memory.distributions import distribution_for
from labagent.memory.paths import hide_paths
from labagent.memory.signature import normalize
from labagent.memory.table import MASKED, UNKNOWN, Row, captured, table
from labagent.memory.text import clean, split_header
from labagent.models.memory import Match

CAUSE_RANK = 30
WARNING_RANK = 5
MOST_LINES = 200
LONGEST_LINE = 4000

_WARNING = re.compile(
    r"^\s*(?:[\d\[][\d\[\]:.,\- TZ/]*[ :])?[\[(]?(?:WARN(?:ING)?|W|I|INFO|DEBUG|DEPRECATION)\b[\]):]?[ :]"
    r"|^\s*(?:\S+:\d+: )?\w*Warning: |^\s*\d{4}-\d\d-\d\d \S+ [WI] |^\s*Warning\b"
)
_CHAINED = ("During handling of the above exception", "was the direct cause of the following exception")
_FRAME = re.compile(r'\s*File "[^"\n]+", line \d+')
_LAST_RESORT = re.compile(r"error|fail|cannot|unable|abort|denied|not found", re.IGNORECASE)


@dataclass(frozen=True)
class Candidate:
    """A row that matches: where, and how much it counts here."""

    row: Row
    position: int
    rank: int
    match: re.Match[str] | None


def classify(output: str, *, command: str = "", status: int | None = None) -> Match:
    """The failure that ``output`` shows.

    Args:
        output: what a command printed, of any size; a transcript's header (``$ command``, ``[exit n]``) is
            understood.
        command: the command, where known.
        status: its exit status; negative for the number of the signal that killed it.

    Returns:
        A match without lessons; ``groups`` holds what the key line captured, such as ``module``, and what
        follows from it, such as ``distribution``. An output without a known failure has class ``unknown``.
    """
    header, body, code = split_header(output)
    text = clean(body)
    found = list(_candidates(text, hide_paths(text), status if status is not None else code))
    chosen, extra = _choose(text, found)
    if chosen is None:
        line = _last_line(text)
        return Match(failure_class=UNKNOWN, signature=f"{UNKNOWN}: {normalize(line)}", key_line=line[:500])
    failure_class = extra.get("masked", chosen.row.failure_class)
    line = _key_line(text, chosen, command or header, status if status is not None else code)
    groups = _groups(chosen, line, text) | {k: v for k, v in extra.items() if k != "masked"}
    return Match(
        failure_class=failure_class,
        signature=f"{failure_class}: {normalize(line, groups)}",
        key_line=line[:500],
        groups=groups,
    )


def _candidates(text: str, hidden: str, status: int | None) -> Iterator[Candidate]:
    """Every row that matches, at the match that counts for it; names in paths count for few rows."""
    lowered = {text: text.lower(), hidden: hidden.lower()}
    for row in table().rows:
        if status is not None and status in row.status:
            yield Candidate(row, len(text), row.rank, None)
        page = text if row.paths else hidden
        searched = lowered[page] if row.folded else page
        if row.pattern.pattern and (best := _best(row, page, searched)) is not None:
            yield best


def _best(row: Row, text: str, searched: str) -> Candidate | None:
    """The first or last match of a row that is an error, else one that is only a warning or source code."""
    warning: Candidate | None = None
    for match in _matches(row, text, searched):
        line = _line_span(text, match.start())
        warned = not row.warning and _WARNING.match(text[slice(*line)]) is not None
        if not warned and not _is_code(text, match, line):
            return Candidate(row, match.start(), row.rank, match)
        warning = warning or Candidate(row, match.start(), min(row.rank, WARNING_RANK), match)
    return warning


def _is_code(text: str, match: re.Match[str], line: tuple[int, int]) -> bool:
    """Whether a match lies within the source line that a traceback quotes below a frame."""
    left, right = line
    if match.end() > right or text[left : left + 4] != "    ":
        return False
    return _FRAME.match(text, text.rfind("\n", 0, max(left - 1, 0)) + 1, left) is not None


def _matches(row: Row, text: str, searched: str) -> Iterator[re.Match[str]]:
    """The matches of a row, the ones that count first. Only lines with a needle are looked at."""
    if row.needles and not any(needle in searched for needle in row.needles):
        return
    if not row.needles or not row.one_line:
        found = list(islice(row.pattern.finditer(text), MOST_LINES))
        yield from found if row.first else reversed(found)
        return
    spans = {
        _line_span(text, at) for needle in row.needles for at in _occurrences(searched, needle, row.first)
    }
    for left, right in sorted(spans, reverse=not row.first):
        in_line = list(row.pattern.finditer(text, left, right))
        yield from in_line if row.first else reversed(in_line)


def _occurrences(text: str, needle: str, first: bool) -> Iterator[int]:
    """Where a needle stands, at most ``MOST_LINES`` times, from the end that counts."""
    at = text.find(needle) if first else text.rfind(needle)
    for _ in range(MOST_LINES):
        if at < 0:
            return
        yield at
        at = text.find(needle, at + 1) if first else text.rfind(needle, 0, at)


def _choose(text: str, found: list[Candidate]) -> tuple[Candidate | None, dict[str, str]]:
    """The row that names the failure, and what to add where an earlier one explains it."""
    if not found:
        return None, {}
    visible = max(found, key=lambda c: (c.rank, c.position))
    for earlier in sorted(found, key=lambda c: -c.rank):
        if earlier.position < visible.position and visible.row.failure_class in earlier.row.explains:
            return earlier, {}
    end = visible.match.end() if visible.match else len(text)
    leftovers = [c for c in found if c.row.swallowed and c.position >= end and c.rank > WARNING_RANK]
    for left in leftovers:
        between = text[visible.position : left.position]
        if visible.rank >= CAUSE_RANK and not any(mark in between for mark in _CHAINED):
            return visible, {"masked": MASKED, "cause": visible.row.failure_class}
    if visible.row.swallowed and (cause := _swallowed_cause(text, found, visible)):
        return cause, {"masked": MASKED, "cause": cause.row.failure_class}
    return visible, {}


def _swallowed_cause(text: str, found: list[Candidate], visible: Candidate) -> Candidate | None:
    """An error above ``visible`` that was caught and passed over: another class, not in its chain."""
    for earlier in sorted(found, key=lambda c: (-c.rank, -c.position)):
        apart = earlier.row.failure_class not in {visible.row.failure_class, UNKNOWN, MASKED}
        if earlier.position < visible.position and earlier.rank >= CAUSE_RANK and apart:
            if _line_at(text, earlier.position) == _line_at(text, visible.position):
                continue
            between = text[earlier.position : visible.position]
            return None if any(mark in between for mark in _CHAINED) else earlier
    return None


def _key_line(text: str, chosen: Candidate, command: str, status: int | None) -> str:
    """The line that names the failure."""
    if chosen.match is None:
        program = (command.split() or [""])[0].rpartition("/")[2]
        return f"exit status {status}" + (f" of {program}" if program else "")
    for pattern in chosen.row.key:
        found = list(pattern.finditer(text))
        if found:
            last = found[-1]
            return _line_at(
                text, last.start() if last.start() == last.end() else _first_ink(text, last)
            ).strip()
    lines = [line for line in chosen.match[0].splitlines() if line.strip()]
    if len(lines) > 1:
        return _line_at(text, chosen.match.end() - 1).strip()
    return _line_at(text, _first_ink(text, chosen.match)).strip()


def _first_ink(text: str, match: re.Match[str]) -> int:
    """Where a match's first visible character is."""
    offset = len(match[0]) - len(match[0].lstrip())
    return match.start() + (offset if offset < len(match[0]) else 0)


def _groups(chosen: Candidate, line: str, text: str) -> dict[str, str]:
    """What the row captured, what its key line says on top, and what follows from both."""
    matches = [(chosen.match, text)] if chosen.match is not None else []
    matches += [(m, line) for pattern in chosen.row.key if (m := pattern.search(line))]
    groups: dict[str, str] = {}
    for match, source in matches:
        groups |= captured(match, source)
    if "distribution" not in groups and chosen.row.failure_class == "build_failure":
        found = re.search(r"(?:Failed building wheel for|Failed to build|error in) '?([\w.-]*\w)", text)
        groups |= {"distribution": found[1]} if found else {}
    if "module" in groups:
        groups.setdefault("distribution", distribution_for(groups["module"]))
    if "path" in groups:
        groups["folder"] = posixpath.dirname(groups["path"]) or "."
    return groups


def _line_span(text: str, position: int) -> tuple[int, int]:
    """Where the line around a position begins and ends; of a very long line, what is near the position."""
    left = text.rfind("\n", 0, position) + 1
    right = text.find("\n", position)
    right = right if right >= 0 else len(text)
    return max(left, position - LONGEST_LINE), min(right, position + LONGEST_LINE)


def _line_at(text: str, position: int) -> str:
    """The line around a position."""
    left, right = _line_span(text, position)
    return text[left:right]


def _last_line(text: str) -> str:
    """The last line that sounds like trouble, else the last that is not blank."""
    lines = [line.strip() for line in text[-20_000:].splitlines() if line.strip()]
    troubled = [line for line in lines if _LAST_RESORT.search(line)]
    return (troubled or lines or [""])[-1]
