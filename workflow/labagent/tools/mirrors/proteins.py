"""Proteins in SQLite: found by accession, name, gene, organism and words.

``body`` is an entry as its maker keeps it; what it means is not known here. Bodies have a table of their own,
so that ordering thousands of hits reads few pages.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from labagent.errors import ToolError
from labagent.tools.mirrors.database import META, Database
from labagent.tools.mirrors.words import TOKENIZER, every_word, folded
from labagent.tools.naming.organisms import ORGANISMS
from labagent.tools.proteins.records import SearchArguments

TABLES = (
    META,
    "CREATE TABLE entry (id INTEGER PRIMARY KEY, accession TEXT UNIQUE NOT NULL, name TEXT NOT NULL, "
    "reviewed INTEGER NOT NULL, taxon INTEGER, organism TEXT NOT NULL, common TEXT NOT NULL)",
    "CREATE TABLE body (entry INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    "CREATE TABLE secondary (accession TEXT NOT NULL, entry INTEGER NOT NULL)",
    "CREATE TABLE gene (name TEXT NOT NULL, entry INTEGER NOT NULL, place INTEGER NOT NULL)",
    "CREATE VIRTUAL TABLE words USING fts5 (names, genes, organism, keywords, comments, more, content='', "
    f"tokenize='{TOKENIZER}')",
)
INDEXES = (
    "CREATE INDEX entry_name ON entry (name)",
    "CREATE INDEX entry_taxon ON entry (taxon)",
    "CREATE INDEX entry_organism ON entry (organism)",
    "CREATE INDEX entry_common ON entry (common)",
    "CREATE INDEX secondary_accession ON secondary (accession)",
    "CREATE INDEX gene_name ON gene (name, entry, place)",
)
WEIGHTS = "10.0, 10.0, 2.0, 3.0, 1.0, 0.5"
"""Of names, genes, organism, keywords, comments and the rest (identifiers, notes of features) in BM25."""
BY_WORDS = "best match first (BM25, names and genes weigh most), then reviewed entries, then accession"
BY_GENE = "entries whose first gene name it is, then reviewed ones, then accession"
BY_STATUS = "reviewed entries first, then accession"


@dataclass(frozen=True, slots=True)
class ProteinRow:
    """What is indexed of an entry. ``words`` are the texts of the six columns of the full-text table."""

    accession: str
    secondary: tuple[str, ...]
    name: str
    reviewed: bool
    taxon: int | None
    organism: str
    common: str
    genes: tuple[str, ...]
    words: tuple[str, str, str, str, str, str]
    body: bytes


@dataclass(frozen=True)
class FoundProteins:
    """Bodies of the first entries found, how many fit, how they are ordered, what was asked."""

    bodies: tuple[bytes, ...]
    total: int
    order: str
    asked: str
    notes: tuple[str, ...] = ()


def add(connection: sqlite3.Connection, row: ProteinRow) -> None:
    """Index one entry; an accession that is there already is an ``sqlite3.IntegrityError``."""
    values = (row.accession, row.name, row.reviewed, row.taxon)
    keys = (row.organism.casefold(), row.common.casefold())
    columns = "accession, name, reviewed, taxon, organism, common"
    sql = f"INSERT INTO entry ({columns}) VALUES (?, ?, ?, ?, ?, ?)"
    number = connection.execute(sql, (*values, *keys)).lastrowid
    connection.execute("INSERT INTO body VALUES (?, ?)", (number, row.body))
    connection.executemany("INSERT INTO secondary VALUES (?, ?)", [(a, number) for a in row.secondary])
    genes = [(g.casefold(), number, place) for place, g in enumerate(row.genes)]
    connection.executemany("INSERT INTO gene VALUES (?, ?, ?)", genes)
    texts = [folded(text) for text in row.words]
    connection.execute("INSERT INTO words (rowid, names, genes, organism, keywords, comments, more) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?)", (number, *texts))  # fmt: skip


class Proteins:
    """Entries of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def body(self, key: str) -> bytes | None:
        """The entry of an accession that is current, or of an entry name; upper case."""
        column = "name" if "_" in key else "accession"
        joined = "entry JOIN body ON body.entry = entry.id"
        rows = self._database.rows(f"SELECT body FROM {joined} WHERE entry.{column} = ?", [key])
        return rows[0][0] if len(rows) == 1 else None

    def successors(self, accession: str) -> tuple[str, ...]:
        """Accessions of the entries that an accession went into."""
        joined = "secondary JOIN entry ON entry.id = secondary.entry"
        sql = f"SELECT entry.accession FROM {joined} WHERE secondary.accession = ? ORDER BY 1"
        return tuple(a for (a,) in self._database.rows(sql, [accession]))

    def size(self) -> int:
        """How many entries there are."""
        return int(self._database.rows("SELECT count(*) FROM entry")[0][0])

    def search(self, query: SearchArguments) -> FoundProteins:
        """Entries that fit all conditions.

        Raises:
            ToolError: ``input``: there is no condition; ``unavailable``.
        """
        words = every_word(query.query)
        notes = () if words or not query.query.strip() else (f"no word to look for in {query.query[:80]!r}",)
        conditions, values, asked = _conditions(query)
        if words:
            conditions.insert(0, "words MATCH ?")
            values.insert(0, words)
            asked.insert(0, words)
        if not conditions:
            raise ToolError("input", "there is nothing to look for", field="query", value=query.query[:80],
                            allowed="words, a gene, an organism or a taxon")  # fmt: skip
        table = "words JOIN entry ON entry.id = words.rowid" if words else "entry"
        where = f"FROM {table} WHERE {' AND '.join(conditions)}"
        counted = "FROM words WHERE words MATCH ?" if len(conditions) == 1 and words else where
        total = self._database.rows(f"SELECT count(*) {counted}", values)[0][0]
        order, said = _order(bool(words), query.gene)
        more = [query.gene.strip().casefold()] if query.gene.strip() else []
        chosen = f"SELECT entry.id {where} ORDER BY {order} LIMIT ?"
        numbers = self._database.rows(chosen, [*values, *more, query.size])
        bodies = tuple(self._database.rows("SELECT body FROM body WHERE entry = ?", n)[0][0] for n in numbers)
        return FoundProteins(bodies, total, said, " AND ".join(asked), notes)


