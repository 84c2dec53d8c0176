"""The explore agent: its six steps in order, each in the trace, within caps."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
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
from labagent.files import sha256_text
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
    writers: list[Writer] = field(default_factory=list)
    analyses: dict[str, str] = field(default_factory=dict)
    shared: dict[str, str] = field(default_factory=dict)


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
        found = Exploration()
        if self.settings.rounds or self.subject.open:
            self._research(asker, found, material, start)
        asker.allowance = allowance
        if found.stopped_by == "failed":
            drafted = Drafted(found.reason)
        elif self.subject.open:
            drafted = self._write_analyses(asker, found, material)
        else:
            drafted = self._write(self._writer(asker, found, material), found)
        drafted = Drafted(drafted.reason, drafted.struck, trace.costs.usd)
        return drafted, self._record(found, drafted, asker)

    def _write(self, writer: Writer, found: Exploration) -> Drafted:
        """Write one skill, and keep what its repairs taught."""
        drafted = writer.write()
        found.writers.append(writer)
        self._remember(writer, writer.asker.trace)
        return drafted

    def _write_analyses(self, asker: Asker, found: Exploration, material: Material) -> Drafted:
        """The skills of an open question, one after the other; loci in common are those of the first.

        Returns:
            What was struck out of all of them; refused only where every one is.
        """
        assert found.brief is not None
        struck: tuple[str, ...] = ()
        for analysis in found.brief.analyses:
            tasks = {name: self.subject.tasks[name] for name in analysis.targets}
            subject = replace(self.subject, skill=analysis.name, tasks=tasks)
            writer = self._writer(asker, found, material, subject)
            drafted = self._write(writer, found)
            struck += tuple(f"{analysis.name}: {text}" for text in drafted.struck)
            found.analyses[analysis.name] = drafted.reason
            if not drafted.reason:
                for name in found.brief.shared:
                    path = writer.folder / f"references/{name}.md"
                    if path.is_file():
                        found.shared.setdefault(f"references/{name}.md", path.read_text(encoding="utf-8"))
        refused = [f"{name}: {reason}" for name, reason in found.analyses.items() if reason]
        return Drafted("; ".join(refused) if len(refused) == len(found.analyses) else "", struck)

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

    def _writer(
        self, asker: Asker, found: Exploration, material: Material, subject: Subject | None = None
    ) -> Writer:
        """What writes the skill, or one of an open question's."""
        subject = subject or self.subject
        run = f"explore/{self.explorer}/{self.subject.skill}"
        return Writer(
            asker=asker,
            subject=subject,
            material=material,
            artifacts=self.artifacts,
            folder=self.draft.with_name(subject.skill),
            installed=self.installed,
            max_repairs=self.settings.max_repairs,
            critical=bool(self.settings.rounds),
            book=found.book,
            brief=found.brief,
            trial=self.trial,
            source=Provenance(run=run, skill=subject.skill),
            shared_names=found.brief.shared if found.brief else (),
            shared=dict(found.shared),
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

    def _record(self, found: Exploration, drafted: Drafted, asker: Asker) -> ExplorationRecord:
        """What was done, as a record."""
        writers = found.writers
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
                "prescriptions": [p for writer in writers for p in writer.judge.prescribed.values()],
                "critique": [fault for writer in writers for fault in writer.criticised],
                "struck": drafted.struck,
                "failures": [*found.failures, *(text for writer in writers for text in writer.failures)],
                "analyses": found.analyses,
                "shared": {path: sha256_text(text) for path, text in found.shared.items()},
                "calls": costs.calls,
                "cached": found.cached + asker.cached,
                "tokens": costs.tokens,
                "cost_usd": costs.usd,
                "key": self.key,
            }
        )
