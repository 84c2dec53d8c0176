"""UniProtKB's JSON (https://www.uniprot.org/help/api, format of rest.uniprot.org) as our records.

Everything is read as data of any shape: a field that is absent, or of another type than documented, is
empty, never an error. Only what is no entry at all raises ``ValueError``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, cast

from labagent.tools.backends._json_values import (
    json_dict,
    json_int,
    json_list,
    json_list_any,
    json_text,
    json_value,
)
from labagent.tools.proteins.notes import dbsnp_of, told_diseases
from labagent.tools.proteins.records import (
    ACCESSION,
    CrossReference,
    Disease,
    Feature,
    FoundBy,
    GoTerm,
    ProteinHit,
    ProteinIsoform,
    ProteinRecord,
    ProteinVariant,
    entry_url,
)

VARIANT = "Natural variant"
BEGINNING = 600
"""Characters of a function's first statement that a hit shows."""


def record_of(entry: dict[str, Any], asked: str, **more: Any) -> ProteinRecord:
    """A whole entry; ``more`` are source, time and the like.

    Raises:
        ValueError: it is no active entry.
    """
    accession = json_text(entry, "primaryAccession")
    sequence = json_dict(entry, "sequence")
    residues = json_text(sequence, "value")
    if not ACCESSION.fullmatch(accession) or not residues.isalpha():
        raise ValueError("no accession or no sequence")
    # A feature of another isoform names it: its positions are not those of this sequence.
    features = [
        f for f in json_list(entry, "features") if not json_text(json_dict(f, "location"), "sequence")
    ]
    audit = json_dict(entry, "entryAudit")
    values = {
        **_identity(entry),
        "asked": asked,
        "found_by": _found_by(entry, asked),
        "secondary": tuple(v for v in json_list_any(entry, "secondaryAccessions") if isinstance(v, str)),
        "names": _other_names(entry),
        "common_name": json_text(json_dict(entry, "organism"), "commonName"),
        "existence": _leading_number(json_text(entry, "proteinExistence")),
        "sequence": residues,
        "length": json_int(sequence, "length") or len(residues),
        "mass": json_int(sequence, "molWeight"),
        "function": tuple(_functions(entry)),
        "locations": tuple(dict.fromkeys(_locations(entry))),
        "go": tuple(_go_terms(entry)),
        "keywords": tuple(filter(None, (json_text(k, "name") for k in json_list(entry, "keywords")))),
        "ec": tuple(dict.fromkeys(_ec_numbers(json_dict(entry, "proteinDescription")))),
        "diseases": tuple(_diseases(entry)),
        "features": tuple(_feature(f, residues) for f in features if json_text(f, "type") != VARIANT),
        "isoforms": tuple(_isoforms(entry)),
        "references": tuple(_references(entry)),
        "pmids": tuple(dict.fromkeys(_pmids(entry))),
        "entry_version": json_int(audit, "entryVersion"),
        "entry_date": json_text(audit, "lastAnnotationUpdateDate"),
        "sequence_version": json_int(audit, "sequenceVersion"),
        "url": entry_url(accession),
    }
    acronyms = {d.acronym for d in cast(tuple[Disease, ...], values["diseases"]) if d.acronym}
    variants = [_variant(f, residues, acronyms) for f in features if json_text(f, "type") == VARIANT]
    return ProteinRecord(**{**values, "variants": tuple(v for v in variants if v), **more})


def hit_of(entry: dict[str, Any]) -> ProteinHit | None:
    """An entry of a search; ``None`` for one without an accession."""
    identity = _identity(entry)
    if not ACCESSION.fullmatch(identity["accession"]):
        return None
    del identity["name_kind"]
    return ProteinHit(
        **identity,
        length=json_int(json_dict(entry, "sequence"), "length"),
        function=next(_functions(entry), "")[:BEGINNING],
        url=entry_url(identity["accession"]),
    )


def inactive(entry: dict[str, Any]) -> tuple[str, tuple[str, ...], str] | None:
    """Of an entry that is none any more: DEMERGED, MERGED or DELETED; successors; why."""
    if json_text(entry, "entryType") != "Inactive":
        return None
    reason = json_dict(entry, "inactiveReason")
    successors = tuple(s for s in json_list_any(reason, "mergeDemergeTo") if isinstance(s, str))
    return json_text(reason, "inactiveReasonType"), successors, json_text(reason, "deletedReason")


