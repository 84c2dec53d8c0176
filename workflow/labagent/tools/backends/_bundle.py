"""The bundled facts (``tools/facts/``) in memory: rows as they are, indexes made when they are asked for."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import sqlite3
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from labagent.tools.literature.records import PaperRecord, paper_url
from labagent.tools.mirrors import papers, proteins
from labagent.tools.mirrors.database import Database
from labagent.tools.mirrors.papers import PaperRow, PaperTable
from labagent.tools.mirrors.proteins import ProteinRow, Proteins

FOLDER = Path(__file__).resolve().parents[1] / "facts"
FILES = ("proteins.jsonl.gz", "literature.jsonl.gz", "inactive.jsonl.gz")
LACKING = frozenset({"abstract", "mesh", "type", "language"})
"""Fields of queries that the bundled papers have nothing of."""
_PMID = re.compile(rb'"pmid":"(\d+)"')
_FIRST = re.compile(rb'\{"accession":"(\w+)"')


class Bundle:
    """The facts of a folder."""

    def __init__(self, folder: Path, source: str = "facts") -> None:
        self._folder, self._source = folder, source

    @cached_property
    def identity(self) -> str:
        """Hash of the files."""
        digest = hashlib.sha256()
        for name in FILES:
            digest.update((self._folder / name).read_bytes())
        return digest.hexdigest()

    def protein(self, accession: str) -> dict[str, Any] | None:
        """The row of an accession that is current."""
        line = self._protein_lines.get(accession)
        return json.loads(line) if line else None

    def current(self, key: str) -> str | None:
        """The accession of a secondary one or of an entry name."""
        return self._keys.get(key)

    def inactive(self, accession: str) -> dict[str, Any] | None:
        """What became of an accession that is no entry any more."""
        return self._inactive.get(accession)

    def paper(self, pmid: str) -> PaperRecord | None:
        """A paper."""
        line = self._paper_lines.get(pmid)
        return self._record(json.loads(line)) if line else None

    @property
    def size(self) -> tuple[int, int]:
        """How many proteins and papers there are."""
        return len(self._protein_lines), len(self._paper_lines)

    @cached_property
    def protein_index(self) -> Proteins:
        """Proteins for searches; a body is the accession."""
        connection = _memory(proteins.TABLES)
        for row in self._proteins:
            proteins.add(connection, _protein_row(row))
        for statement in proteins.INDEXES:
            connection.execute(statement)
        return Proteins(Database(None, connection))

    @cached_property
    def paper_index(self) -> PaperTable:
        """Papers for searches; found by the names and variants of the proteins that cite them, too."""
        connection = _memory(papers.TABLES)
        names = _Names(self._proteins)
        for pmid, line in self._paper_lines.items():
            row = json.loads(line)
            papers.add(connection, PaperRow(pmid, 1, row["year"], _texts(row, names), pmid.encode()))
        return PaperTable(Database(None, connection), LACKING)

    @cached_property
    def _protein_lines(self) -> dict[str, bytes]:
        """Rows by accession, not yet read."""
        lines = gzip.decompress((self._folder / FILES[0]).read_bytes()).splitlines()
        return {(_FIRST.match(line) or _named(line))[1].decode(): line for line in lines}

    @cached_property
    def _paper_lines(self) -> dict[str, bytes]:
        """Rows by PubMed id, not yet read."""
        lines = gzip.decompress((self._folder / FILES[1]).read_bytes()).splitlines()
        return {(_PMID.search(line) or _named(line))[1].decode(): line for line in lines}

    @cached_property
    def _inactive(self) -> dict[str, dict[str, Any]]:
        """Accessions that are no entries."""
        lines = gzip.decompress((self._folder / FILES[2]).read_bytes()).splitlines()
        return {row["accession"]: row for row in map(json.loads, lines)}

    @cached_property
    def _proteins(self) -> list[dict[str, Any]]:
        """All proteins, read."""
        return [json.loads(line) for line in self._protein_lines.values()]

    @cached_property
    def _keys(self) -> dict[str, str]:
        """Accessions by secondary accession and entry name."""
        return {k: row["accession"] for row in self._proteins for k in (row["entry_name"], *row["secondary"])}

    @cached_property
    def _dates(self) -> dict[str, str]:
        """Dates of the entries by accession."""
        return {row["accession"]: row["source"]["entry_date"] for row in self._proteins}

    def _record(self, row: Mapping[str, Any]) -> PaperRecord:
        """A paper as tools give it; it was said on the newest day of the entries that cite it."""
        return PaperRecord.model_construct(
            pmid=row["pmid"],
            title=" ".join(row["title"].split()),
            authors=tuple(row["authors"]),
            journal=row["journal"],
            year=row["year"],
            doi=row["doi"],
            url=paper_url(row["pmid"]),
            proteins=tuple(row["proteins"]),
            variants=tuple((a, v) for a, v in row["variants"]),
            source=self._source,
            retrieved=max((self._dates[a] for a in row["proteins"]), default=""),
        )


@cache
def bundle() -> Bundle:
    """The facts that come with the package; read once a process."""
    return Bundle(FOLDER)


def _named(line: bytes) -> re.Match[bytes]:
    """A row without its identifier."""
    raise ValueError(f"a row of the bundled facts has no identifier: {line[:60]!r}")


def _memory(tables: tuple[str, ...]) -> sqlite3.Connection:
    """An empty database in memory, for several threads that take turns."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    for statement in tables:
        connection.execute(statement)
    return connection


