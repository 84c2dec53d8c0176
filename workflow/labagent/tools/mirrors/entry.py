"""Facts of a UniProtKB entry of the flat file, as the record that ``uniprot.fetch`` gives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from labagent.tools.mirrors.features import Noted, features_of
from labagent.tools.mirrors.flat import RawEntry
from labagent.tools.proteins.records import (
    CrossReference,
    Disease,
    GoTerm,
    ProteinIsoform,
    ProteinRecord,
    entry_url,
)

EVIDENCE = re.compile(r"\s*\{ECO:[^}]*\}")
MONTHS = {m: n for n, m in enumerate("JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(), start=1)}
_NAME = re.compile(
    r"(?:(RecName|AltName|SubName):\s*)?(Full|Short|EC|Allergen|Biotech|CD_antigen|INN)=(.+?);?"
)
_DATE = re.compile(r"(\d\d)-([A-Z]{3})-(\d{4})")
_GROUP = re.compile(r"[^()]+|(?<=\()[^()]*(?:\([^()]*\)[^()]*)*(?=\))")
_STRAIN = ("strain", "isolate", "subsp.", "serotype")
_ISOFORM = re.compile(
    r"Name=(?P<name>[^;]+);\s*(?:Synonyms=(?P<synonyms>[^;]+);\s*)?IsoId=(?P<ids>[^;]+);\s*Sequence=(?P<changes>[^;]+);"
)
_DISEASE = re.compile(r"(?P<name>.+?) \((?P<acronym>[^()]+)\) \[MIM:(?P<mim>\d+)\](?:[:.]\s*(?P<note>.*))?")
_ABOUT = re.compile(r"\.? \[[^\]]+\]\.?$")


def plain(text: str) -> str:
    """Text without its evidence, and without the full stop that ends it."""
    cut = EVIDENCE.sub("", text)
    return cut[:-1] if cut != text and cut.endswith("..") else cut


def unwrapped(lines: Iterable[str]) -> str:
    """Lines that were one text. A line that ends with a hyphen was broken inside a word, unless "and", "or"
    or "to" follows ("N- and C-terminal").
    """
    text = ""
    for row in lines:
        part = row.strip()
        glued = text.endswith("-") and not text.endswith(" -") and not part.startswith(("and ", "or ", "to "))
        text += part if glued or not text else f" {part}"
    return text


def names_of(entry: RawEntry) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
    """Name, its kind, further names and EC numbers of the whole protein, not of its parts."""
    rows = [plain(row).strip() for row in entry.blocks.get("DE", ())]
    if rows and not any("Full=" in row for row in rows):
        return _old_names(" ".join(rows))
    name, kind, more, numbers = "", "", [], []
    for row in rows:
        if row.startswith(("Contains:", "Includes:")):
            break
        if not (match := _NAME.fullmatch(row)):
            continue
        value = match[3].strip()
        if match[2] == "EC":
            numbers.append(value)
        elif not name and match[2] == "Full":
            name, kind = value, "submitted" if match[1] == "SubName" else "recommended"
        else:
            more.append(value)
    return name, kind, tuple(dict.fromkeys(more)), tuple(dict.fromkeys(numbers))


def _old_names(text: str) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
    """Names of a description of before 2008: ``Name (Synonym) (EC 1.2.3.4).``"""
    name, *groups = _GROUP.findall(text.rstrip(". ")) or [""]
    named = [g.strip() for g in groups if g.strip()]
    numbers = [g.removeprefix("EC ") for g in named if g.startswith("EC ")]
    more = [g for g in named if not g.startswith(("EC ", "Fragment"))]
    return name.strip(), "recommended" if name else "", tuple(more), tuple(numbers)


def genes_of(entry: RawEntry) -> tuple[str, tuple[str, ...]]:
    """The first gene's name (or its first other one), and all further names."""
    found: list[str] = []
    rows = " ".join(row for row in entry.blocks.get("GN", ()) if row != "and")
    for part in plain(rows).rstrip("; ").split("; "):
        key, _, value = part.strip().partition("=")
        if key in ("Name", "Synonyms", "OrderedLocusNames", "ORFNames"):
            found += [v.strip() for v in value.split(", ") if v.strip()]
    unique = list(dict.fromkeys(found))
    return (unique[0], tuple(unique[1:])) if unique else ("", ())


def organism_of(entry: RawEntry) -> tuple[str, str]:
    """Scientific name with its strain, and the first of its other names."""
    parts = [p.strip() for p in _GROUP.findall(plain(entry.joined("OS")).rstrip(". "))]
    name, groups = (parts[0] if parts else ""), [p for p in parts[1:] if p]
    strains = [f"({g})" for g in groups if g.startswith(_STRAIN)]
    others = [g for g in groups if not g.startswith(_STRAIN)]
    return " ".join([name, *strains]), others[0] if others else ""


def taxon_of(entry: RawEntry) -> int | None:
    """NCBI taxon number."""
    match = re.search(r"NCBI_TaxID=(\d+)", entry.joined("OX"))
    return int(match[1]) if match else None


def comments_of(entry: RawEntry) -> list[tuple[str, str]]:
    """Topic and text of each comment, without evidence; the licence is none."""
    found: list[tuple[str, list[str]]] = []
    for row in entry.blocks.get("CC", ()):
        if row.startswith("-!-"):
            topic, _, rest = row[3:].strip().partition(":")
            found.append((topic.strip(), [rest]))
        elif row.startswith("----"):
            break
        elif found:
            found[-1][1].append(row)
    return [(topic, plain(unwrapped(rows)).strip()) for topic, rows in found]


