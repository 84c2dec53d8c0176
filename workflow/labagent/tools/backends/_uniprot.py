"""UniProtKB over its REST interface (https://www.uniprot.org/help/api)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from labagent.errors import ToolError
from labagent.tools.backends._http import Answer, Service
from labagent.tools.backends._uniprot_json import hit_of, inactive, record_of
from labagent.tools.proteins.records import ACCESSION, ProteinHits, ProteinRecord, SearchArguments

FIELDS = "accession,id,reviewed,protein_name,gene_names,organism_name,organism_id,length,cc_function"
ORDER = "UniProt's score, best first"
FOLLOWED = 3
"""Most merges that are followed one after another."""


class UniProt:
    """Entries of UniProtKB; meets the protocol ``ProteinSource``.

    Args:
        service: where it is asked.
        now: the time, ISO 8601, for what is retrieved.
    """

    def __init__(self, service: Service, now: Callable[[], str]) -> None:
        self._service, self._now = service, now

    def protein(self, key: str) -> ProteinRecord:
        """The entry of an accession or entry name; see the protocol for errors."""
        if "_" in key:
            return self._by_name(key)
        entry, wanted = self._entry(key), key
        for _ in range(FOLLOWED):
            gone = inactive(entry)
            if gone is None:
                return self._record(entry, key)
            kind, successors, why = gone
            if len(successors) != 1:
                raise _gone(wanted, kind, successors, why)
            wanted = successors[0]
            if not ACCESSION.fullmatch(wanted):
                raise ToolError("unavailable", f"UniProt merges {key} into what is no accession")
            entry = self._entry(wanted)
        raise ToolError("not_found", f"UniProt: {key} was merged more than {FOLLOWED} times", value=key)

    def search_proteins(self, query: SearchArguments) -> ProteinHits:
        """Entries that fit; see the protocol."""
        text = search_query(query)
        values = {"query": text, "fields": FIELDS, "size": query.size, "format": "json"}
        answer = self._service.get("uniprotkb/search", values, check=_is_object)
        found = _object(answer)
        results = found.get("results")
        if not isinstance(results, list):
            raise ToolError("unavailable", "UniProt answers a search without results; its format has changed")
        hits = [hit for r in results if isinstance(r, dict) for hit in [hit_of(r)] if hit]
        return ProteinHits(
            query=text,
            total=_total(answer),
            hits=tuple(hits[: query.size]),
            order=ORDER,
            notes=() if hits else ("UniProt knows no entry that fits all of the conditions",),
            source="live",
            retrieved=self._now(),
            url=f"https://www.uniprot.org/uniprotkb?query={_quoted(text)}",
        )

    def _by_name(self, name: str) -> ProteinRecord:
        """The entry of an entry name, present or former."""
        values = {"query": f"(id:{name})", "format": "json", "size": 2}
        found = _object(self._service.get("uniprotkb/search", values, check=_is_object)).get("results")
        entries = [e for e in found if isinstance(e, dict)] if isinstance(found, list) else []
        active = [e for e in entries if inactive(e) is None and e.get("uniProtkbId") == name]
        if not active:
            hint = "names of entries change; ask for the accession, or search by name or gene"
            raise ToolError(
                "not_found",
                f"UniProt has no entry called {name}",
                field="accession",
                value=name,
                hints=[hint],
            )
        return self._record(active[0], name)

    def _entry(self, accession: str) -> dict[str, Any]:
        """An entry as UniProt gives it; its redirects of obsolete accessions are followed."""
        try:
            answer = self._service.get(f"uniprotkb/{accession}", {"format": "json"}, check=_is_object)
        except ToolError as error:
            if error.code not in ("not_found", "input"):
                raise
            raise ToolError(
                "not_found",
                f"UniProt has no entry {accession} ({error.message})",
                field="accession",
                value=accession,
            ) from None
        return _object(answer)

    def _record(self, entry: dict[str, Any], asked: str) -> ProteinRecord:
        """An entry as a record."""
        try:
            record = record_of(entry, asked, source="live", retrieved=self._now())
        except ValueError as error:
            message = f"UniProt's answer on {asked} is no entry: {error}"
            raise ToolError("unavailable", message) from None
        if record.found_by not in ("secondary", "merged"):
            return record
        note = f"{asked} is no accession of its own any more; it led to {record.accession}"
        return record.model_copy(update={"notes": (*record.notes, note)})


def search_query(query: SearchArguments) -> str:
    """Conditions in UniProt's query syntax (https://www.uniprot.org/help/query-fields).

    Words are quoted where they hold a sign of the syntax, so that no text is read as a command of it.
    """
    parts = [_word(m[0]) for m in re.finditer(r'"[^"]*"|[^\s"]+', query.query)]
    parts = [p for p in parts if p]
    if query.gene:
        parts.append(f"(gene_exact:{_phrase(query.gene)})")
    if query.taxon is not None:
        parts.append(f"(organism_id:{query.taxon})")
    elif query.organism:
        parts.append(f"(organism_name:{_phrase(query.organism)})")
    if query.reviewed is not None:
        parts.append(f"(reviewed:{'true' if query.reviewed else 'false'})")
    if not parts:
        raise ToolError(
            "input",
            "the query holds no word to look for",
            field="query",
            value=query.query[:60],
            allowed="words",
        )
    return " AND ".join(parts)


def _word(piece: str) -> str:
    """A word or phrase; empty for signs without a letter or digit."""
    text = piece.strip('"')
    if not any(c.isalnum() for c in text):
        return ""
    plain = re.fullmatch(r"[^\W_]+(?:\*)?", text) and text not in ("AND", "OR", "NOT", "TO")
    return text if plain and piece[:1] != '"' else _phrase(text)


def _phrase(text: str) -> str:
    """Text in quotes, with nothing in it that ends them."""
    return '"' + " ".join(text.replace("\\", " ").replace('"', " ").split()) + '"'


def _quoted(text: str) -> str:
    """Text for an address."""
    from urllib.parse import quote

    return quote(text, safe="")


def _gone(accession: str, kind: str, successors: tuple[str, ...], why: str) -> ToolError:
    """The error of an accession that names no single entry any more."""
    if successors:
        return ToolError(
            "ambiguous",
            f"{accession} was split: its entry went into {', '.join(successors)}",
            field="accession",
            value=accession,
            allowed=", ".join(successors),
            hints=["ask for one of them"],
        )
    reason = f": {why}" if why else ""
    return ToolError(
        "not_found",
        f"{accession} was deleted from UniProtKB{reason}",
        field="accession",
        value=accession,
        hints=[f"deleted ({kind.lower() or 'no reason given'}); its sequence is still in UniParc"],
    )


def _is_object(answer: Answer) -> None:
    """Whether an answer is whole; ``ValueError`` otherwise."""
    if not isinstance(json.loads(answer.text), dict):
        raise ValueError("no JSON object")


def _object(answer: Answer) -> dict[str, Any]:
    """An answer that was checked."""
    found: dict[str, Any] = json.loads(answer.text)
    return found


def _total(answer: Answer) -> int | None:
    """How many entries fit."""
    value = answer.headers.get("x-total-results") or answer.headers.get("x-total-records") or ""
    return int(value) if value.isdigit() else None
