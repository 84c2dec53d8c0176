"""What ``uniprot.fetch`` and ``uniprot.search`` do with the backends in use."""

from __future__ import annotations

import re
from functools import partial

from labagent.errors import ToolError
from labagent.tools.backends import sources
from labagent.tools.backends._order import first
from labagent.tools.proteins.forms import as_isoform, check_version
from labagent.tools.proteins.records import (
    ACCESSION,
    PARTS,
    FetchArguments,
    ProteinHits,
    ProteinPart,
    ProteinRecord,
    SearchArguments,
)

WHOLE = re.compile(
    rf"(?P<key>{ACCESSION.pattern})(?:-(?P<isoform>[1-9][0-9]{{0,2}}))?(?:\.(?P<version>[1-9][0-9]{{0,3}}))?"
)
"""An accession with isoform and version of the sequence."""
ENTRY_NAME = re.compile(r"(?P<key>[A-Z0-9]{1,10}_[A-Z0-9]{3,5})")
HOLDS: dict[ProteinPart, tuple[str, ...]] = {
    "names": ("names", "gene_synonyms", "secondary"),
    "papers": ("pmids",),
}
"""Fields of a record that make up a part, where they are called otherwise than the part."""


def fetch_protein(arguments: FetchArguments) -> ProteinRecord:
    """The entry asked for, with the parts asked for, from the first source that has it.

    Raises:
        ToolError: ``input`` (no accession or entry name), ``not_found``, ``ambiguous``, ``unavailable``.
    """
    key, isoform, version = _read(arguments.accession)
    wanted = set(arguments.fields)

    def enough(entry: ProteinRecord) -> bool:
        """Whether the source can hold what is asked for."""
        return not wanted or not wanted <= set(entry.missing)

    asked = [(s.name, partial(s.proteins.protein, key)) for s in sources() if s.proteins]
    entry, notes = first(asked, enough)
    entry = entry.model_copy(update={"asked": arguments.accession, "notes": (*entry.notes, *notes)})
    if version:
        check_version(entry, version)
    if isoform:
        entry = as_isoform(entry, isoform)
    return select(entry, arguments.fields)


def search_proteins(arguments: SearchArguments) -> ProteinHits:
    """What the first source that finds anything finds.

    Raises:
        ToolError: ``input`` (no condition at all), ``unavailable``.
    """
    if not any((arguments.query.strip(), arguments.gene, arguments.organism, arguments.taxon)):
        raise ToolError(
            "input", "nothing to look for", field="query", allowed="words, gene, organism or taxon"
        )
    asked = [(s.name, partial(s.proteins.search_proteins, arguments)) for s in sources() if s.proteins]
    found, notes = first(asked, lambda hits: bool(hits.hits))
    return found.model_copy(update={"notes": (*found.notes, *notes)})


def select(entry: ProteinRecord, fields: tuple[ProteinPart, ...]) -> ProteinRecord:
    """The record with the parts named (all, where none is); the others are emptied."""
    if not fields:
        return entry
    emptied: dict[str, object] = {"fields": tuple(p for p in PARTS if p in fields)}
    for part in PARTS:
        if part not in fields:
            for name in HOLDS.get(part, (part,)):
                emptied[name] = "" if name == "sequence" else ()
    return entry.model_copy(update=emptied)


def _read(text: str) -> tuple[str, str, int]:
    """Accession or entry name, isoform number (or empty), version (or 0)."""
    upper = text.strip().upper()
    if match := WHOLE.fullmatch(upper):
        return match["key"], match["isoform"] or "", int(match["version"] or 0)
    if match := ENTRY_NAME.fullmatch(upper):
        return match["key"], "", 0
    raise ToolError(
        "input",
        f"{text[:40]!r} is no UniProtKB accession or entry name",
        field="accession",
        value=text[:40],
        allowed="P04637, A0A024R161, P38398-2, P38398.2, P53_HUMAN",
        hints=["uniprot.search finds entries by name, gene and organism"],
    )
