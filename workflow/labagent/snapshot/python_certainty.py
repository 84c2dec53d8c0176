"""Whether what is written of Python names is all there is to them."""

from __future__ import annotations

from labagent.snapshot.python_link import Linker, Node
from labagent.snapshot.python_signatures import Constructors
from labagent.snapshot.python_trace import GROWN, Table
from labagent.snapshot.python_units import Attribute, Class, Function

REPLACING = ("click.command", "click.group", "typer.", "singledispatch", "vectorize", "pytest.fixture")


class Certainty:
    """Judges signatures and classes.

    Args:
        linker: follows names.
        constructors: knows how classes are called.
        grown: classes that are given to functions that set attributes by name.
    """

    def __init__(self, linker: Linker, constructors: Constructors, grown: frozenset[str]) -> None:
        self.linker, self.constructors, self.grown = linker, constructors, grown
        self._replacing: Table[bool] = {}
        self._open: Table[bool] = {}

    def is_certain(self, node: Node, function: Function) -> bool:
        """Whether a call meets the parameters as they are written."""
        if not function.certain or not function.runtime:
            return False
        return not any(self._replaces(node, written) for written in function.decorators)

    def _replaces(self, node: Node, decorator: str) -> bool:
        """Whether a decorator may give a function another signature."""
        path = self.linker.absolute(node.module, node.owner, decorator)
        if any(part in path for part in REPLACING):
            return True
        return self.linker.trace.remember(self._replacing, path, True, lambda: self._changes(path, 0))

    def _changes(self, path: str, depth: int) -> bool:
        """Whether what stands at a path, called with a function, may give one with another signature."""
        found = self.linker.find(path)
        if found is None:
            return False
        if isinstance(found.member, Class):
            call = found.member.members.get("__call__")
            same = isinstance(call, Function) and call.keeps in ("wraps", "same")
            return not (same or found.member.keeps)
        if not isinstance(found.member, Function):
            return path.partition(".")[0] in self.linker.tops and not isinstance(found.member, Attribute)
        if found.member.keeps in ("wraps", "same"):
            return False
        if found.member.keeps == "signature" or not found.member.through or depth > 2:
            return True
        through = [self.linker.absolute(found.module, "", name) for name in found.member.through]
        inside = [p for p in through if self.linker.find(p) is not None and p != path]
        return not inside or all(self._changes(p, depth + 1) for p in inside)

    def is_open(self, node: Node) -> bool:
        """Whether a class may have members that are not written in it or its bases."""
        return self.linker.trace.remember(
            self._open,
            node.path,
            True,
            lambda: (
                self.constructors.has_outside_base(node)
                or any(self._grows(ancestor) for ancestor in self.linker.lineage(node))
            ),
        )

    def _grows(self, node: Node) -> bool:
        """Whether a class answers for any name, or a decorator or call of this repository may rework it."""
        cls = node.member
        if not isinstance(cls, Class):
            return False
        self.linker.trace.note(GROWN, node.path)
        if "__getattr__" in cls.members or node.path in self.grown:
            return True
        return any(self._reworks(self.linker.absolute(node.module, node.owner, d)) for d in cls.decorators)

    def _reworks(self, decorator: str) -> bool:
        """Whether a decorator of this repository may add members to a class."""
        found = self.linker.find(decorator)
        if found is None:
            return False
        same = isinstance(found.member, Function) and found.member.keeps == "same" and not found.member.sets
        return not same

    def constructs_as_written(self, node: Node) -> bool:
        """Whether no decorator changes how the class is called."""
        for name in ("__init__", "__new__"):
            for ancestor in self.linker.lineage(node):
                member = ancestor.member.members.get(name) if isinstance(ancestor.member, Class) else None
                if isinstance(member, Function):
                    inner = Node(f"{ancestor.path}.{name}", ancestor.module, ancestor.path, member)
                    return self.is_certain(inner, member)
        return True
