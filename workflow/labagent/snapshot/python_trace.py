"""What an answer about names was read from, so that it is worked out again only where that changed."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

V = TypeVar("V")
Read = tuple[str, str]
"""A module with a name in it, or with one of the words below."""
NAMES, EXPORTS, DYNAMIC = "=names", "=exports", "=dynamic"
GROWN, SUBCLASSED = "=grown", "=subclassed"  # in the place of a module; the name is the path of a class
Table = dict[Hashable, tuple[V, "set[Read] | None"]]


class Trace:
    """Gathers what is read, and remembers answers with it.

    An answer that asks for itself gets what is given for that case; it then depends on which question came
    first, and ``circular`` says that this happened.

    Args:
        on: whether to gather; without, answers are remembered all the same.
    """

    def __init__(self, *, on: bool) -> None:
        self.on = on
        self.reads: set[Read] = set()
        self.circular = False

    def note(self, module: str, name: str) -> None:
        """Something was read."""
        if self.on:
            self.reads.add((module, name))

    def remember(self, table: Table[V], key: Hashable, meanwhile: V, compute: Callable[[], V]) -> V:
        """The answer in the table, else computed; what it was read from counts as read each time."""
        found = table.get(key)
        if found is None:
            table[key] = (meanwhile, None)
            value, reads = self.gather(compute)
            table[key] = (value, reads)
        else:
            value, known = found
            self.circular = self.circular or known is None
            reads = known or set()
        if self.on:
            self.reads |= reads
        return value

    def gather(self, compute: Callable[[], V]) -> tuple[V, set[Read]]:
        """An answer, and what it was read from."""
        outer, self.reads = self.reads, set()
        try:
            return compute(), self.reads
        finally:
            self.reads = outer
