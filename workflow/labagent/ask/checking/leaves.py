"""What the results of calls hold: every value with its place, found by number, by word and by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from labagent.ask.checking.texts import NUMBER, WORD, plain, value_of
from labagent.models.asking import CallRecord
from labagent.tools.sequences.letters import AMINO_ACIDS

Path = tuple[str | int, ...]
Scope = tuple[str, Path]
"""A list (its path, places left out) and one item of it (its path, places in)."""
THREE = dict(
    zip(
        "ACDEFGHIKLMNPQRSTVWY*",
        "Ala Cys Asp Glu Phe Gly His Ile Lys Leu Met Asn Pro Gln Arg Ser Thr Val Trp Tyr Ter".split(),
        strict=True,
    )
)
COUNT = "#"
SEQUENCE = re.compile(r"[A-Z*-]{30,}")


@dataclass(frozen=True)
class Leaf:
    """A value of a result. ``text`` says that ``number`` was read from a text, at ``start`` in it."""

    path: Path
    value: Any
    scopes: tuple[Scope, ...]
    number: float | None = None
    start: int = -1

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its fields, the own one last; places in lists are left out."""
        return tuple(part for part in self.path[1:] if isinstance(part, str))

    @property
    def field(self) -> str:
        """The name of its own field."""
        return self.names[-1] if self.names else ""

    @property
    def counts(self) -> bool:
        """Whether it is the length of a list."""
        return self.field == COUNT


@dataclass(frozen=True)
class Evidence:
    """The values of some calls. Texts that speak to their reader's program are no evidence and left out."""

    calls: tuple[CallRecord, ...]
    leaves: tuple[Leaf, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "leaves", tuple(_leaves_of(self.calls)))

    @cached_property
    def by_number(self) -> dict[float, list[Leaf]]:
        """Leaves by the absolute value of their number, to the whole."""
        found: dict[float, list[Leaf]] = {}
        for leaf in self.leaves:
            if leaf.number is not None:
                found.setdefault(float(round(abs(leaf.number))), []).append(leaf)
        return found

    def near(self, value: float) -> Iterator[Leaf]:
        """Leaves whose number may round to a value."""
        whole = round(abs(value))
        for key in (whole - 1, whole, whole + 1):
            yield from self.by_number.get(float(key), ())

    @cached_property
    def texts(self) -> tuple[Leaf, ...]:
        """Leaves that are texts."""
        return tuple(leaf for leaf in self.leaves if isinstance(leaf.value, str) and leaf.number is None)

    @cached_property
    def by_word(self) -> dict[str, list[Leaf]]:
        """Texts by their words, in small letters; sequences have none."""
        found: dict[str, list[Leaf]] = {}
        for leaf in self.texts:
            if not SEQUENCE.fullmatch(leaf.value):
                for word in {w.casefold() for w in WORD.findall(leaf.value)}:
                    found.setdefault(word, []).append(leaf)
        return found

    @cached_property
    def field_words(self) -> frozenset[str]:
        """Words of the names of fields."""
        names = {part for leaf in self.leaves for part in leaf.path[1:] if isinstance(part, str)}
        return frozenset(word for name in names for word in name.casefold().split("_"))

    @cached_property
    def stems(self) -> frozenset[str]:
        """Words of texts and of names of fields, without their endings."""
        return frozenset(stem(word) for word in (*self.by_word, *self.field_words))

    @cached_property
    def whole(self) -> str:
        """All texts, a line each."""
        return "\n".join(leaf.value for leaf in self.texts)

    def holding(self, name: str) -> list[Leaf]:
        """Texts in which a name stands whole: not as part of a longer one, a version or an isoform of it."""
        if name not in self.whole:
            return []
        pattern = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_]|-\d)")
        parts = [w.casefold() for w in WORD.findall(name)]
        few = min((self.by_word.get(p, []) for p in parts), key=len, default=list(self.texts))
        return [leaf for leaf in few if pattern.search(leaf.value)]

    def sequences(self, letters: str, *, begins: bool) -> list[Leaf]:
        """Texts that hold a stretch of letters (or begin with it)."""
        return [
            leaf
            for leaf in self.texts
            if (leaf.value.startswith(letters) if begins else letters in leaf.value)
        ]


_ENDINGS = "ations ation ically ities ingly ions ies ing ity ion ous ive ial ed es al ic ly s e y".split()


def stem(word: str) -> str:
    """A word without a common ending; at least four letters stay."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _leaves_of(calls: Sequence[CallRecord]) -> Iterator[Leaf]:
    """All values of the calls."""
    for call in calls:
        scope: Scope = (call.tool, (call.id,))
        if call.result is not None:
            yield from _walk(call.result, (call.id,), call.tool, (scope,))
        if call.error is not None:
            yield from _walk({"message": call.error.message}, (call.id,), call.tool, (scope,))


def _walk(value: Any, path: Path, shape: str, scopes: tuple[Scope, ...]) -> Iterator[Leaf]:
    """The values below one value."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _walk(item, (*path, str(key)), f"{shape}.{key}", scopes)
        for name in _variant_names(value):
            yield Leaf((*path, "variant_name"), name, scopes)
    elif isinstance(value, list | tuple):
        yield Leaf((*path, COUNT), len(value), scopes, float(len(value)))
        for place, item in enumerate(value):
            here = (*path, place)
            yield from _walk(item, here, f"{shape}[]", (*scopes, (shape, here)))
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        yield Leaf(path, value, scopes, float(value))
    else:
        yield from _text(str(value), path, scopes)


def _text(value: str, path: Path, scopes: tuple[Scope, ...]) -> Iterator[Leaf]:
    """A text, and the numbers in it."""
    from labagent.ask.checking.addressing import without_orders

    text = plain(without_orders(value))
    if not text:
        return
    yield Leaf(path, text, scopes)
    if not SEQUENCE.fullmatch(text):
        for match in NUMBER.finditer(text):
            yield Leaf(path, text, scopes, value_of(match[0]), match.start())


def _variant_names(item: dict[str, Any]) -> Iterator[str]:
    """Names of a natural variant that its entry gives in parts."""
    if not {"first", "last", "original", "changed"} <= item.keys():
        return
    old, new, first, last = item["original"], item["changed"], item["first"], item["last"]
    if first == last and len(old) == len(new) == 1 and {old, new} <= AMINO_ACIDS:
        yield f"{old}{first}{new}"
        yield f"p.{THREE[old]}{first}{THREE[new]}"
    elif old and not new and {old[0], old[-1]} <= AMINO_ACIDS:
        begin, end = f"{THREE[old[0]]}{first}", f"{THREE[old[-1]]}{last}"
        yield f"p.{begin}del" if first == last else f"p.{begin}_{end}del"
