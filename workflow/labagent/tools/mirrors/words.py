"""Texts and searches made alike for SQLite's full-text search (FTS5).

Case, accents and hyphens do not count and a Greek letter is its name, as in :mod:`..literature.words`: a
compound is indexed in its parts and as one word (``TGF-β``: tgf, beta, tgfbeta), and a search for parts finds
the one word, too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from labagent.tools.literature.words import latin, words_of

TOKENIZER = "unicode61 remove_diacritics 2"
_COMPOUND = re.compile(r"(?<![^\W_])[^\W_]{1,12}(?:-[^\W_]{1,12}){1,3}(?![^\W_])")
MOST_PARTS = 4
"""Parts a compound may have."""


def folded(text: str) -> str:
    """Text as it is indexed."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", latin(text))
    if "-" not in text:
        return text
    hyphened = " ".join(word for word in text.split() if "-" in word)
    compounds = dict.fromkeys(m.replace("-", "") for m in _COMPOUND.findall(hyphened))
    return f"{text} . {' . '.join(compounds)}" if compounds else text


def phrase(words: Sequence[str], *, prefix: bool = False) -> str:
    """FTS5 for words in this order, or written as one; with ``prefix`` the last goes on."""
    end = " *" if prefix else ""
    stated = f'"{" ".join(words)}"{end}'
    if not 1 < len(words) <= MOST_PARTS:
        return stated
    return f'({stated} OR "{"".join(words)}"{end})'


def every_word(text: str) -> str:
    """FTS5 for: every word, and every ``"quoted phrase"``, occurs. Empty where there is none."""
    parts = re.findall(r'"([^"]*)"|([^\s"]+)', text.replace("“", '"').replace("”", '"'))
    found = (words_of(quoted or word) for quoted, word in parts)
    return " AND ".join(phrase(words) for words in found if words)
