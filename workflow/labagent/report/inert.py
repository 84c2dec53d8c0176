"""Text of others made harmless: what cannot be seen, or would turn text around, is written out."""

from __future__ import annotations

import re

KEPT = "\n\t"
UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff]"
)
ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")


def visible(text: str) -> str:
    """Control characters, marks of text direction and lone surrogates as ``\\xNN`` or ``\\uNNNN``.

    Tabs and line breaks stay.
    """
    return UNSEEN.sub(_written, text)


def printed(text: str) -> str:
    """What a terminal would show: colours and cursor movements left out, overwritten lines as lines."""
    return visible(ESCAPES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def shortened(text: str, most: int) -> tuple[str, int, str]:
    """The beginning and the end of a text, and how many characters between them are left out.

    Args:
        text: the text.
        most: characters that are kept; two thirds of them from the beginning.
    """
    if len(text) <= most:
        return text, 0, ""
    head = most * 2 // 3
    tail = most - head
    return text[:head], len(text) - most, text[-tail:]


def _written(match: re.Match[str]) -> str:
    """A character as its number."""
    number = ord(match[0])
    return f"\\x{number:02x}" if number < 256 else f"\\u{number:04x}"
