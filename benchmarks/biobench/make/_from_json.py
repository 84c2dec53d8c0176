"""Facts of an entry of the REST interface (JSON)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from _common import DATABASES, kept_sites, natural_variants, unique


def read(path: Path) -> dict[str, Any]:
    """An entry of the REST interface."""
    entry = json.loads(path.read_text(encoding="utf-8"))
    description, audit = entry["proteinDescription"], entry["entryAudit"]
    main = description["recommendedName"]
    others = description.get("alternativeNames", [])
    genes = entry.get("genes", [])
    comments = entry.get("comments", [])
    named = [c["disease"] for c in comments if c["commentType"] == "DISEASE" and "disease" in c]
    diseases = [
        {
            "acronym": d["acronym"],
            "name": d["diseaseId"],
            "mim": d.get("diseaseCrossReference", {}).get("id", ""),
        }
        for d in named
    ]
    features = entry.get("features", [])
    variants = [f for f in features if f["type"] == "Natural variant"]
    return {
        "accession": entry["primaryAccession"],
        "secondary": entry.get("secondaryAccessions", []),
        "entry_name": entry["uniProtkbId"],
        "reviewed": "Swiss-Prot" in entry["entryType"],
        "name": main["fullName"]["value"],
        "names": unique(_json_names([main, *others]))[1:],
        "rhea": unique(
            x["id"].removeprefix("RHEA:")
            for c in comments
            if c["commentType"] == "CATALYTIC ACTIVITY"
            for x in c["reaction"].get("reactionCrossReferences", [])
            if x["id"].startswith("RHEA:")
        ),
        "ec": unique(e["value"] for n in [main, *others] for e in n.get("ecNumbers", [])),
        "gene": genes[0].get("geneName", {}).get("value", "") if genes else "",
        "gene_synonyms": unique(
            s["value"]
            for g in genes
            for k in ("synonyms", "orderedLocusNames", "orfNames")
            for s in g.get(k, [])
        ),
        "organism": entry["organism"]["scientificName"],
        "common_name": entry["organism"].get("commonName", ""),
        "taxon": entry["organism"]["taxonId"],
        "existence": int(entry["proteinExistence"][0]),
        "sequence": entry["sequence"]["value"],
        "length": entry["sequence"]["length"],
        "mass": entry["sequence"]["molWeight"],
        "crc64": entry["sequence"]["crc64"],
        "isoforms": _json_isoforms(comments),
        "locations": unique(
            place[part]["value"]
            for c in comments
            if c["commentType"] == "SUBCELLULAR LOCATION"
            for place in c.get("subcellularLocations", [])
            for part in ("location", "topology")
            if part in place
        ),
        "diseases": diseases,
        "keywords": [k["name"] for k in entry.get("keywords", [])],
        "go": [_json_go(x) for x in entry["uniProtKBCrossReferences"] if x["database"] == "GO"],
        "references": [
            _json_xref(x) for x in entry["uniProtKBCrossReferences"] if x["database"] in DATABASES
        ],
        "sites": kept_sites(
            (f["type"], _place(f), f.get("ligand", {}).get("name", "") or f.get("description", ""))
            for f in features
        ),
        "variants": natural_variants(
            (_place(f), *_json_change(f), f.get("description", ""), f.get("featureId", ""), _pmids(f))
            for f in variants
        ),
        "papers": [p for p in (_json_paper(r) for r in entry.get("references", [])) if p],
        "entry_version": audit["entryVersion"],
        "entry_date": audit["lastAnnotationUpdateDate"],
        "sequence_version": audit["sequenceVersion"],
    }


def _json_names(names: list[dict[str, Any]]) -> Iterable[str]:
    """Full and short names, in order."""
    for name in names:
        if "fullName" in name:
            yield name["fullName"]["value"]
        yield from (s["value"] for s in name.get("shortNames", []))


def _json_isoforms(comments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Isoforms: identifiers, names, which is displayed."""
    return [
        {
            "ids": i["isoformIds"],
            "name": i["name"]["value"],
            "displayed": i["isoformSequenceStatus"] == "Displayed",
        }
        for c in comments
        if c["commentType"] == "ALTERNATIVE PRODUCTS"
        for i in c["isoforms"]
    ]


def _json_go(reference: dict[str, Any]) -> dict[str, str]:
    """A GO annotation."""
    values = {p["key"]: p["value"] for p in reference["properties"]}
    aspect, term = values["GoTerm"].split(":", 1)
    return {
        "id": reference["id"],
        "aspect": aspect,
        "term": term,
        "evidence": values["GoEvidenceType"].split(":")[0],
    }


def _json_xref(reference: dict[str, Any]) -> list[str]:
    """``[database, id, *properties]`` as the DR line has them."""
    values = [p["value"] for p in reference.get("properties", [])]
    return [reference["database"], reference["id"], *(v for v in values if v != "-")]


def _place(feature: dict[str, Any]) -> tuple[int | None, int | None]:
    """First and last residue; ``None`` where the entry does not know."""
    place = feature["location"]
    return place["start"].get("value"), place["end"].get("value")


def _json_change(feature: dict[str, Any]) -> tuple[str, str]:
    """Original residues and replacement (both empty: missing)."""
    change = feature.get("alternativeSequence", {})
    return change.get("originalSequence", ""), (change.get("alternativeSequences") or [""])[0]


def _pmids(feature: dict[str, Any]) -> list[str]:
    """PubMed ids that are evidence of a feature."""
    return [e["id"] for e in feature.get("evidences", []) if e.get("source") == "PubMed"]


def _json_paper(reference: dict[str, Any]) -> dict[str, Any] | None:
    """A cited paper that has a PubMed id."""
    citation = reference["citation"]
    ids = {x["database"]: x["id"] for x in citation.get("citationCrossReferences", [])}
    if "PubMed" not in ids or not citation.get("title"):
        return None
    return {
        "pmid": ids["PubMed"],
        "doi": ids.get("DOI", ""),
        "title": citation["title"].rstrip("."),
        "journal": citation.get("journal", ""),
        "year": int(re.search(r"\d{4}", citation["publicationDate"]).group()),  # type: ignore[union-attr]
        "authors": citation.get("authors", [])[:3],
        "scope": reference.get("referencePositions", []),
    }
