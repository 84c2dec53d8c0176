"""What tests of skills do to a skill, and how they read a verdict."""

from __future__ import annotations

from pathlib import Path

from labagent.models.skill import Check, Verdict


def replace(path: Path, old: str, new: str) -> None:
    """Change a text that must be there."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def failures(verdict: Verdict) -> list[Check]:
    """All failed checks."""
    return [c for t in verdict.tiers for c in t.checks if c.status == "failed"]


def found(verdict: Verdict, name: str) -> list[Check]:
    """The failed checks of one id."""
    return [c for c in failures(verdict) if c.id == name]


def raised(verdict: Verdict, name: str) -> list[tuple[str, int | None]]:
    """Where a check failed or warned."""
    checks = [c for t in verdict.tiers for c in t.checks]
    return [(c.file, c.line) for c in checks if c.id == name and c.status in {"failed", "warning"}]
