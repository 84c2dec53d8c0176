"""Names of a repository's modules, followed through imports, ``__all__``, star imports and inheritance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from labagent.snapshot.python_load import Units
from labagent.snapshot.python_trace import DYNAMIC, EXPORTS, NAMES, Table, Trace
from labagent.snapshot.python_units import Alias, Attribute, Class, Function, Member, Unit

NO_FILE = Unit("", False, None, False, (), {}, {})


class Node(NamedTuple):
    """Something defined in the repository; ``member`` is ``None`` for a module, ``owner`` may be empty."""

    path: str
    module: str
    owner: str
    member: Function | Attribute | Class | None


class Linker:
    """Answers what a dotted path stands for. All answers depend on the units alone.

    Units are read only by the methods of this class that tell ``trace``; which modules there are is not told.
    """

    def __init__(self, units: Units, trace: Trace | None = None) -> None:
        self.trace = trace or Trace(on=False)
        self._units = units
        self.own = [name for name, state in units.states.items() if state.there]
        self.names = with_holders(self.own)
        self._files = frozenset(self.own)
        self.tops = frozenset(name.partition(".")[0] for name in self.names)
        self.dynamic = self._dynamic()
        self._exports: Table[tuple[str, ...] | None] = {}
        self._members: Table[dict[str, Member]] = {}
        self._found: Table[Node | None] = {}
        self._lineage: Table[list[Node]] = {}

    def _unit(self, module: str) -> Unit:
        """The unit of a module; packages without a file that can be read are there all the same."""
        return self._units.unit(module) if module in self._files else NO_FILE

    def _dynamic(self) -> frozenset[str]:
        """Modules that set names by hand, and those that import all names of one, or of one outside."""
        dynamic = {name for name, state in self._units.states.items() if state.dynamic}
        stars = [(name, star) for name, state in self._units.states.items() for star in state.stars]
        changed = True
        while changed:
            changed = False
            for name, source in stars:
                if name not in dynamic and (source in dynamic or source not in self.names):
                    dynamic.add(name)
                    changed = True
        return frozenset(dynamic)

    def is_dynamic(self, module: str) -> bool:
        """Whether a module may have names that are not written."""
        self.trace.note(module, DYNAMIC)
        return module in self.dynamic

    def is_package(self, module: str) -> bool:
        """Whether a module's file is an ``__init__``."""
        self.trace.note(module, EXPORTS)
        return self._unit(module).is_package

    def passed(self, module: str) -> tuple[tuple[str, str], ...]:
        """Calls at a module's top level that are given a class; only that module itself may ask."""
        return self._unit(module).passed

    def exports(self, module: str) -> tuple[str, ...] | None:
        """``__all__`` of a module with the lists of others in it."""
        self.trace.note(module, EXPORTS)
        written = self._unit(module).exports
        if written is None:
            return None
        return self.trace.remember(
            self._exports,
            module,
            written,  # a list that includes itself
            lambda: tuple(dict.fromkeys(n for item in written for n in self._listed(module, item))),
        )

    def _listed(self, module: str, item: str) -> tuple[str, ...]:
        """The names an item of ``__all__`` stands for."""
        if not item.startswith("*"):
            return (item,)
        name = item[1:]
        for path in (name, self.absolute(module, "", name), f"{module}.{name}"):
            if path in self.names:
                return tuple(n for n in self.exports(path) or () if not n.startswith("*"))
        return ()

    def members(self, module: str) -> list[tuple[str, Member]]:
        """The names of a module with what they are, those of its star imports included."""
        found = self._all(module)
        self.trace.note(module, NAMES)
        for name in found:
            self.trace.note(module, name)
        return list(found.items())

    def member(self, module: str, name: str) -> Member | None:
        """A name of a module, one of its star imports included."""
        self.trace.note(module, name)
        return self._all(module).get(name)

    def _all(self, module: str) -> dict[str, Member]:
        """The names of a module; any change of one with star imports counts for all that look into it."""
        own = self._unit(module).members
        if module not in self._files or not self._units.states[module].stars:
            return own
        return self.trace.remember(self._members, module, own, lambda: self._with_stars(own))

    def _with_stars(self, own: dict[str, Member]) -> dict[str, Member]:
        """Names with those of star imports; what comes later in the file counts."""
        stars = [m for m in own.values() if isinstance(m, Alias) and m.star and m.target in self.names]
        found = {n: m for n, m in own.items() if not (isinstance(m, Alias) and m.star)}
        lines = {n: m.line for n, m in found.items()}
        for star in sorted(stars, key=lambda m: m.line):
            for name in self._offered(star.target):
                if lines.get(name, 0) < star.line:
                    found[name] = Alias(star.line, f"{star.target}.{name}", False)
                    lines[name] = star.line
        return found

    def _offered(self, module: str) -> list[str]:
        """What a star import brings: ``__all__``, else all that is not private."""
        exports, there = self.exports(module), self._all(module)
        self.trace.note(module, NAMES)
        if exports is not None:
            return [n for n in exports if n in there or f"{module}.{n}" in self.names]
        return [n for n in there if not n.startswith("_") and "/" not in n]

    def find(self, path: str) -> Node | None:
        """What a dotted path stands for; ``None`` where it is not in the repository or goes in a circle."""
        if path.partition(".")[0] not in self.tops:
            return None
        return self.trace.remember(self._found, path, None, lambda: self._find(path))

    def _find(self, path: str) -> Node | None:
        """An attribute of a module or class; a module where nothing else has its name."""
        holder, _, name = path.rpartition(".")
        if holder in self.names:
            member = self.member(holder, name)
            if member is not None:
                found = self.resolve(holder, "", name, member)
                if found is not None:
                    return found
        elif holder:
            parent = self.find(holder)
            if parent is not None and parent.member is None:
                return self.find(f"{parent.path}.{name}")
            if parent is not None and isinstance(parent.member, Class):
                return self.attribute(parent, name)
            return None
        return Node(path, path, "", None) if path in self.names else None

    def attribute(self, cls: Node, name: str) -> Node | None:
        """An attribute of a class, looked up in its bases, too."""
        for ancestor in self.lineage(cls):
            member = ancestor.member.members.get(name) if isinstance(ancestor.member, Class) else None
            if member is not None:
                return self.resolve(ancestor.module, ancestor.path, name, member)
        return None

    def resolve(self, module: str, owner: str, name: str, member: Member) -> Node | None:
        """The object behind a member of a module or class: through imports, and through ``name = other``."""
        path = f"{owner or module}.{name}"
        if isinstance(member, Alias):
            found = self.find(member.target) if member.target != path else None
            if found is None:
                stub = self._fallback(module, name) if not owner else None
                found = None if stub is None or isinstance(stub, Alias) else Node(path, module, owner, stub)
            return found
        here = Node(path, module, owner, member)
        if isinstance(member, Attribute) and member.reference:
            target = self.absolute(module, owner, member.reference, but=name)
            if target != path and target.partition(".")[0] in self.tops:
                return self.find(target) or here
        return here

    def _fallback(self, module: str, name: str) -> Member | None:
        """What a stub says of a name that is imported."""
        self.trace.note(module, name)
        return self._unit(module).fallback.get(name)

    def absolute(self, module: str, owner: str, written: str, *, but: str = "") -> str:
        """The absolute path of a dotted name as it is written in a class or module.

        Args:
            module: the module.
            owner: the class the name stands in, or empty.
            written: the name.
            but: a name of the class that is not meant: the one being defined.
        """
        first, dot, rest = written.partition(".")
        cls = self.find(owner) if owner else None
        if cls is not None and isinstance(cls.member, Class) and first != but and first in cls.member.members:
            member = cls.member.members[first]
            return (member.target if isinstance(member, Alias) else f"{owner}.{first}") + dot + rest
        found = self.member(module, first) if module in self.names else None
        if isinstance(found, Alias):
            return found.target + dot + rest
        if found is not None or f"{module}.{first}" in self.names:
            return f"{module}.{written}"
        return written

    def lineage(self, cls: Node) -> list[Node]:
        """The class and its bases inside the repository, in the order Python looks them up."""
        return self.trace.remember(
            self._lineage,
            cls.path,
            [cls],  # a class that is its own base
            lambda: [cls, *_merge([self.lineage(base) for base in self.bases(cls)])],
        )

    def bases(self, cls: Node) -> list[Node]:
        """The bases that are defined in the repository."""
        found = [
            self.base(cls, written) for written in (cls.member.bases if isinstance(cls.member, Class) else ())
        ]
        return [base for base in found if base is not None]

    def base(self, cls: Node, written: str) -> Node | None:
        """A base class or metaclass by its name as written; ``None`` where it is not in the repository."""
        outer = cls.owner
        found = self.find(self.absolute(cls.module, outer, written))
        return (
            found
            if found is not None and isinstance(found.member, Class) and found.path != cls.path
            else None
        )


def with_holders(names: Iterable[str]) -> frozenset[str]:
    """Modules with the packages that hold them."""
    found = set(names)
    for name in names:
        holder = name.rpartition(".")[0]
        while holder and holder not in found:
            found.add(holder)
            holder = holder.rpartition(".")[0]
    return frozenset(found)


def _merge(parents: list[list[Node]]) -> list[Node]:
    """Python's order of base classes (C3); where there is none, depth first."""
    left = [list(p) for p in parents] + [[p[0] for p in parents]]
    found: list[Node] = []
    while any(left):
        left = [part for part in left if part]
        tails = {node.path for part in left for node in part[1:]}
        head = next((part[0] for part in left if part[0].path not in tails), None)
        if head is None:
            return list({node.path: node for part in parents for node in part}.values())
        found.append(head)
        left = [[node for node in part if node.path != head.path] for part in left]
    return found
