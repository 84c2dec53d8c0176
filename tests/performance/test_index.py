"""Indexing and 100 queries over 50 MB of text, against SQLite's full-text search alone."""

from __future__ import annotations

import re
import sqlite3
import sysconfig
import time
from pathlib import Path

import pytest

from labagent.explore.index import open_index
from labagent.explore.index.chunks import chunks_of
from labagent.files import list_files

pytestmark = pytest.mark.performance
BYTES = 50_000_000
QUERIES = 100
DEFINITION = re.compile(r"^(?:def|class) (\w+(?:_|[a-z](?=[A-Z]))\w+)", re.MULTILINE)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    """Python, Markdown and text files of the installed packages, up to 50 MB."""
    root = tmp_path_factory.mktemp("corpus")
    site = Path(sysconfig.get_path("purelib"))
    left = BYTES
    for path in list_files(site, ignore=frozenset({"__pycache__"})):
        size = path.stat().st_size
        if left > 0 and path.suffix in {".py", ".pyi", ".md", ".rst", ".txt"} and size < 1 << 20:
            copy = root / "repository" / path.relative_to(site)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
            left -= size
    assert left <= 0, f"only {BYTES - left} bytes of text are installed here"
    return root


def cpu() -> float:
    return time.process_time()


def plain(artifacts: Path, database: Path) -> sqlite3.Connection:
    """The baseline: the same passages in a full-text table as SQLite splits them."""
    connection = sqlite3.connect(database)
    connection.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")
    connection.execute("CREATE VIRTUAL TABLE passages USING fts5(text, tokenize='porter unicode61')")
    with connection:
        rows = ((chunk.text,) for chunk in chunks_of(artifacts))
        connection.executemany("INSERT INTO passages VALUES (?)", rows)
    return connection


def test_index_of_50_megabytes(corpus, tmp_path):
    begun = cpu()
    baseline = plain(corpus, tmp_path / "plain.sqlite")
    alone = cpu() - begun
    begun = cpu()
    index = open_index(corpus)
    ours = cpu() - begun
    begun = cpu()
    open_index(corpus).close()
    again = cpu() - begun
    names = [name for text in texts(corpus) for name in DEFINITION.findall(text)][::50][:QUERIES]
    assert len(names) == QUERIES
    queries = [f"default value and threshold of {name}" for name in names]
    begun = cpu()
    found = [index.search(query, 10) for query in queries]
    asked = cpu() - begun
    begun = cpu()
    for query in queries:
        match = " OR ".join(f'"{word}"' for word in query.split())
        ask = "SELECT text FROM passages WHERE passages MATCH ? ORDER BY rank LIMIT 10"
        baseline.execute(ask, (match,)).fetchall()
    asked_alone = cpu() - begun
    top = sum(name in hits[0].text for name, hits in zip(names, found, strict=True))
    size = (corpus / ".index.sqlite").stat().st_size / 1e6
    print(
        f"\nindexing {BYTES / 1e6:.0f} MB ({len(index)} passages): {ours:.1f} CPU s, "
        f"FTS5 alone {alone:.1f} s, ratio {ours / alone:.2f}; {size:.0f} MB on disk; "
        f"opening again {again * 1000:.0f} ms"
        f"\n{QUERIES} queries: {asked:.2f} CPU s, FTS5 alone {asked_alone:.2f} s, "
        f"ratio {asked / asked_alone:.2f}; the name asked for is in the first passage for {top}"
    )
    assert top > 0.8 * QUERIES


def texts(corpus: Path) -> list[str]:
    """The Python files."""
    files = (path for path in list_files(corpus / "repository") if path.suffix == ".py")
    return [path.read_text(encoding="utf-8", errors="replace") for path in files]
