"""An output made ready for searching: cleaned, and where it is large cut down to the lines that matter."""

from __future__ import annotations

import re

WHOLE = 96_000
HEAD = 16_000
TAIL = 48_000
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
_CONTROL = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])"
    r"|[\x01-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f]"
)
_FRAME = re.compile(
    r"^(?:[ \t]*[│|╰├─>×]+[ \t]+|E   +|\[rank\d+\]:[ ]?|\(\w+ pid=\d+[^)]*\)[ ]"
    r"|\[\d+\]:?[ ](?=\S*(?:Error|Exception)))+",
    re.MULTILINE,
)
_REDRAWN = re.compile(r"^[^\n]*\r(?=[^\r\n])", re.MULTILINE)
_HEADER = re.compile(r"\A\$ (?P<command>.*?)\n\[exit (?P<status>-?\d+)\]\n?", re.DOTALL)

TRIGGERS = (
    "rror", "ERR", "xception", "annot", "an't", "n’t", "ould not", "ot found", "o such", "FAIL",
    "ailed", "ailure", "illed", "enied", "o space", "NOSPC", "uota", "imed out", "imeout", "TIME",
    "onflict", "ncompat", "UnsatisfiableError", "compiled", "not available", "no package", "onverg",
    "egmentation", "emory", "xternally", "git-lfs", "nrecognized", "equires", "required",
    "unused arg", "undefined", "removed", "Warning", "fatal", "Fatal", "issing", "nvalid",
    "unexpected", "core dumped", "nothing provides", "Terminated", "abort", "nresolv", "esolve ",
    "nable to", "not installed", "not supported", "ingular", "ismatch", "<<<<<<<", "oom", "OOM",
    "not writable", "depends on", "deprecated", "CUDA", "No module", "unknown", "Conflict",
    "Traceback",
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
    return output[:start] + "\n" + "".join(middle) + "\n" + output[max(stop, end) :]


def _hits(output: str, word: str, start: int, stop: int) -> list[int]:
    """Where ``word`` stands between two positions: the first and the last occurrences."""
    found: list[int] = []
    at = output.find(word, start, stop)
    while at >= 0 and len(found) < HITS_FORWARD:
        found.append(at)
        at = output.find(word, at + 160, stop)
    if at < 0:
        return found
    floor, end = found[-1], stop
    for _ in range(HITS_BACKWARD):
        at = output.rfind(word, floor, end)
        if at <= floor:
            break
        found.append(at)
        end = max(floor, at - 160)
    return found


def _line_span(output: str, at: int) -> tuple[int, int]:
    """The line around a position with the one before and two after, at most 600 characters each way."""
    left = max(output.rfind("\n", max(0, at - 600), at), at - 600, 0)
    left = max(output.rfind("\n", max(0, left - 600), left) + 1, left - 600, 0)
    right = at
    for _ in range(3):
        following = output.find("\n", right, right + 600)
        right = following + 1 if following >= 0 else min(right + 600, len(output))
    return left, right
