"""Variants said in words: "glycine 12 to aspartate", ``Gly12→Asp``, "deletion of phenylalanine 508",
第12位甘氨酸突变为天冬氨酸."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from labagent.errors import ToolError
from labagent.tools.variants.reading import read_variant
from labagent.tools.variants.records import Variant
from labagent.tools.variants.residues import ONE

ENGLISH = {
    "alanine": "A",
    "arginine": "R",
    "asparagine": "N",
    "aspartate": "D",
    "aspartic acid": "D",
    "cysteine": "C",
    "glutamate": "E",
    "glutamic acid": "E",
    "glutamine": "Q",
    "glycine": "G",
    "histidine": "H",
    "isoleucine": "I",
    "leucine": "L",
    "lysine": "K",
    "methionine": "M",
    "phenylalanine": "F",
    "proline": "P",
    "serine": "S",
    "threonine": "T",
    "tryptophan": "W",
    "tyrosine": "Y",
    "valine": "V",
    "stop": "*",
}
CHINESE = {
    "丙氨酸": "A",
    "精氨酸": "R",
    "天冬酰胺": "N",
    "天冬氨酸": "D",
    "天门冬氨酸": "D",
    "半胱氨酸": "C",
    "谷氨酸": "E",
    "谷氨酰胺": "Q",
    "甘氨酸": "G",
    "组氨酸": "H",
    "异亮氨酸": "I",
    "亮氨酸": "L",
    "赖氨酸": "K",
    "甲硫氨酸": "M",
    "蛋氨酸": "M",
    "苯丙氨酸": "F",
    "脯氨酸": "P",
    "丝氨酸": "S",
    "苏氨酸": "T",
    "色氨酸": "W",
    "酪氨酸": "Y",
    "缬氨酸": "V",
    "终止密码子": "*",
}
LETTERS = {**ENGLISH, **CHINESE, **{name.lower(): letter for name, letter in ONE.items()}}


def _any(names: list[str]) -> str:
    """Names as alternatives, the longest first."""
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


NAME = rf"(?:{_any([*ENGLISH, *(n.lower() for n in ONE)])})"
HAN = rf"(?:{_any(list(CHINESE))})"
AT = r"(?:\s*,?\s*(?:at|in)?\s*(?:the\s+)?(?:amino acid\s+)?(?:position|residue|codon|site)?\s*)"
TO = (
    r"\s*(?:→|->|=>|(?:is |was |being )?(?:replaced|substituted|changed|mutated|converted|exchanged|"
    r"turned)\s+(?:by|with|to|for|into)|"
    r"substitution (?:by|with|to)|to|into|by|with|for)\s*(?:an?\s+)?"
)
PATTERNS = tuple(
    re.compile(rf"(?<![A-Za-z0-9_])(?:{pattern})(?![A-Za-z0-9_])", re.IGNORECASE)
    for pattern in (
        rf"(?P<old>{NAME})[\s-]?{AT}(?P<at>\d{{1,5}}){TO}(?P<new>{NAME})",
        r"(?P<old>[A-Z])(?P<at>\d{1,5})\s*(?:→|->|=>)\s*(?P<new>[A-Z*])",
        rf"(?P<old>{NAME}){TO}(?P<new>{NAME})(?:\s+(?:substitution|mutation|change|"
        rf"exchange))?{AT}(?P<at>\d{{1,5}})",
        rf"(?P<lost>deletion|loss)\s+of\s+(?:the\s+)?(?P<old>{NAME})[\s-]?{AT}(?P<at>\d{{1,5}})",
    )
) + tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?:第\s*)?(?P<at>\d{{1,5}})\s*(?:位|号)(?:氨基酸|残基|密码子)?(?:的|上的|"
        rf"由)?\s*(?P<old>{HAN})\s*(?:被)?"
        rf"(?:突变|替换|取代|改变|变|→)?(?:为|成|→)\s*(?P<new>{HAN})",
        rf"(?:第\s*)?(?P<at>\d{{1,5}})\s*(?:位|号)(?:氨基酸|"
        rf"残基)?(?:的)?\s*(?P<old>{HAN})\s*(?:被)?(?P<lost>缺失|删除)",
        rf"(?P<old>{HAN})\s*(?P<at>\d{{1,5}})\s*(?:突变|替换|取代|变)(?:为|成)\s*(?P<new>{HAN})",
    )
)


@dataclass(frozen=True)
class Spelled:
    """A variant said in words."""

    variant: Variant
    written: str
    start: int


def find_spelled(text: str) -> Iterator[Spelled]:
    """Variants that a text says in words, in no particular order, none twice."""
    seen: set[str] = set()
    for pattern in PATTERNS:
        for match in pattern.finditer(text):
            groups = match.groupdict()
            old = _letter(match["old"])
            body = f"{old}{match['at']}" + ("del" if groups.get("lost") else _letter(groups.get("new") or ""))
            if body in seen:
                continue
            seen.add(body)
            try:
                yield Spelled(read_variant(f"p.{body}"), match[0], match.start())
            except ToolError:
                continue


def _letter(name: str) -> str:
    """The one-letter code of a residue's name."""
    return LETTERS.get(name.lower(), name.upper())