def _protein_row(row: Mapping[str, Any]) -> ProteinRow:
    """What is indexed of a protein."""
    genes = (row["gene"], *row["gene_synonyms"]) if row["gene"] else ()
    diseases = [f"{d['name']} ({d['acronym']})" for d in row["diseases"]]
    numbers = dict.fromkeys(n for v in row["variants"] for n in v["dbsnp"])
    references = [i for r in row["references"] for i in (r[1:] if r[0] in ("RefSeq", "Ensembl") else r[1:2])]
    sites = dict.fromkeys(note for *_, note in row["sites"] if note)
    terms = [t["term"] for t in row["go"]]
    more = (row["entry_name"], row["accession"], *row["secondary"], *row["ec"], *references, *numbers, *sites)
    return ProteinRow(
        accession=row["accession"],
        secondary=tuple(row["secondary"]),
        name=row["entry_name"],
        reviewed=row["reviewed"],
        taxon=row["taxon"],
        organism=row["organism"],
        common=row["common_name"],
        genes=genes,
        words=(
            " ; ".join((row["name"], *row["names"])),
            " ; ".join(genes),
            f"{row['organism']} ; {row['common_name']}",
            " ; ".join((*row["keywords"], *terms, *row["locations"])),
            " ; ".join(diseases),
            " ; ".join((*more, *row["pmids"])),
        ),
        body=row["accession"].encode(),
    )


class _Names:
    """Names of proteins, and of their variants."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self._proteins = {
            row["accession"]: " ; ".join(
                (row["accession"], row["entry_name"], row["gene"], *row["gene_synonyms"], row["name"])
            )
            for row in rows
        }
        self._variants = {
            (row["accession"], v["id"]): " ; ".join(
                (f"{v['from']}{v['first']}{v['to'] or 'del'}", *v["dbsnp"])
            )
            for row in rows
            for v in row["variants"]
        }

    def of(self, paper: Mapping[str, Any]) -> str:
        """Names of the proteins that cite a paper, and the variants it is evidence of."""
        variants = (self._variants[a, v] for a, v in paper["variants"])
        return " ; ".join((*(self._proteins[a] for a in paper["proteins"]), *variants))


def _texts(paper: Mapping[str, Any], names: _Names) -> tuple[str, ...]:
    """The texts of the columns of ``mirrors.papers``."""
    authors = " ; ".join(map(papers.author_key, paper["authors"]))
    found = {
        "title": paper["title"],
        "authors": authors,
        "journal": paper["journal"],
        "pmid": paper["pmid"],
        "doi": paper["doi"],
        "years": str(paper["year"]),
        "linked": names.of(paper),
    }
    return tuple(found.get(column, "") for column in papers.COLUMNS)