def _conditions(query: SearchArguments) -> tuple[list[str], list[object], list[str]]:
    """Conditions but that on words: SQL, its values, and in words."""
    conditions: list[str] = []
    values: list[object] = []
    asked: list[str] = []
    if gene := query.gene.strip():
        conditions.append("entry.id IN (SELECT entry FROM gene WHERE name = ?)")
        values.append(gene.casefold())
        asked.append(f"gene:{gene}")
    if query.taxon is not None:
        conditions.append("entry.taxon = ?")
        values.append(query.taxon)
        asked.append(f"taxon:{query.taxon}")
    elif organism := query.organism.strip():
        sql, names = _organism(organism)
        conditions.append(sql)
        values += names
        asked.append(f'organism:"{organism}"')
    if query.reviewed is not None:
        conditions.append("entry.reviewed = ?")
        values.append(int(query.reviewed))
        asked.append(f"reviewed:{str(query.reviewed).lower()}")
    return conditions, values, asked


def _organism(text: str) -> tuple[str, Sequence[object]]:
    """Entries of an organism by scientific name (with any strain) or common name."""
    key = text.casefold()
    known = next((o for o in ORGANISMS if key == o.name.casefold() or key in o.words), None)
    name = known.name.casefold() if known else key
    taxon = known.taxon if known else -1
    strain = "(entry.organism >= ? AND entry.organism < ?)"
    sql = f"(entry.organism = ? OR {strain} OR entry.common = ? OR entry.taxon = ?)"
    return sql, (name, f"{name} (", f"{name} )", key, taxon)


def _order(by_words: bool, gene: str) -> tuple[str, str]:
    """How hits are ordered: SQL and in words."""
    last = "entry.reviewed DESC, entry.accession"
    if gene.strip():
        place = "(SELECT min(place) > 0 FROM gene WHERE gene.entry = entry.id AND gene.name = ?)"
        return f"{place}, {last}", BY_GENE
    if by_words:
        return f"round(bm25(words, {WEIGHTS}), 6), {last}", BY_WORDS
    return last, BY_STATUS
