"""Names in a sentence without digits: proper nouns, enzymes, diseases, proteins, amino acids, verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources

from labagent.ask.checking.leaves import Evidence, stem
from labagent.ask.checking.reading import Sentence

CAPITAL = re.compile(
    r"(?<![A-Za-z0-9])[A-Zα-ω][A-Za-zα-ω'-]*[A-Za-zα-ω]|(?<![A-Za-z0-9])[a-z]+[A-Z][A-Za-z]*"
)
SMALL = re.compile(r"(?<![A-Za-z0-9-])[a-zα-ω][a-zα-ω-]{2,}")
KINDS = re.compile(
    r"(?:[a-z]{2,}(?:ase|ases|oma|omas|emia|aemia|osis|oses|itis|pathy|pathies|plegia|trophy|globins?|"
    r"virus|viruses|mycins?|statins?|"
    r"mabs?|nibs?|cyte|cytes|phage|phages|somes?|receptors?|syndromes?|kinases?|ligases?)"
    r"|[a-z]{3,}(?:ins?|ogens?|actors?)|cancers?|tumou?rs?|leuk[a-z]+|lymph[a-z]+|diabetes|"
    r"alzheimer[a-z]*|parkinson[a-z]*|apoptosis|"
    r"nucle(?:us|olus|oplasm|ar)|mitochondri[a-z]+|cytoplasm[a-z]*|cytosol[a-z]*|membranes?|secreted|"
    r"ribosom[a-z]+|golgi|lysosom[a-z]+|"
    r"peroxisom[a-z]+|extracellular|chromatin|cytoskelet[a-z]+|endoplasmic|antibod(?:y|ies)|enzymes?|"
    r"hormones?|repressors?|activators?|"
    r"inhibitors?|oncogen[a-z]*|suppressors?)"
)
CHINESE_KINDS = re.compile(
    r"[一-鿿]{0,8}(?:综合征|癌|瘤|白血病|激酶|抑制剂|细胞核|线粒体|细胞质|高尔基体|内质网|溶酶体)"
)
VERDICTS = re.compile(
    r"\b(?:pathogenic|likely pathogenic|benign|damaging|deleterious|disease-causing|loss-of-function|"
    r"gain-of-function|tolerated|"
    r"harmless|lethal|oncogenic|causative)\b|致病|良性|有害|致癌|无害",
    re.IGNORECASE,
)
NEGATED = re.compile(
    r"\b(?:not|no|nor|never|cannot|can't|doesn't|don't|without|neither|whether|unknown|uncertain)\b|不|"
    r"没有|无法|未|是否",
    re.IGNORECASE,
)
NO_VERDICT = frozenset({"label", "scale", "notes", "message"})
BECOMES = re.compile(
    r"(?<![A-Za-z0-9])(?P<old>[A-Z][a-z]{2,12}|[a-z]{5,14}|[A-Z*]{1,3})\s*(?:->|→|>|\bbecomes\b|\bto\b|"
    r"\breplaced (?:by|with)\b|\binto\b|变为|变成|→)\s*"
    r"(?:an? )?(?P<new>[A-Z][a-z]{2,12}|[a-z]{5,14}|[A-Z*]{1,3})(?![A-Za-z0-9])"
)
SPELLED = {
    "alanine": "A", "arginine": "R", "asparagine": "N", "aspartate": "D", "aspartic": "D",
    "cysteine": "C", "glutamine": "Q",
    "glutamate": "E", "glutamic": "E", "glycine": "G", "histidine": "H", "isoleucine": "I",
    "leucine": "L", "lysine": "K",
    "methionine": "M", "phenylalanine": "F", "proline": "P", "serine": "S", "threonine": "T",
    "tryptophan": "W",
    "tyrosine": "Y", "valine": "V", "stop": "*",
    "ala": "A", "arg": "R", "asn": "N", "asp": "D", "cys": "C", "gln": "Q", "glu": "E", "gly": "G",
    "his": "H", "ile": "I",
    "leu": "L", "lys": "K", "met": "M", "phe": "F", "pro": "P", "ser": "S", "thr": "T", "trp": "W",
    "tyr": "Y", "val": "V",
    "ter": "*",
}  # fmt: skip


@cache
def general() -> frozenset[str]:
    """Words that name nothing: what any sentence about any result may be made of."""
    text = resources.files("labagent.ask.checking").joinpath("general.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if not line.startswith("#") for word in line.split())


@cache
def _general_zh() -> re.Pattern[str]:
    """Words of Chinese that name nothing, the longest first."""
    text = resources.files("labagent.ask.checking").joinpath("general_zh.txt").read_text("utf-8")
    words = {word for line in text.splitlines() if not line.startswith("#") for word in line.split()}
    return re.compile("|".join(sorted(words, key=len, reverse=True)))


def chinese_left(sentence: Sentence, evidence: Evidence) -> str:
    """What a sentence says in Chinese beyond general words, where no result says it."""
    runs = re.findall(r"[\u3400-\u9fff]+", _general_zh().sub(" ", sentence.left))
    return "".join(run for run in runs if run not in evidence.whole)


def unheld(sentence: Sentence, evidence: Evidence, quoted: Sequence[tuple[int, int]] = ()) -> Iterator[str]:
    """Names of a sentence that no text of the evidence holds, and verdicts that none gives; texts of results
    are quoted from one place to another.
    """
    left = sentence.left
    for start, end in quoted:
        left = left[:start] + " " * (end - start) + left[end:]
    sentence = replace(sentence, left=left)
    for name in _proper(sentence):
        if not _known(name, evidence):
            yield f"{name} is in no cited result"
    for name in _kinds(sentence):
        if not _known(name, evidence):
            yield f"{name} is in no cited result"
    for match in CHINESE_KINDS.finditer(sentence.left):
        if match[0] not in evidence.whole:
            yield f"{match[0]} is in no cited result; write names as the results have them"
    yield from _verdicts(sentence, evidence, quoted)
    yield from _exchanges(sentence, evidence)
    yield from _residues(sentence, evidence)


def coverage(sentence: Sentence, evidence: Evidence) -> float:
    """Which share of the words that say something stand in the evidence; 1 where there is none."""
    told = list(_content(sentence.left))
    return sum(_known(w, evidence) for w in told) / len(told) if told else 1.0


def _content(text: str) -> Iterator[str]:
    """Words of a text that say something."""
    for match in re.finditer(r"[A-Za-zα-ω][A-Za-zα-ω'-]+", text):
        word = match[0].strip("'-").casefold()
        if len(word) > 2 and word not in general() and stem(word) not in general():
            yield word


def _proper(sentence: Sentence) -> Iterator[str]:
    """Words with capitals, but for one that begins a sentence and is a word of every day."""
    for match in CAPITAL.finditer(sentence.left):
        word = match[0].removesuffix("'s")
        begins = not re.search(r"\w", sentence.text[: match.start()]) or re.search(
            r"[.!?:]\s*[\"'(*-]*$", sentence.text[: match.start()]
        )
        small = word.casefold()
        if small in general() or (begins and word[1:].islower() and stem(small) in general()):
            continue
        plain = begins and word[1:].islower() and not KINDS.fullmatch(small)
        if plain and not re.match(r"\s+[A-Z][a-z]", sentence.left[match.end() :]):
            continue
        yield word


def _kinds(sentence: Sentence) -> Iterator[str]:
    """Words in small letters whose form says that they name an enzyme, a disease, a place in the cell …"""
    for match in SMALL.finditer(sentence.left):
        word = match[0].strip("-")
        if word not in general() and stem(word) not in general() and KINDS.fullmatch(word.rpartition("-")[2]):
            yield word


def _known(name: str, evidence: Evidence) -> bool:
    """Whether a name's words stand in the evidence, as they are or with another ending."""
    parts = [part.casefold() for part in re.findall(r"[A-Za-zα-ω]+", name)]
    return bool(parts) and all(
        part in evidence.by_word
        or part in evidence.field_words
        or (len(part) > 3 and stem(part) in evidence.stems)
        or len(part) == 1
        for part in parts
    )


