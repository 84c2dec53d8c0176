"""The drafter with a model: it writes the files, the checks of skills hold it to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from labagent.explore.briefing import briefing
from labagent.explore.marked_files import UnusableReply, parse_files, write_files
from labagent.explore.outcome import Drafted
from labagent.explore.source_copy import copy_source
from labagent.explore.striking import UNSUPPORTED, strike
from labagent.explore.trial import Trial
from labagent.explore.writing import render
from labagent.llm import Message, Model
from labagent.models.skill import Check, Verdict
from labagent.models.snapshot import Snapshot
from labagent.skills.validate import validate_skill

MAX_REASONS = 30
STRIKES = 3  # what is struck out may have been the only citation of other evidence
OFFLINE_CHECKS = frozenset({"resolve"})


@dataclass
class ModelDrafter:
    """One drafting: a request, up to ``max_repairs`` repairs, then striking out."""

    skill: str
    artifacts: Path
    snapshot: Snapshot
    origin: str
    model: Model
    max_repairs: int
    folder: Path
    trial: Trial | None = None
    cost: float | None = 0.0

    def draft(self) -> Drafted:
        """Ask, check, repair, strike out.

        Raises:
            InfrastructureError: the model's service failed.
        """
        unusable = self._bring_source()
        if unusable:
            return Drafted(unusable)
        values = briefing(self.skill, self.artifacts, self.snapshot, self.origin, self.model.context_tokens)
        messages = [
            {"role": "system", "content": render("system.j2", values, "prompts")},
            {"role": "user", "content": render("draft.j2", values, "prompts")},
        ]
        reply, reasons = self._ask(messages), list[str]()
        for round_ in range(self.max_repairs + 1):
            reasons = self._reasons(reply)
            if not reasons or round_ == self.max_repairs:
                break
            request = render("repair.j2", {"reasons": reasons[:MAX_REASONS]}, "prompts")
            answered = [{"role": "assistant", "content": reply}, {"role": "user", "content": request}]
            reply = self._ask([*messages, *answered])
        return self._finish(reasons)

    def _ask(self, messages: list[Message]) -> str:
        """The model's reply; its cost is added up."""
        reply = self.model.complete(messages)
        unknown = self.cost is None or reply.cost_usd is None
        self.cost = None if unknown else (self.cost or 0.0) + (reply.cost_usd or 0.0)
        return reply.text

    def _reasons(self, reply: str) -> list[str]:
        """Write a reply's files and say what is wrong with them."""
        try:
            files = parse_files(reply)
        except UnusableReply as fault:
            return [str(fault)]
        write_files(self.folder, files)
        self._bring_source()
        wrong = [_said(check) for check in _wrong(self._validate())]
        return wrong or [reason for reason in [self._try()] if reason]

    def _try(self) -> str:
        """Why the draft is refused when it is run, where drafts are tried."""
        return self.trial.refusal(self.folder, self.snapshot, self.artifacts) if self.trial else ""

    def _bring_source(self) -> str:
        """Copy a lab that is not on the package index into the draft; the reason where that fails."""
        if self.origin.startswith("pypi:"):
            return ""
        return copy_source(self.artifacts / "repository", self.snapshot, self.folder)

    def _finish(self, reasons: Sequence[str]) -> Drafted:
        """Strike out what has no support; what is still refused then refuses the draft."""
        if not (self.folder / "SKILL.md").is_file():
            return Drafted(f"no usable reply: {reasons[0]}", cost_usd=self.cost)
        struck: tuple[str, ...] = ()
        verdict = self._validate()
        for _ in range(STRIKES):
            unsupported = [check for check in _wrong(verdict) if check.id in UNSUPPORTED]
            if not unsupported:
                break
            struck += strike(self.folder, unsupported)
            verdict = self._validate()
        reason = "" if verdict.status == "valid" else verdict.reason
        if not reason and (struck or reasons):
            reason = self._try()
        return Drafted(reason, struck, self.cost)

    def _validate(self) -> Verdict:
        """File and API checks, as later validation makes them; the registry is not asked here."""
        return validate_skill(
            self.folder,
            origin="draft",
            snapshot=self.snapshot,
            artifacts=self.artifacts,
            root=self.folder,
            log=self.folder / "unused.log",
            tier=2,
            skip=OFFLINE_CHECKS,
            all_tiers=True,
        )


def _wrong(verdict: Verdict) -> list[Check]:
    """Failed checks, and prescriptions without evidence."""
    every = [check for tier in verdict.tiers for check in tier.checks]
    return [c for c in every if c.status == "failed" or (c.status == "warning" and c.id == "prescriptions")]


def _said(check: Check) -> str:
    """A check as a reason for the model."""
    place = f"{check.file}{f', line {check.line}' if check.line else ''}: " if check.file else ""
    return f"{place}{check.message}"
