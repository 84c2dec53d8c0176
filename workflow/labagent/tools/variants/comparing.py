"""Wild type against mutant: differences by alignment, codons and the consequence of a coding pair."""

from __future__ import annotations

from dataclasses import dataclass

from labagent.errors import ToolError
from labagent.tools.sequences.parsing import one_record
from labagent.tools.sequences.records import ParsedSequence
from labagent.tools.sequences.translation import table_of, translate
from labagent.tools.variants.applying import Edit, apply_edit, edit_of, variant_of
from labagent.tools.variants.differing import edits_between
from labagent.tools.variants.reading import FORMS, read_variant
from labagent.tools.variants.records import (
    CodonChange,
    CompareArguments,
    CompareResult,
    Difference,
    Level,
    Position,
    Variant,
)
from labagent.tools.variants.writing import hgvs

MAX_EVENTS = 1000


@dataclass(frozen=True)
class Pair:
    """Two sequences of one type; ``stops``: whether each ends with a stop."""

    kind: str
    old: str
    new: str
    stops: tuple[bool, bool] = (False, False)


def compare_pair(arguments: CompareArguments) -> CompareResult:
    """Compare; see ``CompareResult``.

    Raises:
        ToolError: ``input`` (no sequence, types differ), ``mismatch`` or ``range`` of a variant.
    """
    first = one_record(arguments.wild_type, arguments.type, "wild_type")
    variant = _as_variant(arguments.mutant)
    notes: list[str] = []
    if variant is not None:
        second, early = _mutated(first, variant)
        if early is not None:
            return early
    else:
        second = _record(arguments.mutant, arguments.type)
    pair = _pair(first, second, notes)
    coding = _is_coding(pair, arguments)
    level: Level = "p" if pair.kind == "protein" else "c" if coding else "n"
    edits = edits_between(pair.old, pair.new, pair.kind)
    if len(edits) > MAX_EVENTS:
        raise ToolError(
            "limit", f"{len(edits)} differences: not a variant", field="mutant", allowed=f"{MAX_EVENTS}"
        )
    differences = [difference_of(pair, edit, level, notes) for edit in edits]
    changed = sum(max(e.end - e.start, len(e.inserted)) for e in edits)
    same = len(pair.old) - sum(e.end - e.start for e in edits)
    identity = 100 * same / (same + changed)
    if identity < 50:
        notes.append("less than half is identical: are these two forms of one molecule?")
    return CompareResult(
        type=pair.kind,
        wild_type_length=len(pair.old),
        mutant_length=len(pair.new),
        n_differences=len(edits),
        changed_residues=changed,
        differences=tuple(differences),
        hgvs=joined([d.hgvs for d in differences], level),
        identity_percent=identity,
        codons=tuple(codon_changes(pair, edits, arguments.table)) if coding else (),
        protein_hgvs=consequence(pair.old, pair.new, arguments.table) if coding else "",
        notes=tuple(dict.fromkeys(notes)),
    )


def joined(names: list[str], level: str) -> str:
    """One variant as it is, several as an allele, none as ``=``."""
    if len(names) == 1:
        return names[0]
    return f"{level}.[{';'.join(n.removeprefix(f'{level}.') for n in names)}]" if names else f"{level}.="


def difference_of(pair: Pair, edit: Edit, level: Level, notes: list[str]) -> Difference:
    """One edit as a difference; what HGVS cannot say of a fragment's ends has a note."""
    variant = _at_end(pair, edit) if level == "p" else None
    name = ""
    if variant is None:
        try:
            variant = variant_of(pair.old, edit, Variant(level=level, kind="unknown"))
        except ToolError:
            notes.append("residues before the first or behind the last one have no HGVS name")
    if variant is not None:
        name = hgvs(variant)
        if variant.kind == "extension":
            notes.append("named as an extension, as if the sequences were whole")
    gap = edit.start == edit.end
    return Difference(
        hgvs=name,
        kind=variant.kind if variant else "insertion",
        first=edit.start if gap else edit.start + 1,
        last=edit.start + 1 if gap else edit.end,
        wild_type=pair.old[edit.start : edit.end],
        mutant=edit.inserted,
    )


def _at_end(pair: Pair, edit: Edit) -> Variant | None:
    """A lost tail that a stop explains, or residues added at either end of a protein."""
    old, new, size = pair.old, edit.inserted, len(edit.inserted)
    if edit.end == len(old) and edit.start < len(old) and pair.stops[1]:
        start = Position(base=edit.start + 1, residue=old[edit.start])
        return Variant(level="p", kind="nonsense", start=start, inserted="*") if not new else None
    if edit.start == edit.end == len(old):
        duplicated = old.endswith(new) and not any(pair.stops)
        stop = Position(base=len(old) + 1, residue="*")
        return (
            None
            if duplicated
            else Variant(level="p", kind="extension", start=stop, inserted=new[0], count=size)
        )
    if edit.start == edit.end == 0 and old.startswith("M"):
        return Variant(level="p", kind="extension", start=Position(base=1, residue="M"), count=-size)
    return None


def codon_changes(pair: Pair, edits: list[Edit], number: int) -> list[CodonChange]:
    """Codons that differ, where no edit shifts any."""
    if any(e.end - e.start != len(e.inserted) for e in edits):
        return []
    made = []
    for at in range(0, len(pair.old) - 2, 3):
        old, new = pair.old[at : at + 3], pair.new[at : at + 3]
        if old != new:
            before, after = translate(old, number), translate(new, number)
            effect = "synonymous" if before == after else "nonsense" if after == "*" else "missense"
            made.append(
                CodonChange(
                    codon=at // 3 + 1,
                    wild_type=old,
                    mutant=new,
                    amino_acid=before,
                    new_amino_acid=after,
                    effect="stop lost" if before == "*" != after else effect,
                )
            )
    return made


