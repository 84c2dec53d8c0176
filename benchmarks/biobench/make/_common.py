"""What the three layouts of a UniProtKB record have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

DATABASES = (
    "PDB AlphaFoldDB InterPro Pfam RefSeq Ensembl "
    "HGNC MIM GeneID KEGG MGI SGD ChEMBL CCDS Reactome MANE-Select"
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


def kept_sites(rows: Iterable[tuple[str, tuple[int | None, int | None], str]]) -> list[list[Any]]:
    """``[kind, first, last, note]`` of the kinds that are kept, in the order of the entry."""
    kinds = set(SITES.values())
    cleaned = ((kind, place, EVIDENCE.sub("", note).strip()) for kind, place, note in rows)
    return [[k, *p, n if len(n) <= NOTE else ""] for k, p, n in cleaned if k in kinds and None not in p]


def natural_variants(rows: Iterable[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Natural variants: place, change (``to`` is empty: missing), dbSNP, diseases by acronym, papers."""
    return [
        {
            "first": place[0],
            "last": place[1],
            "from": "".join(str(original).split()),
            "to": "".join(str(changed).split()),
            "dbsnp": unique(DBSNP.findall(note)),
            "disease": acronyms(note),
            "id": identifier,
            "pmids": unique(pmids),
        }
        for place, original, changed, note, identifier, pmids in rows
        if None not in place
    ]


def acronyms(note: str) -> list[str]:
    """Disease acronyms of ``in LFS; …`` or ``in LFS and SIADH; …``: capitals and digits only."""
    match = re.search(r"\b[Ii]n ([A-Z0-9][A-Za-z0-9, -]*?)(?:;|\)|$)", note)
    words = re.split(r",\s*| and ", match[1]) if match else []
    return [w for w in (w.strip() for w in words) if re.fullmatch(r"[A-Z][A-Z0-9-]{1,11}", w)]


def species(text: str) -> tuple[str, str]:
    """Scientific name with its strain, and the common name, of an organism line."""
    name, *groups = re.findall(r"[^()]+|(?<=\()[^()]*(?:\([^()]*\)[^()]*)*(?=\))", text.rstrip(". "))
    groups = [g.strip() for g in groups if g.strip()]
    strain = [f"({g})" for g in groups if g.startswith(("strain", "isolate"))]
    common = [g for g in groups if not g.startswith(("strain", "isolate"))]
    return " ".join([name.strip(), *strain]), common[0] if common else ""


def date(text: str) -> str:
    """``13-JUN-2012`` as ISO."""
    day, month, year = text.split("-")
    return f"{year}-{MONTHS[month]:02d}-{int(day):02d}"


def unique(values: Iterable[str]) -> list[str]:
    """Each value once, first occurrence kept."""
    return list(dict.fromkeys(v for v in values if v))


def span(location: Any) -> tuple[int | None, int | None]:
    """First and last residue of a location of Biopython (zero-based, half open)."""
    ends = [getattr(location, side, None) for side in ("start", "end")]
    first, last = (int(e) if str(e).isdigit() else None for e in ends)
    return (None if first is None else first + 1), last
