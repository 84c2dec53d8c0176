"""Wild type and mutant, told apart by labels (``WT: … MT: …``) or by the names of two FASTA records."""

from __future__ import annotations

import re
from dataclasses import dataclass

from labagent.ask.routing.blocks import find_blocks, is_residues
from labagent.ask.routing.sequences import Piece
from labagent.errors import ToolError
from labagent.tools.sequences.letters import ALPHABETS
from labagent.tools.sequences.words import reads_like_words
from labagent.tools.variants.reading import read_variant

Span = tuple[int, int]
WILD, MUTANT = "wild_type", "mutant"
LABELS = {
    WILD: r"(?:wt|wild[- _]?type|native|ref(?:erence)?|original|before|normal)(?![A-Za-z0-9_])|"
    r"野生型|野生|参考|原始|正常",
    MUTANT: r"(?:mt|mut|mutants?|mutated|mutation|variant|var|alt|after)(?![A-Za-z0-9_])|"
    r"突变型|突变体|突变|变异体?",
}
SORT = r"(?:\s*(?:protein|dna|rna|gene|sequence|seq|allele|序列|蛋白质?))*"
LABEL = re.compile(
    rf"(?<![A-Za-z0-9_])(?:(?P<{WILD}>{LABELS[WILD]})|(?P<{MUTANT}>{LABELS[MUTANT]})){SORT}"
    r"\s*(?P<sign>[:=：]|(?:is|为|是)\s)?\s*",
    re.IGNORECASE,
)
WORD = re.compile(r"\S+")
SHORTEST_UNSIGNED = 6
TRAILING = ".,;，。；、)）\"'"


@dataclass(frozen=True)
class Pair:
    """Pieces with the parts they play; ``changes`` is where a variant stands as the mutant."""

    pieces: tuple[Piece, ...]
    changes: tuple[Span, ...] = ()


def find_pair(text: str) -> Pair | None:
    """Wild type and mutant of a text, or ``None``; the first of each label counts."""
    if named := _by_names(text):
        return named
    labels = list(LABEL.finditer(text))
    pieces: dict[str, Piece] = {}
    changes: list[Span] = []
    for number, match in enumerate(labels):
        role = WILD if match[WILD] else MUTANT
        end = labels[number + 1].start() if number + 1 < len(labels) else len(text)
        if role in pieces or (role == MUTANT and changes):
            continue
        span, change = _payload(text, match.end(), end, bool(match["sign"]))
        if change and role == MUTANT:
            changes.append(span)
        elif span[1] > span[0] and not change:
            pieces[role] = Piece(span, text[slice(*span)], role)
    if WILD in pieces and (MUTANT in pieces or changes):
        return Pair(tuple(pieces[r] for r in (WILD, MUTANT) if r in pieces), tuple(changes))
    return None


def _payload(text: str, begin: int, end: int, signed: bool) -> tuple[Span, bool]:
    """What a label stands for: the span of a sequence, or of a variant (then true)."""
    body = text[begin:end]
    if body.lstrip().startswith(">"):
        blocks = find_blocks(body.lstrip())
        offset = begin + len(body) - len(body.lstrip())
        return ((offset + blocks[0][0][0], offset + blocks[0][0][1]) if blocks else (begin, begin)), False
    words = list(WORD.finditer(body))
    if words and _is_change(words[0][0].rstrip(TRAILING)):
        return (begin + words[0].start(), begin + words[0].start() + len(words[0][0].rstrip(TRAILING))), True
    taken = _letters(words, body)
    if not taken or (not signed and sum(len(w[0]) for w in taken) < SHORTEST_UNSIGNED):
        return (begin, begin), False
    last = taken[-1]
    return (begin + taken[0].start(), begin + last.start() + len(last[0].rstrip(TRAILING))), False


def _letters(words: list[re.Match[str]], body: str) -> list[re.Match[str]]:
    """The words of a payload that are its sequence: blocks of one length, or lines."""
    taken: list[re.Match[str]] = []
    for word in words:
        bare = word[0].rstrip(TRAILING)
        ended = bare != word[0]
        if not _can_be_letters(bare):
            break
        if taken:
            together = body[taken[0].start() : word.start() + len(bare)]
            if not all(is_residues(line) for line in together.splitlines()):
                break
        taken.append(word)
        if ended:
            break
    return taken


def _can_be_letters(word: str) -> bool:
    """Whether a word has only letters of one alphabet, gaps and stops, in one case, and is no English."""
    letters = {c for c in word.upper() if c not in "-.~*"}
    if not letters or not letters <= ALPHABETS["protein"] or not (word.isupper() or word.islower()):
        return False
    if letters <= set("ACGTUN"):
        return True
    return len(word) >= 3 and not reads_like_words(word) if word.isupper() else len(word) > 8


def _is_change(word: str) -> bool:
    """Whether a word is a variant."""
    if not any(c.isdigit() for c in word):
        return False
    try:
        read_variant(word)
    except ToolError:
        return False
    return True


def _by_names(text: str) -> Pair | None:
    """Two FASTA records whose headers say which is which."""
    blocks = find_blocks(text)
    if len(blocks) != 1 or blocks[0][1].count(">") != 2:
        return None
    begin = blocks[0][0][0]
    block = text[slice(*blocks[0][0])]
    cut = block.index(">", block.index(">") + 1)
    pieces: dict[str, Piece] = {}
    for start, stop in ((0, cut), (cut, len(block))):
        header = block[start:stop].strip().splitlines()[0].replace("_", " ").replace("-", " ")
        match = LABEL.search(header)
        role = "" if match is None else WILD if match[WILD] else MUTANT
        pieces[role] = Piece((begin + start, begin + stop), block[start:stop], role)
    if set(pieces) == {WILD, ""} and re.search(r"\b[A-Z]\d+[A-Z]\b|p\.", pieces[""].text.splitlines()[0]):
        pieces[MUTANT] = Piece(pieces[""].span, pieces[""].text, MUTANT)
        del pieces[""]
    return Pair((pieces[WILD], pieces[MUTANT])) if set(pieces) == {WILD, MUTANT} else None
