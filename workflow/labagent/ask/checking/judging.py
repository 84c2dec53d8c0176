"""Whether cited results hold what a sentence states.

A number is not held by results that have it somewhere: the field that has it has to be the one that the
words next to the number speak of, its unit the stated one, and of several entries it has to be the one
that is named beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from labagent.ask.checking import words as lexicon
from labagent.ask.checking.leaves import COUNT, Evidence, Leaf
from labagent.ask.checking.naming import general
from labagent.ask.checking.reading import Sentence, Token
from labagent.ask.checking.texts import NUMBER, WORD

EXACT = 1e-9
APART = 200
"""Characters that a comma counts for."""
LONGEST_TEXT = 400
"""Texts of more characters name no entry."""


@dataclass(frozen=True)
class Anchor:
    """Something in the sentence that stands in texts of the results, and in which."""

    start: int
    end: int
    leaves: tuple[Leaf, ...]


def fits_number(token: Token, leaf: Leaf, before: str, after: str) -> bool:
    """Whether a number of a sentence is one of a result: its value, as it is rounded, sign and unit."""
    if leaf.number is None:
        return False
    units = lexicon.UNIT_OF.get(leaf.field, ())
    if token.unit and leaf.start < 0:
        if units and token.unit not in units:
            return False
        if not units and not leaf.counts and token.unit in ("%", "da", "m-1 cm-1"):
            return False
    stated, known = token.value * token.scale, leaf.number
    about = any(word in before[-16:].casefold() for word in lexicon.ABOUT)
    half = 0.5 * 10.0**-token.decimals * token.scale if token.decimals or token.scale > 1 else 0.0
    if about and not half:
        half = 0.5 * token.scale
    half = (half if known != int(known) or token.scale > 1 or token.decimals else 0.0) + EXACT * max(
        1.0, abs(known)
    )
    if abs(stated - known) <= half:
        return True
    lessened = any(_has_word((before[-40:] + after[:40]).casefold(), word) for word in lexicon.LESS)
    return stated > 0 > known and lessened and abs(stated + known) <= half


LABEL = re.compile(r"(?P<of>[A-Za-z0-9_.-]+) \((?P<text>[^()]{1,60})\)")
"""A label in brackets behind a name or place, as ``P38398-2 (2)``."""
SHOWN = re.compile(r"(?P<letters>[A-Z*-]+)(?:…|\.\.\.)\s*\((?:the first|前)\s*$")
SIDES = {"wild_type": ("wild", "from", "野生"), "mutant": ("mutant", "to", "突变型")}
"""Words that stand before a figure of one side of an exchange."""


class Judge:
    """Looks a sentence's tokens up in the evidence it cites."""

    def __init__(self, sentence: Sentence, evidence: Evidence) -> None:
        """Prepare; nothing is shared between sentences but the evidence."""
        self.sentence, self.evidence = sentence, evidence
        self.lower = sentence.text.casefold()
        self.verbatim = evidence.verbatim(sentence.text)
        self.anchors = list(self._anchors())

    def number(self, token: Token) -> str:
        """Why a number is not held; empty where it is."""
        before, after = self._segments(token)
        text = self.sentence.text
        leaves = [
            leaf
            for leaf in self.evidence.near(token.value * token.scale, token.scale)
            if fits_number(token, leaf, text[: token.start], text[token.end :])
            and self._counts_alike(token, leaf)
        ]
        if not leaves:
            return f"{token.text.strip()} is in no cited result"
        leaves = [leaf for leaf in leaves if self._speaks_of(leaf, token, before, after)]
        if not leaves:
            return f"{token.text.strip()} is not the figure that the sentence says it is"
        if not self.bound(token, leaves):
            return f"{token.text.strip()} belongs to another entry than the one named beside it"
        return ""

    def _counts_alike(self, token: Token, leaf: Leaf) -> bool:
        """Whether a length that is said in residues or in bases is one of residues or of bases."""
        if token.unit not in ("aa", "nt") or token.unit not in lexicon.UNIT_OF.get(leaf.field, ()):
            return True
        return self.evidence.kind_of(leaf) in ("", token.unit)

    def labels(self, token: Token) -> bool:
        """Whether a token is in a label in brackets that is of the item named before it, or is that name; or
        says how many letters of a sequence are shown.
        """
        if token.kind == "number" and (shown := SHOWN.search(self.sentence.text[: token.start])):
            return len(shown["letters"]) == token.value
        for match in LABEL.finditer(self.sentence.text):
            inside = match.start("text") <= token.start and token.end <= match.end("text")
            if inside or (token.kind == "name" and token.span == match.span("of")):
                named = [x for x in self.evidence.texts if x.value == match["text"] and len(x.scopes) > 1]
                return any(self._is_of(match["of"], x) for x in named)
        return False

    def _is_of(self, written: str, leaf: Leaf) -> bool:
        """Whether what is written is a name of the item of a text, or its first and last place."""
        item = leaf.path[:-1]
        own = [x for x in self.evidence.leaves if x.path[: len(item)] == item and x.start < 0]
        if any(x.value == written for x in own):
            return True
        places = {x.field: str(x.value) for x in own if x.field in ("first", "last")}
        return written in ("-".join(places.values()), *places.values()) and len(places) == 2

    def held(self, token: Token, leaves: Sequence[Leaf]) -> str:
        """Why a name is not held, given the texts that have it; empty where it is."""
        if not leaves:
            return f"{token.text} is in no cited result"
        if not self.bound(token, leaves):
            return f"{token.text} belongs to another entry than the one named beside it"
        return ""

    def bound(self, token: Token, leaves: Sequence[Leaf]) -> bool:
        """Whether one of the leaves lies in the same item of each list as what is named next to the token."""
        left = list(leaves)
        for shape in sorted({scope[0] for leaf in leaves for scope in leaf.scopes}):
            inside = [leaf for leaf in left if _items(leaf, shape)]
            if len(inside) < len(left):
                continue
            own = {leaf.field for leaf in inside}
            anchor = self._nearest(token, shape, own)
            if anchor:
                items = {item for leaf in anchor.leaves for item in _items(leaf, shape)}
                left = [leaf for leaf in inside if items & set(_items(leaf, shape))]
                if not left:
                    return False
        return True

    def _nearest(self, token: Token, shape: str, own: set[str]) -> Anchor | None:
        """The nearest anchor in a list, of another field than the token's own; left before right."""
        found: list[tuple[int, int, Anchor]] = []
        for anchor in self.anchors:
            if (anchor.start < token.end and token.start < anchor.end) or self._of_another(anchor, token):
                continue
            leaves = tuple(x for x in anchor.leaves if _items(x, shape))
            if leaves and not any(x.field in own for x in leaves):
                right = anchor.start >= token.end
                between = (token.end, anchor.start) if right else (anchor.end, token.start)
                gap = _gap(self.sentence.text[slice(*between)])
                found.append((gap, right, Anchor(anchor.start, anchor.end, leaves)))
        return min(found, key=lambda f: (f[0], f[1]))[2] if found else None

    def _of_another(self, anchor: Anchor, token: Token) -> bool:
        """Whether an anchor stands in brackets behind another number of the list, to which it belongs."""
        before = self.lower[: anchor.start]
        open_ = before.rfind("(")
        if open_ < 0 or open_ <= token.start < anchor.end or ")" in before[open_:]:
            return False
        earlier = [t for t in self.sentence.of("number") if t.end <= open_]
        owner = max(earlier, key=lambda t: t.end, default=None)
        if owner is None or self.lower[owner.end : open_].strip():
            return False
        return owner.group != token.group or token.kind != "number"

    def _anchors(self) -> Iterable[Anchor]:
        """Phrases of the sentence, as long as they can be, that stand in texts of the results."""
        words = list(WORD.finditer(self.lower))
        at = 0
        while at < len(words):
            end, leaves = self._phrase(words, at)
            said = [w[0] for w in words[at:end]]
            phrase = self.lower[words[at].start() : words[end - 1].end()]
            whole = leaves and leaves[0].value.casefold() == phrase
            if (
                leaves
                and len(phrase) > 1
                and not phrase.isdigit()
                and (whole or any(w not in general() for w in said))
            ):
                yield Anchor(words[at].start(), words[end - 1].end(), tuple(leaves))
            at = end

    def _phrase(self, words: Sequence[re.Match[str]], at: int) -> tuple[int, list[Leaf]]:
        """The longest run of words from one on that a text of the results holds, and the texts that hold it.

        Texts that are the phrase and nothing else go before those that only hold it.
        """
        begin, end = words[at].start(), at + 1
        leaves = [x for x in self.evidence.by_word.get(words[at][0], ()) if len(x.value) <= LONGEST_TEXT]
        while leaves and end < len(words):
            phrase = self.lower[begin : words[end].end()]
            longer = [x for x in leaves if phrase in x.value.casefold()]
            if not longer:
                break
            leaves, end = longer, end + 1
        phrase = self.lower[begin : words[end - 1].end()]
        whole = [x for x in leaves if x.value.casefold() == phrase]
        return end, whole or leaves

    def _segments(self, token: Token) -> tuple[str, str]:
        """What stands between a number (or the list it is part of) and the numbers before and after."""
        numbers = [t for t in self.sentence.tokens if t.kind == "number"]
        group = [t for t in numbers if t.group == token.group]
        first, last = group[0], group[-1]
        earlier = [t for t in numbers if t.end <= first.start]
        later = [t for t in numbers if t.start >= last.end]
        begin = max((t.end for t in earlier), default=0)
        end = min((t.start for t in later), default=len(self.lower))
        return self.lower[begin : first.start], self.lower[last.end : end]

    def _speaks_of(self, leaf: Leaf, token: Token, before: str, after: str) -> bool:
        """Whether the words next to a number speak of the field that has it."""
        needed = _longest(lexicon.NEEDS, leaf)
        if needed and not any(word in self.lower for word in needed):
            return False
        if leaf.start >= 0:
            return self._said_alike(leaf, token, before, after)
        if len(leaf.field) == 1 and leaf.field != COUNT:
            return bool(re.search(rf"(?<![a-z0-9]){re.escape(leaf.field.casefold())}\s*[:=(]?\s*$", before))
        if "features" in leaf.names and leaf.field in ("first", "last"):
            return self._item_is_named(leaf)
        if "evidence" in leaf.names:
            sides = SIDES.get(leaf.field, ())
            return self._item_is_named(leaf) and (not sides or any(_has_word(before[-20:], w) for w in sides))
        words = _longest(lexicon.FIELDS, leaf)
        if words == () and leaf.field in lexicon.FIELDS:
            return True
        if (
            token.unit
            and token.unit in lexicon.UNIT_OF.get(leaf.field, ())
            and token.unit not in ("aa", "nt", "%")
        ):
            return True
        return any(_stands(word, before, after) for word in words or _own_words(leaf))

    def _said_alike(self, leaf: Leaf, token: Token, before: str, after: str) -> bool:
        """Whether the word right beside a number in a result's text stands right beside it here, too.

        A text that is the number alone goes by the name of its field.
        """
        match = NUMBER.match(leaf.value, leaf.start)
        end = match.end() if match else leaf.start
        if leaf.start == 0 and end == len(leaf.value):
            named = any(_stands(word, before, after) for word in _own_words(leaf))
            return named or any(_has_word(before, word) for word in self._beside_it(leaf))
        text, here = leaf.value.casefold(), self.lower
        left, right = _beside(text[: leaf.start], text[end:])
        mine = _beside(here[: token.start], here[token.end :])
        return bool((left and left == mine[0]) or (right and right == mine[1]))

    def _beside_it(self, leaf: Leaf) -> list[str]:
        """Other texts of the item that a text belongs to, in small letters."""
        item = leaf.scopes[-1][1]
        own = (x for x in self.evidence.texts if x.path[: len(item)] == item and x.path != leaf.path)
        return [x.value.casefold() for x in own if len(x.value) > 1] if len(leaf.scopes) > 1 else []

    def _item_is_named(self, leaf: Leaf) -> bool:
        """Whether a word of the item that a figure belongs to stands in the sentence."""
        item = leaf.path[:-1]
        texts = [x.value for x in self.evidence.texts if x.path[: len(item)] == item and x.start < 0]
        spoken = [w.casefold() for text in texts for w in WORD.findall(text) if len(w) > 2]
        return any(_has_word(self.lower, word) for word in spoken if word not in PASSED)