def keywords_of(entry: RawEntry) -> tuple[str, ...]:
    """Keywords."""
    words = plain(entry.joined("KW")).rstrip(". ").split(";")
    return tuple(w.strip() for w in words if w.strip())


def references_of(entry: RawEntry) -> Iterator[tuple[str, ...]]:
    """Cross-references: database, id, further values; empty values and the isoform meant are left out."""
    for row in entry.blocks.get("DR", ()):
        bare = _ABOUT.sub("", row) if "[" in row else row
        values = [v.strip() for v in bare.rstrip(".").split("; ")]
        kept = tuple(v for v in values if v not in ("-", ""))
        if len(kept) > 1:
            yield kept


def pmids_of(entry: RawEntry) -> tuple[str, ...]:
    """PubMed ids of the papers the entry cites."""
    return tuple(dict.fromkeys(re.findall(r"PubMed(?:=|; )(\d+)", "\n".join(entry.blocks.get("RX", ())))))


def protein_record(entry: RawEntry, *, asked: str, source: str, retrieved: str) -> ProteinRecord:
    """The whole entry. ``asked`` decides ``found_by``; a secondary accession is said."""
    name, kind, names, numbers = names_of(entry)
    gene, synonyms = genes_of(entry)
    organism, common = organism_of(entry)
    comments = comments_of(entry)
    diseases = tuple(_diseases(comments))
    features, variants = features_of(
        Noted(entry.blocks.get("FT", []), entry.sequence, tuple(d.acronym for d in diseases))
    )
    accession = entry.accessions[0]
    references = list(references_of(entry))
    by_name = asked == entry.name
    found_by = "entry_name" if by_name else "accession" if asked == accession else "secondary"
    return ProteinRecord.model_validate(
        {
            "asked": asked,
            "accession": accession,
            "found_by": found_by,
            "secondary": entry.accessions[1:],
            "entry_name": entry.name,
            "reviewed": entry.reviewed,
            "name": name,
            "name_kind": kind,
            "names": names,
            "gene": gene,
            "gene_synonyms": synonyms,
            "organism": organism,
            "common_name": common,
            "taxon": taxon_of(entry),
            "existence": int(entry.joined("PE")[:1] or 0) or None,
            "sequence": entry.sequence,
            "length": len(entry.sequence),
            "mass": entry.mass,
            "function": tuple(text for topic, text in comments if topic == "FUNCTION"),
            "locations": _locations(comments),
            "go": tuple(_go(r) for r in references if r[0] == "GO" and len(r) > 2),
            "keywords": keywords_of(entry),
            "ec": numbers,
            "diseases": diseases,
            "features": features,
            "variants": variants,
            "isoforms": tuple(_isoforms(comments)),
            "references": tuple(
                CrossReference(database=r[0], id=r[1], more=r[2:]) for r in references if r[0] != "GO"
            ),
            "pmids": pmids_of(entry),
            **_versions(entry),
            "source": source,
            "retrieved": retrieved,
            "url": entry_url(accession),
        }
    )


def _versions(entry: RawEntry) -> dict[str, object]:
    """Versions of entry and sequence, and the entry's date, of DT lines in today's layout."""
    text = "\n".join(entry.blocks.get("DT", ()))
    last = re.search(r"(.*), entry version (\d+)", text)
    sequence = re.search(r"sequence version (\d+)", text)
    match = _DATE.search(last[1]) if last else None
    day = f"{match[3]}-{MONTHS.get(match[2], 0):02d}-{match[1]}" if match else ""
    return {
        "entry_version": int(last[2]) if last else None,
        "entry_date": day,
        "sequence_version": int(sequence[1]) if sequence else None,
    }


def _locations(comments: list[tuple[str, str]]) -> tuple[str, ...]:
    """Places in the cell, each once, without notes and the isoform meant."""
    texts = (text for topic, text in comments if topic == "SUBCELLULAR LOCATION")
    cut = (re.sub(r"\bNote=.*|\[[^\]]+\]:\s*", "", text) for text in texts)
    return tuple(dict.fromkeys(p.strip() for text in cut for p in re.split(r"[.;]", text) if p.strip()))


def _diseases(comments: list[tuple[str, str]]) -> Iterator[Disease]:
    """Diseases with a name."""
    for topic, text in comments:
        if topic == "DISEASE" and (match := _DISEASE.fullmatch(text)):
            parts = match.groupdict(default="")
            yield Disease(
                name=parts["name"], acronym=parts["acronym"], mim=parts["mim"], note=parts["note"].strip()
            )


def _isoforms(comments: list[tuple[str, str]]) -> Iterator[ProteinIsoform]:
    """Isoforms of the comment on alternative products."""
    for topic, text in comments:
        if topic != "ALTERNATIVE PRODUCTS":
            continue
        for match in _ISOFORM.finditer(text):
            changes = [c.strip() for c in match["changes"].split(",")]
            yield ProteinIsoform(
                ids=tuple(i.strip() for i in match["ids"].split(",")),
                name=match["name"].strip(),
                synonyms=tuple(s.strip() for s in (match["synonyms"] or "").split(",") if s.strip()),
                displayed=changes == ["Displayed"],
                changes=tuple(c for c in changes if c.startswith("VSP_")),
            )


def _go(row: tuple[str, ...]) -> GoTerm:
    """A GO annotation: ``GO; GO:0005634; C:nucleus; IDA:UniProtKB``."""
    evidence = row[3].partition(":")[0] if len(row) > 3 else ""
    return GoTerm.model_validate(
        {"id": row[1], "aspect": row[2][:1], "term": row[2][2:], "evidence": evidence}
    )
