"""Step 3: after each round, what was found, what is open, and whether going on is worth it.

The model says which criteria are met and what to search for next; whether its evidence exists, whether
returns diminish and when the rounds are over is computed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from labagent.explore.agent.asking import Asker, StepFailed
from labagent.explore.agent.brief import brief_text
from labagent.explore.agent.evidence import Book, place
from labagent.explore.agent.material import Material
from labagent.explore.writing import render
from labagent.models.base import Record
from labagent.models.exploration import Brief, Dropped, Query, RoundRecord, Short

DIMINISHED = 0.2  # a round that brings fewer new pieces than this share of all before is the last
Stop = Literal["", "criteria", "diminishing", "supervisor", "rounds", "cap"]
Ids = tuple[Annotated[str, StringConstraints(pattern=r"^E\d+$")], ...]


class Artefact(Record):
    """Something found that the skill can be made of: a function, a file, a data set, a failure."""

    name: Short
    evidence: Annotated[Ids, Field(min_length=1)]


class SupervisorReply(Record):
    """The supervisor's view: ``met`` maps criteria to evidence, ``queries`` perspectives to new ones."""

    artefacts: Annotated[tuple[Artefact, ...], Field(max_length=60)] = ()
    met: dict[str, Ids] = {}
    queries: dict[str, Annotated[tuple[Query, ...], Field(max_length=6)]] = {}
    stop: bool = False
    why: Annotated[str, StringConstraints(max_length=1000)] = ""


@dataclass
class Supervisor:
    """Decides after each round; ``met`` grows over the rounds."""

    brief: Brief
    material: Material
    perspectives: Sequence[str]
    max_rounds: int
    met: dict[str, tuple[str, ...]] = field(default_factory=dict)
    rounds: list[RoundRecord] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def decide(self, asker: Asker, book: Book, lanes: Sequence[str], new: int, capped: str) -> Stop:
        """Ask, hold the answer against the evidence, and say why to stop; empty to go on.

        Args:
            asker: the main line of work.
            book: all evidence so far.
            lanes: names of this round's traces.
            new: how many pieces this round brought.
            capped: the cap a scout met in this round.

        Raises:
            CapReached: the allowance does not cover the question.
        """
        number = len(self.rounds) + 1
        diminishing = diminished(new, len(book.found))
        try:
            reply = self._ask(asker, book, number, new, diminishing)
        except StepFailed as failed:
            self.failures.append(str(failed))
            reply = SupervisorReply(why="no usable reply; queries as before")
        artefacts = self._take(reply, book)
        stop = self._stop(reply, number, diminishing, capped)
        record = RoundRecord(
            number=number,
            lanes=tuple(lanes),
            new=new,
            total=len(book.found),
            artefacts=artefacts,
            met=dict(sorted(self.met.items())),
            open=self.open,
            diminishing=diminishing,
            queries={name: queries for name, queries in reply.queries.items() if name in self.perspectives},
            why=reply.why,
        )
        self.rounds.append(record)
        asker.trace.event("supervised", stop=stop, **record.model_dump(mode="json"))
        return stop

    @property
    def open(self) -> tuple[str, ...]:
        """Criteria for which there is no evidence yet."""
        return tuple(criterion.id for criterion in self.brief.criteria if criterion.id not in self.met)

    def queries(self) -> Mapping[str, Sequence[str]]:
        """What each scout begins the next round with; the open criteria where nothing was said."""
        said = self.rounds[-1].queries if self.rounds else {}
        texts = {criterion.id: criterion.text for criterion in self.brief.criteria}
        otherwise = tuple(texts[name] for name in self.open)[:6]
        first = self.brief.queries if not self.rounds else otherwise
        return {name: said.get(name) or first for name in self.perspectives}

    def _ask(self, asker: Asker, book: Book, number: int, new: int, diminishing: bool) -> SupervisorReply:
        """The model's view."""
        lines = [f"{f.id} ({f.perspective}, {place(f.source)}): {f.statement}" for f in book.found]
        values = {
            "brief": self.material.quoted(brief_text(self.brief)),
            "quoted": self.material.quoted("\n".join(lines) or "(nothing)"),
            "number": number,
            "rounds": self.max_rounds,
            "new": new,
            "diminishing": diminishing,
            "open": self.open,
            "perspectives": list(self.perspectives),
        }
        messages = [
            {"role": "system", "content": render("agent.j2", {"mark": self.material.mark}, "prompts")},
            {"role": "user", "content": render("supervise.j2", values, "prompts")},
        ]
        return asker.ask_record(messages, SupervisorReply, f"supervisor, round {number}", self._fault)

    def _fault(self, reply: SupervisorReply) -> str:
        """Names in a reply that do not exist."""
        known = {criterion.id for criterion in self.brief.criteria}
        if strange := [name for name in reply.met if name not in known]:
            return f'met: "{strange[0]}" is no criterion; allowed: {", ".join(sorted(known))}'
        if strange := [name for name in reply.queries if name not in self.perspectives]:
            return f'queries: "{strange[0]}" is no perspective; allowed: {", ".join(self.perspectives)}'
        return ""

    def _take(self, reply: SupervisorReply, book: Book) -> tuple[str, ...]:
        """Keep criteria and artefacts with evidence that exists; the others are dropped."""
        ids = {item.id for item in book.found}
        step = f"supervisor, round {len(self.rounds) + 1}"
        for criterion, cited in reply.met.items():
            there = tuple(name for name in cited if name in ids)
            if there:
                self.met[criterion] = tuple(dict.fromkeys((*self.met.get(criterion, ()), *there)))
            else:
                why = "called met without evidence that exists"
                book.dropped.append(Dropped(step=step, text=criterion, why=why))
        artefacts = []
        for artefact in reply.artefacts:
            if set(artefact.evidence) <= ids:
                artefacts.append(artefact.name)
            else:
                book.dropped.append(Dropped(step=step, text=artefact.name, why="no such evidence"))
        return tuple(artefacts)

    def _stop(self, reply: SupervisorReply, number: int, diminishing: bool, capped: str) -> Stop:
        """The first reason to stop that holds."""
        reasons: list[tuple[Stop, bool]] = [
            ("criteria", not self.open),
            ("cap", bool(capped)),
            ("diminishing", diminishing),
            ("supervisor", reply.stop),
            ("rounds", number >= self.max_rounds),
        ]
        return next((name for name, holds in reasons if holds), "")


def diminished(new: int, total: int) -> bool:
    """Whether a round brought too little: nothing, or less than a fifth of what was there before it."""
    return new == 0 or new < math.ceil(DIMINISHED * (total - new))
