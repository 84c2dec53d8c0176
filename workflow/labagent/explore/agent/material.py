"""Text that others wrote, marked as such wherever a prompt holds it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from labagent.files import sha256_json

ANY_MARK = re.compile(r"MATERIAL-[0-9a-fA-F]{8,}")


@dataclass(frozen=True)
class Material:
    """Marks of one exploration.

    The mark follows from the sources' content, so that a killed exploration asks the same questions again
    and no text can hold its own mark; whatever looks like one is taken out of quoted text all the same.
    """

    mark: str

    @classmethod
    def of(cls, *content: str) -> Material:
        """The mark for this content (hashes of sources, the skill's name)."""
        return cls(f"MATERIAL-{sha256_json(content)[:16]}")

    def clean(self, text: str) -> str:
        """A text without marks and without control characters that hide text."""
        visible = "".join(c for c in text if c in "\n\t" or c.isprintable())
        return ANY_MARK.sub("MATERIAL-*", visible)

    def quoted(self, text: str) -> str:
        """A text between the marks."""
        return f"{self.mark} BEGIN\n{self.clean(text)}\n{self.mark} END"
