"""UniProtKB records as facts: one dictionary an entry, from its JSON, its flat file or its XML.

Only facts are kept: names, identifiers, positions, controlled terms, titles of cited papers. Comments in prose
(function, subunit, disease descriptions, effects of mutations) are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from Bio import SeqIO, SwissProt

DATABASES = (
    "PDB AlphaFoldDB InterPro Pfam RefSeq Ensembl HGNC MIM GeneID KEGG MGI SGD ChEMBL CCDS Reactome MANE-Select"
).split()
SITES = {
    "signal": "Signal peptide", "transit": "Transit peptide", "propep": "Propeptide", "chain": "Chain",
    "peptide": "Peptide", "init_met": "Initiator methionine", "domain": "Domain", "repeat": "Repeat",
    "zn_fing": "Zinc finger", "dna_bind": "DNA binding", "region": "Region", "motif": "Motif",
    "coiled": "Coiled coil", "act_site": "Active site", "binding": "Binding site", "site": "Site",
    "mod_res": "Modified residue", "lipid": "Lipidation", "carbohyd": "Glycosylation",
    "disulfid": "Disulfide bond", "crosslnk": "Cross-link", "transmem": "Transmembrane",
    "topo_dom": "Topological domain", "intramem": "Intramembrane",
}  # fmt: skip
MONTHS = {m: n for n, m in enumerate("JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(), start=1)}
EVIDENCE = re.compile(r"\s*\{ECO:[^}]*\}")
DBSNP = re.compile(r"rs\d+")
NOTE = 80
"""Longest note of a site that is kept: a term, not a sentence."""


def parse(path: Path) -> dict[str, Any]:
    """The facts of the one entry in ``path`` (``.json``, ``.xml``, else a flat file)."""
    readers = {".json": _from_json, ".xml": _from_xml}
    return readers.get(path.suffix, _from_flat)(path)


def _from_json(path: Path) -> dict[str, Any]:
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
    acronyms = [d["acronym"] for d in diseases]
    features = entry.get("features", [])
    variants = [f for f in features if f["type"] == "Natural variant"]
    return {
        "accession": entry["primaryAccession"],
        "secondary": entry.get("secondaryAccessions", []),
        "entry_name": entry["uniProtkbId"],
        "reviewed": "Swiss-Prot" in entry["entryType"],
        "name": main["fullName"]["value"],
        "names": _unique(_json_names([main, *others]))[1:],
        "rhea": _unique(x["id"].removeprefix("RHEA:") for c in comments if c["commentType"] == "CATALYTIC ACTIVITY" for x in c["reaction"].get("reactionCrossReferences", []) if x["id"].startswith("RHEA:")),
        "ec": _unique(e["value"] for n in [main, *others] for e in n.get("ecNumbers", [])),
        "gene": genes[0].get("geneName", {}).get("value", "") if genes else "",
        "gene_synonyms": _unique(s["value"] for g in genes for k in ("synonyms", "orderedLocusNames", "orfNames") for s in g.get(k, [])),
        "organism": entry["organism"]["scientificName"],
        "common_name": entry["organism"].get("commonName", ""),
        "taxon": entry["organism"]["taxonId"],
        "existence": int(entry["proteinExistence"][0]),
        "sequence": entry["sequence"]["value"],
        "length": entry["sequence"]["length"],
        "mass": entry["sequence"]["molWeight"],
        "crc64": entry["sequence"]["crc64"],
        "isoforms": _json_isoforms(comments),
        "locations": _unique(
            place[part]["value"]
            for c in comments if c["commentType"] == "SUBCELLULAR LOCATION"
            for place in c.get("subcellularLocations", [])
            for part in ("location", "topology") if part in place
        ),
        "diseases": diseases,
        "keywords": [k["name"] for k in entry.get("keywords", [])],
        "go": [_json_go(x) for x in entry["uniProtKBCrossReferences"] if x["database"] == "GO"],
        "references": [_json_xref(x) for x in entry["uniProtKBCrossReferences"] if x["database"] in DATABASES],
        "sites": _sites((f["type"], _place(f), f.get("ligand", {}).get("name", "") or f.get("description", "")) for f in features),
        "variants": _variants((_place(f), *_json_change(f), f.get("description", ""), f.get("featureId", ""), _pmids(f)) for f in variants) if acronyms or variants else [],
        "papers": [p for p in (_json_paper(r) for r in entry.get("references", [])) if p],
        "entry_version": audit["entryVersion"],
        "entry_date": audit["lastAnnotationUpdateDate"],
        "sequence_version": audit["sequenceVersion"],
    }  # fmt: skip


def _json_names(names: list[dict[str, Any]]) -> Iterable[str]:
    """Full and short names, in order."""
    for name in names:
        if "fullName" in name:
            yield name["fullName"]["value"]
        yield from (s["value"] for s in name.get("shortNames", []))


def _json_isoforms(comments: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Isoforms: identifiers, names, which is displayed."""
    return [
        {"ids": i["isoformIds"], "name": i["name"]["value"], "displayed": i["isoformSequenceStatus"] == "Displayed"}
        for c in comments if c["commentType"] == "ALTERNATIVE PRODUCTS"
        for i in c["isoforms"]
    ]  # fmt: skip


