"""Steps 4 to 6: writing the skill from the snapshot and the evidence, and mending it until it holds.

The draft is written, held to the checks, reflected on and criticised; then it is rewritten with all that was
found, and mended with what the checks still refuse, ``max_repairs`` times. What then has no support is
struck out; what is then refused stays refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from labagent.explore.agent.allowance import CapReached
from labagent.explore.agent.asking import Asker, StepFailed
from labagent.explore.agent.brief import Subject, brief_text
from labagent.explore.agent.critique import criticise, findings, said
from labagent.explore.agent.evidence import Book, place
from labagent.explore.agent.judging import Judge
from labagent.explore.agent.learning import Reason, lessons
from labagent.explore.agent.material import Material
from labagent.explore.agent.reflection import ReflectionReply
from labagent.explore.marked_files import UnusableReply, parse_files, write_files
from labagent.explore.outcome import Drafted
from labagent.explore.source_copy import copy_source
from labagent.explore.trial import Trial
from labagent.explore.writing import render
from labagent.files import fresh_folder, write_text
from labagent.llm import Message
from labagent.models.exploration import Brief
from labagent.models.memory import LessonEvent, Provenance
from labagent.models.skill import Verdict
from labagent.skills.checks.citations import cited_in

MAX_REASONS = 30


@dataclass
class Look:
    """What the checks say of the files there are now."""

    reasons: list[Reason]
    verdict: Verdict | None = None

    @property
    def texts(self) -> list[str]:
        """The reasons as the model is told."""
        return [reason.text for reason in self.reasons]


@dataclass
class Writer:
    """Writes one skill. ``critical``: reflect and criticise before the rewrite.

    ``shared_names`` are loci this skill has in common with others, ``shared`` those that are written already,
    by path: they overrule the model's. ``learned`` are the lessons of repairs, ``criticised`` what the model
    found wrong itself.
    """

    asker: Asker
    subject: Subject
    material: Material
    artifacts: Path
    folder: Path
    installed: bool
    max_repairs: int
    critical: bool
    book: Book = field(default_factory=Book)
    brief: Brief | None = None
    trial: Trial | None = None
    source: Provenance = field(default_factory=lambda: Provenance(run="explore"))
    known_lessons: Sequence[str] = ()
    learned: list[LessonEvent] = field(default_factory=list)
    criticised: tuple[str, ...] = ()
    failures: list[str] = field(default_factory=list)
    last: Look | None = None
    shared_names: Sequence[str] = ()
    shared: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.judge = Judge(self.folder, self.subject, self.artifacts)

    def write(self) -> Drafted:
        """Draft, reflect, criticise, rewrite, mend, strike out.

        Raises:
            InfrastructureError: the model's service failed, or a registry or the sandbox during a trial.
        """
        fresh_folder(self.folder)
        unusable = self._bring_source()
        if unusable:
            return Drafted(unusable)
        messages = self._assignment()
        try:
            reply = self.asker.ask(messages, "draft")
            look = self._look(reply)
            if self.critical:
                reply, look = self._rewrite(messages, reply, look)
            self._mend(messages, reply, look)
        except (CapReached, StepFailed) as stopped:
            self.failures.append(str(stopped))
            self.asker.trace.event("stopped", reason=str(stopped))
            if self.last is None:
                return Drafted(f"no draft: {stopped}")
        return self._finish()

    def _assignment(self) -> list[Message]:
        """The contract, and what is known."""
        evidence = [
            f"{item.id} ({place(item.source)}; terms: {', '.join(item.terms)}): {item.statement}"
            for item in self.book.found
        ]
        values = {
            "subject": self.subject,
            "brief": self.material.quoted(brief_text(self.brief)) if self.brief else "",
            "installed": self.installed,
            "evidence": self.material.quoted("\n".join(evidence)) if evidence else "",
            "lessons": self.material.quoted("\n".join(self.known_lessons)) if self.known_lessons else "",
            "known": self.material.quoted(self.subject.known),
            "shared_names": self.shared_names,
            "shared": self.material.quoted("\n".join(f"--- {p}\n{t}" for p, t in self.shared.items()))
            if self.shared
            else "",
        }
        return [
            {"role": "system", "content": render("system.j2", {"mark": self.material.mark}, "prompts")},
            {"role": "user", "content": render("draft.j2", values, "prompts")},
        ]

    def _rewrite(self, messages: list[Message], reply: str, look: Look) -> tuple[str, Look]:
        """Reflect on a draft and criticise it; where either or the checks find something, write it again."""
        asked: list[Message] = [*messages, {"role": "assistant", "content": reply or "(empty)"}]
        if self.judge.draft() is not None:
            self._step("reflection", lambda: self._reflect(asked))
            look = self._checked()
        self._step("critique", lambda: self._criticise(asked, look.verdict))
        reasons = [*look.texts, *self.criticised]
        reasons += [said(check) for check in findings(look.verdict)] if look.verdict else []
        reasons = list(dict.fromkeys(reasons))
        if not reasons:
            return reply, look
        return self._again(messages, reply, look, reasons, "rewrite")

    def _mend(self, messages: list[Message], reply: str, look: Look) -> None:
        """Send what the checks refuse back, at most ``max_repairs`` times."""
        for number in range(1, self.max_repairs + 1):
            if not look.reasons:
                return
            reply, look = self._again(messages, reply, look, look.texts, f"repair {number}")

    def _again(
        self, messages: list[Message], reply: str, look: Look, reasons: Sequence[str], step: str
    ) -> tuple[str, Look]:
        """Ask for the files once more, with reasons; what the change cleared is a lesson."""
        quoted = self.material.quoted("\n".join(f"- {reason}" for reason in reasons[:MAX_REASONS]))
        asked: list[Message] = [
            *messages,
            {"role": "assistant", "content": reply or "(empty)"},
            {"role": "user", "content": render("repair.j2", {"quoted": quoted}, "prompts")},
        ]
        before = self._files()
        reply = self.asker.ask(asked, step)
        after = self._look(reply)
        taught = lessons(look.reasons, after.reasons, before, self._files(), self.source)
        self.learned += taught
        self.asker.trace.event(
            "repaired", step=step, sent=list(reasons), left=after.texts, lessons=[e.id for e in taught]
        )
        return reply, after

    def _step(self, name: str, step: Callable[[], None]) -> None:
        """A step whose failure is stated and does not end the work: the program's checks stand without it."""
        try:
            step()
        except StepFailed as failed:
            self.failures.append(str(failed))
            self.asker.trace.event("failed", step=name, reason=str(failed))

    def _reflect(self, asked: list[Message]) -> None:
        """What the model says that its draft prescribes."""
        question: Message = {"role": "user", "content": render("reflect.j2", {}, "prompts")}
        reply = self.asker.ask_record([*asked, question], ReflectionReply, "reflection")
        self.judge.listed = reply.prescriptions
        reflected = self.judge.reflected()
        self.book.dropped += reflected.dropped if reflected else ()

    def _criticise(self, asked: list[Message], verdict: Verdict | None) -> None:
        """What the model finds wrong with its draft."""
        self.criticised = criticise(self.asker, asked, verdict, self.material)

    def _look(self, reply: str) -> Look:
        """Write a reply's files and say what is wrong with them."""
        try:
            files = parse_files(reply, optional=("evidence.jsonl",) if self.book.found else ())
        except UnusableReply as fault:
            self.last = Look([Reason("reply", str(fault))])
            return self.last
        write_files(self.folder, {**files, **self.shared})
        self._merge_evidence()
        self._bring_source()
        return self._checked()

    def _checked(self) -> Look:
        """What is wrong with the files as they are; they are run where nothing else is."""
        verdict = self.judge.verdict()
        reasons = self.judge.reasons(verdict)
        if not reasons and (refusal := self._try()):
            reasons = [Reason("run", refusal)]
        self.last = Look(reasons, verdict)
        self.asker.trace.event("checked", reasons=self.last.texts)
        return self.last

    def _merge_evidence(self) -> None:
        """Write the evidence that the files cite as it was looked up; the model's own lines follow."""
        path = self.folder / "evidence.jsonl"
        own = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
        found = {item.id for item in self.book.found}
        own = [line for line in own if line.strip() and _id_of(line) not in found]
        texts = [f.read_text(encoding="utf-8") for f in sorted(self.folder.rglob("*.md"))]
        cited = {name for text in texts for line in text.split("\n") for name in cited_in(line)}
        lines = [
            json.dumps(item.model_dump(mode="json", exclude_none=True), ensure_ascii=False)
            for item in self.book.evidence(cited)
        ]
        write_text(path, "".join(f"{line}\n" for line in [*lines, *own]))

    def _bring_source(self) -> str:
        """Copy a lab that is not on the package index into the draft; the reason where that fails."""
        if self.installed or self.subject.open:
            return ""
        return copy_source(self.artifacts / "repository", self.subject.snapshot, self.folder)

    def _try(self) -> str:
        """Why the draft is refused when it is run, where drafts are tried."""
        if self.trial is None:
            return ""
        snapshot = None if self.subject.open else self.subject.snapshot
        return self.trial.refusal(self.folder, snapshot, self.artifacts)

    def _files(self) -> dict[str, str]:
        """The draft's text files as they are now."""
        kept = ("SKILL.md", "environment.yaml", "references/*.md", "scripts/*", "assets/quickstart.yaml")
        paths = [path for pattern in kept for path in sorted(self.folder.glob(pattern)) if path.is_file()]
        return {
            path.relative_to(self.folder).as_posix(): path.read_text(encoding="utf-8", errors="replace")
            for path in paths
        }

    def _finish(self) -> Drafted:
        """Strike out what has no support; what is still refused then refuses the draft."""
        left = self.last.texts if self.last else []
        if not (self.folder / "SKILL.md").is_file():
            return Drafted(f"no usable reply: {left[0]}")
        struck = self.judge.strike()
        for text in struck:
            self.asker.trace.event("struck", text=text)
        reason = self.judge.refusal()
        if not reason and (struck or left):
            reason = self._try()
        return Drafted(reason, struck)


def _id_of(line: str) -> str:
    """The id of a line of evidence; empty where it has none."""
    try:
        value = json.loads(line)
    except json.JSONDecodeError:
        return ""
    return str(value.get("id", "")) if isinstance(value, dict) else ""
