"""Names of a repository's modules, followed through imports, ``__all__``, star imports and inheritance."""

from __future__ import annotations

from typing import NamedTuple

from labagent.snapshot.python_units import Alias, Attribute, Class, Function, Member, Unit

MAX_STEPS = 20


class Node(NamedTuple):
    """Something defined in the repository; ``member`` is ``None`` for a module, ``owner`` may be empty."""

    path: str
    module: str
    owner: str
    member: Function | Attribute | Class | None


class Linker:
    """Answers what a dotted path stands for. All answers depend on the units alone."""

    def __init__(self, units: dict[str, Unit]) -> None:
        self.units = dict(units)
        for name in units:
            self._add_holders(name)
        self.tops = frozenset(name.partition(".")[0] for name in self.units)
        self.dynamic = {name for name, unit in self.units.items() if unit.dynamic}
        self._exports: dict[str, tuple[str, ...] | None] = {}
        self._members: dict[str, dict[str, Member]] = {}
        self._found: dict[str, Node | None] = {}
        self._lineage: dict[str, list[Node]] = {}
        self._spread_dynamic()

    def _add_holders(self, name: str) -> None:
        """Packages without a file that can be read are there all the same."""
        holder = name.rpartition(".")[0]
        while holder and holder not in self.units:
            self.units[holder] = Unit("", False, None, False, (), {}, {})
            holder = holder.rpartition(".")[0]

    def _spread_dynamic(self) -> None:
        """Modules that import all names of one that is dynamic, or is not in the repository, are so, too."""
        stars = [
            (name, member.target)
            for name, unit in self.units.items()
            for member in unit.members.values()
            if isinstance(member, Alias) and member.star
        ]
        changed = True
        while changed:
            changed = False
            for name, source in stars:
                if name not in self.dynamic and (source in self.dynamic or source not in self.units):
                    self.dynamic.add(name)
                    changed = True

    def exports(self, module: str) -> tuple[str, ...] | None:
        """``__all__`` of a module with the lists of others in it."""
        if module not in self._exports:
            written = self.units[module].exports
            self._exports[module] = written  # a list that includes itself
            if written is not None:
                found = [n for item in written for n in self._listed(module, item)]
                self._exports[module] = tuple(dict.fromkeys(found))
        return self._exports[module]

    def _listed(self, module: str, item: str) -> tuple[str, ...]:
        """The names an item of ``__all__`` stands for."""
        if not item.startswith("*"):
            return (item,)
        name = item[1:]
        for path in (name, self.absolute(module, "", name), f"{module}.{name}"):
            if path in self.units:
                return tuple(n for n in self.exports(path) or () if not n.startswith("*"))
        return ()

    def members(self, module: str) -> dict[str, Member]:
        """The names of a module, those of its star imports included."""
        if module not in self._members:
            own = self.units[module].members
            self._members[module] = own  # what a circle of star imports sees
            stars = [m for m in own.values() if isinstance(m, Alias) and m.star and m.target in self.units]
            found = {n: m for n, m in own.items() if not (isinstance(m, Alias) and m.star)}
            lines = {n: m.line for n, m in found.items()}
            for star in sorted(stars, key=lambda m: m.line):
                for name in self._offered(star.target):
                    if lines.get(name, 0) < star.line:
                        found[name] = Alias(star.line, f"{star.target}.{name}", False)
                        lines[name] = star.line
            self._members[module] = found
        return self._members[module]

    def _offered(self, module: str) -> list[str]:
        """What a star import brings: ``__all__``, else all that is not private."""
        exports = self.exports(module)
        if exports is not None:
            there = self.members(module)
            return [n for n in exports if n in there or f"{module}.{n}" in self.units]
        return [n for n, m in self.members(module).items() if not n.startswith("_") and "/" not in n]

    def find(self, path: str) -> Node | None:
        """What a dotted path stands for; ``None`` where it is not in the repository or goes in a circle."""
        if path not in self._found:
            self._found[path] = None
            self._found[path] = self._find(path)
        return self._found[path]

    def _find(self, path: str) -> Node | None:
        """An attribute of a module or class; a module where nothing else has its name."""
        holder, _, name = path.rpartition(".")
        if path.partition(".")[0] not in self.tops:
            return None
        if holder in self.units:
            member = self.members(holder).get(name)
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
        return Node(path, path, "", None) if path in self.units else None

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
                stub = self.units[module].fallback.get(name) if not owner else None
                found = None if stub is None or isinstance(stub, Alias) else Node(path, module, owner, stub)
            return found
        here = Node(path, module, owner, member)
        if isinstance(member, Attribute) and member.reference:
            target = self.absolute(module, owner, member.reference, but=name)
            if target != path and target.partition(".")[0] in self.tops:
                return self.find(target) or here
        return here

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
        found = self.members(module).get(first) if module in self.units else None
        if isinstance(found, Alias):
            return found.target + dot + rest
        if found is not None or f"{module}.{first}" in self.units:
            return f"{module}.{written}"
        return written

    def lineage(self, cls: Node) -> list[Node]:
        """The class and its bases inside the repository, in the order Python looks them up."""
        if cls.path not in self._lineage:
            self._lineage[cls.path] = [cls]  # a class that is its own base
            parents = [self.lineage(base) for base in self.bases(cls)]
            self._lineage[cls.path] = [cls, *_merge(parents)]
        return self._lineage[cls.path]

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
