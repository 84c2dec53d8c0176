"""What the program says of a draft: its checks, what is prescribed without support, and the striking out."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from labagent.errors import SkillError
from labagent.explore.agent.brief import Subject
from labagent.explore.agent.critique import findings, said
from labagent.explore.agent.learning import Reason
from labagent.explore.agent.prescriptions import Draft
from labagent.explore.agent.reflection import Prescribed, Reflected, reflect, strike_out
from labagent.explore.striking import UNSUPPORTED, strike
from labagent.models.exploration import PrescriptionRecord
from labagent.models.skill import Verdict
from labagent.skills.frontmatter import parse_frontmatter
from labagent.skills.read import read_skill
from labagent.skills.validate import validate_skill

STRIKES = 3  # what is struck out may have been the only citation of other evidence
OFFLINE_CHECKS = frozenset({"resolve"})
OWN_WORD = "metadata is written when a skill was validated, not by a draft; leave it out"


@dataclass
class Judge:
    """Judges one draft as it lies in its folder.

    ``listed`` are prescriptions that the model named; ``prescribed`` everything that was ever prescribed, by
    file and text.
    """

    folder: Path
    subject: Subject
    artifacts: Path
    listed: tuple[Prescribed, ...] = ()
    prescribed: dict[tuple[str, str], PrescriptionRecord] = field(default_factory=dict)

    def reasons(self, verdict: Verdict) -> list[Reason]:
        """Why the files cannot stay as they are: failed checks, its own word for it, what has no support."""
        reasons = [Reason(c.id, said(c), c.file, c.tier) for c in findings(verdict) if c.status == "failed"]
        reflected = self.reflected()
        unsupported = reflected.unsupported if reflected else ()
        return [*reasons, *self._own_words(), *map(_unsupported, unsupported)]

    def reflected(self) -> Reflected | None:
        """What the draft prescribes; ``None`` where it cannot be read."""
        draft = self.draft()
        if draft is None:
            return None
        reflected = reflect(draft, self.listed)
        self.prescribed |= {(record.file, record.text): record for record in reflected.records}
        return reflected

    def draft(self) -> Draft | None:
        """The draft as it is now; ``None`` where it cannot be read."""
        try:
            return Draft(self.folder, read_skill(self.folder), self.subject.snapshot, self.artifacts)
        except SkillError:
            return None

    def strike(self) -> tuple[str, ...]:
        """Strike out what has no support, and what that leaves without any."""
        struck: tuple[str, ...] = ()
        for _ in range(STRIKES):
            taken = self._strike()
            if not taken:
                break
            struck += taken
        return struck

    def _strike(self) -> tuple[str, ...]:
        """One pass over what has no support: evidence that does not hold, then prescriptions."""
        struck: tuple[str, ...] = ()
        unsupported = [c for c in findings(self.verdict()) if c.status == "failed" and c.id in UNSUPPORTED]
        if unsupported:
            struck += strike(self.folder, unsupported)
        draft = self.draft()
        if draft is not None:
            struck += strike_out(draft, reflect(draft, self.listed).unsupported)
        return struck

    def refusal(self) -> str:
        """Why the files are refused as they are now, without being run."""
        verdict = self.verdict()
        if verdict.status != "valid":
            return verdict.reason
        reflected = self.reflected()
        reasons = [*self._own_words(), *map(_unsupported, reflected.unsupported if reflected else ())]
        return reasons[0].text if reasons else ""

    def verdict(self) -> Verdict:
        """File and API checks, as later validation makes them; the registry is not asked here."""
        return validate_skill(
            self.folder,
            origin="draft",
            snapshot=None if self.subject.open else self.subject.snapshot,
            artifacts=self.artifacts,
            root=self.folder,
            log=self.folder / "unused.log",
            tier=2,
            skip=OFFLINE_CHECKS,
            all_tiers=True,
        )

    def _own_words(self) -> list[Reason]:
        """A verdict that a draft gives itself."""
        try:
            text = (self.folder / "SKILL.md").read_text(encoding="utf-8")
            head = parse_frontmatter(text, self.folder.name)
        except (SkillError, OSError):
            return []
        return [Reason("metadata", f"SKILL.md: {OWN_WORD}", "SKILL.md")] if head.metadata else []


def _unsupported(record: PrescriptionRecord) -> Reason:
    """A prescription without support as a reason."""
    place = f"{record.file}{f', line {record.line}' if record.line else ''}"
    text = f'{place}: "{record.text}" is prescribed, but {record.why}'
    return Reason("prescriptions", text, record.file)
