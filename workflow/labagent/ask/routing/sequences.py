"""The sequences of a question, as entities; what is left of the text is its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from labagent.ask.routing import blocks
from labagent.ask.routing.lexicon import WORDS
from labagent.ask.routing.tiny import bare, find_odd, find_tiny
from labagent.ask.routing.words import blank
from labagent.errors import ToolError
from labagent.models.asking import Entity
from labagent.tools.naming.symbols import KNOWN, NO_GENES
from labagent.tools.sequences.embedded import STOP_OR_GAP, find_sequences, is_sequence
from labagent.tools.sequences.letters import AMINO_ACIDS
from labagent.tools.sequences.parsing import parse_text
from labagent.tools.sequences.records import ParsedSequence
from labagent.tools.sequences.words import reads_like_words

Span = tuple[int, int]
NUCLEIC_WORK = re.compile(
    r"\b(?:reverse[- ]?complement\w*|complement|translat\w+|transcri(?:be|ption of)|gc[- ]?content|codons?|"
    r"orfs?|"
    r"open reading frames?|dna|rna|mrna|cdna|oligo\w*|primers?|sequence|reading frame)\b|反向互补|互补|"
    r"翻译|转录|序列|引物",
    re.IGNORECASE,
)
PEPTIDE = re.compile(
    r"(?i:(?:\b(?:oligo|poly)?peptide|\b(?:protein|amino[- ]acid) sequence|\bsequence|肽段?|氨基酸序列|"
    r"蛋白质?序列|序列)"
    r"\s*(?:of|is|[:=：])?\s*)(?P<letters>[A-Z*-]{3,})(?![A-Za-z0-9_-])"
)
SHORT_BASES = re.compile(
    r"(?<![A-Za-z0-9_-])(?:[ACGTUN]{3,}|[acgtu]{6,}|[ACGTUNacgtun]{8,})(?![A-Za-z0-9_-])"
)
PEPTIDE_LETTERS = AMINO_ACIDS | set("BJXZUO*-")
SURE_LENGTH = 12
"""Letters from which on bases alone are no protein, though the words say so: one protein in 46 million."""
ONE_WORD = re.compile(r"[A-Za-z*.~-]+")
FEWEST_ALONE = 6
LONGEST_BLOCK = 12
DECLARED = (
    (
        "dna",
        re.compile(
            r"\b(?:dna|cdna|nucleotide|gene) sequence\b|\bthis dna\b|DNA\s*序列|"
            r"\b(?:ambiguous|degenerate|iupac)\s+(?:dna|nucleotides?|oligo\w*|primers?)\b|简并(?:引物|DNA|碱基)",
            re.IGNORECASE,
        ),
    ),
    ("rna", re.compile(r"\bm?rna sequence\b|\bthis m?rna\b|RNA\s*序列", re.IGNORECASE)),
    (
        "protein",
        re.compile(
            r"\b(?:protein|peptide|amino[- ]acid) sequence\b|\bthis (?:protein|peptide)\b|\bpeptide\b|"
            r"(?:蛋白质?|氨基酸|多?肽)\s*序列|肽段",
            re.IGNORECASE,
        ),
    ),
)


@dataclass(frozen=True)
class Piece:
    """A sequence of the text: where it stands, what it is, the part it plays in a comparison."""

    span: Span
    text: str
    role: str = ""
    odd: bool = False


def find_pieces(text: str) -> list[Piece]:
    """Where sequences stand, best readings first: FASTA and flat files, all of the text, words in it."""
    found = blocks.find_blocks(text)
    if found:
        rest = blank(text, [span for span, _ in found])
        return [Piece(span, block) for span, block in found] + [
            Piece(span, letters) for span, letters in _embedded(rest)
        ]
    if whole := _whole(text):
        return [Piece((0, len(text)), whole)]
    odd = list(find_odd(text))
    rest = blank(text, [span for span, _ in odd])
    return [Piece(span, letters, odd=True) for span, letters in odd] + [
        Piece(span, letters) for span, letters in _embedded(rest)
    ]


def _whole(text: str) -> str:
    """The text, where all of it is one sequence, else nothing."""
    body = text.strip()
    words = body.split()
    if bare(body):
        return body
    if not words or len(body) < FEWEST_ALONE or not all(_looks_like_letters(w) for w in words):
        return ""
    if len(words) == 1:
        return body if is_sequence(body) or _short_alone(body) else ""
    if any(reads_like_words(w) and not set(w.upper()) <= set("ACGTUN") for w in words if w.isalpha()):
        return ""
    if sum(map(len, words)) < FEWEST_ALONE or len({w for w in words if w.isdigit()}) == len(words):
        return ""
    try:
        records = parse_text(body, "auto")
    except ToolError:
        return ""
    return body if len(records) == 1 and records[0].length >= FEWEST_ALONE else ""


def _looks_like_letters(word: str) -> bool:
    """Whether a word has only letters of sequences, or is a line number."""
    return word.isdigit() or (bool(ONE_WORD.fullmatch(word)) and (word.isupper() or word.islower()))


def _short_alone(word: str) -> bool:
    """Six bases and more that are all of the text, three of them different."""
    letters = {c for c in word.upper() if c not in STOP_OR_GAP}
    return letters <= set("ACGTUN") and len(letters) >= 3 and len(word) >= FEWEST_ALONE


def _embedded(text: str) -> Iterator[tuple[Span, str]]:
    """Sequences among words; blocks of one length that follow each other are one sequence."""
    found = [((f.start, f.start + len(f.letters)), f.letters) for f in find_sequences(text)]
    if found and not _blocks_near(text):
        yield from found
    elif tiny := ([] if found else find_tiny(text)):
        yield from tiny
    elif NUCLEIC_WORK.search(text) or PEPTIDE.search(text):
        short = list(_short(text)) if not found else []
        yield from short or found
    else:
        yield from found


def _blocks_near(text: str) -> bool:
    """Whether short blocks of bases stand side by side."""
    return bool(re.search(r"(?<![A-Za-z])[ACGTU]{3,12}(?:[ \n][ACGTU]{3,12}){2,}(?![A-Za-z])", text))


def _short(text: str) -> Iterator[tuple[Span, str]]:
    """Words too short to be sequences elsewhere, in a question about sequences."""
    taken = [(m.span("letters"), m["letters"]) for m in PEPTIDE.finditer(text) if _is_peptide(m["letters"])]
    if taken:
        yield from taken
        return
    runs: list[list[re.Match[str]]] = []
    for match in SHORT_BASES.finditer(text):
        if match[0] in ("DNA", "RNA", "CDNA", "GAA") or set(match[0].upper()) == {"N"}:
            continue
        if runs and _goes_on(text, runs[-1], match):
            runs[-1].append(match)
        else:
            runs.append([match])
    for run in runs:
        yield (run[0].start(), run[-1].end()), text[run[0].start() : run[-1].end()]


def _is_peptide(letters: str) -> bool:
    """Whether letters behind "peptide" or "sequence" are residues, and no gene symbol or word."""
    return (
        letters not in KNOWN
        and letters not in WORDS
        and letters not in NO_GENES
        and set(letters) <= PEPTIDE_LETTERS
    )


def _goes_on(text: str, run: list[re.Match[str]], match: re.Match[str]) -> bool:
    """Whether a block belongs to those before it."""
    between = text[run[-1].end() : match.start()]
    same = all(len(m[0]) == len(run[0][0]) for m in run)
    return between in (" ", "\n") and same and len(match[0]) <= len(run[0][0]) <= LONGEST_BLOCK


def entities_of(pieces: list[Piece], text: str, words: str) -> list[Entity]:
    """The records of each piece as entities, with type, length, gaps and what is doubtful about them."""
    declared = next((kind for kind, pattern in DECLARED if pattern.search(words)), "")
    made: list[Entity] = []
    for piece in pieces:
        made += _entities(piece, text, declared)
    return [e.model_copy(update={"facts": e.facts | {"records": len(made)}}) for e in made]


def _entities(piece: Piece, text: str, declared: str) -> Iterator[Entity]:
    """The records of one piece."""
    kind = declared
    try:
        records = parse_text(piece.text, kind or "auto")
    except ToolError:
        kind = ""
        try:
            records = parse_text(piece.text, "auto")
        except ToolError as error:
            if piece.odd:
                yield _refused(piece, error)
            return
    if kind == "protein" and len(own := parse_text(piece.text, "auto")) == len(records) and _sure(own):
        kind, records = "", own
    against = [declared] if declared and not kind else []
    for record in records:
        raw = piece.text if len(records) == 1 else blocks.record_text(record)
        facts = _facts(record) | {"text": raw}
        if any(_contradicted(k, record) for k in against):
            facts["stated"] = declared
        if kind:
            facts["declared"] = kind
        if piece.role:
            facts["role"] = piece.role
        notes = (*(_contradicted(k, record) for k in against), record.type_note, *record.notes)
        yield Entity(
            namespace="sequence",
            value=record.sequence,
            written=text[piece.span[0] : piece.span[1]] if len(records) == 1 else raw,
            start=piece.span[0],
            certain=record.certain,
            notes=tuple(filter(None, notes)),
            facts=facts,
        )


def _refused(piece: Piece, error: ToolError) -> Entity:
    """What is meant as a sequence and can be read as none: a tool is given it as it is, and says why not."""
    length = sum(map(str.isalpha, piece.text))
    facts = {"type": "unknown", "length": length, "gaps": 0, "stops": 0, "format": "raw", "text": piece.text}
    return Entity(
        namespace="sequence",
        value=piece.text,
        written=piece.text,
        start=piece.span[0],
        certain=False,
        notes=(error.message,),
        facts=facts,
    )


def _sure(records: list[ParsedSequence]) -> bool:
    """Whether letters are those of nucleotides without doubt, whatever they are called."""
    return all(r.certain and r.type in ("dna", "rna") and r.length >= SURE_LENGTH for r in records)


def _contradicted(stated: str, record: ParsedSequence) -> str:
    """What is said where the letters are of another type than the words."""
    names = {"dna": "DNA", "rna": "RNA", "protein": "protein"}
    if record.type == stated or record.type not in names:
        return ""
    own = names[record.type]
    return f"stated to be {names[stated]}, but its letters are {own}; read as {own}"


def _facts(record: ParsedSequence) -> dict[str, Any]:
    """What is read from one record."""
    facts: dict[str, Any] = {
        "type": record.type,
        "length": record.length,
        "gaps": record.gaps,
        "stops": record.stops,
        "format": record.format,
    }
    optional = {
        "name": record.name,
        "header": record.header,
        "candidates": [] if record.certain else list(record.candidates),
        "ambiguous": record.ambiguous,
        "rare": record.rare,
    }
    return facts | {name: value for name, value in optional.items() if value}
