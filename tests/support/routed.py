"""What a row of ``routed.jsonl`` expects of a routing, as a list of what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from labagent.models.asking import Entity, Routing

Row = dict[str, Any]


def faults(row: Row, made: Routing) -> list[str]:
    """All that is not as the row says."""
    expect: dict[str, Any] = dict(row["expect"])
    routes = expect.pop("route_any", [row["route"]])
    found = [] if made.route in routes else [f"route {made.route}, not {' or '.join(routes)}"]
    for name, wanted in expect.items():
        found += [f"{name}: {fault}" for fault in CHECKS[name](wanted, made)]
    return found


def of(made: Routing, namespace: str) -> list[Entity]:
    """Entities of a namespace."""
    return [e for e in made.entities if e.namespace == namespace]


def _pairs(wanted: list[list[str]], made: Routing) -> Iterator[str]:
    have = {(e.namespace, e.value) for e in made.entities}
    yield from (str(pair) for pair in wanted if tuple(pair) not in have)


def _no_pairs(wanted: list[list[str]], made: Routing) -> Iterator[str]:
    have = {(e.namespace, e.value) for e in made.entities}
    yield from (str(pair) for pair in wanted if tuple(pair) in have)


def _genes(wanted: list[str], made: Routing) -> Iterator[str]:
    have = {e.value for e in of(made, "gene")} | {e.facts.get("gene") for e in made.entities}
    yield from (f"{gene} not in {have}" for gene in wanted if gene not in have)


def _fact_of_sequences(name: str) -> Callable[[Any, Routing], Iterator[str]]:
    def check(wanted: Any, made: Routing) -> Iterator[str]:
        have = [e.facts.get(name) for e in of(made, "sequence")]
        if wanted not in have:
            yield f"{have}, not {wanted}"

    return check


def _records(wanted: int, made: Routing) -> Iterator[str]:
    have = [e.facts["records"] for e in of(made, "sequence")]
    if have != [wanted] * wanted:
        yield f"{have}"


def _variants(wanted: list[str], made: Routing) -> Iterator[str]:
    have = [e.value for e in of(made, "variant")]
    yield from (f"{value} not in {have}" for value in wanted if value not in have)


def _kind(wanted: str, made: Routing) -> Iterator[str]:
    have = [e.facts.get("kind") for e in made.entities]
    if wanted not in have:
        yield f"{have}"


def _facts(wanted: dict[str, Any], made: Routing) -> Iterator[str]:
    for name, value in wanted.items():
        if value not in [e.facts.get(name) for e in made.entities]:
            yield name


def _contains(wanted: list[str], made: Routing) -> Iterator[str]:
    yield from (f"{part!r} not in {made.query!r}" for part in wanted if part not in made.query)


def _lacks(wanted: list[str], made: Routing) -> Iterator[str]:
    yield from (f"{part!r} in {made.query!r}" for part in wanted if part in made.query.replace(":3000", ""))


def _aspects(wanted: list[str], made: Routing) -> Iterator[str]:
    yield from (f"{name} not in {made.aspects}" for name in wanted if name not in made.aspects)


def _parameters(wanted: list[str], made: Routing) -> Iterator[str]:
    have = [e.value for e in of(made, "parameter")]
    yield from (f"{value} not in {have}" for value in wanted if value not in have)


def _resolved(wanted: list[str], made: Routing) -> Iterator[str]:
    have = [e.value for e in made.entities if e.resolved_from]
    if sorted(have) != sorted(wanted):
        yield f"{have}, not {wanted}"


def _resolved_namespace(wanted: str, made: Routing) -> Iterator[str]:
    have = [e.namespace for e in made.entities if e.resolved_from]
    if have != [wanted]:
        yield f"{have}"


def _organisms(wanted: list[str], made: Routing) -> Iterator[str]:
    have = sorted({str(e.facts["organism"]) for e in made.entities if e.facts.get("organism")})
    if have != sorted(wanted):
        yield f"{have}"


def _resolved_some(wanted: list[str], made: Routing) -> Iterator[str]:
    have = [e.value for e in made.entities if e.resolved_from]
    if not set(have) & set(wanted):
        yield f"{have}, none of {wanted}"


def _has_any(wanted: list[str], made: Routing) -> Iterator[str]:
    if not any(of(made, name) for name in wanted):
        yield f"none of {wanted}"


def _note(wanted: str, made: Routing) -> Iterator[str]:
    have = [note for e in made.entities for note in e.notes]
    if not any(wanted in note for note in have):
        yield f"{wanted!r} in none of {have}"


def _no_note(wanted: str, made: Routing) -> Iterator[str]:
    yield from (note for e in made.entities for note in e.notes if wanted in note)


def _asks_language(wanted: str, made: Routing) -> Iterator[str]:
    chinese = any("\u3400" <= c <= "\u9fff" for c in made.asks)
    if made.asks and ("zh" if chinese else "en") != wanted:
        yield made.asks


def _ambiguous(wanted: bool, made: Routing) -> Iterator[str]:
    if made.ambiguous is not wanted or bool(made.asks) is not wanted:
        yield f"{made.ambiguous}, asks {made.asks!r}"


def _same(name: str) -> Callable[[Any, Routing], Iterator[str]]:
    def check(wanted: Any, made: Routing) -> Iterator[str]:
        if getattr(made, name) != wanted:
            yield f"{getattr(made, name)!r}"

    return check


CHECKS: dict[str, Callable[[Any, Routing], Iterator[str]]] = {
    "entities": _pairs,
    "not_entities": _no_pairs,
    "has": lambda wanted, made: (n for n in wanted if not of(made, n)),
    "has_any": _has_any,
    "gene": lambda wanted, made: _genes([wanted], made),
    "genes": _genes,
    "organisms": _organisms,
    "type": _fact_of_sequences("type"),
    "length": _fact_of_sequences("length"),
    "gaps": _fact_of_sequences("gaps"),
    "records": _records,
    "variant": lambda wanted, made: _variants([wanted], made),
    "variants": _variants,
    "kind": _kind,
    "transcript": lambda wanted, made: _facts({"transcript": wanted}, made),
    "facts": _facts,
    "query_contains": _contains,
    "query_lacks": _lacks,
    "aspects": _aspects,
    "parameters": _parameters,
    "resolved": _resolved,
    "resolved_namespace": _resolved_namespace,
    "resolved_some": _resolved_some,
    "note": _note,
    "no_note": _no_note,
    "asks_language": _asks_language,
    "ambiguous": _ambiguous,
    "language": _same("language"),
    "plan": _same("plan"),
    "not_route": lambda wanted, made: ["is it"] if made.route == wanted else [],
}
