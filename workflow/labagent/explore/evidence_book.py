"""Evidence gathered while a draft is written: each place once, numbered in the order of citing."""

from __future__ import annotations

from labagent.models.skill import Evidence, Source


class EvidenceBook:
    """Hands out ``[E1]``, ``[E2]``, … for places in a lab's staged repository."""

    def __init__(self) -> None:
        self._items: dict[tuple[str, tuple[int, int], tuple[str, ...]], Evidence] = {}

    def cite(self, statement: str, file: str, lines: tuple[int, int], terms: tuple[str, ...]) -> str:
        """The citation of a place.

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
            self._items[key] = Evidence(id=f"E{number}", statement=statement, source=source, terms=terms)
        return f"[{self._items[key].id}]"

    @property
    def items(self) -> tuple[Evidence, ...]:
        """All evidence, in the order of citing."""
        return tuple(self._items.values())