def _json_go(reference: dict[str, Any]) -> dict[str, str]:
    """A GO annotation."""
    values = {p["key"]: p["value"] for p in reference["properties"]}
    aspect, term = values["GoTerm"].split(":", 1)
    return {"id": reference["id"], "aspect": aspect, "term": term, "evidence": values["GoEvidenceType"].split(":")[0]}  # fmt: skip


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


def _from_flat(path: Path) -> dict[str, Any]:
    """An entry of the flat file, read by Bio.SwissProt."""
    with path.open(encoding="utf-8") as stream:
        entry = SwissProt.read(stream)
    description = EVIDENCE.sub("", entry.description)
    own = re.split(r"\b(?:Contains|Includes):", description)[0]
    genes = entry.gene_name if isinstance(entry.gene_name, list) else []
    comments = [EVIDENCE.sub("", c) for c in entry.comments]
    diseases = [_flat_disease(m) for c in comments for m in re.finditer(r"^DISEASE: (.{3,150}?) \(([^()]+)\) \[MIM:(\d+)\]", c)]  # fmt: skip
    variants = [f for f in entry.features if f.type == "VARIANT"]
    full = re.findall(r"(?:Full|Short)=([^;]+);", own)
    return {
        "accession": entry.accessions[0],
        "secondary": entry.accessions[1:],
        "entry_name": entry.entry_name,
        "reviewed": entry.data_class == "Reviewed",
        "name": full[0].strip(),
        "names": _unique(n.strip() for n in full)[1:],
        "rhea": _unique(i for c in comments if c.startswith("CATALYTIC") for i in re.findall(r"Rhea:RHEA:(\d+)", c)),
        "ec": _unique(re.findall(r"EC=([\d.\-n]+)", own)),
        "gene": EVIDENCE.sub("", genes[0].get("Name", "")) if genes else "",
        "gene_synonyms": _unique(EVIDENCE.sub("", s) for g in genes for k in ("Synonyms", "OrderedLocusNames", "ORFNames") for s in g.get(k, [])),
        "organism": _species(entry.organism)[0],
        "common_name": _species(entry.organism)[1],
        "taxon": int(entry.taxonomy_id[0].split()[0]),
        "existence": int(entry.protein_existence),
        "sequence": entry.sequence,
        "length": entry.seqinfo[0],
        "mass": entry.seqinfo[1],
        "crc64": entry.seqinfo[2],
        "isoforms": _flat_isoforms(comments),
        "locations": _unique(p for c in comments if c.startswith("SUBCELLULAR LOCATION") for p in _flat_places(c)),
        "diseases": diseases,
        "keywords": [EVIDENCE.sub("", k) for k in entry.keywords],
        "go": [{"id": x[1], "aspect": x[2][0], "term": x[2][2:], "evidence": x[3].split(":")[0]} for x in entry.cross_references if x[0] == "GO"],
        "references": [[v for v in x if v not in ("-", "")] for x in entry.cross_references if x[0] in DATABASES],
        "sites": _sites((SITES.get(f.type.lower(), ""), _span(f.location), f.qualifiers.get("ligand") or _note(f)) for f in entry.features),
        "variants": _variants((_span(f.location), *_noted_change(_note(f)), _note(f), f.id or "", re.findall(r"PubMed:(\d+)", f.qualifiers.get("evidence", ""))) for f in variants),
        "papers": [p for p in (_flat_paper(r) for r in entry.references) if p],
        "entry_version": int(entry.annotation_update[1]),
        "entry_date": _date(entry.annotation_update[0]),
        "sequence_version": int(entry.sequence_update[1]),
    }  # fmt: skip


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


def _span(location: Any) -> tuple[int | None, int | None]:
    """First and last residue of a location of Biopython (zero-based, half open)."""
    ends = [getattr(location, side, None) for side in ("start", "end")]
    first, last = (int(e) if str(e).isdigit() else None for e in ends)
    return (None if first is None else first + 1), last


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


