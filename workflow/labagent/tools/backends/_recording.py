"""Recorded calls of another system, read from a JSON-lines file.

A line is an object with ``tool``, ``arguments``, ``result`` and ``recorded_at``. Lines whose ``origin`` is
``implied`` were never observed and are left out, as are recorded failures.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from labagent.errors import ToolError
from labagent.tools.literature.records import PMID
from labagent.tools.literature.syntax import Node, Years, parse_query, terms_of
from labagent.tools.literature.words import STOP_WORDS, words_of
from labagent.tools.proteins.records import ACCESSION

NOISE = frozenset(
    "pubmed uniprot find paper papers article articles literature recent related search".split()
)
"""Words of a question that tell nothing of its topic."""
LIKE, BROADER = 0.6, 0.5
"""Share of words that two queries must have in common (of all words of both); the second where the recorded
one asks for nothing that this one does not."""


@dataclass(frozen=True)
class Search:
    """A recorded search: its words, the years it was limited to, its hits, and whether these are all."""

    text: str
    words: frozenset[str]
    years: tuple[int, int] | None
    hits: tuple[Mapping[str, Any], ...]
    size: int
    when: str


@dataclass
class Recording:
    """A file's calls. ``entries`` are UniProt entries by accession and by name, ``papers`` by PubMed id, each
    with the time of its call.
    """

    entries: dict[str, tuple[Mapping[str, Any], str]] = field(default_factory=dict)
    protein_searches: list[Search] = field(default_factory=list)
    paper_searches: list[Search] = field(default_factory=list)
    papers: dict[str, tuple[Mapping[str, Any], str]] = field(default_factory=dict)


@lru_cache(maxsize=4)
def read_recording(path: Path, identity: str) -> Recording:
    """A file's calls, read once as long as its content (``identity``) is the same.

    Raises:
        ToolError: ``input``: a line is no JSON object, or the file cannot be read; the message names it.
    """
    found = Recording()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            call = json.loads(line)
        except ValueError:
            call = None
        if not isinstance(call, dict):
            raise ToolError(
                "input", f"{path.name}, line {number}: no JSON object", field="backend", value=path.name
            )
        result = call.get("result")
        if call.get("origin") != "implied" and isinstance(result, dict) and "error" not in result:
            _add(found, str(call.get("tool")), call, result)
    return found


def _add(found: Recording, tool: str, call: Mapping[str, Any], result: Mapping[str, Any]) -> None:
    """One recorded call."""
    when = string(call, "recorded_at")
    if tool == "uniprot.fetch" and ACCESSION.fullmatch(string(result, "accession")):
        _add_entry(found, result, when)
    if tool not in ("uniprot.search", "pubmed.search"):
        return
    arguments = call.get("arguments")
    asked = arguments if isinstance(arguments, dict) else {}
    text = string(asked, "query")
    listed = result.get("hits")
    hits = tuple(h for h in listed if isinstance(h, dict)) if isinstance(listed, list) else ()
    size = number(asked, "size") or number(asked, "max_results") or 5
    form, name = (ACCESSION, "accession") if tool == "uniprot.search" else (PMID, "pmid")
    hits = tuple(h for h in hits if form.fullmatch(string(h, name)))
    if tool == "uniprot.search":
        found.protein_searches.append(Search(text, topic(text), None, hits, size, when))
        for hit in hits:
            if string(hit, "accession") not in found.entries:
                _add_entry(found, hit, when)
        return
    words, years = paper_words(text)
    found.paper_searches.append(Search(text, words, years, hits, size, when))
    for hit in hits:
        found.papers.setdefault(string(hit, "pmid"), (hit, when))


def _add_entry(found: Recording, entry: Mapping[str, Any], when: str) -> None:
    """An entry, by accession and by name."""
    for key in (string(entry, "accession"), string(entry, "id")):
        if key:
            found.entries[key] = entry, when


def nearest(
    searches: Sequence[Search], words: frozenset[str], years: tuple[int, int] | None
) -> Search | None:
    """The recorded search that shares most words with the one asked for, within the same years."""
    best: tuple[float, Search] | None = None
    for search in searches:
        union = search.words | words
        if not union or search.years != years:
            continue
        share = len(search.words & words) / len(union)
        enough = BROADER if search.words <= words else LIKE
        if share >= enough and (best is None or share > best[0]):
            best = share, search
    return best[1] if best else None


def paper_words(text: str) -> tuple[frozenset[str], tuple[int, int] | None]:
    """Words and years of a recorded query; one that is no PubMed syntax has no years."""
    try:
        node = parse_query(text)
    except ToolError:
        return topic(text), None
    words = frozenset(w for t in terms_of(node) for w in t.words)
    return words - STOP_WORDS - NOISE, years_of(node)


def years_of(node: Node) -> tuple[int, int] | None:
    """The years a query is limited to."""
    if isinstance(node, Years):
        return node.first, node.last
    for name in ("left", "right"):
        if (part := getattr(node, name, None)) is not None and (years := years_of(part)):
            return years
    return None


def topic(text: str) -> frozenset[str]:
    """The words that tell what a text is about; a plural counts as its singular."""
    words = (w[:-1] if len(w) > 4 and w.endswith("s") and not w.endswith("ss") else w for w in words_of(text))
    return frozenset(words) - STOP_WORDS - NOISE


def string(value: Mapping[str, Any], name: str) -> str:
    """A string, or nothing."""
    found = value.get(name)
    return " ".join(found.split()) if isinstance(found, str) else ""


def number(value: Mapping[str, Any], name: str) -> int | None:
    """A number, or nothing."""
    found = value.get(name)
    return found if isinstance(found, int) and not isinstance(found, bool) else None
