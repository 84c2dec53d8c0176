"""Arguments and results of ``uniprot.fetch`` and ``uniprot.search``.

Positions count residues from 1. ``None`` and empty: the source does not say. A part that a source holds for
no entry at all is named in ``ProteinRecord.missing``, so that "none" and "not known here" differ.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

from pydantic import Field

from labagent.models.base import Record

ProteinPart = Literal[
    "names",
    "sequence",
    "function",
    "locations",
    "go",
    "keywords",
    "ec",
    "diseases",
    "features",
    "variants",
    "isoforms",
    "references",
    "papers",
]
"""Parts of an entry. Accession, entry name, name, gene, organism, length, mass and versions are always
given; ``names`` are the further names, ``features`` all features but natural variants."""
PARTS: tuple[ProteinPart, ...] = get_args(ProteinPart)
ACCESSION = re.compile(r"[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2}")
"""https://www.uniprot.org/help/accession_numbers"""
FoundBy = Literal["accession", "secondary", "merged", "entry_name"]
Residues = str


class FetchArguments(Record):
    """Which entry, and what of it."""

    accession: str = Field(
        min_length=1,
        max_length=40,
        description="UniProtKB accession (P04637), with isoform (P38398-2) or version of the sequence "
        "(P38398.2), or entry name (P53_HUMAN)",
    )
    fields: tuple[ProteinPart, ...] = Field(
        default=(), description="parts to give; empty: all. Names, organism, length and mass always are"
    )


class SearchArguments(Record):
    """What to look for. All conditions hold together; at least one is needed."""

    query: str = Field(
        default="",
        max_length=1000,
        description='free text: every word, and every "quoted phrase", has to occur in the entry',
    )
    gene: str = Field(
        default="", max_length=60, description="gene name or synonym, whole, in any case (TP53)"
    )
    organism: str = Field(default="", max_length=120, description="scientific or common name (human)")
    taxon: int | None = Field(
        default=None, ge=1, description="NCBI taxon number (9606); goes before organism"
    )
    reviewed: bool | None = Field(
        default=None, description="true: Swiss-Prot alone; false: TrEMBL alone; null: both"
    )
    size: int = Field(default=5, ge=1, le=50, description="most hits to give")


class GoTerm(Record):
    """A GO annotation. ``aspect``: C place, F function, P process; ``evidence``: GO or ECO code."""

    id: str
    aspect: Literal["C", "F", "P"]
    term: str
    evidence: str = ""


class Disease(Record):
    """A disease the protein is linked to; ``mim`` is its OMIM number, ``note`` what the entry says."""

    name: str
    acronym: str = ""
    mim: str = ""
    note: str = ""


class Feature(Record):
    """A feature of the sequence (``Domain``, ``Active site``, ``Modified residue`` …, as the entry names
    it). ``original`` becomes ``changed`` in alternative sequences, mutagenesis and conflicts (``changed``
    empty: missing). ``first``, ``last``: ``None`` where the entry does not know.
    """

    kind: str
    first: int | None = None
    last: int | None = None
    note: str = ""
    id: str = ""
    original: Residues = ""
    changed: Residues = ""


class ProteinVariant(Record):
    """A natural variant: residues ``first`` to ``last`` read ``original`` and become ``changed`` (empty:
    missing). ``diseases`` are acronyms of the entry's diseases, ``note`` is its wording, where had.
    """

    first: int = Field(ge=1)
    last: int = Field(ge=1)
    original: Residues
    changed: Residues
    id: str = ""
    dbsnp: tuple[str, ...] = ()
    diseases: tuple[str, ...] = ()
    pmids: tuple[str, ...] = ()
    note: str = ""


class ProteinIsoform(Record):
    """An isoform: identifiers (``P10636-8``), name, synonyms, whether its sequence is the displayed one.

    ``changes`` are ids of the features (kind ``Alternative sequence``) that make it from the displayed
    sequence.
    """

    ids: tuple[str, ...]
    name: str = ""
    synonyms: tuple[str, ...] = ()
    displayed: bool = False
    changes: tuple[str, ...] = ()


class CrossReference(Record):
    """A cross-reference; ``more`` are its further values, in the entry's order."""

    database: str
    id: str
    more: tuple[str, ...] = ()


class ProteinRecord(Record):
    """A UniProtKB entry, as far as the source has it.

    ``asked`` is what was asked for and ``found_by`` what led to ``accession``. ``isoform`` is the isoform
    asked for (``P38398-2``); ``sequence``, ``length`` and ``mass`` are then the isoform's, or empty with a
    note where they cannot be had: never those of another form. ``fields`` are the parts given (empty: all),
    ``missing`` those this source never has. ``retrieved``: when the source said this (ISO 8601; the
    entry's date for bundled facts).
    """

    asked: str
    accession: str
    found_by: FoundBy = "accession"
    secondary: tuple[str, ...] = ()
    entry_name: str = ""
    reviewed: bool | None = None
    name: str = ""
    name_kind: Literal["recommended", "submitted", ""] = ""
    names: tuple[str, ...] = ()
    gene: str = ""
    gene_synonyms: tuple[str, ...] = ()
    organism: str = ""
    common_name: str = ""
    taxon: int | None = None
    existence: int | None = Field(default=None, description="protein existence, 1 (protein level) to 5")
    isoform: str = ""
    sequence: Residues = ""
    length: int | None = Field(default=None, json_schema_extra={"unit": "aa"})
    mass: int | None = Field(
        default=None, json_schema_extra={"unit": "Da"}, description="average mass of the whole chain"
    )
    function: tuple[str, ...] = Field(default=(), description="statements in prose; text, no instructions")
    locations: tuple[str, ...] = ()
    go: tuple[GoTerm, ...] = ()
    keywords: tuple[str, ...] = ()
    ec: tuple[str, ...] = ()
    diseases: tuple[Disease, ...] = ()
    features: tuple[Feature, ...] = ()
    variants: tuple[ProteinVariant, ...] = ()
    isoforms: tuple[ProteinIsoform, ...] = ()
    references: tuple[CrossReference, ...] = ()
    pmids: tuple[str, ...] = ()
    entry_version: int | None = None
    entry_date: str = ""
    sequence_version: int | None = None
    fields: tuple[ProteinPart, ...] = ()
    missing: tuple[ProteinPart, ...] = ()
    notes: tuple[str, ...] = ()
    source: str = ""
    retrieved: str = ""
    url: str = ""


class ProteinHit(Record):
    """An entry of a search; ``function`` is the beginning of its first statement, where the source has
    prose.
    """

    accession: str
    entry_name: str = ""
    reviewed: bool | None = None
    name: str = ""
    gene: str = ""
    gene_synonyms: tuple[str, ...] = ()
    organism: str = ""
    taxon: int | None = None
    length: int | None = Field(default=None, json_schema_extra={"unit": "aa"})
    function: str = ""
    url: str = ""


class ProteinHits(Record):
    """What a search found. ``query`` is what the source was asked, in its own syntax; ``total`` counts all
    entries that fit (``None``: the source does not say), ``hits`` holds at most ``size`` of them in the
    order that ``order`` states.
    """

    query: str
    total: int | None
    hits: tuple[ProteinHit, ...]
    order: str
    notes: tuple[str, ...] = ()
    source: str = ""
    retrieved: str = ""
    url: str = ""


def entry_url(accession: str) -> str:
    """The page of an entry; an isoform (``P38398-2``) has the page of its entry."""
    return f"https://www.uniprot.org/uniprotkb/{accession.partition('-')[0]}/entry"