def consequence(old: str, new: str, number: int) -> str:
    """What a change of a coding sequence does to its protein, as predicted HGVS (``p.(Gly12Asp)``)."""
    first, second = translate(old, number), translate(new, number)
    before, stopped_before, _ = first.partition("*")
    after, stopped, _ = second.partition("*")
    shared: dict[str, object] = {"level": "p", "predicted": True}
    if before == after and stopped_before == stopped:
        return hgvs(Variant(**shared, kind="synonymous"))
    if not before:
        return hgvs(Variant(**shared, kind="unknown"))
    if before[0] == "M" and after[:1] != "M":
        start = Position(base=1, residue="M")
        return hgvs(Variant(**shared, kind="start_loss", start=start))
    at = next(
        (k for k, (x, y) in enumerate(zip(before, after, strict=False)) if x != y),
        min(len(before), len(after)),
    )
    if at == len(before):
        added = after[at:]
        stop = Position(base=at + 1, residue="*")
        count = len(added) if stopped else 0
        return hgvs(Variant(**shared, kind="extension", start=stop, inserted=added[:1] or "X", count=count))
    place = Position(base=at + 1, residue=before[at])
    if at == len(after) and stopped:
        return hgvs(Variant(**shared, kind="nonsense", start=place, inserted="*"))
    if (len(old) - len(new)) % 3 and at < len(after):
        count = len(after) - at + 1 if stopped else 0
        return hgvs(Variant(**shared, kind="frameshift", start=place, inserted=after[at], count=count))
    notes: list[str] = []
    pair = Pair("protein", before, after, (bool(stopped_before), bool(stopped)))
    named = [difference_of(pair, e, "p", notes).hgvs for e in edits_between(before, after, "protein")]
    return f"p.({joined(named, 'p').removeprefix('p.')})"


def _as_variant(text: str) -> Variant | None:
    """The mutant as a variant, where it is written as one."""
    try:
        return read_variant(text)
    except ToolError:
        return None


def _record(text: str, declared: str) -> ParsedSequence:
    """The mutant as a sequence."""
    try:
        return one_record(text, declared, "mutant")
    except ToolError as error:
        if any(c.isdigit() for c in text):
            raise ToolError(
                "input", f"{text[:40]!r} is no sequence and no variant", field="mutant", value=text[:40],
                allowed=f"a sequence, or one of {FORMS}",
            ) from error  # fmt: skip
        raise


def _mutated(first: ParsedSequence, variant: Variant) -> tuple[ParsedSequence, CompareResult | None]:
    """The mutant that a variant makes; or the result, where the variant does not say the whole sequence."""
    if (variant.level == "p") != (first.type == "protein"):
        if variant.level == "p" and "protein" in first.candidates and not first.certain:
            first = first.model_copy(update={"type": "protein"})
        else:
            raise ToolError(
                "input", f"a variant {variant.level}. of a sequence that is {first.type}", field="mutant",
                value=hgvs(variant), allowed="p. with a protein, c., g. or n. with DNA",
            )  # fmt: skip
    edit = edit_of(variant, first.sequence)
    ended = variant.kind == "nonsense" or first.terminal_stop or "*" in variant.inserted
    mutant = apply_edit(first.sequence, edit)
    changed = first.model_copy(update={"sequence": mutant, "terminal_stop": ended, "length": len(mutant)})
    if edit.complete and mutant:
        return changed, None
    at = edit.start + 1
    difference = Difference(
        hgvs=hgvs(variant), kind=variant.kind, first=at, last=at,
        wild_type=first.sequence[at - 1 : at], mutant=variant.inserted,
    )  # fmt: skip
    return changed, CompareResult(
        type=first.type,
        wild_type_length=first.length,
        mutant_length=edit.start + len(edit.inserted),
        n_differences=1,
        changed_residues=1,
        differences=(difference,),
        hgvs=hgvs(variant),
        identity_percent=100 * edit.start / max(len(first.sequence), 1),
        notes=("how the sequence goes on behind the change cannot be known from the protein",),
    )


def _pair(first: ParsedSequence, second: ParsedSequence, notes: list[str]) -> Pair:
    """Both sequences as one type."""
    kinds = {first.type, second.type}
    if len(kinds) == 2 and "protein" in kinds:
        other = first if second.type == "protein" else second
        if "protein" in other.candidates:
            notes.append("letters that could be bases are read as amino acids, like the other sequence")
            kinds = {"protein"}
    if kinds == {"dna", "rna"} or len(kinds) != 1 or "unknown" in kinds:
        message = f"the wild type is {first.type}, the mutant is {second.type}"
        raise ToolError(
            "input", message, field="type", value=second.type, allowed="two of one type; say which"
        )
    for name, side in (("wild type", first), ("mutant", second)):
        if not side.certain and side.type_note and kinds != {"protein"}:
            notes.append(f"{name}: {side.type_note}")
    kind = kinds.pop()
    new, ended = second.sequence, second.terminal_stop
    if kind == "protein" and "*" in new and "*" not in first.sequence:
        new, ended = new.partition("*")[0], True
        notes.append("the mutant ends at its first stop; what stands behind it is left out")
    return Pair(kind, first.sequence, new, (first.terminal_stop, ended))


def _is_coding(pair: Pair, arguments: CompareArguments) -> bool:
    """Whether a pair is compared by codon."""
    table_of(arguments.table)
    if pair.kind == "protein" or arguments.coding == "no":
        return False
    if arguments.coding == "yes":
        return True
    whole = pair.old.replace("U", "T").startswith("ATG") and len(pair.old) % 3 == 0
    return whole and "*" not in translate(pair.old, arguments.table)[:-1]
