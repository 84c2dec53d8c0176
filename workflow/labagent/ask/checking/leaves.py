"""What the results of calls hold: every value with its place, found by number, by word and by name."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
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
COUNT, NAME = "#", "variant_name"
VERBATIM = (8, 20_000)
"""Characters of a text that may stand whole in a sentence, so that all in it is held."""
CUT = re.compile(r"\s*(?:…|\.\.\.)")
LEAST_CUT = 40
"""Characters that are left of a text that is cut."""
PAIRS = (
    ("wild_type", "mutant"),
    ("amino_acid", "new_amino_acid"),
    ("original", "changed"),
    ("deleted", "inserted"),
    ("removed", "added"),
)
SIDES = ({"wild_type_length", "mutant_length"}, {"a_start", "b_start"})
"""Fields of a result on two sequences."""
SIZED = frozenset({"wild_type", "mutant", "removed", "added"})
"""Residues of a change, of which a sentence may say how many there are."""
THREE_OF = re.compile(r"(?:p\.)?\(?([A-Z][a-z]{2})(\d+)([A-Z][a-z]{2}|\*)")
SEQUENCE = re.compile(r"[A-Z*-]{30,}")


@dataclass(frozen=True, eq=False)
class Leaf:
    """A value of a result. ``names`` are those of its fields, places in lists left out; ``number`` its value,
    or one that was read from a text, at ``start`` in it.
    """

    path: Path
    value: Any
    scopes: tuple[Scope, ...]
    names: tuple[str, ...]
    number: float | None = None
    start: int = -1

    @property
    def field(self) -> str:
        """The name of its own field."""
        return self.names[-1] if self.names else ""

    @property
    def counts(self) -> bool:
        """Whether it is the length of a list."""
        return self.field == COUNT


class Evidence:
    """The values of some calls. Texts that speak to their reader's program are no evidence and left out."""

    def __init__(self, calls: Sequence[CallRecord], leaves: Sequence[Sequence[Leaf]] = ()) -> None:
        """Read the calls, or take what was read of each."""
        self.calls = tuple(calls)
        parts = leaves or [leaves_of(call) for call in calls]
        self.leaves: tuple[Leaf, ...] = tuple(leaf for part in parts for leaf in part)

    @cached_property
    def numbers(self) -> list[tuple[float, int]]:
        """Absolute values of all numbers, in order, each with the place of its leaf."""
        return sorted((abs(x.number), n) for n, x in enumerate(self.leaves) if x.number is not None)

    def near(self, value: float, half: float) -> Iterator[Leaf]:
        """Leaves whose number, sign aside, lies so near to a value."""
        at = bisect_left(self.numbers, (abs(value) - half, -1))
        while at < len(self.numbers) and self.numbers[at][0] <= abs(value) + half:
            yield self.leaves[self.numbers[at][1]]
            at += 1

    @cached_property
    def by_path(self) -> dict[Path, Leaf]:
        """Texts by where they stand."""
        return {leaf.path: leaf for leaf in self.texts}

    def kind_of(self, leaf: Leaf) -> str:
        """What a length counts: ``aa`` or ``nt``; empty where the result does not say."""
        if leaf.field == "left_over":
            return "nt"
        if leaf.scopes[0][0].startswith("uniprot.") or {"frames", "orfs"} & set(leaf.names):
            return "aa"
        for end in range(len(leaf.path) - 1, 0, -1):
            kind = self.by_path.get((*leaf.path[:end], "type"))
            if kind is not None:
                return {"protein": "aa", "dna": "nt", "rna": "nt"}.get(kind.value, "")
        return ""

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
    def beginning(self) -> dict[str, list[Leaf]]:
        """Texts of more than a word by their first word, in small letters."""
        found: dict[str, list[Leaf]] = {}
        for leaf in self.texts:
            if VERBATIM[0] <= len(leaf.value) <= VERBATIM[1] and (first := WORD.search(leaf.value)):
                found.setdefault(first[0].casefold(), []).append(leaf)
        return found

    def verbatim(self, text: str) -> list[tuple[int, int, Leaf]]:
        """Where a whole text of the results stands in a sentence, or its beginning that is marked as cut."""
        found = []
        for match in WORD.finditer(text):
            for leaf in self.beginning.get(match[0].casefold(), ()):
                value = " ".join(leaf.value.split())
                start = match.start() - (WORD.search(value) or match).start()
                if start >= 0 and (length := _shared(text, start, value)):
                    found.append((start, start + length, leaf))
        return found

    @cached_property
    def exchanges(self) -> frozenset[tuple[str, str]]:
        """Exchanges of residues, codons or bases that results state, in one letter a residue."""
        return frozenset(_exchanges(self.texts))

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


