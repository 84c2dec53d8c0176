"""What is indexed of an entry of the flat file, and how the entry itself is kept."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

from labagent.tools.mirrors.entry import (
    comments_of,
    genes_of,
    keywords_of,
    organism_of,
    plain,
    pmids_of,
    references_of,
    taxon_of,
)
from labagent.tools.mirrors.flat import RawEntry, read_entry
from labagent.tools.mirrors.proteins import ProteinRow

MANY_IDS = frozenset({"RefSeq", "Ensembl", "MANE-Select", "EnsemblPlants", "EnsemblFungi"})
"""Databases whose references name several identifiers (protein, transcript, gene)."""
_NAMES = re.compile(r"\b(?:Full|Short|EC|Allergen|Biotech|CD_antigen|INN)=([^;]+)")
_NOTE = re.compile(r'/(?:note|ligand)="([^"]*)"')
_DBSNP = re.compile(r"dbSNP:(rs\d+)")
LEVEL = 3
"""Of compression; 6 takes a seventh more time for a mirror 2 % smaller (measured on 50 MB)."""
_MARK = "\n//SEQUENCE\n"


def protein_row(entry: RawEntry) -> ProteinRow:
    """The row of an entry."""
    gene, synonyms = genes_of(entry)
    genes = (gene, *synonyms) if gene else ()
    organism, common = organism_of(entry)
    described = plain(entry.joined("DE"))
    names = " ; ".join(_NAMES.findall(described)) or described
    references = list(references_of(entry))
    terms = [r[2][2:] for r in references if r[0] == "GO" and len(r) > 2]
    return ProteinRow(
        accession=entry.accessions[0],
        secondary=entry.accessions[1:],
        name=entry.name,
        reviewed=entry.reviewed,
        taxon=taxon_of(entry),
        organism=organism,
        common=common,
        genes=genes,
        words=(
            names,
            " ; ".join(genes),
            f"{entry.joined('OS')} {entry.joined('OC')}",
            " ; ".join((*keywords_of(entry), *terms)),
            " \n".join(text for _, text in comments_of(entry)),
            " ; ".join((entry.name, *entry.accessions, *_more(entry, references))),
        ),
        body=packed(entry),
    )


def packed(entry: RawEntry) -> bytes:
    """An entry as it is kept: whole, compressed."""
    return zlib.compress(f"{entry.text}{_MARK}{entry.sequence}".encode(), LEVEL)


def unpacked(body: bytes) -> RawEntry:
    """What :func:`packed` kept."""
    text, _, sequence = zlib.decompress(body).decode().partition(_MARK)
    return read_entry(text, sequence)


def _more(entry: RawEntry, references: list[tuple[str, ...]]) -> Iterator[str]:
    """Identifiers the entry refers to, dbSNP numbers, cited papers, notes of features."""
    for row in references:
        yield from row[1:] if row[0] in MANY_IDS else row[1:2]
    features = " ".join(row.strip() for row in entry.blocks.get("FT", ()))
    yield from dict.fromkeys(_DBSNP.findall(features))
    yield from pmids_of(entry)
    yield from dict.fromkeys(_NOTE.findall(plain(features)))
