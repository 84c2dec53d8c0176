"""What a backend is, for whoever writes or asks one.

A backend is a module of this folder with ``connect(choice) -> Source``. It fills the records of
``tools.proteins.records`` and ``tools.literature.records``; selection of parts, isoforms and versions are
worked out from whole records by :mod:`labagent.tools.backends`, the same for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from labagent.tools.literature.records import PaperHits, PaperRecord
from labagent.tools.literature.records import SearchArguments as PaperQuery
from labagent.tools.proteins.records import ProteinHits, ProteinRecord
from labagent.tools.proteins.records import SearchArguments as ProteinQuery


@dataclass(frozen=True)
class Settings:
    """What backends are set to. ``files``: local files by name (``mirror:NAME``, ``recorded:NAME``);
    ``email`` is told to NCBI. Never holds a key: those come from the environment.
    """

    files: Mapping[str, Path] = field(default_factory=dict)
    email: str = ""


@dataclass(frozen=True)
class Choice:
    """A backend as asked for. ``name`` is what results call it (``mirror:sp``), ``detail`` what stands
    behind the colon, ``path`` the file that it names (``None`` where there is no colon).
    """

    name: str
    detail: str = ""
    path: Path | None = None
    settings: Settings = field(default_factory=Settings)


class ProteinSource(Protocol):
    """Entries of UniProtKB."""

    def protein(self, key: str) -> ProteinRecord:
        """The whole entry of a bare accession (no isoform, no version) or entry name, both upper case.

        ``asked`` is ``key``; a secondary or merged accession is followed and said in ``found_by``;
        ``source``, ``retrieved`` and ``missing`` are filled.

        Raises:
            ToolError: ``not_found`` (a deleted entry: with the reason in the message, a hint names it
                deleted), ``ambiguous`` (a demerged one: successors in ``allowed``), ``unavailable``.
        """
        ...

    def search_proteins(self, query: ProteinQuery) -> ProteinHits:
        """Entries that fit all conditions; nothing found is an empty list, not an error."""
        ...


class LiteratureSource(Protocol):
    """Papers of PubMed."""

    def papers(self, pmids: Sequence[str]) -> Sequence[PaperRecord]:
        """Those of the papers that the source has, in any order, ``source`` and ``retrieved`` filled."""
        ...

    def search_papers(self, query: PaperQuery) -> PaperHits:
        """Papers that fit; nothing found is an empty list.

        Raises:
            ToolError: ``input`` (the query cannot be read), ``unavailable``.
        """
        ...


@dataclass(frozen=True)
class Source:
    """A backend that is ready. Either part may be absent. ``identity`` changes whenever the source may
    answer the same question otherwise (hash of a file, address of a service): a stored result is used
    again only where all identities are as they were.
    """

    name: str
    identity: str
    proteins: ProteinSource | None = None
    literature: LiteratureSource | None = None
