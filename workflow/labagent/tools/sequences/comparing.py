"""An alignment as a result: counts over all columns, marks, and the printed blocks."""

from __future__ import annotations

import re

from labagent.errors import ToolError
from labagent.tools.sequences.alignment import Scoring, align, matrix_scoring
from labagent.tools.sequences.letters import CODES, UNSURE_AMINO_ACIDS
from labagent.tools.sequences.parsing import one_record
from labagent.tools.sequences.records import AlignArguments, AlignResult, ParsedSequence

WIDTH = 60
MAX_CELLS = 4_000_000_000


def align_records(arguments: AlignArguments) -> AlignResult:
    """Align two sequences; see ``AlignResult``.

    Raises:
        ToolError: ``input`` (no sequence, types that differ or are unknown, a matrix of another type),
            ``limit``.
    """
    a = one_record(arguments.a, arguments.type, "a")
    b = one_record(arguments.b, arguments.type, "b")
    kind, first, second, notes = _comparable(a, b)
    if len(first) * len(second) > MAX_CELLS:
        cells = f"{len(first)} x {len(second)}"
        raise ToolError(
            "limit", f"{cells} cells are too many", field="a", allowed=f"at most {MAX_CELLS} cells"
        )
    scoring, name = _scoring(arguments, kind)
    found = align(first, second, scoring, local=arguments.mode == "local")
    marks = _marks(found.a, found.b, scoring)
    columns, identical, gaps = len(marks), marks.count("|"), marks.count(" ")
    unsure = (UNSURE_AMINO_ACIDS if kind == "protein" else CODES) & set(first) & set(second)
    if unsure:
        notes.append(f"equal ambiguous letters ({', '.join(sorted(unsure))}) count as identical")
    a_end = found.a_start + columns - found.a.count("-")
    b_end = found.b_start + columns - found.b.count("-")
    return AlignResult(
        type=kind,
        mode=arguments.mode,
        matrix=name,
        score=found.score,
        a=found.a,
        marks=marks,
        b=found.b,
        a_start=found.a_start + 1,
        a_end=a_end,
        b_start=found.b_start + 1,
        b_end=b_end,
        columns=columns,
        identical=identical,
        positive=identical + marks.count(":"),
        gaps=gaps,
        gap_openings=len(re.findall("-+", found.a)) + len(re.findall("-+", found.b)),
        identity_percent=100 * identical / columns if columns else 0.0,
        identity_of_pairs_percent=100 * identical / (columns - gaps) if columns > gaps else 0.0,
        text=printed(found.a, marks, found.b, found.a_start, found.b_start),
        notes=tuple(notes),
    )


def printed(a: str, marks: str, b: str, a_before: int, b_before: int) -> str:
    """The alignment in blocks of 60 columns; numbers are the first and last residue of a row."""
    blocks = []
    for at in range(0, len(marks), WIDTH):
        rows = []
        for row, before in ((a, a_before), (b, b_before)):
            part = row[at : at + WIDTH]
            done = before + at - row.count("-", 0, at)
            here = len(part) - part.count("-")
            rows.append(f"{done + (here > 0):>8} {part} {done + here}")
        blocks.append(f"{rows[0]}\n{'':>8} {marks[at : at + WIDTH]}\n{rows[1]}")
    return "\n\n".join(blocks)


def _comparable(a: ParsedSequence, b: ParsedSequence) -> tuple[str, str, str, list[str]]:
    """Type and letters of both; RNA is read as DNA beside DNA."""
    kinds = {a.type, b.type}
    notes = []
    if kinds == {"dna", "rna"}:
        notes.append("RNA beside DNA: U is written as T")
        first, second = a.sequence.replace("U", "T"), b.sequence.replace("U", "T")
        return "dna", first, second, notes
    if len(kinds) > 1 and "protein" in kinds:
        sides = [side for side in (a, b) if side.type != "protein" and "protein" in side.candidates]
        if sides and not all(side.certain for side in sides):
            notes.append(f"{sides[0].sequence[:20]} is read as protein, like the other: {sides[0].type_note}")
            kinds = {"protein"}
    if len(kinds) > 1 or "unknown" in kinds:
        message = f"a is {a.type}, b is {b.type}: they cannot be aligned"
        raise ToolError(
            "input", message, field="b", value=b.sequence[:40], allowed="two of one type; say which"
        )
    for name, side in (("a", a), ("b", b)):
        if side.type_note and not side.certain:
            notes.append(f"{name}: {side.type_note}")
    if a.stops or b.stops:
        notes.append("stops at the end are left out")
    return kinds.pop(), a.sequence, b.sequence, notes


def _scoring(arguments: AlignArguments, kind: str) -> tuple[Scoring, str]:
    """The matrix, and its name."""
    own = "BLOSUM62" if kind == "protein" else "NUC.4.4"
    name = own if arguments.matrix == "auto" else arguments.matrix
    if (name == "NUC.4.4") != (kind != "protein"):
        message = f"{name} has no scores for {kind}"
        raise ToolError("arguments", message, field="matrix", value=name, allowed=f"auto, or {own}")
    scoring = matrix_scoring(name, arguments.gap_open, arguments.gap_extend)
    if kind == "rna":
        scoring = Scoring(
            scoring.letters.replace("T", "U"), scoring.table, scoring.gap_open, scoring.gap_extend
        )
    return scoring, name


def _marks(a: str, b: str, scoring: Scoring) -> str:
    """A mark a column."""
    codes = {letter: k for k, letter in enumerate(scoring.letters)}
    table = scoring.table.tolist()
    marks = []
    for x, y in zip(a, b, strict=True):
        if x == "-" or y == "-":
            marks.append(" ")
        else:
            marks.append("|" if x == y else ":" if table[codes[x]][codes[y]] > 0 else ".")
    return "".join(marks)
