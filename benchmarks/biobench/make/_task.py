"""What every task generator uses: the facts, the shape of a task, typed gold."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from Bio.SeqUtils import seq3

STORE = Path(__file__).resolve().parents[3] / "workflow" / "labagent" / "tools" / "facts"
Gold = dict[str, Any]
ON_SEQUENCE = "variant.apply|variant.compare|variant.effect"
"""Each puts a change on a sequence and checks the residue that it names."""
Task = dict[str, Any]


@cache
def proteins() -> dict[str, dict[str, Any]]:
    """The proteins of the store by accession."""
    return {row["accession"]: row for row in _rows("proteins")}


@cache
def papers() -> dict[str, dict[str, Any]]:
    """The papers of the store by PubMed id."""
    return {row["pmid"]: row for row in _rows("literature")}


@cache
def inactive() -> dict[str, dict[str, Any]]:
    """Accessions that are no entries any more."""
    return {row["accession"]: row for row in _rows("inactive")}


def _rows(name: str) -> Iterable[dict[str, Any]]:
    """The JSON lines of one file of the store."""
    with gzip.open(STORE / f"{name}.jsonl.gz", "rt", encoding="utf-8") as stream:
        yield from (json.loads(line) for line in stream)


def task(
    identifier: str,
    question: str,
    gold: Sequence[Gold],
    tools: str,
    how: str,
    *,
    split: str = "basic",
    route: str = "",
    outcome: str = "answer",
    history: Sequence[str] = (),
    facts: Sequence[str] = (),
) -> Task:
    """One task; its category is the word before the first hyphen of ``identifier``."""
    category = identifier.split("-")[0]
    return {
        "schema_version": 1,
        "id": identifier,
        "category": category,
        "split": split,
        "language": "zh" if re.search(r"[\u4e00-\u9fff]", question) else "en",
        "history": list(history),
        "question": question,
        "route": route or category,
        "outcome": outcome,
        "tools": tools.split(),
        "gold": list(gold),
        "derivation": how,
        "facts": list(facts),
    }


def number(
    name: str, value: float, unit: str = "", tolerance: float = 0.0, *, absolute: bool = False
) -> Gold:
    """A quantity within ``tolerance`` (same unit); ``absolute``: a difference, taken either way round."""
    return {
        "kind": "number",
        "name": name,
        "value": value,
        "tolerance": tolerance,
        "unit": unit,
        "absolute": absolute,
    }


def identifier(namespace: str, value: str) -> Gold:
    """An identifier that must stand whole in the answer."""
    return {"kind": "identifier", "namespace": namespace, "value": value}


def string(name: str, *accepted: str) -> Gold:
    """A text; any accepted spelling counts, case does not."""
    return {"kind": "string", "name": name, "accepted": list(accepted)}


def residues(name: str, value: str) -> Gold:
    """A sequence; spaces and line ends in the answer do not count, case does."""
    return {"kind": "sequence", "name": name, "value": value}


def choice(name: str, value: bool, says: Sequence[str], denies: Sequence[str]) -> Gold:
    """A yes or no: one of ``says`` must stand in the answer, none of ``denies``."""
    return {"kind": "boolean", "name": name, "value": value, "says": list(says), "denies": list(denies)}


def some(namespace: str, values: Iterable[str], minimum: int, *, only: bool = False) -> Gold:
    """At least ``minimum`` identifiers of a set; ``only``: none of that namespace from outside it."""
    ordered = sorted(set(values))
    return {"kind": "set", "namespace": namespace, "values": ordered, "minimum": minimum, "only": only}


def three(change: str) -> str:
    """``G12D`` as ``p.Gly12Asp``."""
    match = re.fullmatch(r"([A-Z])(\d+)([A-Z*])", change)
    if match is None:
        raise SystemExit(f"{change}: not a substitution")
    changed = "Ter" if match[3] == "*" else seq3(match[3])
    return f"p.{seq3(match[1])}{match[2]}{changed}"
