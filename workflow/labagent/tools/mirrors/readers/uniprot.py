"""UniProtKB flat files (``.dat``, ``.txt``)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Literal

from labagent.tools.mirrors.flat import entries
from labagent.tools.mirrors.indexing import protein_row
from labagent.tools.mirrors.proteins import add
from labagent.tools.mirrors.readers import Change
from labagent.tools.mirrors.streams import Source, fault

TITLE = "UniProtKB flat file (uniprot_sprot.dat.gz)"
KIND: Literal["proteins", "papers"] = "proteins"
GROWTH = 0.8


def accepts(head: bytes) -> bool:
    """An entry begins with its ID line."""
    return head.startswith(b"ID   ")


def fill(connection: sqlite3.Connection, source: Source) -> Iterator[Change]:
    """Index the entries of a file; an accession that is there already is a fault."""
    for entry in entries(source):
        try:
            add(connection, protein_row(entry))
        except sqlite3.IntegrityError as error:
            message = f"the accession {entry.accessions[0]} is in the mirror already: give each entry once"
            raise fault(source.path, entry.line, message, entry.name) from error
        yield "added"
