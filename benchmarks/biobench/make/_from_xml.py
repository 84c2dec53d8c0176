"""Facts of an entry of the XML format, read by SeqIO."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from _common import DATABASES, kept_sites, natural_variants, span, species, unique
from Bio import SeqIO

SITES_XML = {
    "DNA-binding region": "DNA binding",
    "zinc finger region": "Zinc finger",
    "transmembrane region": "Transmembrane",
    "coiled-coil region": "Coiled coil",
    "region of interest": "Region",
    "glycosylation site": "Glycosylation",
    "short sequence motif": "Motif",
    "lipid moiety-binding region": "Lipidation",
    "topological domain": "Topological domain",
}


def read(path: Path) -> dict[str, Any]:
    """An entry of the XML format, read by SeqIO."""
    entry = SeqIO.read(path, "uniprot-xml")
    notes = entry.annotations
    variants = [f for f in entry.features if f.type == "sequence variant"]
    pairs = [x.split(":", 1) for x in entry.dbxrefs]
    return {
        "accession": notes["accessions"][0],
        "secondary": notes["accessions"][1:],
        "entry_name": entry.name,
        "reviewed": notes["dataset"] == "Swiss-Prot",
        "name": notes["recommendedName_fullName"][0],
        "names": unique(
            n
            for k in ("recommendedName_shortName", "alternativeName_fullName", "alternativeName_shortName")
            for n in notes.get(k, [])
        ),
        "rhea": [],
        "ec": unique(notes.get("recommendedName_ecNumber", [])),
        "gene": notes.get("gene_name_primary", ""),
        "gene_synonyms": unique(
            n
            for k in ("gene_name_synonym", "gene_name_ordered locus", "gene_name_ORF")
            for n in notes.get(k, [])
        ),
        "organism": species(notes["organism"])[0],
        "common_name": species(notes["organism"])[1],
        "taxon": int(next(i for d, i in pairs if d == "NCBI Taxonomy")),
        "existence": 1 if notes["proteinExistence"][0] == "evidence at protein level" else 2,
        "sequence": str(entry.seq),
        "length": int(notes["sequence_length"]),
        "mass": int(notes["sequence_mass"]),
        "crc64": notes["sequence_checksum"],
        "isoforms": [],
        "locations": unique(notes.get("comment_subcellularlocation_location", [])),
        "diseases": [],
        "keywords": notes.get("keywords", []),
        "go": _xml_go(path),
        "references": [[d, i] for d, i in pairs if d in DATABASES],
        "sites": kept_sites(
            (
                SITES_XML.get(f.type, f.type.capitalize()),
                span(f.location),
                str(f.qualifiers.get("description", "")),
            )
            for f in entry.features
        ),
        "variants": natural_variants(
            (
                span(f.location),
                f.qualifiers.get("original", ""),
                f.qualifiers.get("variation", ""),
                str(f.qualifiers.get("description", "")),
                f.id or "",
                [],
            )
            for f in variants
        ),
        "papers": [p for p in (_xml_paper(r) for r in notes.get("references", [])) if p],
        "entry_version": int(notes["version"]),
        "entry_date": notes["modified"],
        "sequence_version": int(notes["sequence_version"]),
    }


def _xml_go(path: Path) -> list[dict[str, str]]:
    """GO annotations, whose terms SeqIO drops."""
    found = []
    for node in ElementTree.parse(path).iter():
        if node.tag.endswith("}dbReference") and node.get("type") == "GO":
            values = {str(child.get("type")): str(child.get("value")) for child in node}
            aspect, term = values["term"].split(":", 1)
            found.append(
                {
                    "id": str(node.get("id")),
                    "aspect": aspect,
                    "term": term,
                    "evidence": values.get("evidence", ""),
                }
            )
    return found


def _xml_paper(reference: Any) -> dict[str, Any] | None:
    """A cited paper that has a PubMed id."""
    year = re.search(r"\((\d{4})\)", reference.journal or "")
    if not reference.pubmed_id or not year or not reference.title:
        return None
    return {
        "pmid": reference.pubmed_id,
        "doi": "",
        "title": reference.title.rstrip("."),
        "journal": re.split(r"\s+\S*:", reference.journal)[0].strip(),
        "year": int(year[1]),
        "authors": reference.authors.split(", ")[:3],
        "scope": [],
    }
