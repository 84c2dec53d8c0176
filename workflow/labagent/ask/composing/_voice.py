"""Sentences in the question's language, with figures as the results have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from labagent.models.asking import CallRecord, Statement

WHOLE = 120
"""Residues of a sequence that are shown without being asked for."""
PREFIX = 60


@dataclass
class Voice:
    """Says things about one call. ``aspects`` are what is asked; ``rounded`` is set once a figure was."""

    call: CallRecord
    language: str
    aspects: frozenset[str]
    focus: dict[str, Any] = field(default_factory=dict)
    rounded: bool = False
    question: str = ""

    @property
    def result(self) -> dict[str, Any]:
        """The call's result."""
        return self.call.result or {}

    @property
    def zh(self) -> bool:
        """Whether the answer is in Chinese."""
        return self.language == "zh"

    def asks(self, *aspects: str) -> bool:
        """Whether one of these is asked."""
        return not self.aspects.isdisjoint(aspects)

    def fact(self, en: str, zh: str, *more: CallRecord | None) -> Statement:
        """A sentence that this call holds (and those of ``more``)."""
        ids = [self.call.id, *(c.id for c in more if c is not None)]
        return Statement(text=zh if self.zh else en, cites=tuple(dict.fromkeys(ids)))

    def remark(self, en: str, zh: str) -> Statement:
        """A sentence that states no fact of a result, such as why there is none; it names the call."""
        return Statement(text=zh if self.zh else en, factual=False, cites=(self.call.id,))

    def figure(self, value: float, decimals: int = 2) -> str:
        """A figure with at most so many decimals; thousands are set off."""
        if value == int(value):
            return f"{int(value):,}"
        text = f"{value:,.{decimals}f}"
        exact = float(text.replace(",", "")) == value
        self.rounded |= not exact
        return text.rstrip("0") if exact else text

    def several(self, items: Sequence[str]) -> str:
        """A list in words."""
        if any("," in item for item in items):
            return "; ".join(items)
        return ("、" if self.zh else ", ").join(items)

    def sequence(self, letters: str, *, whole: bool) -> str:
        """A sequence as code; a long one that nobody asked for is cut, and its length said."""
        if whole or len(letters) <= WHOLE:
            return f"`{letters}`"
        cut = f"`{letters[:PREFIX]}…`"
        return cut + ("(前 %d 个)" if self.zh else " (the first %d)") % PREFIX


def plural(count: int, noun: str) -> str:
    """``1 paper``, ``2 papers``."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


KINDS = {"dna": "DNA", "rna": "RNA", "protein": "protein", "unknown": "of unknown type"}
KINDS_ZH = {"dna": "DNA", "rna": "RNA", "protein": "蛋白质", "unknown": "类型不明的"}
UNITS = {"protein": ("aa", "个氨基酸(aa)"), "dna": ("nt", "个碱基(nt)"), "rna": ("nt", "个碱基(nt)")}


def size(voice: Voice, length: int, kind: str) -> str:
    """A length with its unit: residues (aa) or bases (nt)."""
    en, zh = UNITS.get(kind, ("letters", "个字母"))
    return f"{length:,} {zh if voice.zh else en}"


def named(voice: Voice, name: str, number: int, count: int) -> str:
    """How a record of several is called; ``of`` in the focus says what a sequence that was made is."""
    if made := voice.focus.get("of"):
        return str(made[voice.zh])
    if name:
        return f"{'序列' if voice.zh else 'sequence'} {name}"
    if count == 1:
        return "该序列" if voice.zh else "the sequence"
    return f"第 {number} 条序列" if voice.zh else f"sequence {number}"


def upper(text: str) -> str:
    """A sentence that begins with a capital."""
    return text[:1].upper() + text[1:]