def _verdicts(sentence: Sentence, evidence: Evidence, quoted: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Verdicts on a variant that no result gives: the figures are none."""
    for match in VERDICTS.finditer(sentence.text):
        if any(start <= match.start() < end for start, end in quoted):
            continue
        word = match[0].casefold()
        given = [x for x in evidence.texts if word in x.value.casefold() and not NO_VERDICT & set(x.names)]
        before = re.split(r"[.!?…]\s|。", sentence.text[max(0, match.start() - 60) : match.start()])[-1]
        if not any(not NEGATED.search(x.value) for x in given) and not NEGATED.search(before):
            yield f"{match[0]} is a verdict that no cited result gives"


def _exchanges(sentence: Sentence, evidence: Evidence) -> Iterator[str]:
    """Exchanges of residues (``G becomes D``) that are those of no item."""
    for match in BECOMES.finditer(sentence.text):
        old, new = _letter(match["old"]), _letter(match["new"])
        if old and new and (old, new) not in evidence.exchanges and match[0] not in evidence.whole:
            yield f"{match[0]} is in no cited result"


def _letter(word: str) -> str:
    """A residue, or bases, by their letters."""
    return word if re.fullmatch(r"[A-Z*]{1,3}", word) else SPELLED.get(word.casefold(), "")


def _residues(sentence: Sentence, evidence: Evidence) -> Iterator[str]:
    """Amino acids by name that no result speaks of."""
    for match in re.finditer(r"(?<![A-Za-z])[a-z]{6,13}(?![A-Za-z])", sentence.left.casefold()):
        letter = SPELLED.get(match[0])
        if letter and match[0] not in evidence.by_word and not _speaks(letter, evidence):
            yield f"{match[0]} is in no cited result"


def _speaks(letter: str, evidence: Evidence) -> bool:
    """Whether a result has a residue by its letter."""
    return any(letter in pair for pair in evidence.exchanges) or any(
        x.value == letter for x in evidence.texts
    )
