"""Papers in SQLite: found by PubMed id and by queries in PubMed's syntax.

A paper's number in the tables is its PubMed id; ``body`` is its record as compressed JSON.
"""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labagent.tools.literature.records import PaperRecord, SearchArguments
from labagent.tools.mirrors.database import META, Database
from labagent.tools.mirrors.matching import expression, read
from labagent.tools.mirrors.words import TOKENIZER, folded

COLUMNS = "title abstract authors journal mesh types language keywords pmid doi years linked".split()
TABLES = (
    META,
    "CREATE TABLE paper (pmid INTEGER PRIMARY KEY, version INTEGER NOT NULL, year INTEGER)",
    "CREATE TABLE body (pmid INTEGER PRIMARY KEY, body BLOB NOT NULL)",
    f"CREATE VIRTUAL TABLE words USING fts5 ({', '.join(COLUMNS)}, content='', tokenize='{TOKENIZER}')",
)
INDEXES: tuple[str, ...] = ()
WEIGHTS = "5.0, 1.0, 2.0, 0.5, 2.0, 0.5, 0.0, 2.0, 1.0, 1.0, 0.0, 1.0"
"""Of the columns in BM25."""
ORDERS = {
    "relevance": "best match first (BM25, titles weigh most), then newest year, then highest PubMed id",
    "date": "newest year first, then highest PubMed id",
}
_INSERT = f"INSERT INTO words (rowid, {', '.join(COLUMNS)}) VALUES (?{', ?' * len(COLUMNS)})"
_DELETE = f"INSERT INTO words (words, rowid, {', '.join(COLUMNS)}) VALUES ('delete', ?{', ?' * len(COLUMNS)})"
_INITIALS = re.compile(r"(?P<name>.+?) (?P<initials>(?:[A-Z]\w?[.-]*)+)(?P<more> \S+)?")


@dataclass(frozen=True, slots=True)
class PaperRow:
    """What is indexed of a paper: the texts of ``COLUMNS``, and its record as its maker keeps it."""

    pmid: str
    version: int
    year: int | None
    texts: tuple[str, ...]
    body: bytes


@dataclass(frozen=True)
class FoundPapers:
    """Bodies of the first papers found, how many fit, how they are ordered, how the query was read."""

    bodies: tuple[bytes, ...]
    total: int
    order: str
    asked: str
    notes: tuple[str, ...]


def add(connection: sqlite3.Connection, row: PaperRow) -> None:
    """Index one paper that is not there yet."""
    number = int(row.pmid)
    connection.execute("INSERT INTO paper VALUES (?, ?, ?)", (number, row.version, row.year))
    connection.execute("INSERT INTO body VALUES (?, ?)", (number, row.body))
    connection.execute(_INSERT, (number, *map(folded, row.texts)))


def replace(connection: sqlite3.Connection, row: PaperRow) -> bool:
    """Index one paper in place of an earlier version; an older one than there is, is passed over."""
    known = connection.execute("SELECT version FROM paper WHERE pmid = ?", (int(row.pmid),)).fetchone()
    if known and known[0] > row.version:
        return False
    if known:
        remove(connection, row.pmid)
    add(connection, row)
    return True


def remove(connection: sqlite3.Connection, pmid: str) -> bool:
    """Take a paper out that :func:`paper_row` made; whether it was there."""
    found = connection.execute("SELECT body FROM body WHERE pmid = ?", (int(pmid),)).fetchone()
    if not found:
        return False
    connection.execute(_DELETE, (int(pmid), *map(folded, _unpacked(found[0])[1])))
    for table in ("paper", "body"):
        connection.execute(f"DELETE FROM {table} WHERE pmid = ?", (int(pmid),))
    return True


def paper_row(record: PaperRecord, *, version: int = 1, more: Mapping[str, str] | None = None) -> PaperRow:
    """The row of a paper.

    Args:
        record: the paper.
        version: of the record; a later one takes the place of an earlier one.
        more: texts that are searched and that the record does not hold, by column (full name of the journal,
            authors past the twentieth, the year of electronic publication).
    """
    kept = {"record": record.model_dump(mode="json", exclude_defaults=True), "more": dict(more or {})}
    body = json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode()
    texts = _texts(record, kept["more"])
    return PaperRow(record.pmid, version, record.year, texts, zlib.compress(body, 6))


def paper_record(body: bytes) -> PaperRecord:
    """The paper that :func:`paper_row` kept."""
    return _unpacked(body)[0]


class PaperTable:
    """Papers of a database. ``lacking``: fields of queries that it keeps nothing of."""

    def __init__(self, database: Database, lacking: frozenset[str] = frozenset()) -> None:
        self._database, self._lacking = database, lacking

    def bodies(self, pmids: Sequence[str]) -> list[bytes]:
        """Those of the papers that are here."""
        marks = ", ".join("?" * len(pmids))
        rows = self._database.rows(f"SELECT body FROM body WHERE pmid IN ({marks})", [int(p) for p in pmids])
        return [body for (body,) in rows]

    def size(self) -> int:
        """How many papers there are."""
        return int(self._database.rows("SELECT count(*) FROM paper")[0][0])

    def search(self, query: SearchArguments) -> FoundPapers:
        """Papers that fit.

        Raises:
            ToolError: ``input``: the query cannot be read; ``unavailable``.
        """
        asked = read(query, self._lacking)
        match = expression(asked.tree)
        total = self._database.rows("SELECT count(*) FROM words WHERE words MATCH ?", [match])[0][0]
        order = "paper.year DESC, paper.pmid DESC"
        if query.order == "relevance":
            order = f"round(bm25(words, {WEIGHTS}), 6), {order}"
        joined = "words JOIN paper ON paper.pmid = words.rowid"
        sql = f"SELECT paper.pmid FROM {joined} WHERE words MATCH ? ORDER BY {order} LIMIT ?"
        numbers = self._database.rows(sql, [match, query.size])
        bodies = tuple(self._database.rows("SELECT body FROM body WHERE pmid = ?", n)[0][0] for n in numbers)
        return FoundPapers(bodies, total, ORDERS[query.order], asked.written, asked.notes)


def author_key(name: str) -> str:
    """An author as indexed: ``Hu Y.-F.`` is ``Hu YF``."""
    match = _INITIALS.fullmatch(name.strip())
    if not match or not ("." in match["initials"] or "-" in match["initials"]):
        return name
    return f"{match['name']} {re.sub('[.-]', '', match['initials'])}{match['more'] or ''}"


def _texts(paper: PaperRecord, more: Mapping[str, str]) -> tuple[str, ...]:
    """The texts of the columns."""
    found = {
        "title": paper.title,
        "abstract": paper.abstract,
        "authors": " ; ".join(map(author_key, paper.authors)),
        "journal": paper.journal,
        "mesh": " ; ".join(paper.mesh),
        "types": " ; ".join(paper.types),
        "language": paper.language,
        "keywords": " ; ".join(paper.keywords),
        "pmid": paper.pmid,
        "doi": f"{paper.doi} ; {paper.pmcid}",
        "years": str(paper.year or ""),
    }
    return tuple(f"{found.get(column, '')} ; {more.get(column, '')}" for column in COLUMNS)


def _unpacked(body: bytes) -> tuple[PaperRecord, tuple[str, ...]]:
    """The paper that :func:`paper_row` kept, and its texts."""
    kept = json.loads(zlib.decompress(body))
    record = PaperRecord.model_validate(kept["record"])
    return record, _texts(record, kept["more"])