def _gap(between: str) -> int:
    """How far apart two things are; what stands behind a comma or in another part of a list is far."""
    return len(between) + APART * len(re.findall(r"[,;。;、]\s|[,;。;、]$|\)\s*,|\sand\s|和", between))


def _beside(before: str, after: str) -> tuple[str, str]:
    """The words right before and behind a place; none where a sign other than a bracket stands between."""
    left = re.search(r"([a-z\u4e00-\u9fff]{2,})[\s(\[-]*$", before)
    right = re.match(r"[\s)\]-]*([a-z\u4e00-\u9fff]{2,})", after)
    return (left[1] if left else "", right[1] if right else "")


def _items(leaf: Leaf, shape: str) -> list[tuple[str | int, ...]]:
    """The items of a list that a leaf lies in."""
    return [scope[1] for scope in leaf.scopes if scope[0] == shape]


def _longest(table: dict[str, tuple[str, ...]], leaf: Leaf) -> tuple[str, ...]:
    """What a table says of a field, by the longest end of its path that it has."""
    names = leaf.names
    for count in range(len(names), 0, -1):
        if (found := table.get(".".join(names[-count:]))) is not None:
            return found
    return ()


def _own_words(leaf: Leaf) -> tuple[str, ...]:
    """The words of a field's own name; of a count those of its list."""
    name = leaf.names[-2] if leaf.counts and len(leaf.names) > 1 else leaf.field
    return tuple(part for part in re.split(r"[_ ]", name.casefold()) if len(part) > 2)


def _stands(word: str, before: str, after: str) -> bool:
    """Whether a word stands on its side of a number."""
    if word.startswith("<"):
        return _has_word(before, word[1:])
    if word.startswith(">"):
        return _has_word(after, word[1:])
    return _has_word(before, word) or _has_word(after, word)


@cache
def _pattern(word: str) -> re.Pattern[str]:
    """A word that begins a word; up to three letters long it is one (or its plural)."""
    begin = r"(?<![a-z])" if word[:1].isascii() and word[:1].isalnum() else ""
    end = r"s?(?![a-z])" if word.isascii() and word.isalpha() and len(word) <= 3 else ""
    return re.compile(begin + re.escape(word) + end)


def _has_word(text: str, word: str) -> bool:
    """Whether a word stands in a text of small letters."""
    return word in text and _pattern(word).search(text) is not None


PASSED = frozenset(
    "the and for with from that this its are was were has have had not all any one two per than into "
    "over which "
    "protein proteins gene genes human sequence entry uniprot type note residue residues length".split()
)
"""Words that say nothing of which entry is meant."""
