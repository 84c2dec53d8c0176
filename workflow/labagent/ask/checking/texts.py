"""Reading a text for its check: one form of each character, words, numbers."""

from __future__ import annotations

import re
import unicodedata

DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−﹣-", "-") | dict.fromkeys("\xa0\u2009\u202f\u2007", " "))
WIDE = re.compile("([\uff1a\uff1b\uff0c\u3002\u3001\uff08\uff09\uff01\uff1f])(?=\\S)")
"""Signs that take the place of a sign and a blank."""
WORD = re.compile(r"[A-Za-z0-9α-ωΑ-Ω]+")
NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.,])(?:(?<=\s)[-+]|(?<![^\s(\[:=,;])[-+])?"
    r"(?:\d{1,3}(?:,\d{3})+(?![\d])|\d{1,3}(?: \d{3})+(?![\d])|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?"
)


def plain(text: str) -> str:
    """``text`` with one kind of dash, blank and digit; superscripts stay what they are."""
    text = WIDE.sub(r"\1 ", text)
    kept = "".join(
        c if c in "⁻¹²³⁰⁴⁵⁶⁷⁸⁹⁺" else unicodedata.normalize("NFKC", c) for c in text.translate(DASHES)
    )
    return kept.translate(DASHES)


def value_of(number: str) -> float:
    """The value of a number as it is written, thousands set off or not."""
    return float(number.replace(",", "").replace(" ", ""))
