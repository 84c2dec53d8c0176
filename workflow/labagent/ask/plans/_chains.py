"""Which steps on sequences a question asks for, and which of them work on what an earlier one made."""

from __future__ import annotations

import re

from labagent.ask.slots import Slots

TRANSLATE, REVERSE, ORFS = "sequence.translate", "sequence.reverse_complement", "sequence.orfs"
ALIGN, STATS = "sequence.align", "sequence.stats"
PEPTIDIC = frozenset({"pi", "gravy", "extinction", "charge"})
"""Figures that only a protein has."""
FIGURES = PEPTIDIC | {"mass", "length", "composition"}
NUCLEOTIDES = frozenset({"dna", "rna"})
OF_REVERSE = re.compile(
    r"\btranslat\w+\s+(?:of\s+)?(?:(?:the|its|their|this|that)\s+)?(?:reverse|antisense|opposite|other|"
    r"complementary|minus)\b|"
    r"(?:reverse[- ]?complement|rev[- ]?comp)\w*\b.{0,300}?"
    r"\b(?:then|result|it|afterwards)\b.{0,30}?\btranslat|"
    r"(?:reverse[- ]?complement|rev[- ]?comp)\w*\b.{0,300}?\btranslate (?:it|the result|that)\b|"
    r"翻译(?:其|它的|该序列的)?(?:反向互补|互补链)|反向互补(?:序列|链)?的?(?:翻译|再翻译)|反向互补.{0,300}?再.{0,6}翻译",
    re.IGNORECASE | re.DOTALL,
)
PROTEIN = re.compile(r"\b(?:protein|peptide|polypeptide|product)\b|translat|蛋白|肽|产物|翻译", re.IGNORECASE)

TYPES = {
    "protein": re.compile(
        r"\b(?:[Pp]roteins?|PROTEIN|[Pp]eptides?|[Pp]olypeptides?|[Aa]mino[- ]acids?|[Rr]esidues?)\b|"
        r"蛋白|肽|氨基酸|残基|"
        r"\bp\.\(?[A-Z][a-z]{0,2}\d|\b(?:Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|"
        r"Tyr|Val)\d+(?:Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val|Ter|del)",
    ),
    "dna": re.compile(r"\bDNA\b|\b(?:nucleotides?|bases?)\b|核苷酸|碱基|脱氧核糖核酸"),
    "rna": re.compile(r"\bm?RNA\b"),
}
"""Words that state what sequences are."""


def nucleotides(slots: Slots) -> bool:
    """Whether all sequences of the question are nucleotides."""
    return bool(slots.sequences) and all(s.fact("type") in NUCLEOTIDES for s in slots.sequences)


def translates_reverse(slots: Slots) -> bool:
    """Whether the other strand is what is to be translated."""
    return OF_REVERSE.search(slots.question) is not None


def wants_protein_figures(slots: Slots) -> bool:
    """Whether figures of the protein that nucleotides code for are asked for."""
    made = slots.asks("translate", "orfs")
    return nucleotides(slots) and (slots.asks(*PEPTIDIC) or (made and slots.asks(*FIGURES)))


def wants_own_figures(slots: Slots) -> bool:
    """Whether figures of the nucleotides are asked for beside those of the protein."""
    own = slots.asks("gc", "type") or (slots.asks(*FIGURES - PEPTIDIC) and not PROTEIN.search(slots.question))
    return own or not slots.asks(*FIGURES)


def bare(slots: Slots) -> bool:
    """Whether nucleotides are given, of a sure type, and nothing is asked about them."""
    return not slots.aspects and nucleotides(slots) and all(s.entity.certain for s in slots.sequences)


def stated_type(slots: Slots) -> str:
    """The one type that sequences are said to be of, by their slots or by the words, or ``auto``.

    ``p.`` and residues speak for proteins. A type that the letters rule out is not stated.
    """
    text = slots.question
    for slot in slots.sequences:
        text = text.replace(str(slot.fact("text") or slot.value), " ").replace(slot.value, " ")
    declared = {str(s.fact("declared")) for s in slots.sequences if s.fact("declared")}
    said = declared or {kind for kind, words in TYPES.items() if words.search(text)}
    allowed = [{s.fact("type"), *s.fact("candidates", ())} for s in slots.sequences]
    fits = [kind for kind in said if kind == "protein" or all(kind in kinds for kinds in allowed)]
    return fits[0] if len(said) == len(fits) == 1 else "auto"
