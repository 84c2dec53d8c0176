"""Words and identifiers of a text, as the index keeps them.

Every word is kept by its lower-case parts (``DeseqDataSet``: deseq, data, set), which the database stems;
every identifier also whole, dotted paths with their last name too, in a spelling that survives the
database's folding of case and its stemmer: a capital is marked ``^``, and the end by ``0``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

WORD = re.compile(r"[^\W\d_]\w*(?:\.[^\W\d_]\w*)*|\d+(?:\.\d+)*")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
CAPITAL = re.compile(r"[A-Z]")
MAX_LENGTH = 80
STOP = frozenset(
    "a an and are as at be by can do does for from has have how if in is it its not of on or that the their"
    " then there this to was what when which with".split()
)
KEPT_WORDS = 200_000


def terms_of(text: str) -> tuple[str, str]:
    """The identifiers and the words of a text, each as tokens with blanks between."""
    whole: list[str] = []
    parts: list[str] = []
    for word in WORD.findall(text):
        exact, pieces = _split(word)
        if exact:
            whole.append(exact)
        parts.append(pieces)
    return " ".join(whole), " ".join(parts)


@dataclass(frozen=True)
class Term:
    """A word of a query: its spellings as an identifier (none for a plain word), and its parts."""

    whole: tuple[str, ...]
    parts: tuple[str, ...]

    @property
    def is_compound(self) -> bool:
        """Whether it can be nothing but an identifier: of several parts."""
        return bool(self.whole) and len(self.parts) != 1


def query_terms(query: str) -> list[Term]:
    """What to ask for, each once, in order; words that say nothing only where there are no others."""
    split = dict.fromkeys(_split(word) for word in WORD.findall(query))
    terms = [Term(tuple(whole.split()), tuple(parts.split())) for whole, parts in split]
    known = [term for term in terms if term.whole or term.parts]
    telling = [term for term in known if not STOP.issuperset(term.parts) or not term.parts]
    return telling or known


@lru_cache(maxsize=KEPT_WORDS)
def _split(word: str) -> tuple[str, str]:
    """The identifier's spellings (empty for a plain word) and its parts."""
    if len(word) > MAX_LENGTH:
        return "", ""
    if word.islower() and word.isalpha():
        return "", word
    pieces = " ".join(piece.lower() for piece in PART.findall(word))
    if word[0].isdigit():
        return _spelt(word), pieces if "." not in word else ""
    *_, last = word.split(".")
    exact = _spelt(word) if last == word else f"{_spelt(word)} {_spelt(last)}"
    return exact, pieces


def _spelt(name: str) -> str:
    """An identifier so that folding and stemming leave it apart from all others."""
    return CAPITAL.sub(lambda match: f"^{match[0].lower()}", name) + "0"
