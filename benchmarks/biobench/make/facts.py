"""Build the store of facts from UniProtKB records: ``python facts.py RECORDS [STORE]``.

``RECORDS`` is a folder with the files that ``sources.tsv`` lists (accession, file, where a public copy lies,
its SHA-256). A record is taken only if its hash is the listed one, its length and CRC64 are those it states
and its mass is within 0.1 % of the stated one. Variants of another isoform than the displayed one are left
out. Nothing here imports the package.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from _parse import parse
from Bio.SeqUtils import molecular_weight
from Bio.SeqUtils.CheckSum import crc64

HERE = Path(__file__).resolve().parent
STORE = HERE.parents[2] / "workflow" / "labagent" / "tools" / "facts"
SCHEMA = 1
LICENCE = "CC BY 4.0, UniProt Consortium"


def build(records: Path, store: Path) -> int:
    """Write the three files of the store; returns the number of proteins."""
    proteins, papers, inactive = [], {}, []
    for row in csv.DictReader((HERE / "sources.tsv").open(encoding="utf-8"), delimiter="\t"):
        path = _listed(records, row)
        if gone := _inactive(path, row):
            inactive.append(gone)
            continue
        protein = _protein(path, row)
        for paper in protein.pop("papers"):
            kept = papers.setdefault(paper["pmid"], {**paper, "proteins": []})
            kept["doi"] = kept["doi"] or paper["doi"]
            kept.pop("scope", None)
            kept["proteins"].append(protein["accession"])
            protein["pmids"].append(paper["pmid"])
        proteins.append(protein)
    for paper in papers.values():
        paper["schema_version"] = SCHEMA
        paper["variants"] = _variants_of(paper["pmid"], proteins)
    proteins.sort(key=lambda p: str(p["accession"]))
    _write(store / "proteins.jsonl.gz", proteins)
    _write(store / "inactive.jsonl.gz", inactive)
    _write(store / "literature.jsonl.gz", sorted(papers.values(), key=lambda p: int(p["pmid"])))
    return len(proteins)


def _listed(records: Path, row: dict[str, str]) -> Path:
    """The file of a listed record, its content being the listed one."""
    path = records / row["file"]
    if hashlib.sha256(path.read_bytes()).hexdigest() != row["sha256"]:
        raise SystemExit(f"{path}: not the record of sources.tsv ({row['sha256']})")
    return path


def _inactive(path: Path, row: dict[str, str]) -> dict[str, Any] | None:
    """An accession that is no entry any more, and the entries it went into; ``None`` for an entry."""
    record = json.loads(path.read_text(encoding="utf-8")) if path.suffix == ".json" else {}
    if record.get("entryType") != "Inactive":
        return None
    reason = record["inactiveReason"]
    return {
        "schema_version": SCHEMA,
        "accession": row["accession"],
        "reason": reason["inactiveReasonType"].lower(),
        "successors": reason.get("mergeDemergeTo", []),
        "licence": LICENCE,
        "copy": f"{row['origin']} {row['revision']} {row['path']}",
        "sha256": row["sha256"],
    }


def _protein(path: Path, row: dict[str, str]) -> dict[str, Any]:
    """The facts of one listed record, checked."""
    facts = parse(path)
    _check(facts, row["accession"])
    variants = (_completed(v, facts["sequence"]) for v in facts["variants"])
    facts["variants"] = [v for v in variants if facts["sequence"][v["first"] - 1 : v["last"]] == v["from"]]
    version = {k: facts.pop(k) for k in ("entry_version", "entry_date", "sequence_version")}
    source = {
        "database": "UniProtKB/Swiss-Prot" if facts["reviewed"] else "UniProtKB/TrEMBL",
        **version,
        "licence": LICENCE,
        "copy": f"{row['origin']} {row['revision']} {row['path']}",
        "sha256": row["sha256"],
    }
    return {"schema_version": SCHEMA, **facts, "pmids": [], "source": source}


def _completed(variant: dict[str, Any], sequence: str) -> dict[str, Any]:
    """A variant with the residues it replaces; those of a missing stretch are taken from the sequence."""
    here = sequence[variant["first"] - 1 : variant["last"]]
    return {**variant, "from": variant["from"] or here}


def _check(facts: dict[str, Any], accession: str) -> None:
    """Refuse a record whose sequence is not the one it states."""
    sequence = facts["sequence"]
    mass = (
        molecular_weight(sequence, seq_type="protein")
        if set(sequence) <= set("ACDEFGHIKLMNPQRSTVWYU")
        else None
    )
    faults = {
        "accession": facts["accession"] == accession,
        "length": len(sequence) == facts["length"],
        "crc64": crc64(sequence) == f"CRC-{facts['crc64']}",
        "mass": mass is None or abs(mass / facts["mass"] - 1) < 1e-3,
    }
    wrong = [name for name, right in faults.items() if not right]
    if wrong:
        raise SystemExit(f"{accession}: the record contradicts itself in {', '.join(wrong)}")


def _variants_of(pmid: str, proteins: list[dict[str, Any]]) -> list[list[str]]:
    """``[accession, feature id]`` of the natural variants a paper is evidence of."""
    return [[p["accession"], v["id"]] for p in proteins for v in p["variants"] if pmid in v["pmids"]]


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """JSON lines, gzipped without a time, so that the same facts give the same bytes."""
    text = "".join(
        json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n" for row in rows
    )
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", mtime=0, filename="") as stream:
        stream.write(text.encode("utf-8"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(buffer.getvalue())


if __name__ == "__main__":
    arguments = [Path(a) for a in sys.argv[1:]]
    if not 1 <= len(arguments) <= 2:
        raise SystemExit(__doc__)
    print(build(arguments[0], arguments[1] if len(arguments) == 2 else STORE), "proteins")
