"""What a question speaks of, as typed slots that plans fill their arguments from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from labagent.models.asking import Entity, Routing

PROTEINS = ("uniprot", "uniprot_entry", "gene", "name")
ELSEWHERE = (
    "refseq_protein",
    "refseq_transcript",
    "ensembl_protein",
    "ensembl_gene",
    "ensembl_transcript",
    "pdb",
    "interpro",
    "pfam",
    "go",
)
"""Namespaces whose identifiers stand in cross-references of UniProt's entries."""
WILD, MUTANT = "wild_type", "mutant"


@dataclass(frozen=True)
class Slot:
    """An entity that a step works on."""

    entity: Entity

    @property
    def namespace(self) -> str:
        """Its namespace."""
        return self.entity.namespace

    @property
    def value(self) -> str:
        """Its canonical form."""
        return self.entity.value

    def fact(self, name: str, default: Any = "") -> Any:
        """A fact read from the question."""
        return self.entity.facts.get(name, default)

    @property
    def resolved(self) -> bool:
        """Whether it comes from an earlier turn."""
        return bool(self.entity.resolved_from)


@dataclass(frozen=True)
class Slots:
    """A question's entities by what they are, each in the order of the question."""

    question: str
    routing: Routing
    sequences: tuple[Slot, ...]
    variants: tuple[Slot, ...]
    proteins: tuple[Slot, ...]
    elsewhere: tuple[Slot, ...]
    dbsnp: tuple[Slot, ...]
    pmids: tuple[Slot, ...]
    organisms: tuple[Slot, ...]

    @property
    def aspects(self) -> frozenset[str]:
        """What is asked about them."""
        return frozenset(self.routing.aspects)

    @property
    def language(self) -> str:
        """``en`` or ``zh``."""
        return self.routing.language

    def asks(self, *aspects: str) -> bool:
        """Whether one of these is asked."""
        return not self.aspects.isdisjoint(aspects)

    def role(self, role: str) -> Slot | None:
        """The sequence that plays a part in a comparison."""
        return next((s for s in self.sequences if s.fact("role") == role), None)

    def parameter(self, name: str) -> Any:
        """A number or choice that the question states (``frame``, ``papers`` …), or ``None``."""
        facts = (e.facts for e in self.routing.entities if e.namespace == "parameter")
        return next((f.get("value") for f in facts if f.get("name") == name), None)

    @property
    def pair(self) -> tuple[Slot, Slot] | None:
        """Wild type and mutant, where two sequences are told apart so."""
        wild, mutant = self.role(WILD), self.role(MUTANT)
        return (wild, mutant) if wild and mutant else None


def slots_of(question: str, routing: Routing) -> Slots:
    """The slots that a routing fills."""

    def of(*namespaces: str) -> tuple[Slot, ...]:
        return tuple(_unlike(Slot(e) for e in routing.entities if e.namespace in namespaces))

    return Slots(
        question=question,
        routing=routing,
        sequences=tuple(Slot(e) for e in routing.entities if e.namespace == "sequence"),
        variants=of("variant"),
        proteins=of(*PROTEINS),
        elsewhere=of(*ELSEWHERE),
        dbsnp=of("dbsnp"),
        pmids=of("pmid"),
        organisms=of("organism"),
    )


def _unlike(slots: Iterator[Slot]) -> Iterator[Slot]:
    """Each entity once."""
    seen: set[tuple[str, str, str]] = set()
    for slot in slots:
        key = (slot.namespace, slot.value, str(slot.fact("organism")))
        if key not in seen:
            seen.add(key)
            yield slot
