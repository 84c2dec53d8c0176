"""The explore agent: its six steps in order, each in the trace, within caps."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from labagent.errors import LabagentError, MemoryStoreError
from labagent.explore.agent.allowance import Allowance, CapReached
from labagent.explore.agent.asking import Asker, StepFailed
from labagent.explore.agent.brief import Subject, ask_brief
from labagent.explore.agent.drafting import Writer
from labagent.explore.agent.evidence import Book
from labagent.explore.agent.lanes import lane_name, merge_lanes
from labagent.explore.agent.material import Material
from labagent.explore.agent.paid import PaidReplies
from labagent.explore.agent.scouts import Lane, Scouting
from labagent.explore.agent.starts import MEMORY, RECORD, open_trace
from labagent.explore.agent.supervisor import Supervisor
from labagent.explore.outcome import Drafted
from labagent.explore.trial import Trial
from labagent.memory import Memory, read_frozen
from labagent.models.config import Explorer, ModelSettings
from labagent.models.exploration import Brief, ExplorationRecord
from labagent.models.memory import Provenance
from labagent.trace import TraceWriter

MAX_LESSONS = 12


@dataclass
class Exploration:
    """What came of the research: evidence, the brief, the rounds, and why they ended."""

    book: Book = field(default_factory=Book)
    brief: Brief | None = None
    supervisor: Supervisor | None = None
    stopped_by: str = ""
    reason: str = ""
    cached: int = 0
    failures: list[str] = field(default_factory=list)


@dataclass
class ExploreAgent:
    """One exploration.

    ``installed``: the lab's package comes from the package index. ``folder`` receives trace, recordings and
    record; the draft goes to ``draft``. ``memory`` takes in what repairs teach; ``None`` for none.
    """

    subject: Subject
    explorer: str
    settings: Explorer
    model: ModelSettings
    artifacts: Path
    folder: Path
    draft: Path
    installed: bool
    trial: Trial | None = None
    memory: Memory | None = None
    key: str = ""
    content: str = ""

    def explore(self) -> Drafted:
        """Research, write, and leave ``exploration.json``.

        Raises:
            InfrastructureError: the model's service, a registry or the sandbox failed: the next start goes on
                from what was paid for.
        """
        trace, start = open_trace(self.folder, self.key)
        with trace:
            trace.event(
                "start",
                key=self.key,
                start=start,
                skill=self.subject.skill,
                explorer=self.explorer,
                model=self.model.model,
                settings=self.settings.model_dump(mode="json"),
            )
            try:
                drafted, record = self._steps(trace, start)
            except LabagentError as error:
                trace.event("interrupted", reason=str(error))
                raise
            record.write(self.folder / RECORD)
            trace.event("end", status="refused" if drafted.reason else "drafted", reason=drafted.reason)
        return drafted

    def _steps(self, trace: TraceWriter, start: int) -> tuple[Drafted, ExplorationRecord]:
        """Research, then write."""
        material = Material.of(self.subject.skill, self.content, self.subject.known)
        allowance = self._allowance()
        asker = Asker(self.model, trace, PaidReplies.of(self.folder, "main", start), allowance.research())
        found, writer = Exploration(), None
        if self.settings.rounds:
            self._research(asker, found, material, start)
        asker.allowance = allowance
        if found.stopped_by == "failed":
            drafted = Drafted(found.reason)
        else:
            writer = self._writer(asker, found, material)
            drafted = writer.write()
            self._remember(writer, trace)
        drafted = Drafted(drafted.reason, drafted.struck, trace.costs.usd)
        return drafted, self._record(found, writer, drafted, asker)

    def _research(self, asker: Asker, found: Exploration, material: Material, start: int) -> None:
        """Brief, then rounds of scouts and supervisor until one reason to stop holds."""
        perspectives = self.settings.perspectives
        try:
            found.brief, dropped = ask_brief(asker, self.subject, material, perspectives)
        except (StepFailed, CapReached) as failed:
            found.stopped_by, found.reason = "failed", f"no research brief: {failed}"
            asker.trace.event("stopped", by=found.stopped_by, reason=found.reason)
            return
        found.book.dropped += dropped
        asker.trace.event("brief", brief=found.brief.model_dump(mode="json"))
        supervisor = Supervisor(found.brief, material, perspectives, self.settings.rounds)
        found.supervisor = supervisor
        while not found.stopped_by:
            lanes, new = self._round(asker, found, material, start)
            capped = next((str(lane.cap) for lane in lanes if lane.cap), "")
            names = [lane_name(len(supervisor.rounds) + 1, lane.perspective) for lane in lanes]
            try:
                found.stopped_by = supervisor.decide(asker, found.book, names, new, capped)
                found.reason = capped if found.stopped_by == "cap" else supervisor.rounds[-1].why
            except CapReached as cap:
                found.stopped_by, found.reason = "cap", str(cap)
        found.failures += supervisor.failures
        asker.trace.event("stopped", by=found.stopped_by, reason=found.reason)

    def _round(
        self, asker: Asker, found: Exploration, material: Material, start: int
    ) -> tuple[Sequence[Lane], int]:
        """One round of scouts; their lanes are merged into the trace in the order of the perspectives."""
        assert found.brief is not None and found.supervisor is not None
        number = len(found.supervisor.rounds) + 1
        scouting = Scouting(
            brief=found.brief,
            material=material,
            artifacts=self.artifacts,
            folder=self.folder,
            settings=self.settings,
            model=self.model,
            start=start,
            allowance=asker.allowance.left(asker.spent),
            number=number,
        )
        before = len(found.book.found)
        try:
            lanes = scouting.run(found.supervisor.queries(), found.book)
        finally:
            names = [lane_name(number, perspective) for perspective in self.settings.perspectives]
            merge_lanes(asker.trace, self.folder, names)
        found.failures += [lane.failure for lane in lanes if lane.failure]
        found.cached += sum(lane.cached for lane in lanes)
        return lanes, len(found.book.found) - before

    def _writer(self, asker: Asker, found: Exploration, material: Material) -> Writer:
        """What writes the skill."""
        return Writer(
            asker=asker,
            subject=self.subject,
            material=material,
            artifacts=self.artifacts,
            folder=self.draft,
            installed=self.installed,
            max_repairs=self.settings.max_repairs,
            critical=bool(self.settings.rounds),
            book=found.book,
            brief=found.brief,
            trial=self.trial,
            source=Provenance(run=f"explore/{self.explorer}/{self.subject.skill}", skill=self.subject.skill),
            known_lessons=self._known_lessons(),
        )

    def _known_lessons(self) -> list[str]:
        """What earlier explorations of this skill learned, as it was when this one was first started."""
        if self.memory is None:
            return []
        path = self.folder / MEMORY
        if not path.exists():
            self.memory.freeze(path)
        skill = self.subject.skill
        own = [
            lesson
            for lesson in read_frozen(path)
            if lesson.status != "quarantined" and any(p.skill == skill for p in lesson.provenance)
        ]
        return [f"{lesson.why or lesson.signature} -> {lesson.fix}" for lesson in own][:MAX_LESSONS]

    def _remember(self, writer: Writer, trace: TraceWriter) -> None:
        """Give the lessons of repairs to the memory; one that cannot be written undoes no draft."""
        for event in writer.learned:
            trace.event("lesson", id=event.id, signature=event.signature, fix=event.fix)
        if self.memory is None:
            return
        try:
            self.memory.append(writer.learned)
        except MemoryStoreError as error:
            trace.event("memory", reason=str(error))

    def _allowance(self) -> Allowance:
        """The explorer's caps."""
        settings = self.settings
        deadline = time.monotonic() + settings.wall_seconds
        return Allowance(settings.calls, settings.usd, settings.tokens, deadline)

    def _record(
        self, found: Exploration, writer: Writer | None, drafted: Drafted, asker: Asker
    ) -> ExplorationRecord:
        """What was done, as a record."""
        costs = asker.trace.costs
        return ExplorationRecord.model_validate(
            {
                "skill": self.subject.skill,
                "explorer": self.explorer,
                "brief": found.brief,
                "rounds": tuple(found.supervisor.rounds) if found.supervisor else (),
                "stopped_by": found.stopped_by,
                "reason": found.reason,
                "found": tuple(found.book.found),
                "dropped": tuple(found.book.dropped),
                "prescriptions": tuple(writer.judged.values()) if writer else (),
                "critique": writer.criticised if writer else (),
                "struck": drafted.struck,
                "failures": (*found.failures, *(writer.failures if writer else ())),
                "calls": costs.calls,
                "cached": found.cached + asker.cached,
                "tokens": costs.tokens,
                "cost_usd": costs.usd,
                "key": self.key,
            }
        )
