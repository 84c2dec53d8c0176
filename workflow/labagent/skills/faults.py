"""What is wrong with a skill's file, and where."""

from __future__ import annotations

from labagent.errors import SkillError


class SkillFault(SkillError):
    """A skill's file cannot be read. ``file`` is relative to the skill, ``line`` counts from 1."""

    def __init__(self, message: str, file: str, line: int | None = None) -> None:
        self.message, self.file, self.line = message, file, line
        super().__init__(f"{file}{f', line {line}' if line else ''}: {message}")
