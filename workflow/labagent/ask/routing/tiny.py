"""Sequences that the letters alone do not show: of one or a few letters, and with letters that none has.

They are read only where the words ask for something that is asked of sequences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.ask.routing.lexicon import FAMILIES, WORDS
from labagent.tools.naming.symbols import KNOWN, NO_GENES
from labagent.tools.sequences.embedded import is_sequence
from labagent.tools.sequences.letters import AMINO_ACIDS
from labagent.tools.sequences.words import reads_like_words

Span = tuple[int, int]
NUCLEIC = (
    r"\b(?:reverse[- ]?complement\w*|complement(?:ary)?|translat(?:e|ed|ion of)|transcri(?:be|bed|ption of)|"
    r"gc[- ]?(?:content|percent\w*)?|codons?|orfs?|open reading frames?)\b|反向互补|互补|翻译|转录|GC|阅读框"
)
MEASURES = (
    r"\b(?:lengths?|how long|compositions?|statistics|stats|mass|weight|mw|isoelectric point|pi|gravy|charge|"
    r"extinction|analy[sz]e|analysis|melting temperature|tm|how many (?:bases|residues|nucleotides|"
    r"amino acids|letters))\b|长度|多长|组成|统计|分子量|等电点|分析|多少个?(?:碱基|氨基酸|残基)"
)
ON_BASES = re.compile(NUCLEIC, re.IGNORECASE)
ASKED = re.compile(f"{NUCLEIC}|{MEASURES}", re.IGNORECASE)
LONGEST_TEXT = 20_000
"""Longer texts hold a sequence that is found by its letters."""
LABELLED = re.compile(
    r"(?i:(?:\b(?:sequence|peptide|residue|nucleotide|base)|序列|肽段?)"
    r"\s*(?:(?P<sign>[:=：]|\bis\b|为|是)\s*)?)(?<![A-Za-z])(?P<letters>[A-Z]{1,2})"
    r"(?=[\s.?!。？]*$|\s*(?:的|有|[,，]))"
)
MENTIONED = re.compile(r"(?i:\bsequences?|\bpeptides?|序列)\s*[A-Z]\b(?![A-Za-z])")
"""Two of them are labels (sequence A and sequence B)."""
MEASURED = re.compile(
    r"(?:\b(?i:of|is|in|for|analy[sz]e|analysis)\s+(?:(?i:the (?:sequence|oligo|codon))\s+)?|"
    r"(?:分析|计算|统计)\s*)"
    r"(?P<letters>[ACGTU]{3,8})(?=[\s.?!。？]*$|\s+(?i:as|and|contain|have)\b)|"
    r"(?<![A-Za-z0-9_-])(?P<zh>[ACGTU]{3,8})\s*的(?:长度|组成|分子量|统计|碱基)"
)
OF_BASES = frozenset("AGA AGT CAT GAA TAT TTN TAG TG GC TTC TGA TAA ACT CTA UCA".split())
"""Symbols of genes, and names of codons, that are letters of bases alone."""
LEFT, RIGHT = "\"'([{<`", ".,;:?!)]}>\"'`"
TOKEN = re.compile(r"[!-~]+")
ODD = r"[0-9#@$%&!?^+]"
MIXED = re.compile(rf"[A-Za-z*~-]{{2,}}(?:{ODD}{{1,2}}[A-Za-z*~-]{{2,}})+")
FEWEST_ODD = 6
FEWEST_RESIDUES = 12
SHARE = 0.8
SHARE_PLAIN = 0.5


def bare(body: str) -> bool:
    """Whether all of a text is one amino acid's letter, or two to five bases and no name."""
    if len(body) == 1:
        return body in AMINO_ACIDS
    named = body in KNOWN or body in WORDS or body in OF_BASES or body in NO_GENES
    return 2 <= len(body) <= 5 and set(body) <= set("ACGTU") and not named


def find_tiny(text: str) -> list[tuple[Span, str]]:
    """One or two letters that are said to be a sequence, or a few bases of which something is asked."""
    if len(text) > LONGEST_TEXT:
        return []
    if len(MENTIONED.findall(text)) > 1:
        return []
    said = [m for m in LABELLED.finditer(text) if m["sign"] or m["letters"] not in NO_GENES]
    if len(said) == 1:
        return [(said[0].span("letters"), said[0]["letters"])]
    if said or not ASKED.search(text):
        return []
    found = []
    for match in MEASURED.finditer(text):
        group = "zh" if match["zh"] else "letters"
        letters = match[group]
        if not (letters in KNOWN or letters in WORDS or letters in OF_BASES or letters in NO_GENES):
            found.append((match.span(group), letters))
    return found


def find_odd(text: str) -> Iterator[tuple[Span, str]]:
    """Words that are meant as a sequence, with letters or signs that no sequence has: a tool says which."""
    if len(text) > LONGEST_TEXT or not ASKED.search(text):
        return
    on_bases = bool(ON_BASES.search(text))
    for match in TOKEN.finditer(text):
        word = match[0].lstrip(LEFT)
        start = match.end() - len(word)
        word = word.rstrip(RIGHT)
        if _mixed(word) or (on_bases and _impossible(word)):
            yield (start, start + len(word)), word


def _mixed(word: str) -> bool:
    """Whether a word is letters of a sequence with a few signs or digits among them."""
    if not MIXED.fullmatch(word) or FAMILIES.match(word):
        return False
    letters = "".join(c for c in word if c.isalpha())
    if len(letters) < FEWEST_ODD or not (letters.isupper() or letters.islower()):
        return False
    if _bases(letters) >= SHARE * len(letters):
        return True
    return letters.isupper() and len(letters) >= FEWEST_RESIDUES and not reads_like_words(letters)


def _impossible(word: str) -> bool:
    """Whether a word is mostly bases, with letters that are none."""
    return (
        word.isalpha()
        and word.isupper()
        and len(word) >= FEWEST_ODD
        and _bases(word) >= SHARE_PLAIN * len(word)
        and not is_sequence(word)
        and not set(word) <= set("ACGTUN")
        and word not in KNOWN
        and not FAMILIES.fullmatch(word)
        and ("J" in word or not reads_like_words(word))
    )


def _bases(letters: str) -> int:
    """How many letters are bases."""
    return sum(map(letters.upper().count, "ACGTUN"))
