"""Arguments and result of the tools on identifiers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from labagent.models.base import Record
from labagent.tools.variants.records import MAX_QUESTION

Basis = Literal["", "stated", "spelling", "default"]


class FindArguments(Record):
    """A question or any other text."""

    text: str = Field(min_length=1, max_length=MAX_QUESTION, description="a question, in English or Chinese")


class Identifier(Record):
    """An identifier. ``value`` is its canonical form without version, except where the version is part of it.

    Of UniProt ``P38398-2.3``: value ``P38398``, isoform ``2``, version ``3``; RefSeq and Ensembl keep
    versions in their value.
    """

    namespace: str
    value: str
    written: str
    start: int = Field(description="place in the text, from 0")
    version: str = ""
    isoform: str = ""
    certain: bool = True
    organism: str = Field(default="", description="scientific name; genes only")
    taxon: int | None = None
    organism_basis: Basis = Field(
        default="", description="stated in the text, by the symbol's spelling, or the default (human)"
    )
    notes: tuple[str, ...] = ()


class FindResult(Record):
    """Identifiers in the order of the text; none inside another."""

    identifiers: tuple[Identifier, ...]
