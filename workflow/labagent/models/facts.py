"""The bundled facts on well-known proteins and the papers they cite (``labagent/tools/facts/``).

Every row is a set of facts of one database record, with the record's version and date. Positions count
residues from 1 on the displayed sequence.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from labagent.models.base import Record

FACTS_VERSION: Literal[1] = 1
"""Version of this schema; a row says which one it follows."""

Residues = str
"""Residues in one-letter code, upper case."""


class FactSource(Record):
    """The record a row was read from. ``copy`` says where a public copy lies, ``sha256`` is that file's."""

    database: Literal["UniProtKB/Swiss-Prot", "UniProtKB/TrEMBL"]
    entry_version: int
    entry_date: str = Field(pattern=r"^\d{4}-\d\d-\d\d$")
    sequence_version: int
    licence: str
    copy_: str = Field(alias="copy")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class Isoform(Record):
    """An isoform: identifiers (``P10636-8``), name, whether its sequence is the displayed one."""

    ids: tuple[str, ...]
    name: str
    displayed: bool


class Disease(Record):
    """A disease that variants of the protein are linked to; ``mim`` is its OMIM number, or empty."""

    acronym: str
    name: str
    mim: str = ""


class GoTerm(Record):
    """A GO annotation. ``aspect``: C place, F function, P process; ``evidence``: GO or ECO code."""

    id: str = Field(pattern=r"^GO:\d{7}$")
    aspect: Literal["C", "F", "P"]
    term: str
    evidence: str


class NaturalVariant(Record):
    """A natural variant: residues ``first`` to ``last`` read ``from`` and become ``to`` (empty: missing)."""

    id: str = ""
    first: int = Field(ge=1)
    last: int = Field(ge=1)
    original: Residues = Field(alias="from")
    changed: Residues = Field(alias="to")
    dbsnp: tuple[str, ...] = ()
    disease: tuple[str, ...] = ()
    pmids: tuple[str, ...] = ()


Site = tuple[str, int, int, str]
"""Kind (``Domain``, ``Active site`` …), first and last residue, note."""


class ProteinFacts(Record):
    """What one UniProtKB entry says, without its comments in prose. ``mass`` is in Da, as stated."""

    schema_version: Literal[1] = FACTS_VERSION
    accession: str
    secondary: tuple[str, ...]
    entry_name: str
    reviewed: bool
    name: str
    names: tuple[str, ...]
    ec: tuple[str, ...]
    rhea: tuple[str, ...]
    gene: str
    gene_synonyms: tuple[str, ...]
    organism: str
    common_name: str
    taxon: int
    existence: int = Field(ge=1, le=5)
    sequence: Residues
    length: int
    mass: int
    crc64: str = Field(pattern=r"^[0-9A-F]{16}$")
    isoforms: tuple[Isoform, ...]
    locations: tuple[str, ...]
    diseases: tuple[Disease, ...]
    keywords: tuple[str, ...]
    go: tuple[GoTerm, ...]
    references: tuple[tuple[str, ...], ...]
    sites: tuple[Site, ...]
    variants: tuple[NaturalVariant, ...]
    pmids: tuple[str, ...]
    source: FactSource


class PaperFacts(Record):
    """A paper that a protein's entry cites. ``variants`` are ``(accession, feature id)`` it supports."""

    schema_version: Literal[1] = FACTS_VERSION
    pmid: str = Field(pattern=r"^\d{1,9}$")
    doi: str
    title: str
    journal: str
    year: int
    authors: tuple[str, ...]
    proteins: tuple[str, ...]
    variants: tuple[tuple[str, str], ...]


class InactiveEntry(Record):
    """An accession that is no entry any more: split into ``successors``, merged into one, or deleted."""

    schema_version: Literal[1] = FACTS_VERSION
    accession: str
    reason: Literal["demerged", "merged", "deleted"]
    successors: tuple[str, ...]
    licence: str
    copy_: str = Field(alias="copy")
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
