"""Step 2: scouts search the sources at the same time, each from its own perspective."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import Field

from labagent.explore.agent.allowance import Allowance, CapReached
from labagent.explore.agent.asking import Asker, StepFailed
from labagent.explore.agent.brief import brief_text
from labagent.explore.agent.evidence import Book, Claim, Passage, place, why_not
from labagent.explore.agent.lanes import lane_name, lane_path
from labagent.explore.agent.material import Material
from labagent.explore.agent.paid import PaidReplies
from labagent.explore.index import Index, open_index
from labagent.explore.writing import render
from labagent.llm import Message
from labagent.models.base import Record
from labagent.models.config import Explorer, ModelSettings
from labagent.models.exploration import Brief, Dropped, Identifier, Line, Query, Short
from labagent.trace import TraceWriter

Search = Callable[[Sequence[str]], str]
MAX_KNOWN = 80  # statements of earlier rounds that a scout is told
MAX_CHARACTERS = 30_000  # of passages in one message
ROLES: dict[str, str] = {
    "user": "someone who will carry out the method on data of their own: inputs, formats, defaults, order",
    "maintainer": "a maintainer of the code: versions, deprecations, known failures, what tests hold fixed",
    "reviewer": "a reviewer of a paper that uses it: which claims the sources support, which checks are due",
    "statistician": "a statistician of the field: assumptions, preprocessing, thresholds, what is estimated",
    "engineer": "a systems engineer: installation, dependencies, hardware, run time, memory, files",
}


class Reported(Record):
    """A statement, the passage it was read in, and words of that passage."""

    statement: Line
    hit: Identifier
    terms: Annotated[tuple[Short, ...], Field(min_length=1, max_length=8)]


class ScoutReply(Record):
    """What a scout found in the passages it was shown, and what it wants to search for next."""

    findings: Annotated[tuple[Reported, ...], Field(max_length=24)] = ()
    search: Annotated[tuple[Query, ...], Field(max_length=4)] = ()


@dataclass
class Lane:
    """What one scout brought in a round. ``shown`` are passages by the name the scout knows them by."""

    perspective: str
    held: list[tuple[Claim, Passage]] = field(default_factory=list)
    dropped: list[Dropped] = field(default_factory=list)
    shown: dict[str, Passage] = field(default_factory=dict)
    cap: CapReached | None = None
    failure: str = ""
    cached: int = 0


@dataclass(frozen=True)
class Scouting:
    """One round of scouts. ``queries`` are those each begins with; ``known`` is evidence found before."""

    brief: Brief
    material: Material
    artifacts: Path
    folder: Path
    settings: Explorer
    model: ModelSettings
    start: int
    allowance: Allowance
    number: int

    def run(self, queries: Mapping[str, Sequence[str]], book: Book) -> list[Lane]:
        """Send all scouts out, and take in what holds, in the order of the perspectives.

        Raises:
            InfrastructureError: the model's service failed for one of them; the others end first.
        """
        open_index(self.artifacts).close()  # made once, not by each scout
        known = [f"{place(item.source)}: {item.statement}" for item in book.found[-MAX_KNOWN:]]
        share = self.allowance.share(len(self.settings.perspectives))
        with ThreadPoolExecutor(max_workers=len(self.settings.perspectives)) as pool:
            jobs = [
                pool.submit(self._scout, perspective, tuple(queries.get(perspective, ())), known, share)
                for perspective in self.settings.perspectives
            ]
        lanes = [job.result() for job in jobs]
        for lane in lanes:
            book.take(lane.held, lane.perspective, self.number)
            book.dropped += lane.dropped
        return lanes

    def _scout(
        self, perspective: str, queries: Sequence[str], known: Sequence[str], share: Allowance
    ) -> Lane:
        """One scout, to its last turn, its cap, or a reply that cannot be used."""
        lane = Lane(perspective)
        path = lane_path(self.folder, lane_name(self.number, perspective))
        with TraceWriter(path) as trace, closing(open_index(self.artifacts)) as index:
            paid = PaidReplies.of(self.folder, path.stem, self.start)
            asker = Asker(self.model, trace, paid, share, before=trace.costs)
            trace.event("scout", round=self.number, perspective=perspective, queries=list(queries))

            def search(wanted: Sequence[str]) -> str:
                return self._search(index, wanted, lane, trace)

            try:
                self._turns(asker, lane, self._question(perspective, known, search(queries)), search)
            except CapReached as cap:
                lane.cap = cap
                trace.event("cap", name=cap.name, reason=str(cap))
            except StepFailed as failed:
                lane.failure = str(failed)
                trace.event("failed", reason=str(failed))
            trace.event("scouted", held=len(lane.held), dropped=len(lane.dropped))
            lane.cached = asker.cached
        return lane

    def _turns(self, asker: Asker, lane: Lane, messages: list[Message], search: Search) -> None:
        """Report, search, report again, until there is nothing more to search for."""
        step = f"scout {lane.perspective}, round {self.number}"
        for turn in range(1, self.settings.scout_turns + 1):
            reply = asker.ask_record(messages, ScoutReply, step)
            self._judge(reply, lane, asker.trace, step)
            if not reply.search or turn == self.settings.scout_turns:
                return
            last = turn + 1 == self.settings.scout_turns
            values = {"quoted": self.material.quoted(search(reply.search)), "last": last}
            messages = [
                *messages,
                {"role": "assistant", "content": reply.model_dump_json()},
                {"role": "user", "content": render("hits.j2", values, "prompts")},
            ]

    def _question(self, perspective: str, known: Sequence[str], passages: str) -> list[Message]:
        """What a scout is told at first."""
        question = self.brief.questions.get(perspective, "")
        values = {
            "brief": self.material.quoted(brief_text(self.brief)),
            "role": ROLES[perspective],
            "question": self.material.quoted(question) if question else "",
            "known": self.material.quoted("\n".join(known)) if known else "",
            "passages": self.material.quoted(passages),
            "turns": self.settings.scout_turns,
        }
        return [
            {"role": "system", "content": render("agent.j2", {"mark": self.material.mark}, "prompts")},
            {"role": "user", "content": render("scout.j2", values, "prompts")},
        ]

    def _search(self, index: Index, queries: Sequence[str], lane: Lane, trace: TraceWriter) -> str:
        """Passages for queries, each shown once, as text with names."""
        seen = {passage.source.model_dump_json() for passage in lane.shown.values()}
        texts, room = list[str](), MAX_CHARACTERS
        for query in queries:
            names = []
            for hit in index.search(query, self.settings.hits):
                if (key := hit.source.model_dump_json()) in seen or len(hit.text) > room:
                    continue
                seen.add(key)
                room -= len(hit.text)
                name = f"H{len(lane.shown) + 1}"
                lane.shown[name] = hit
                names.append(name)
                texts.append(f"--- {name}: {place(hit.source)}\n{hit.text}")
            trace.event("search", query=query, hits=[place(lane.shown[name].source) for name in names])
        return "\n".join(texts) or "(nothing more was found)"

    def _judge(self, reply: ScoutReply, lane: Lane, trace: TraceWriter, step: str) -> None:
        """Keep the statements that hold; the others are dropped, with the reason."""
        for item in reply.findings:
            claim = Claim(item.statement, item.hit, item.terms)
            fault = why_not(claim, lane.shown)
            if fault:
                lane.dropped.append(Dropped(step=step, text=item.statement, why=fault))
                trace.event("dropped", text=item.statement, why=fault)
            else:
                lane.held.append((claim, lane.shown[item.hit]))
                trace.event("evidence", statement=item.statement, place=place(lane.shown[item.hit].source))
