"""The feature table of a UniProtKB entry, in today's layout and in that of before 2019."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from labagent.tools.proteins.records import Feature, ProteinVariant

KINDS = {
    "INIT_MET": "Initiator methionine", "SIGNAL": "Signal peptide", "PROPEP": "Propeptide",
    "TRANSIT": "Transit peptide", "CHAIN": "Chain", "PEPTIDE": "Peptide",
    "TOPO_DOM": "Topological domain", "TRANSMEM": "Transmembrane", "INTRAMEM": "Intramembrane",
    "DOMAIN": "Domain", "REPEAT": "Repeat", "CA_BIND": "Calcium binding", "ZN_FING": "Zinc finger",
    "DNA_BIND": "DNA binding", "NP_BIND": "Nucleotide binding", "REGION": "Region",
    "COILED": "Coiled coil", "MOTIF": "Motif", "COMPBIAS": "Compositional bias",
    "ACT_SITE": "Active site", "METAL": "Metal binding", "BINDING": "Binding site", "SITE": "Site",
    "NON_STD": "Non-standard residue", "MOD_RES": "Modified residue", "LIPID": "Lipidation",
    "CARBOHYD": "Glycosylation", "DISULFID": "Disulfide bond", "CROSSLNK": "Cross-link",
    "VAR_SEQ": "Alternative sequence", "VARIANT": "Natural variant", "MUTAGEN": "Mutagenesis",
    "UNSURE": "Sequence uncertainty", "CONFLICT": "Sequence conflict",
    "NON_CONS": "Non-adjacent residues", "NON_TER": "Non-terminal residue", "HELIX": "Helix",
    "TURN": "Turn", "STRAND": "Beta strand",
}  # fmt: skip
"""Names of feature keys, as UniProt's pages and its REST service give them."""
CHANGING = frozenset({"VAR_SEQ", "MUTAGEN", "CONFLICT"})
EVIDENCE = re.compile(r"\s*\{ECO:[^}]*\}")
_CHANGE = re.compile(r"(?P<original>[A-Z][A-Z ]*?)\s*->\s*(?P<changed>[A-Z][A-Z ]*?)\s*(?=$|[(.:;])")
_PLACE = re.compile(r"(?:[<>?]?\d+|\?)(?:\.\.(?:[<>?]?\d+|\?))?")
_QUALIFIER = re.compile(r"/([a-z_]+)=(.*)")
_ID = re.compile(r"/FTId=(\w+)\.?")


@dataclass(frozen=True)
class Noted:
    """The lines of a feature table, the sequence they are about, acronyms of the entry's diseases."""

    rows: list[str]
    sequence: str
    diseases: tuple[str, ...] = ()


@dataclass
class _Row:
    """A feature as it is written; ``parts`` are its qualifiers' lines."""

    key: str
    first: int | None
    last: int | None
    parts: dict[str, list[str]] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """A qualifier's value without quotes; lines are joined as they were broken."""
        value = ""
        for row in self.parts.get(name, ()):
            value += row if not value or value.endswith(("-", "/")) else f" {row}"
        return value.strip().strip('"')


def features_of(noted: Noted) -> tuple[tuple[Feature, ...], tuple[ProteinVariant, ...]]:
    """Features, and natural variants whose residues are where they say; both in the entry's order.

    Features of another isoform than the displayed one are left out: their positions are not those of the
    sequence.
    """
    features: list[Feature] = []
    variants: list[ProteinVariant] = []
    for row in _rows(noted.rows):
        if row.key == "VARIANT":
            variants += _variant(row, noted)
        else:
            features.append(_feature(row, noted))
    return tuple(features), tuple(variants)


def _rows(lines: list[str]) -> Iterator[_Row]:
    """Features as they are written."""
    row, name, skipping = None, "", False
    for line in lines:
        if line[:1] != " ":
            if row:
                yield row
            row = _begun(line)
            name, skipping = "note", row is None
            continue
        text = line.strip()
        if row is None or skipping:
            continue
        if old := _ID.fullmatch(text):
            row.parts["id"], name = [old[1]], ""
        elif match := _QUALIFIER.fullmatch(text):
            name = match[1]
            row.parts.setdefault(name, []).append(match[2])
        else:
            row.parts.setdefault(name, []).append(text)
    if row:
        yield row


def _begun(line: str) -> _Row | None:
    """The first line of a feature; ``None`` where its place is not on the displayed sequence."""
    key, *words = line.split(None, 3)
    if not words:
        return None
    if ":" in words[0]:
        return None
    if len(words) > 1 and _PLACE.fullmatch(words[0]) and _PLACE.fullmatch(words[1]):
        row = _Row(key, _number(words[0]), _number(words[1]))
        if len(words) > 2:
            row.parts["note"] = [words[2]]
        return row
    if not _PLACE.fullmatch(words[0]):
        return None
    first, _, last = words[0].partition("..")
    return _Row(key, _number(first), _number(last or first))


def _number(text: str) -> int | None:
    """A position; ``None`` for one that is not known."""
    digits = text.lstrip("<>?")
    return int(digits) if digits else None


def _note(row: _Row) -> str:
    """What a feature says: its ligand where it binds one, and its note, without evidence."""
    parts = [row.text("ligand"), row.text("ligand_part"), row.text("note")]
    return EVIDENCE.sub("", "; ".join(p for p in parts if p)).strip().rstrip(".")


def _change(note: str, row: _Row, sequence: str) -> tuple[str, str] | None:
    """What is replaced by what; a missing stretch is replaced by nothing; ``None`` where it is not said."""
    if row.first is None or row.last is None:
        return None
    if note.startswith("Missing"):
        return sequence[row.first - 1 : row.last], ""
    if match := _CHANGE.match(note):
        return match["original"].replace(" ", ""), match["changed"].replace(" ", "")
    return None


def _feature(row: _Row, noted: Noted) -> Feature:
    """A feature; one that changes the sequence in a way that cannot be read has no id, and is not applied."""
    note = _note(row)
    change = _change(note, row, noted.sequence) if row.key in CHANGING else ("", "")
    original, changed = change or ("", "")
    return Feature(
        kind=KINDS.get(row.key, row.key),
        first=row.first,
        last=row.last,
        note=note,
        id=row.text("id") if change is not None else "",
        original=original,
        changed=changed,
    )


def _variant(row: _Row, noted: Noted) -> Iterator[ProteinVariant]:
    """A natural variant, unless its residues are not in the sequence."""
    note = _note(row)
    change = _change(note, row, noted.sequence)
    if change is None or row.first is None or row.last is None:
        return
    if not change[0] or noted.sequence[row.first - 1 : row.last] != change[0]:
        return
    told = re.search(r"\b[Ii]n ([^;]*)", note)
    words = set(re.split(r"[\s,()]+", told[1])) if told else set()
    yield ProteinVariant(
        first=row.first,
        last=row.last,
        original=change[0],
        changed=change[1],
        id=row.text("id"),
        dbsnp=tuple(dict.fromkeys(re.findall(r"dbSNP:(rs\d+)", note))),
        diseases=tuple(d for d in noted.diseases if d in words),
        pmids=tuple(dict.fromkeys(re.findall(r"PubMed:(\d+)", row.text("evidence")))),
        note=note,
    )
