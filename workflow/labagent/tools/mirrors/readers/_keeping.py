"""Papers of several files: the later version counts."""

from __future__ import annotations

import sqlite3

from labagent.tools.mirrors.papers import PaperRow, add, remove, replace
from labagent.tools.mirrors.readers import Change


def keep(connection: sqlite3.Connection, row: PaperRow) -> Change:
    """Index a paper; one read later takes the place of one read before, unless its version is lower."""
    try:
        add(connection, row)
    except sqlite3.IntegrityError:
        return "replaced" if replace(connection, row) else "skipped"
    return "added"


def drop(connection: sqlite3.Connection, pmid: str) -> Change:
    """Take a paper out that PubMed deleted."""
    return "removed" if remove(connection, pmid) else "skipped"