def _shared(text: str, start: int, value: str) -> int:
    """How much of a value stands at a place: all, or whole words up to a mark that the rest is left out."""
    if text.startswith(value, start):
        return len(value)
    pairs = zip(value, text[start : start + len(value)], strict=False)
    length = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    kept = len(value[:length].rstrip())
    whole = not value[kept : kept + 1].isalnum()
    return kept if kept >= LEAST_CUT and whole and CUT.match(text, start + kept) else 0


_ENDINGS = "ations ation ically ities ingly ions ies ing ity ion ous ive ial ed es al ic ly s e y".split()


def stem(word: str) -> str:
    """A word without a common ending; at least four letters stay."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def leaves_of(call: CallRecord) -> tuple[Leaf, ...]:
    """All values of a call."""
    scopes: tuple[Scope, ...] = ((call.tool, (call.id,)),)
    found: list[Leaf] = []
    if call.result is not None:
        found += _walk(call.result, (call.id,), call.tool, scopes, ())
    if call.error is not None:
        found += _text(call.error.message, (call.id, "message"), scopes, ("message",))
    return tuple(found)


def _walk(
    value: Any, path: Path, shape: str, scopes: tuple[Scope, ...], names: tuple[str, ...]
) -> Iterator[Leaf]:
    """The values below one value."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _walk(item, (*path, str(key)), f"{shape}.{key}", scopes, (*names, str(key)))
        for name in _variant_names(value):
            yield Leaf((*path, NAME), name, scopes, (*names, NAME))
        for part in SIZED & value.keys() if "hgvs" in value else ():
            if isinstance(value[part], str):
                size = len(value[part])
                yield Leaf((*path, part, COUNT), size, scopes, (*names, part, COUNT), float(size))
        if any(sides <= value.keys() for sides in SIDES):
            yield Leaf((*path, "sequences", COUNT), 2, scopes, (*names, "sequences", COUNT), 2.0)
    elif isinstance(value, list | tuple):
        yield Leaf((*path, COUNT), len(value), scopes, (*names, COUNT), float(len(value)))
        for place, item in enumerate(value):
            here = (*path, place)
            yield from _walk(item, here, f"{shape}[]", (*scopes, (shape, here)), names)
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int | float):
        yield Leaf(path, value, scopes, names, float(value))
    else:
        yield from _text(str(value), path, scopes, names)


def _text(value: str, path: Path, scopes: tuple[Scope, ...], names: tuple[str, ...]) -> Iterator[Leaf]:
    """A text, and the numbers in it."""
    from labagent.ask.checking.addressing import without_orders

    text = plain(without_orders(value))
    if not text:
        return
    yield Leaf(path, text, scopes, names)
    if any(map(str.isdigit, text)) and not SEQUENCE.fullmatch(text):
        for match in NUMBER.finditer(text):
            yield Leaf(path, text, scopes, names, value_of(match[0]), match.start())


def _exchanges(texts: Sequence[Leaf]) -> Iterator[tuple[str, str]]:
    """The exchanges of results: named by parts of one item, or in a variant's name."""
    one = {three: letter for letter, three in THREE.items()}
    items: dict[Path, dict[str, str]] = {}
    for leaf in texts:
        items.setdefault(leaf.path[:-1], {})[leaf.field] = leaf.value
        for old, _, new in THREE_OF.findall(leaf.value) if len(leaf.value) < 2000 else ():
            yield one.get(old, old), one.get(new, new)
    for item in items.values():
        yield from ((item[a], item[b]) for a, b in PAIRS if a in item and b in item)


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
