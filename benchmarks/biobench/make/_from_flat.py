"""Facts of an entry of the flat file, read by Bio.SwissProt."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from _common import (
    DATABASES,
    EVIDENCE,
    NOTE,
    SITES,
    date,
    kept_sites,
    natural_variants,
    span,
    species,
    unique,
)
from Bio import SwissProt


def read(path: Path) -> dict[str, Any]:
    """An entry of the flat file, read by Bio.SwissProt."""
    with path.open(encoding="utf-8") as stream:
        entry = SwissProt.read(stream)
    description = EVIDENCE.sub("", entry.description)
    own = re.split(r"\b(?:Contains|Includes):", description)[0]
    genes = entry.gene_name if isinstance(entry.gene_name, list) else []
    comments = [EVIDENCE.sub("", c) for c in entry.comments]
    diseases = [
        _flat_disease(m)
        for c in comments
        for m in re.finditer(r"^DISEASE: (.{3,150}?) \(([^()]+)\) \[MIM:(\d+)\]", c)
    ]
    variants = [f for f in entry.features if f.type == "VARIANT"]
    full = re.findall(r"(?:Full|Short)=([^;]+);", own)
    return {
        "accession": entry.accessions[0],
        "secondary": entry.accessions[1:],
        "entry_name": entry.entry_name,
        "reviewed": entry.data_class == "Reviewed",
        "name": full[0].strip(),
        "names": unique(n.strip() for n in full)[1:],
        "rhea": unique(
            i for c in comments if c.startswith("CATALYTIC") for i in re.findall(r"Rhea:RHEA:(\d+)", c)
        ),
        "ec": unique(re.findall(r"EC=([\d.\-n]+)", own)),
        "gene": EVIDENCE.sub("", genes[0].get("Name", "")) if genes else "",
        "gene_synonyms": unique(
            EVIDENCE.sub("", s)
            for g in genes
            for k in ("Synonyms", "OrderedLocusNames", "ORFNames")
            for s in g.get(k, [])
        ),
        "organism": species(entry.organism)[0],
        "common_name": species(entry.organism)[1],
        "taxon": int(entry.taxonomy_id[0].split()[0]),
        "existence": int(entry.protein_existence),
        "sequence": entry.sequence,
        "length": entry.seqinfo[0],
        "mass": entry.seqinfo[1],
        "crc64": entry.seqinfo[2],
        "isoforms": _flat_isoforms(comments),
        "locations": unique(
            p for c in comments if c.startswith("SUBCELLULAR LOCATION") for p in _flat_places(c)
        ),
        "diseases": diseases,
        "keywords": [EVIDENCE.sub("", k) for k in entry.keywords],
        "go": [
            {"id": x[1], "aspect": x[2][0], "term": x[2][2:], "evidence": x[3].split(":")[0]}
            for x in entry.cross_references
            if x[0] == "GO"
        ],
        "references": [_reference(x) for x in entry.cross_references if x[0] in DATABASES],
        "sites": kept_sites(
            (SITES.get(f.type.lower(), ""), span(f.location), f.qualifiers.get("ligand") or _note(f))
            for f in entry.features
        ),
        "variants": natural_variants(
            (
                span(f.location),
                *_noted_change(_note(f)),
                _note(f),
                f.id or "",
                re.findall(r"PubMed:(\d+)", f.qualifiers.get("evidence", "")),
            )
            for f in variants
        ),
        "papers": [p for p in (_flat_paper(r) for r in entry.references) if p],
        "entry_version": int(entry.annotation_update[1]),
        "entry_date": date(entry.annotation_update[0]),
        "sequence_version": int(entry.sequence_update[1]),
    }


def _flat_disease(match: re.Match[str]) -> dict[str, str]:
    """Name, acronym and MIM number of a disease."""
    return {"acronym": match[2], "name": match[1], "mim": match[3]}


def _flat_isoforms(comments: list[str]) -> list[dict[str, Any]]:
    """Isoforms of the ALTERNATIVE PRODUCTS comment."""
    text = " ".join(c for c in comments if c.startswith("ALTERNATIVE PRODUCTS"))
    found = re.findall(r"Name=([^;]+);.*?IsoId=([^;]+);\s*Sequence=([^;]+);", text)
    return [{"ids": ids.split(", "), "name": n.strip(), "displayed": s == "Displayed"} for n, ids, s in found]


def _flat_places(comment: str) -> list[str]:
    """Places and topologies of a location comment, without its note."""
    text = re.sub(r"^SUBCELLULAR LOCATION: |Note=.*|\[[^\]]+\]:\s*", "", comment)
    return [p for p in (part.strip() for part in re.split(r"[.;]", text)) if p and len(p) <= NOTE]


def _note(feature: Any) -> str:
    """The note of a feature, in the new and in the old layout."""
    return str(feature.qualifiers.get("note") or feature.qualifiers.get("description", "")).rstrip(".")


def _noted_change(note: str) -> tuple[str, str]:
    """``E -> K (in …)`` of a VARIANT feature."""
    match = re.match(r"([A-Z]+)\s*->\s*([A-Z]+)", re.sub(r"(?<=[A-Z])\s+(?=[A-Z])", "", note))
    return (match[1], match[2]) if match else ("", "")


def _flat_paper(reference: Any) -> dict[str, Any] | None:
    """A cited paper that has a PubMed id."""
    ids = dict(reference.references)
    year = re.search(r"\((\d{4})\)\.?$", reference.location)
    if "PubMed" not in ids or not year or not reference.title:
        return None
    return {
        "pmid": ids["PubMed"],
        "doi": ids.get("DOI", ""),
        "title": reference.title.strip('"').rstrip("."),
        "journal": re.sub(r"\s*[\w-]*:[\w.-]*\(\d{4}\)\.?$", "", reference.location),
        "year": int(year[1]),
        "authors": [a.strip() for a in reference.authors.rstrip(";").split(",")][:3],
        "scope": [p.strip() for p in reference.positions],
    }


def _reference(row: tuple[str, ...]) -> list[str]:
    """A DR line without its empty fields and without the isoform it is about."""
    cleaned = (re.sub(r"\.? \[[^\]]+\]$", "", value) for value in row)
    return [value for value in cleaned if value not in ("-", "")]
