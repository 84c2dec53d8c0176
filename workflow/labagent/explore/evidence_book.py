"""Evidence gathered while a draft is written: each place once, numbered in the order of citing."""

from __future__ import annotations

from pathlib import Path

from labagent.models.skill import Evidence, Source
from labagent.skills.passages import Unresolved, missing_terms

REACH = 15  # lines below a definition's first one (a decorator, say) in which its name is looked for


class EvidenceBook:
    """Hands out ``[E1]``, ``[E2]``, … for places in a lab's repository that say what they are cited for."""

    def __init__(self, artifacts: Path) -> None:
        self.artifacts = artifacts
        self._items: dict[tuple[str, tuple[int, int], tuple[str, ...]], Evidence] = {}

    def cite(self, statement: str, file: str, lines: tuple[int, int], terms: tuple[str, ...]) -> str:
        """The citation of a place; empty where the terms do not occur there.

        Args:
            statement: what the place is cited for.
            file: path in the staged repository.
            lines: first and last line, from 1; for a notebook the number of its cell, twice.
            terms: what must occur there.
        """
        key = (file, lines, terms)
        if key not in self._items:
            place = {"cell": lines[0]} if file.endswith(".ipynb") else {"lines": lines}
            source = Source.model_validate({"kind": "repository", "path": file, **place})
            number = len(self._items) + 1
            item = Evidence(id=f"E{number}", statement=statement, source=source, terms=terms)
            if not self._holds(item):
                return ""
            self._items[key] = item
        return f"[{self._items[key].id}]"

    def cite_near(self, statement: str, file: str, line: int, term: str) -> str:
        """As :meth:`cite`, the lines reaching from ``line`` down to the first that holds ``term``."""
        path = self.artifacts / "repository" / file
        rows = path.read_text(encoding="utf-8", errors="replace").split("\n")[line - 1 : line - 1 + REACH]
        offset = next((n for n, row in enumerate(rows) if term in row), None)
        return "" if offset is None else self.cite(statement, file, (line, line + offset), (term,))

    def _holds(self, item: Evidence) -> bool:
        """Whether the place exists and every term occurs there."""
        try:
            return not missing_terms(item, self.artifacts)
        except Unresolved:
            return False

    @property
    def items(self) -> tuple[Evidence, ...]:
        """All evidence, in the order of citing."""
        return tuple(self._items.values())