def _identity(entry: dict[str, Any]) -> dict[str, Any]:
    """What hits and records have in common."""
    described = json_dict(entry, "proteinDescription")
    recommended = json_value(json_dict(described, "recommendedName"), "fullName")
    submitted = [json_value(n, "fullName") for n in json_list(described, "submissionNames")]
    kind = json_text(entry, "entryType")
    gene, *synonyms = _genes(entry) or [""]
    organism = json_dict(entry, "organism")
    return {
        "accession": json_text(entry, "primaryAccession"),
        "entry_name": json_text(entry, "uniProtkbId"),
        "reviewed": "(Swiss-Prot)" in kind if kind.startswith("UniProtKB") else None,
        "name": recommended or next(filter(None, submitted), ""),
        "name_kind": "recommended" if recommended else ("submitted" if any(submitted) else ""),
        "gene": gene,
        "gene_synonyms": tuple(synonyms),
        "organism": json_text(organism, "scientificName"),
        "taxon": json_int(organism, "taxonId"),
    }


def _found_by(entry: dict[str, Any], asked: str) -> FoundBy:
    """What led to an entry."""
    if asked == json_text(entry, "primaryAccession"):
        return "accession"
    if asked == json_text(entry, "uniProtkbId"):
        return "entry_name"
    return "secondary" if asked in json_list_any(entry, "secondaryAccessions") else "merged"


def _genes(entry: dict[str, Any]) -> list[str]:
    """Names of the genes, the first the one to use."""
    found: list[str] = []
    for gene in json_list(entry, "genes"):
        found.append(json_value(gene, "geneName"))
        for kind in ("synonyms", "orderedLocusNames", "orfNames"):
            found += [json_text(name, "value") for name in json_list(gene, kind)]
    return [name for name in dict.fromkeys(found) if name]


def _other_names(entry: dict[str, Any]) -> tuple[str, ...]:
    """Short, alternative and further submitted names."""
    described = json_dict(entry, "proteinDescription")
    blocks = [json_dict(described, "recommendedName"), *json_list(described, "alternativeNames")]
    submitted = json_list(described, "submissionNames")
    found = [json_value(b, "fullName") for b in blocks[1:]]
    found += [json_value(b, "fullName") for b in (submitted if blocks[0] else submitted[1:])]
    found += [json_text(n, "value") for b in (*blocks, *submitted) for n in json_list(b, "shortNames")]
    found += [json_text(n, "value") for n in json_list(described, "cdAntigenNames")]
    return tuple(dict.fromkeys(n for n in found if n))


def _ec_numbers(described: dict[str, Any]) -> Iterator[str]:
    """EC numbers of the protein and of what it contains or includes."""
    blocks = [json_dict(described, "recommendedName")]
    for kind in ("alternativeNames", "submissionNames"):
        blocks += json_list(described, kind)
    for block in blocks:
        yield from filter(None, (json_text(n, "value") for n in json_list(block, "ecNumbers")))
    for kind in ("includes", "contains"):
        for part in json_list(described, kind):
            yield from _ec_numbers(part)