def _from_xml(path: Path) -> dict[str, Any]:
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
        "names": _unique(n for k in ("recommendedName_shortName", "alternativeName_fullName", "alternativeName_shortName") for n in notes.get(k, [])),
        "rhea": [],
        "ec": _unique(notes.get("recommendedName_ecNumber", [])),
        "gene": notes.get("gene_name_primary", ""),
        "gene_synonyms": _unique(n for k in ("gene_name_synonym", "gene_name_ordered locus", "gene_name_ORF") for n in notes.get(k, [])),
        "organism": _species(notes["organism"])[0],
        "common_name": _species(notes["organism"])[1],
        "taxon": int(next(i for d, i in pairs if d == "NCBI Taxonomy")),
        "existence": 1 if notes["proteinExistence"][0] == "evidence at protein level" else 2,
        "sequence": str(entry.seq),
        "length": int(notes["sequence_length"]),
        "mass": int(notes["sequence_mass"]),
        "crc64": notes["sequence_checksum"],
        "isoforms": [],
        "locations": _unique(notes.get("comment_subcellularlocation_location", [])),
        "diseases": [],
        "keywords": notes.get("keywords", []),
        "go": _xml_go(path),
        "references": [[d, i] for d, i in pairs if d in DATABASES],
        "sites": _sites((SITES_XML.get(f.type, f.type.capitalize()), _span(f.location), str(f.qualifiers.get("description", ""))) for f in entry.features),
        "variants": _variants((_span(f.location), f.qualifiers.get("original", ""), f.qualifiers.get("variation", ""), str(f.qualifiers.get("description", "")), f.id or "", []) for f in variants),
        "papers": [p for p in (_xml_paper(r) for r in notes.get("references", [])) if p],
        "entry_version": int(notes["version"]),
        "entry_date": notes["modified"],
        "sequence_version": int(notes["sequence_version"]),
    }  # fmt: skip


SITES_XML = {
    "DNA-binding region": "DNA binding", "zinc finger region": "Zinc finger", "transmembrane region": "Transmembrane",
    "coiled-coil region": "Coiled coil", "region of interest": "Region", "glycosylation site": "Glycosylation",
    "short sequence motif": "Motif", "lipid moiety-binding region": "Lipidation", "topological domain": "Topological domain",
}  # fmt: skip


def _xml_go(path: Path) -> list[dict[str, str]]:
    """GO annotations, whose terms SeqIO drops."""
    found = []
    for node in ElementTree.parse(path).iter():
        if node.tag.endswith("}dbReference") and node.get("type") == "GO":
            values = {str(child.get("type")): str(child.get("value")) for child in node}
            aspect, term = values["term"].split(":", 1)
            found.append({"id": str(node.get("id")), "aspect": aspect, "term": term, "evidence": values.get("evidence", "")})  # fmt: skip
    return found


def _species(text: str) -> tuple[str, str]:
    """Scientific name with its strain, and the common name, of an organism line."""
    name, *groups = re.findall(r"[^()]+|(?<=\()[^()]*(?:\([^()]*\)[^()]*)*(?=\))", text.rstrip(". "))
    groups = [g.strip() for g in groups if g.strip()]
    strain = [f"({g})" for g in groups if g.startswith(("strain", "isolate"))]
    common = [g for g in groups if not g.startswith(("strain", "isolate"))]
    return " ".join([name.strip(), *strain]), common[0] if common else ""


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


def _sites(rows: Iterable[tuple[str, tuple[int | None, int | None], str]]) -> list[list[Any]]:
    """``[kind, first, last, note]`` of the kinds that are kept, in the order of the entry."""
    kinds = set(SITES.values())
    cleaned = ((kind, place, EVIDENCE.sub("", note).strip()) for kind, place, note in rows)
    return [[k, *p, n if len(n) <= NOTE else ""] for k, p, n in cleaned if k in kinds and None not in p]


def _variants(rows: Iterable[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Natural variants: place, change (``to`` is empty: missing), dbSNP, diseases by acronym, papers."""
    return [
        {
            "first": place[0],
            "last": place[1],
            "from": "".join(str(original).split()),
            "to": "".join(str(changed).split()),
            "dbsnp": _unique(DBSNP.findall(note)),
            "disease": _acronyms(note),
            "id": identifier,
            "pmids": _unique(pmids),
        }
        for place, original, changed, note, identifier, pmids in rows
        if None not in place
    ]


def _acronyms(note: str) -> list[str]:
    """Disease acronyms of ``in LFS; …`` or ``in LFS and SIADH; …``: capitals and digits only."""
    match = re.search(r"\b[Ii]n ([A-Z0-9][A-Za-z0-9, -]*?)(?:;|\)|$)", note)
    words = re.split(r",\s*| and ", match[1]) if match else []
    return [w for w in (w.strip() for w in words) if re.fullmatch(r"[A-Z][A-Z0-9-]{1,11}", w)]


def _date(text: str) -> str:
    """``13-JUN-2012`` as ISO."""
    day, month, year = text.split("-")
    return f"{year}-{MONTHS[month]:02d}-{int(day):02d}"


def _unique(values: Iterable[str]) -> list[str]:
    """Each value once, first occurrence kept."""
    return list(dict.fromkeys(v for v in values if v))
