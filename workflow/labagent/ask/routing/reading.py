"""Everything that is read from a question before a rule decides: its words, entities, what points back, what
is asked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from labagent.ask.routing import context
from labagent.ask.routing.aspects import covered, find_aspects
from labagent.ask.routing.changes import find_changes
from labagent.ask.routing.names import find_entities, one_of_each
from labagent.ask.routing.pairs import find_pair
from labagent.ask.routing.parameters import find_parameters
from labagent.ask.routing.query import Query, build_query
from labagent.ask.routing.sequences import entities_of, find_pieces
from labagent.ask.routing.words import LONGEST, Words, blank, clean, is_chinese, words_of
from labagent.models.asking import Entity

PROTEINS = context.PROTEIN
IDENTIFIERS = (
    *tuple(n for n in PROTEINS if n not in ("gene", "name")),
    "interpro",
    "pfam",
    "go",
    "refseq_genomic",
)
POINTING = re.compile(r"this|that|these|those|该|这|此|上述|那个", re.IGNORECASE)


@dataclass(frozen=True)
class Read:
    """A question as it was read. ``entities`` are its own, ``resolved`` those of earlier turns."""

    question: str
    words: Words
    sequences: tuple[Entity, ...] = ()
    names: tuple[Entity, ...] = ()
    changes: tuple[Entity, ...] = ()
    parameters: tuple[Entity, ...] = ()
    paired: bool = False
    reference: context.Reference | None = None
    resolved: tuple[Entity, ...] = ()
    problem: str = ""
    candidates: tuple[Entity, ...] = ()
    spoken: str = ""
    _memo: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def text(self) -> str:
        """Its words, without sequences."""
        return self.words.text

    @property
    def language(self) -> str:
        """``zh`` where there are Chinese characters; without words, that of the turn before."""
        if is_chinese(self.question[:LONGEST]) or (self.spoken == "zh" and self.alone):
            return "zh"
        return "en"

    @cached_property
    def plain(self) -> str:
        """Its words without identifiers, genes, variants, organisms."""
        return blank(self.text, [(e.start, e.start + len(e.written)) for e in (*self.names, *self.changes)])

    @cached_property
    def query(self) -> Query:
        """The literature query of its words."""
        references = [self.reference.written] if self.reference and self.resolved else []
        return build_query(self.text, self.all, references)

    @cached_property
    def leftover(self) -> str:
        """What it says besides entities, aspects, parameters and stop words, as query terms."""
        spans = [(p.start, p.start + len(p.written)) for p in self.parameters]
        words = blank(self.plain, spans)
        if self.reference:
            words = words.replace(self.reference.written, " ", 1)
        return build_query(covered(words, self.aspects("spml"))).text

    @property
    def all(self) -> tuple[Entity, ...]:
        """All entities, those of earlier turns first."""
        own = sorted((*self.sequences, *self.names, *self.changes), key=lambda e: e.start)
        return (*self.resolved, *own)

    def of(self, *namespaces: str) -> tuple[Entity, ...]:
        """Entities of some namespaces."""
        return tuple(e for e in self.all if e.namespace in namespaces)

    def aspects(self, kinds: str) -> tuple[str, ...]:
        """What is asked, of the kinds given."""
        if kinds not in self._memo:
            self._memo[kinds] = find_aspects(self.plain, kinds)
        return self._memo[kinds]

    @property
    def alone(self) -> bool:
        """Whether it is nothing but entities."""
        return not re.sub(r"[\W_]+", "", self.plain)


def read(question: str, turns: Sequence[Sequence[Entity]] = ()) -> Read:
    """Read a question.

    Args:
        question: any text.
        turns: entities of the earlier turns, oldest first.
    """
    question = clean(question)
    pair = find_pair(question)
    pieces = list(pair.pieces) if pair else find_pieces(question)
    words = words_of(question, [p.span for p in pieces])
    sequences = tuple(entities_of(pieces, question, words.text))
    if pieces and not sequences:  # no parser takes it: words after all
        words, pair = words_of(question, []), None
    names = tuple(one_of_each(find_entities(words.text), words.text))
    changes = tuple(find_changes(words.text, names, bool(sequences)))
    names = tuple(n for n in names if not _inside(n, changes))
    made = Read(
        question,
        words,
        sequences,
        names,
        changes,
        tuple(find_parameters(words.text)),
        paired=bool(pair),
    )
    return _in_context(made, turns)


def _inside(name: Entity, changes: Iterable[Entity]) -> bool:
    """Whether a gene or identifier is only a part of a variant's own words (and no gene or transcript of
    it)."""
    end = name.start + len(name.written)
    for change in changes:
        if change.start <= name.start and end <= change.start + len(change.written):
            body = change.written.rpartition(":")[2] if ":" in change.written else change.written
            return name.start >= change.start + len(change.written) - len(body)
    return False


def _in_context(made: Read, turns: Sequence[Sequence[Entity]]) -> Read:
    """The question with what it takes from earlier turns."""
    reference = context.find_reference(made.text)
    if reference is not None and not _refers_here(made, reference):
        found = context.resolve(reference, turns)
        if found.entities:
            entities = tuple(_placed(e, made.names) for e in found.entities)
            return replace(made, reference=reference, resolved=entities)
        if _matters(made, reference, found.problem):
            return replace(made, reference=reference, problem=found.problem, candidates=found.candidates)
    return _elliptic(made, turns)


def _refers_here(made: Read, reference: context.Reference) -> bool:
    """Whether the words mean something in the question itself."""
    wanted = {n for kind in reference.kinds for n in context.KINDS[kind]}
    end = reference.start + len(reference.written)
    if made.sequences and "sequence" in reference.kinds:
        return True
    for entity in (*made.names, *made.changes):
        if entity.namespace not in wanted:
            continue
        between = made.text[end : entity.start]
        if entity.start < reference.start or re.fullmatch(
            r"[\s:：,，(]*(?:is|called|named|是|叫)?[\s:：,，(]*", between
        ):
            return True
    return False


def _matters(made: Read, reference: context.Reference, problem: str) -> bool:
    """Whether a reference that came to nothing leaves the question open."""
    if problem == "several":
        return True
    if made.of(*PROTEINS, "sequence", "dbsnp", "pmid", "doi", "variant"):
        return False
    if POINTING.match(reference.written):
        return True
    before = covered(made.text[: reference.start], made.aspects("spml"))
    return not reference.written.lower().startswith("the ") and not build_query(before).text


def _elliptic(made: Read, turns: Sequence[Sequence[Entity]]) -> Read:
    """A variant without its gene, or "and in mouse?": the protein of the turn before."""
    homeless = [c for c in made.changes if not c.facts.get("gene") and not c.facts.get("protein")]
    own = made.of(*PROTEINS, "sequence", "pmid", "doi", "dbsnp")
    asked = set(made.aspects("p")) - {"papers", "compare", "count"}
    bare = bool(turns) and bool(asked) and not made.leftover
    follows = (bare or bool(context.FOLLOWS.match(made.text))) and not own and not made.changes
    if not turns or own or not (homeless or follows) or any(c.facts.get("reference") for c in homeless):
        return made
    words = homeless[0].written if homeless else made.text.strip()[:40]
    kinds = ("protein", "sequence") if homeless else ("protein", "sequence", "mutation")
    found = context.resolve(context.Reference(words, -1, kinds), turns)
    if found.entities:
        entities = tuple(_placed(e, made.names) for e in found.entities)
        return replace(
            made, resolved=entities, changes=tuple(_with_gene(c, entities[0]) for c in made.changes)
        )
    return (
        replace(made, problem=found.problem, candidates=found.candidates)
        if found.problem == "several"
        else made
    )


def going_on(made: Read, before: Read | None) -> Read:
    """ "And in mouse?": of another organism, what the turn before asked.

    Args:
        made: the question.
        before: the turn before it, or nothing.
    """
    organisms = any(n.namespace == "organism" for n in made.names)
    if before is None or not made.resolved or not organisms or made.aspects("spml") or made.leftover:
        return made
    asked = [a for a in before.aspects("p") if a not in ("papers", "organism")]
    return replace(made, _memo={"p": (*asked, "organism")})


def _with_gene(change: Entity, owner: Entity) -> Entity:
    """A variant with the gene it was said of before."""
    if change.facts.get("gene"):
        return change
    gene = owner.value if owner.namespace == "gene" else str(owner.facts.get("gene", ""))
    facts = change.facts | ({"gene": gene} if gene else {"protein": owner.value[:80]})
    return change.model_copy(update={"facts": facts})


def _placed(entity: Entity, names: Iterable[Entity]) -> Entity:
    """A gene of an earlier turn in the organism that is stated now."""
    stated = [n for n in names if n.namespace == "organism"]
    if len(stated) != 1 or entity.namespace not in ("gene", "name"):
        return entity
    facts = entity.facts | {"organism": stated[0].value, "organism_basis": "stated"}
    taxon = stated[0].facts.get("taxon")
    facts = {k: v for k, v in facts.items() if k != "taxon"} | ({"taxon": taxon} if taxon else {})
    notes = tuple(n for n in entity.notes if "no organism" not in n)
    return entity.model_copy(update={"facts": facts, "notes": notes})
