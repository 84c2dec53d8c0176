"""An output made ready for searching: cleaned, and where it is large cut down to the lines that matter."""

from __future__ import annotations

import re

WHOLE = 96_000
HEAD = 16_000
TAIL = 48_000
MIDDLE = 128_000
KEEP_FIRST, KEEP_LAST = 2, 4
HITS_FORWARD = 60
HITS_BACKWARD = 140

_STRAIGHT = str.maketrans(
    {
        "‘": "'",
        "’": "'",
        "‚": "'",
        "‛": "'",
        "“": "'",
        "”": "'",
        "`": "'",
        "´": "'",
        "\u00a0": " ",
        "\x00": " ",
    }
)
_NO_DIGITS = str.maketrans("", "", "0123456789")
_CONTROL = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])"
    r"|[\x01-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]"
)
_FRAME = re.compile(
    r"^(?:[ \t]*[│|╰├─▶>×]+[ \t]+|E   +|\[rank\d+\]:[ ]?|\(\w+ pid=\d+[^)]*\)[ ]"
    r"|\[\d+\]:?[ ](?=\S*(?:Error|Exception)))+",
    re.MULTILINE,
)
_REDRAWN = re.compile(r"^[^\n]*\r(?=[^\r\n])", re.MULTILINE)
_HEADER = re.compile(r"\A\$ (?P<command>.*?)\n\[exit (?P<status>-?\d+)\]\n?", re.DOTALL)

TRIGGERS = (
    "rror", "ERR", "xception", "annot ", "n't ", "not ", "Not a", "o such", "No module", "ail",
    "illed", "enied", "o space", "imed out", "onflict", "ncompat", "onverg", "egmentation", "emory",
    "git-lfs", "nrecogni", "equire", "undefined", "removed", "no longer", "atal", "issing",
    "nvalid", "nexpected", "bort", "erminated", "ingular", "ismatch", "<<<<<<<", "conclude",
    "deprecat", "defunct", "nknown", "esolution", "Bad", "*** ", "nable to", "llegal", "has no ",
    "nsupported",
)  # fmt: skip


def split_header(output: str) -> tuple[str, str, int | None]:
    """Take a transcript's first lines (``$ command`` and ``[exit n]``) off: command, rest, status."""
    if not output.startswith("$ "):
        return "", output, None
    found = _HEADER.match(output)
    if found is None:
        command, _, rest = output[2:].partition("\n")
        return command, rest, None
    return found["command"], output[found.end() :], int(found["status"])


def clean(output: str) -> str:
    """No colours, redrawn lines as last drawn, straight quotes, no frames of logs."""
    text = condense(output)
    if "\r" in text:
        text = _REDRAWN.sub("", text.replace("\r\n", "\n")).replace("\r", "\n")
    text = _CONTROL.sub("", text) if _CONTROL.search(text) else text
    return _FRAME.sub("", text.translate(_STRAIGHT))


def condense(output: str) -> str:
    """The head, the tail, and of what lies between the lines that may name a failure, in order.

    Of a word that occurs very often between head and tail only the first and the last occurrences are kept,
    so that the work stays bounded whatever a command prints.
    """
    if len(output) <= WHOLE:
        return output
    start, stop = HEAD, len(output) - TAIL
    spans = sorted({_line_span(output, at) for word in TRIGGERS for at in _hits(output, word, start, stop)})
    middle, end = [], start
    for left, right in spans:
        left = max(left, end)
        if left < right:
            middle.append(output[left:right])
            end = right
    between = "".join(middle)
    if len(between) > MIDDLE:
        between = between[: MIDDLE // 4] + "\n" + between[-3 * MIDDLE // 4 :]
    return thin(output[:start] + "\n" + between + "\n" + output[max(stop, end) :])


def thin(text: str) -> str:
    """``text`` without the inner ones of lines that repeat and differ only in numbers."""
    lines = text.split("\n")
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        places.setdefault(line.translate(_NO_DIGITS), []).append(number)
    dropped = {n for numbers in places.values() for n in numbers[KEEP_FIRST:-KEEP_LAST]}
    return "\n".join(line for number, line in enumerate(lines) if number not in dropped)


def _hits(output: str, word: str, start: int, stop: int) -> list[int]:
    """Where ``word`` stands between two positions, once a line: the first and the last occurrences."""
    found: list[int] = []
    at = output.find(word, start, stop)
    while at >= 0 and len(found) < HITS_FORWARD:
        found.append(at)
        after = output.find("\n", at, stop)
        at = output.find(word, after, stop) if after >= 0 else -1
    if at < 0:
        return found
    floor, end = found[-1], stop
    for _ in range(HITS_BACKWARD):
        at = output.rfind(word, floor, end)
        if at <= floor:
            break
        found.append(at)
        end = max(floor, output.rfind("\n", floor, at))
    return found


def _line_span(output: str, at: int) -> tuple[int, int]:
    """The line around a position with three before and two after it, at most 600 characters a line."""
    left = at
    for _ in range(4):
        before = output.rfind("\n", max(0, left - 600), left)
        left = before if before >= 0 else max(0, left - 600)
    right = at
    for _ in range(3):
        following = output.find("\n", right, right + 600)
        right = following + 1 if following >= 0 else min(right + 600, len(output))
    return left, right
