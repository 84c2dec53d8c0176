"""Applying a variant to a sequence, checked residue by residue, and moving it to its most 3' place."""

from __future__ import annotations

from dataclasses import dataclass

from labagent.errors import ToolError
from labagent.tools.sequences.translation import reverse_complement
from labagent.tools.variants.records import Position, Variant
from labagent.tools.variants.residues import three
from labagent.tools.variants.writing import hgvs, place


@dataclass(frozen=True)
class Edit:
    """Residues ``start`` to ``end`` (from 0, end excluded) become ``inserted``; ``complete``: and no more."""

    start: int
    end: int
    inserted: str
    complete: bool = True

    def removed(self, sequence: str) -> str:
        """What of ``sequence`` is lost."""
        return sequence[self.start : self.end]


def edit_of(variant: Variant, sequence: str, before: int = 0) -> Edit:
    """What a variant does to ``sequence``, after checking every residue it states.

    Args:
        variant: to be applied.
        sequence: upper case, no gaps; a protein without its stop.
        before: residues before number 1 (c. in a transcript with a 5' end).

    Raises:
        ToolError: ``range``, ``mismatch`` (which residue is there), ``input`` (nothing to apply).
    """
    if variant.start is None:
        if variant.kind == "synonymous":
            return Edit(0, 0, "")
        raise ToolError("input", f"{hgvs(variant)} does not say what changes", field="variant")
    start = _index(variant, variant.start, sequence, before)
    last = _index(variant, variant.end, sequence, before) if variant.end else start
    _check_deleted(variant, sequence, start, last)
    kind, new = variant.kind, variant.inserted
    if kind == "insertion":
        return Edit(last, last, new)
    if kind == "duplication":
        return Edit(last + 1, last + 1, sequence[start : last + 1])
    if kind == "inversion":
        rna = "U" in sequence
        return Edit(start, last + 1, reverse_complement(sequence[start : last + 1], "rna" if rna else "dna"))
    if kind == "synonymous":
        return Edit(start, start, "")
    if kind == "nonsense":
        return Edit(start, len(sequence), "")
    if kind == "frameshift":
        return Edit(start, len(sequence), new, complete=False)
    if kind == "extension" and start == len(sequence):
        return Edit(start, start, new, complete=variant.count == 1)
    if kind in ("extension", "start_loss"):
        raise ToolError("input", f"{hgvs(variant)} does not say what the sequence becomes", field="variant")
    if variant.level == "p" and "*" in new:
        return Edit(start, len(sequence), new.partition("*")[0])
    return Edit(start, last + 1, new)


def apply_edit(sequence: str, edit: Edit) -> str:
    """The changed sequence."""
    return sequence[: edit.start] + edit.inserted + sequence[edit.end :]


def most_3prime(sequence: str, edit: Edit) -> Edit:
    """An insertion or deletion at the last place where it gives the same sequence (HGVS's 3' rule)."""
    start, end, new = edit.start, edit.end, edit.inserted
    if not edit.complete or bool(new) == (end > start):
        return edit
    unit = new or sequence[start:end]
    moved = 0
    while end + moved < len(sequence) and sequence[end + moved] == unit[moved % len(unit)]:
        moved += 1
    turn = moved % len(unit)
    return Edit(start + moved, end + moved, (new[turn:] + new[:turn]) if new else "")


def variant_of(sequence: str, edit: Edit, variant: Variant, before: int = 0) -> Variant:
    """The HGVS variant of an edit, with reference, level and parentheses of ``variant``."""
    shared = {"reference": variant.reference, "level": variant.level, "predicted": variant.predicted}
    protein = variant.level == "p"

    def at(index: int) -> Position:
        """The place of an index."""
        if protein:
            return Position(base=index + 1, residue=sequence[index])
        return _coding_place(index, before) if variant.level == "c" else Position(base=index + 1)

    start, end, new = edit.start, edit.end, edit.inserted
    old = sequence[start:end]
    if not old and not new:
        return Variant(**shared, kind="synonymous")
    if not old:
        size = len(new)
        if sequence[start - size : start] == new and start >= size:
            last = at(start - 1) if size > 1 else None
            return Variant(**shared, kind="duplication", start=at(start - size), end=last)
        if start in (0, len(sequence)):
            raise ToolError("input", "an insertion needs a residue on either side", field="variant")
        return Variant(**shared, kind="insertion", start=at(start - 1), end=at(start), inserted=new)
    last = at(end - 1) if end - start > 1 else None
    if not new:
        return Variant(**shared, kind="deletion", start=at(start), end=last)
    if len(old) == len(new) == 1:
        lost = "" if protein else old
        return Variant(**shared, kind="substitution", start=at(start), deleted=lost, inserted=new)
    return Variant(**shared, kind="delins", start=at(start), end=last, inserted=new)


def trimmed(sequence: str, edit: Edit) -> Edit:
    """An edit without the residues that stay the same, from the 5' side first."""
    start, end, new = edit.start, edit.end, edit.inserted
    while start < end and new and sequence[start] == new[0]:
        start, new = start + 1, new[1:]
    while start < end and new and sequence[end - 1] == new[-1]:
        end, new = end - 1, new[:-1]
    return Edit(start, end, new, edit.complete)


def _coding_place(index: int, before: int) -> Position:
    """A place of a transcript counted from its start codon."""
    return Position(base=index - before + 1) if index >= before else Position(base=before - index, anchor="5")


def _index(variant: Variant, position: Position, sequence: str, before: int) -> int:
    """A place as index of the sequence, after checking its residue."""
    if position.offset or position.anchor == "3":
        where = "an intron" if position.offset else "the 3' untranslated region"
        message = f"{place(position)} lies in {where}, which this sequence does not show"
        raise ToolError(
            "range", message, field="variant", value=hgvs(variant), allowed="a place in the sequence"
        )
    index = before - position.base if position.anchor == "5" else before + position.base - 1
    stop = position.residue == "*" and index == len(sequence)
    if not 0 <= index < len(sequence) and not stop:
        message = f"{place(position)} is outside: the sequence has {len(sequence)} residues"
        allowed = f"{place(_coding_place(0, before))} to {len(sequence) - before}"
        raise ToolError("range", message, field="variant", value=hgvs(variant), allowed=allowed)
    if position.residue and not stop and sequence[index] != position.residue:
        raise _mismatch(variant, position, sequence)
    return index


def _mismatch(variant: Variant, position: Position, sequence: str) -> ToolError:
    """Which residue is there, and whether another count explains it."""
    at, stated = position.base, position.residue
    hints = []
    if at < len(sequence) and sequence[0] == "M" and sequence[at] == stated:
        named = f"p.{three(stated)}{at + 1}"
        hints.append(f"residue {at + 1} is {stated}: counted without the start methionine, this is {named}")
    message = f"residue {at} is {sequence[at - 1]}, not {stated}"
    return ToolError(
        "mismatch", message, field="variant", value=hgvs(variant), allowed=sequence[at - 1], hints=hints
    )


def _check_deleted(variant: Variant, sequence: str, start: int, last: int) -> None:
    """The bases a text states are those that are there."""
    lost = variant.deleted.replace("T", "U") if "U" in sequence else variant.deleted
    if variant.level == "p" or not lost or variant.kind == "insertion":
        return
    there = sequence[start : last + 1]
    if variant.kind == "synonymous":
        there = sequence[start : start + len(lost)]
    if there != lost:
        message = f"{there} stands at {hgvs(variant)}, not {lost}"
        raise ToolError("mismatch", message, field="variant", value=variant.deleted, allowed=there)
