"""Isoforms and versions of an entry: given where they can be worked out, else said not to be had."""

from __future__ import annotations

from labagent.errors import ToolError
from labagent.tools.proteins.records import Feature, ProteinIsoform, ProteinRecord
from labagent.tools.sequences.statistics import WITH_MASS

ALTERNATIVE = "Alternative sequence"


def chain_mass(sequence: str) -> int | None:
    """Average mass in Da, rounded; ``None`` where a residue may be one of several."""
    from Bio.SeqUtils import molecular_weight

    if not sequence or set(sequence) - WITH_MASS:
        return None
    return round(float(molecular_weight(sequence, "protein")))


def check_version(entry: ProteinRecord, version: int) -> None:
    """Whether the sequence is of the version asked for.

    Raises:
        ToolError: ``not_found``: the source has another version, or does not say which.
    """
    if entry.sequence_version == version:
        return
    has = f"version {entry.sequence_version}" if entry.sequence_version else "a sequence without a version"
    raise ToolError(
        "not_found",
        f"{entry.source or 'the source'} has {has} of {entry.accession}, not version {version}",
        field="accession",
        value=f"{entry.accession}.{version}",
        allowed=f"{entry.accession}.{entry.sequence_version}" if entry.sequence_version else entry.accession,
        hints=[f"ask for {entry.accession}; older versions are at https://rest.uniprot.org/unisave/"],
    )


def as_isoform(entry: ProteinRecord, number: str) -> ProteinRecord:
    """The entry with sequence, length and mass of an isoform; features keep the displayed sequence's count.

    Raises:
        ToolError: ``not_found``: the entry lists isoforms, and this is none of them.
    """
    wanted = f"{entry.accession}-{number}"
    found = _listed(entry, wanted)
    if found and found.displayed:
        return entry.model_copy(update={"isoform": wanted})
    sequence = changed_sequence(entry, found) if found else ""
    count = f"features count the displayed sequence of {entry.accession}, not that of {wanted}"
    if sequence:
        update = {"sequence": sequence, "length": len(sequence), "mass": chain_mass(sequence)}
        return entry.model_copy(update={**update, "isoform": wanted, "notes": (*entry.notes, count)})
    note = f"{entry.source} does not hold the sequence of {wanted}; its length and mass are not known here"
    missing: dict[str, object] = {"sequence": "", "length": None, "mass": None}
    return entry.model_copy(update={**missing, "isoform": wanted, "notes": (*entry.notes, note, count)})


def changed_sequence(entry: ProteinRecord, isoform: ProteinIsoform) -> str:
    """The isoform's sequence, made from the displayed one by its changes; empty where one is not known."""
    by_id = {f.id: f for f in entry.features if f.kind == ALTERNATIVE and f.id}
    changes = [by_id[name] for name in isoform.changes if name in by_id]
    if not entry.sequence or not changes or len(changes) != len(isoform.changes):
        return ""
    return _apply(entry.sequence, changes)


def _listed(entry: ProteinRecord, wanted: str) -> ProteinIsoform | None:
    """The isoform of that id; ``None`` where the source has no list."""
    if not entry.isoforms:
        return None
    for isoform in entry.isoforms:
        if wanted in isoform.ids:
            return isoform
    ids = ", ".join(i.ids[0] for i in entry.isoforms if i.ids)
    raise ToolError(
        "not_found",
        f"{entry.accession} has no isoform {wanted}",
        field="accession",
        value=wanted,
        allowed=ids,
    )


def _apply(sequence: str, changes: list[Feature]) -> str:
    """Replace stretches, the last first; empty where one does not fit the sequence."""
    for change in sorted(changes, key=lambda f: -(f.first or 0)):
        if not change.first or not change.last or not change.first <= change.last <= len(sequence):
            return ""
        before, old, after = (
            sequence[: change.first - 1],
            sequence[change.first - 1 : change.last],
            sequence[change.last :],
        )
        if change.original and change.original != old:
            return ""
        sequence = before + change.changed + after
    return sequence
