"""UniProtKB's JSON (https://www.uniprot.org/help/api, format of rest.uniprot.org) as our records.

Everything is read as data of any shape: a field that is absent, or of another type than documented, is
empty, never an error. Only what is no entry at all raises ``ValueError``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, cast

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
    accession = _text(entry, "primaryAccession")
    sequence = _dict(entry, "sequence")
    residues = _text(sequence, "value")
    if not ACCESSION.fullmatch(accession) or not residues.isalpha():
        raise ValueError("no accession or no sequence")
    # A feature of another isoform names it: its positions are not those of this sequence.
    features = [f for f in _list(entry, "features") if not _text(_dict(f, "location"), "sequence")]
    audit = _dict(entry, "entryAudit")
    values = {
        **_identity(entry),
        "asked": asked,
        "found_by": _found_by(entry, asked),
        "secondary": tuple(v for v in _list_any(entry, "secondaryAccessions") if isinstance(v, str)),
        "names": _other_names(entry),
        "common_name": _text(_dict(entry, "organism"), "commonName"),
        "existence": _leading_number(_text(entry, "proteinExistence")),
        "sequence": residues,
        "length": _int(sequence, "length") or len(residues),
        "mass": _int(sequence, "molWeight"),
        "function": tuple(_functions(entry)),
        "locations": tuple(dict.fromkeys(_locations(entry))),
        "go": tuple(_go_terms(entry)),
        "keywords": tuple(filter(None, (_text(k, "name") for k in _list(entry, "keywords")))),
        "ec": tuple(dict.fromkeys(_ec_numbers(_dict(entry, "proteinDescription")))),
        "diseases": tuple(_diseases(entry)),
        "features": tuple(_feature(f, residues) for f in features if _text(f, "type") != VARIANT),
        "isoforms": tuple(_isoforms(entry)),
        "references": tuple(_references(entry)),
        "pmids": tuple(dict.fromkeys(_pmids(entry))),
        "entry_version": _int(audit, "entryVersion"),
        "entry_date": _text(audit, "lastAnnotationUpdateDate"),
        "sequence_version": _int(audit, "sequenceVersion"),
        "url": entry_url(accession),
    }
    acronyms = {d.acronym for d in cast(tuple[Disease, ...], values["diseases"]) if d.acronym}
    variants = [_variant(f, residues, acronyms) for f in features if _text(f, "type") == VARIANT]
    return ProteinRecord(**{**values, "variants": tuple(v for v in variants if v), **more})


def hit_of(entry: dict[str, Any]) -> ProteinHit | None:
    """An entry of a search; ``None`` for one without an accession."""
    identity = _identity(entry)
    if not ACCESSION.fullmatch(identity["accession"]):
        return None
    del identity["name_kind"]
    return ProteinHit(
        **identity,
        length=_int(_dict(entry, "sequence"), "length"),
        function=next(_functions(entry), "")[:BEGINNING],
        url=entry_url(identity["accession"]),
    )


def inactive(entry: dict[str, Any]) -> tuple[str, tuple[str, ...], str] | None:
    """Of an entry that is none any more: DEMERGED, MERGED or DELETED; successors; why."""
    if _text(entry, "entryType") != "Inactive":
        return None
    reason = _dict(entry, "inactiveReason")
    successors = tuple(s for s in _list_any(reason, "mergeDemergeTo") if isinstance(s, str))
    return _text(reason, "inactiveReasonType"), successors, _text(reason, "deletedReason")


def _identity(entry: dict[str, Any]) -> dict[str, Any]:
    """What hits and records have in common."""
    described = _dict(entry, "proteinDescription")
    recommended = _value(_dict(described, "recommendedName"), "fullName")
    submitted = [_value(n, "fullName") for n in _list(described, "submissionNames")]
    kind = _text(entry, "entryType")
    gene, *synonyms = _genes(entry) or [""]
    organism = _dict(entry, "organism")
    return {
        "accession": _text(entry, "primaryAccession"),
        "entry_name": _text(entry, "uniProtkbId"),
        "reviewed": "(Swiss-Prot)" in kind if kind.startswith("UniProtKB") else None,
        "name": recommended or next(filter(None, submitted), ""),
        "name_kind": "recommended" if recommended else ("submitted" if any(submitted) else ""),
        "gene": gene,
        "gene_synonyms": tuple(synonyms),
        "organism": _text(organism, "scientificName"),
        "taxon": _int(organism, "taxonId"),
    }


def _found_by(entry: dict[str, Any], asked: str) -> FoundBy:
    """What led to an entry."""
    if asked == _text(entry, "primaryAccession"):
        return "accession"
    if asked == _text(entry, "uniProtkbId"):
        return "entry_name"
    return "secondary" if asked in _list_any(entry, "secondaryAccessions") else "merged"


def _genes(entry: dict[str, Any]) -> list[str]:
    """Names of the genes, the first the one to use."""
    found: list[str] = []
    for gene in _list(entry, "genes"):
        found.append(_value(gene, "geneName"))
        for kind in ("synonyms", "orderedLocusNames", "orfNames"):
            found += [_text(name, "value") for name in _list(gene, kind)]
    return [name for name in dict.fromkeys(found) if name]


def _other_names(entry: dict[str, Any]) -> tuple[str, ...]:
    """Short, alternative and further submitted names."""
    described = _dict(entry, "proteinDescription")
    blocks = [_dict(described, "recommendedName"), *_list(described, "alternativeNames")]
    submitted = _list(described, "submissionNames")
    found = [_value(b, "fullName") for b in blocks[1:]]
    found += [_value(b, "fullName") for b in (submitted if blocks[0] else submitted[1:])]
    found += [_text(n, "value") for b in (*blocks, *submitted) for n in _list(b, "shortNames")]
    found += [_text(n, "value") for n in _list(described, "cdAntigenNames")]
    return tuple(dict.fromkeys(n for n in found if n))


def _ec_numbers(described: dict[str, Any]) -> Iterator[str]:
    """EC numbers of the protein and of what it contains or includes."""
    blocks = [_dict(described, "recommendedName")]
    for kind in ("alternativeNames", "submissionNames"):
        blocks += _list(described, kind)
    for block in blocks:
        yield from filter(None, (_text(n, "value") for n in _list(block, "ecNumbers")))
    for kind in ("includes", "contains"):
        for part in _list(described, kind):
            yield from _ec_numbers(part)


def _comments(entry: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    """Comments of a kind."""
    return (c for c in _list(entry, "comments") if _text(c, "commentType") == kind)


def _functions(entry: dict[str, Any]) -> Iterator[str]:
    """Statements on the function; one on a part or an isoform names it."""
    for comment in _comments(entry, "FUNCTION"):
        for text in _list(comment, "texts"):
            if value := _text(text, "value"):
                yield _of_molecule(comment, value)


def _locations(entry: dict[str, Any]) -> Iterator[str]:
    """Places in the cell, and how the protein lies in a membrane."""
    for comment in _comments(entry, "SUBCELLULAR LOCATION"):
        for place in _list(comment, "subcellularLocations"):
            for kind in ("location", "topology", "orientation"):
                if value := _value(place, kind):
                    yield _of_molecule(comment, value)


def _of_molecule(comment: dict[str, Any], value: str) -> str:
    """A statement with the part of the protein that it is on."""
    molecule = _text(comment, "molecule")
    return f"{molecule}: {value}" if molecule else value


def _diseases(entry: dict[str, Any]) -> Iterator[Disease]:
    """Diseases with a name; comments without one are left to the page."""
    for comment in _comments(entry, "DISEASE"):
        disease = _dict(comment, "disease")
        name = _text(disease, "diseaseId")
        if not name:
            continue
        reference = _dict(disease, "diseaseCrossReference")
        note = " ".join(_text(t, "value") for t in _list(_dict(comment, "note"), "texts"))
        mim = _text(reference, "id") if _text(reference, "database") == "MIM" else ""
        yield Disease(name=name, acronym=_text(disease, "acronym"), mim=mim, note=note)


def _isoforms(entry: dict[str, Any]) -> Iterator[ProteinIsoform]:
    """Isoforms of all events."""
    for comment in _comments(entry, "ALTERNATIVE PRODUCTS"):
        for isoform in _list(comment, "isoforms"):
            ids = tuple(i for i in _list_any(isoform, "isoformIds") if isinstance(i, str))
            yield ProteinIsoform(
                ids=ids,
                name=_value(isoform, "name"),
                synonyms=tuple(filter(None, (_text(s, "value") for s in _list(isoform, "synonyms")))),
                displayed=_text(isoform, "isoformSequenceStatus") == "Displayed",
                changes=tuple(i for i in _list_any(isoform, "sequenceIds") if isinstance(i, str)),
            )


def _feature(feature: dict[str, Any], residues: str) -> Feature:
    """A feature that is no natural variant."""
    first, last = _place(feature, "start"), _place(feature, "end")
    original, changed = _change(feature, residues, first, last)
    note = "; ".join(filter(None, (_text(_dict(feature, "ligand"), "name"), _text(feature, "description"))))
    kind, name = _text(feature, "type"), _text(feature, "featureId")
    return Feature(kind=kind, first=first, last=last, note=note, id=name, original=original, changed=changed)


def _variant(feature: dict[str, Any], residues: str, acronyms: set[str]) -> ProteinVariant | None:
    """A natural variant; ``None`` for one that is not where it says."""
    first, last = _place(feature, "start"), _place(feature, "end")
    if not first or not last or not 1 <= first <= last:
        return None
    original, changed = _change(feature, residues, first, last)
    if not original or residues[first - 1 : last] != original:
        return None
    note = _text(feature, "description")
    references = _list(feature, "featureCrossReferences")
    named = [_text(r, "id") for r in references if _text(r, "database") == "dbSNP"]
    evidence = [e for e in _list(feature, "evidences") if _text(e, "source") == "PubMed"]
    return ProteinVariant(
        first=first,
        last=last,
        original=original,
        changed=changed,
        id=_text(feature, "featureId"),
        dbsnp=tuple(dict.fromkeys((*dbsnp_of(note), *named))),
        diseases=told_diseases(note, acronyms),
        pmids=tuple(dict.fromkeys(_text(e, "id") for e in evidence)),
        note=note,
    )


def _change(feature: dict[str, Any], residues: str, first: int | None, last: int | None) -> tuple[str, str]:
    """Residues before and after; empty where the feature changes nothing."""
    if "alternativeSequence" not in feature:
        return "", ""
    change = _dict(feature, "alternativeSequence")
    after = [s for s in _list_any(change, "alternativeSequences") if isinstance(s, str)]
    before = _text(change, "originalSequence")
    if not before and first and last:
        before = residues[first - 1 : last]
    return before, after[0] if after else ""


def _place(feature: dict[str, Any], end: Literal["start", "end"]) -> int | None:
    """A position that is known (``EXACT``)."""
    place = _dict(_dict(feature, "location"), end)
    return _int(place, "value") if _text(place, "modifier") in ("EXACT", "") else None


def _go_terms(entry: dict[str, Any]) -> Iterator[GoTerm]:
    """GO annotations."""
    for reference in _list(entry, "uniProtKBCrossReferences"):
        if _text(reference, "database") != "GO":
            continue
        values = {_text(p, "key"): _text(p, "value") for p in _list(reference, "properties")}
        aspect, _, term = values.get("GoTerm", "").partition(":")
        if aspect in ("C", "F", "P"):
            evidence = values.get("GoEvidenceType", "").partition(":")[0]
            known = cast(Literal["C", "F", "P"], aspect)
            yield GoTerm(id=_text(reference, "id"), aspect=known, term=term, evidence=evidence)


def _references(entry: dict[str, Any]) -> Iterator[CrossReference]:
    """Cross-references but GO, which is a part of its own."""
    for reference in _list(entry, "uniProtKBCrossReferences"):
        if _text(reference, "database") != "GO":
            more = [_text(p, "value") for p in _list(reference, "properties")]
            isoform = _text(reference, "isoformId")
            values = tuple(v for v in (*more, isoform) if v and v != "-")
            yield CrossReference(
                database=_text(reference, "database"), id=_text(reference, "id"), more=values
            )


def _pmids(entry: dict[str, Any]) -> Iterator[str]:
    """PubMed ids of the papers that the entry cites."""
    for reference in _list(entry, "references"):
        for other in _list(_dict(reference, "citation"), "citationCrossReferences"):
            if _text(other, "database") == "PubMed":
                yield _text(other, "id")


def _dict(value: dict[str, Any], name: str) -> dict[str, Any]:
    """An object of an object."""
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _list(value: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """The objects of a list."""
    return [item for item in _list_any(value, name) if isinstance(item, dict)]


def _list_any(value: dict[str, Any], name: str) -> list[Any]:
    """A list."""
    found = value.get(name)
    return found if isinstance(found, list) else []


def _text(value: dict[str, Any], name: str) -> str:
    """A string, on one line."""
    found = value.get(name)
    return " ".join(found.split()) if isinstance(found, str) else ""


def _value(value: dict[str, Any], name: str) -> str:
    """The ``value`` of an object of an object."""
    return _text(_dict(value, name), "value")


def _int(value: dict[str, Any], name: str) -> int | None:
    """A number."""
    found = value.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def _leading_number(text: str) -> int | None:
    """The number before a colon."""
    return int(text[0]) if text[:1].isdigit() else None
