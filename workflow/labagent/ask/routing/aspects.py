"""What is asked about the entities: a closed vocabulary, each word with the English and Chinese that ask for
it.

Rows of ``aspects.tsv``: kinds are the routes an aspect belongs to (``s`` sequence, ``p`` protein, ``m``
mutation, ``l``
literature); alternatives are regular expressions divided by `` | ``. Adding an aspect is adding a row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources

from labagent.models.asking import RouteName

KINDS: dict[RouteName, str] = {
    "sequence": "s",
    "protein": "p",
    "mutation": "m",
    "literature": "l",
    "none": "",
}


@dataclass(frozen=True)
class Aspect:
    """A word of the vocabulary, the kinds of question it belongs to, and what asks for it."""

    name: str
    kinds: str
    pattern: re.Pattern[str]


def _row(line: str) -> Aspect:
    """One row of the table."""
    name, kinds, english, chinese = line.split("\t")
    words = "|".join(english.split(" | "))
    signs = "|".join(chinese.split(" | "))
    whole = f"(?<![A-Za-z0-9_])(?:{words})(?![A-Za-z0-9_])"
    return Aspect(name, kinds, re.compile(whole + (f"|{signs}" if signs else ""), re.IGNORECASE))


def _table() -> tuple[Aspect, ...]:
    """All rows."""
    text = resources.files(__package__).joinpath("aspects.tsv").read_text(encoding="utf-8")
    return tuple(_row(line) for line in text.splitlines()[1:])


ASPECTS = _table()
VOCABULARY = tuple(aspect.name for aspect in ASPECTS)


def find_aspects(words: str, kinds: str) -> tuple[str, ...]:
    """The aspects that words ask for, in the order of the vocabulary.

    Args:
        words: the question, sequences and identifiers left blank.
        kinds: letters of the kinds that count, such as ``p`` or ``ml``.
    """
    wanted = (a for a in ASPECTS if not set(a.kinds).isdisjoint(kinds))
    return tuple(a.name for a in wanted if a.pattern.search(words))


def covered(words: str, names: Iterable[str]) -> str:
    """The words with what asks for these aspects left blank: what the question says beyond them."""
    for aspect in ASPECTS:
        if aspect.name in set(names):
            words = aspect.pattern.sub(lambda m: " " * len(m[0]), words)
    return words