def _comments(entry: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    """Comments of a kind."""
    return (c for c in json_list(entry, "comments") if json_text(c, "commentType") == kind)


def _functions(entry: dict[str, Any]) -> Iterator[str]:
    """Statements on the function; one on a part or an isoform names it."""
    for comment in _comments(entry, "FUNCTION"):
        for text in json_list(comment, "texts"):
            if value := json_text(text, "value"):
                yield _of_molecule(comment, value)


def _locations(entry: dict[str, Any]) -> Iterator[str]:
    """Places in the cell, and how the protein lies in a membrane."""
    for comment in _comments(entry, "SUBCELLULAR LOCATION"):
        for place in json_list(comment, "subcellularLocations"):
            for kind in ("location", "topology", "orientation"):
                if value := json_value(place, kind):
                    yield _of_molecule(comment, value)


def _of_molecule(comment: dict[str, Any], value: str) -> str:
    """A statement with the part of the protein that it is on."""
    molecule = json_text(comment, "molecule")
    return f"{molecule}: {value}" if molecule else value


def _diseases(entry: dict[str, Any]) -> Iterator[Disease]:
    """Diseases with a name; comments without one are left to the page."""
    for comment in _comments(entry, "DISEASE"):
        disease = json_dict(comment, "disease")
        name = json_text(disease, "diseaseId")
        if not name:
            continue
        reference = json_dict(disease, "diseaseCrossReference")
        note = " ".join(json_text(t, "value") for t in json_list(json_dict(comment, "note"), "texts"))
        mim = json_text(reference, "id") if json_text(reference, "database") == "MIM" else ""
        yield Disease(name=name, acronym=json_text(disease, "acronym"), mim=mim, note=note)


def _isoforms(entry: dict[str, Any]) -> Iterator[ProteinIsoform]:
    """Isoforms of all events."""
    for comment in _comments(entry, "ALTERNATIVE PRODUCTS"):
        for isoform in json_list(comment, "isoforms"):
            ids = tuple(i for i in json_list_any(isoform, "isoformIds") if isinstance(i, str))
            yield ProteinIsoform(
                ids=ids,
                name=json_value(isoform, "name"),
                synonyms=tuple(filter(None, (json_text(s, "value") for s in json_list(isoform, "synonyms")))),
                displayed=json_text(isoform, "isoformSequenceStatus") == "Displayed",
                changes=tuple(i for i in json_list_any(isoform, "sequenceIds") if isinstance(i, str)),
            )


def _feature(feature: dict[str, Any], residues: str) -> Feature:
    """A feature that is no natural variant."""
    first, last = _place(feature, "start"), _place(feature, "end")
    original, changed = _change(feature, residues, first, last)
    note = "; ".join(
        filter(None, (json_text(json_dict(feature, "ligand"), "name"), json_text(feature, "description")))
    )
    kind, name = json_text(feature, "type"), json_text(feature, "featureId")
    return Feature(kind=kind, first=first, last=last, note=note, id=name, original=original, changed=changed)


def _variant(feature: dict[str, Any], residues: str, acronyms: set[str]) -> ProteinVariant | None:
    """A natural variant; ``None`` for one that is not where it says."""
    first, last = _place(feature, "start"), _place(feature, "end")
    if not first or not last or not 1 <= first <= last:
        return None
    original, changed = _change(feature, residues, first, last)
    if not original or residues[first - 1 : last] != original:
        return None
    note = json_text(feature, "description")
    references = json_list(feature, "featureCrossReferences")
    named = [json_text(r, "id") for r in references if json_text(r, "database") == "dbSNP"]
    evidence = [e for e in json_list(feature, "evidences") if json_text(e, "source") == "PubMed"]
    return ProteinVariant(
        first=first,
        last=last,
        original=original,
        changed=changed,
        id=json_text(feature, "featureId"),
        dbsnp=tuple(dict.fromkeys((*dbsnp_of(note), *named))),
        diseases=told_diseases(note, acronyms),
        pmids=tuple(dict.fromkeys(json_text(e, "id") for e in evidence)),
        note=note,
    )


def _change(feature: dict[str, Any], residues: str, first: int | None, last: int | None) -> tuple[str, str]:
    """Residues before and after; empty where the feature changes nothing."""
    if "alternativeSequence" not in feature:
        return "", ""
    change = json_dict(feature, "alternativeSequence")
    after = [s for s in json_list_any(change, "alternativeSequences") if isinstance(s, str)]
    before = json_text(change, "originalSequence")
    if not before and first and last:
        before = residues[first - 1 : last]
    return before, after[0] if after else ""


def _place(feature: dict[str, Any], end: Literal["start", "end"]) -> int | None:
    """A position that is known (``EXACT``)."""
    place = json_dict(json_dict(feature, "location"), end)
    return json_int(place, "value") if json_text(place, "modifier") in ("EXACT", "") else None


def _go_terms(entry: dict[str, Any]) -> Iterator[GoTerm]:
    """GO annotations."""
    for reference in json_list(entry, "uniProtKBCrossReferences"):
        if json_text(reference, "database") != "GO":
            continue
        values = {json_text(p, "key"): json_text(p, "value") for p in json_list(reference, "properties")}
        aspect, _, term = values.get("GoTerm", "").partition(":")
        if aspect in ("C", "F", "P"):
            evidence = values.get("GoEvidenceType", "").partition(":")[0]
            known = cast(Literal["C", "F", "P"], aspect)
            yield GoTerm(id=json_text(reference, "id"), aspect=known, term=term, evidence=evidence)


def _references(entry: dict[str, Any]) -> Iterator[CrossReference]:
    """Cross-references but GO, which is a part of its own."""
    for reference in json_list(entry, "uniProtKBCrossReferences"):
        if json_text(reference, "database") != "GO":
            more = [json_text(p, "value") for p in json_list(reference, "properties")]
            isoform = json_text(reference, "isoformId")
            values = tuple(v for v in (*more, isoform) if v and v != "-")
            yield CrossReference(
                database=json_text(reference, "database"), id=json_text(reference, "id"), more=values
            )


def _pmids(entry: dict[str, Any]) -> Iterator[str]:
    """PubMed ids of the papers that the entry cites."""
    for reference in json_list(entry, "references"):
        for other in json_list(json_dict(reference, "citation"), "citationCrossReferences"):
            if json_text(other, "database") == "PubMed":
                yield json_text(other, "id")


def _leading_number(text: str) -> int | None:
    """The number before a colon."""
    return int(text[0]) if text[:1].isdigit() else None
