"""A task of the published format as fields of ours.

The published checks look into one system's evidence (``sequence_stats.records.0.length``); here they become
gold that an answer of any system can be held to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

SPLITS = {"workflow": "edge", "edge_case": "edge", "follow_up": "edge", "stress": "edge"}
ROUTES = {
    "sequence_basic_analysis": "sequence",
    "uniprot_lookup": "protein",
    "literature_search": "literature",
    "mutation_effect": "mutation",
    "harness_protein_research": "protein",
    "harness_literature_review": "literature",
    "harness_mutation_assessment": "mutation",
}
SEQUENCE_TOOLS = {
    "translation_preview": "sequence.translate",
    "reverse_complement_preview": "sequence.reverse_complement",
}
ON_SEQUENCE = "variant.apply|variant.compare|variant.effect"
"""Each puts a change on a sequence and checks the residue that it names."""
NOTATION = re.compile(r"MT\s*[:=]\s*(?:p\.)?\(?[A-Z][a-z]{0,2}\d+")


def converted(row: Mapping[str, Any], questions: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a ``BiobenchTask``; ``questions`` has the inputs of all tasks, for follow-up turns."""
    category = str(row["category"])
    skill = row.get("expected_skill") or category
    route = ROUTES.get(str(skill), "protein")
    gold = _gold(row["checks"])
    keywords = tuple(str(k) for k in row.get("keywords", row.get("expected_keywords", [])))
    return {
        "id": row["id"],
        "category": route,
        "split": "multistep" if category.startswith("harness") else SPLITS.get(category, "basic"),
        "language": "zh" if re.search(r"[\u4e00-\u9fff]", row["input"]) else "en",
        "history": _history(row, questions),
        "question": row["input"],
        "route": route,
        "outcome": "answer" if gold or keywords else "any",
        "tools": tuple(dict.fromkeys(_tool(str(t), row) for t in row.get("expected_tools", []))),
        "gold": gold,
        "published": True,
        "derivation": "the published check",
        "keywords": keywords,
    }


def _history(row: Mapping[str, Any], questions: Mapping[str, str]) -> tuple[str, ...]:
    """What the user asked before."""
    if "history" in row:
        return tuple(str(turn["content"]) for turn in row["history"] if turn.get("role", "user") == "user")
    earlier = str(row.get("follow_up_session", ""))
    return (questions[earlier],) if earlier in questions else ()


def _tool(name: str, row: Mapping[str, Any]) -> str:
    """Our tool for a published one."""
    if name == "sequence.analyze":
        field = str(row["checks"].get("evidence_path", "")).rsplit(".", 1)[-1]
        return SEQUENCE_TOOLS.get(field, "sequence.stats")
    if name == "mutation.diff":
        return ON_SEQUENCE if NOTATION.search(row["input"]) else "variant.compare"
    return name


def _gold(checks: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Typed gold for a published check; none where it only counts steps."""
    if "summary_contains" in checks:
        return tuple(_string("summary", str(text)) for text in checks["summary_contains"])
    path = str(checks.get("evidence_path") or checks.get("annotation_path") or "")
    field = path.rsplit(".", 1)[-1]
    maker = GOLD.get(field)
    return maker(field, checks) if maker else ()


def _string(name: str, *accepted: str) -> dict[str, Any]:
    """A text to find."""
    return {"kind": "string", "name": name, "accepted": accepted}


def _text(field: str, checks: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """``equals`` or ``contains``."""
    return (_string(field, str(checks.get("equals", checks.get("contains")))),)


def _any_text(field: str, checks: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """``contains_any``; what stands in brackets is an explanation."""
    return (_string(field, *(re.sub(r"\s*(?:gain/loss)?\s*\(.*", "", t) for t in checks["contains_any"])),)


def _number(field: str, checks: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """``equals`` or ``approx`` with ``tol``."""
    name = {"n_differences": "differences", "gc_percent": "gc"}.get(field, field)
    value = checks.get("equals", checks.get("approx"))
    if value is None:
        return ()
    unit = "%" if field == "gc_percent" else ""
    number = {"kind": "number", "name": name, "value": value, "tolerance": checks.get("tol", 0), "unit": unit}
    return (number,)


def _prefix(field: str, checks: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """``starts_with``."""
    name = field.removesuffix("_preview")
    return ({"kind": "sequence", "name": name, "value": checks["starts_with"], "prefix": True},)


def _papers(field: str, checks: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """At least so many hits: so many PubMed ids."""
    minimum = int(checks.get("min", 0))
    return ({"kind": "set", "namespace": "pmid", "minimum": minimum},) if minimum else ()


def _records(field: str, checks: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """So many records."""
    return ({"kind": "number", "name": field, "value": checks["min_length"]},)


GOLD: Mapping[str, Callable[[str, Mapping[str, Any]], tuple[dict[str, Any], ...]]] = {
    "type": _text,
    "id": _text,
    "organism": _text,
    "name": _text,
    "flags": _any_text,
    "length": _number,
    "gc_percent": _number,
    "n_differences": _number,
    "translation_preview": _prefix,
    "reverse_complement_preview": _prefix,
    "count": _papers,
    "records": _records,
}
