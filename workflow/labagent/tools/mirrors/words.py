"""Words of texts and of searches, made alike, and expressions for SQLite's full-text search (FTS5).

Case and accents do not count. A Greek letter is the word of its name, so that ``α-synuclein`` and
``alpha-synuclein``, ``NF-κB`` and ``NF-kappa B`` are one.
"""

from __future__ import annotations

import re
import unicodedata

TOKENIZER = "unicode61 remove_diacritics 2"
_GREEK = re.compile(r"[Α-Ωα-ωϐ-ϖϰ-ϵµ]")
_WORD = re.compile(r"[^\W_]+")


def folded(text: str) -> str:
    """Text as it is indexed: Greek letters by name."""
    return text if text.isascii() else _GREEK.sub(_named, text)


def tokens(text: str) -> list[str]:
    """The words of a search, as the index has them."""
    return _WORD.findall(folded(text))


def phrase(text: str, *, prefix: bool = False) -> str:
    """An FTS5 phrase: the words in this order; with ``prefix`` the last one is a beginning. Empty without words."""
    words = tokens(text)
    if not words:
        return ""
    return f'"{" ".join(words)}"' + (" *" if prefix else "")


def every_word(text: str) -> str:
    """FTS5 for: every word, and every ``"quoted phrase"``, occurs. Empty where there is none."""
    parts = re.findall(r'"([^"]*)"|(\S+)', text.replace("“", '"').replace("”", '"'))
    return " AND ".join(p for p in (phrase(quoted or word.strip('"')) for quoted, word in parts) if p)


def _named(match: re.Match[str]) -> str:
    """A Greek letter's name between spaces (``ς`` is a sigma, ``µ`` the sign a mu)."""
    name = unicodedata.name(unicodedata.normalize("NFKC", match[0]), "")
    letter = re.search(r"LETTER (?:FINAL )?(\w+)", name)
    return f" {letter[1].lower()} " if letter else match[0]
