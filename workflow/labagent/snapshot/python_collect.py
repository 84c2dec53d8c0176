"""What a Python module offers under its name: a :class:`Fragment` of the repository's interface."""

from __future__ import annotations

from dataclasses import dataclass, field

from labagent.models.snapshot import Callable_, Parameter
from labagent.snapshot.python_certainty import Certainty
from labagent.snapshot.python_link import Linker, Node
from labagent.snapshot.python_signatures import Constructors, named_tuple, parameters, record
from labagent.snapshot.python_trace import SUBCLASSED
from labagent.snapshot.python_units import Alias, Attribute, Class, Function, Member

SELF = frozenset({"Self", "typing.Self", "typing_extensions.Self"})
MAX_INNER = 8  # dots in the path of an inner class


@dataclass
class Fragment:
    """The names that a module is responsible for; see :class:`~labagent.snapshot.python_api.Api`."""

    modules: set[str] = field(default_factory=set)
    objects: dict[str, Callable_] = field(default_factory=dict)
    constants: set[str] = field(default_factory=set)
    dynamic: set[str] = field(default_factory=set)


def grown(linker: Linker, module: str) -> tuple[str, ...]:
    """The classes that a module gives, at its top level, to a function that sets attributes by name."""
    found = []
    for function, name in linker.passed(module):
        node = linker.find(linker.absolute(module, "", function))
        if node is not None and isinstance(node.member, Function) and node.member.sets:
            found.append(f"{module}.{name}")
    return tuple(found)


def subclassed(linker: Linker, module: str) -> tuple[str, ...]:
    """The classes of the repository that a module's classes are derived from."""
    found: set[str] = set()
    for name, member in linker.members(module):
        if isinstance(member, Class):
            node = Node(f"{module}.{name}", module, "", member)
            found.update(base.path for base in linker.bases(node))
    return tuple(sorted(found))


class Collector:
    """Makes fragments.

    Args:
        linker: follows names.
        grown: what :func:`grown` gives for all modules.
        subclassed: what :func:`subclassed` gives for all modules.
    """

    def __init__(self, linker: Linker, grown: frozenset[str], subclassed: frozenset[str]) -> None:
        self.linker, self.subclassed = linker, subclassed
        self.constructors = Constructors(linker)
        self.certainty = Certainty(linker, self.constructors, grown)
        self.api = Fragment()
        self._listed: dict[tuple[str, bool], tuple[Parameter, ...]] = {}

    def fragment(self, module: str) -> Fragment:
        """What a module offers; nothing where it is private."""
        self.api = Fragment()
        if self.is_public_module(module):
            self.add_module(module, module)
        return self.api

    def is_public_module(self, name: str) -> bool:
        """Whether no part of the name is private, unless the package's ``__all__`` lists it."""
        holder, _, last = name.rpartition(".")
        if last.startswith("_"):
            exports = self.linker.exports(holder) if holder in self.linker.names else None
            if last not in (exports or ()):
                return False
        return not holder or self.is_public_module(holder)

    def add_module(self, path: str, module: str, depth: int = 0) -> None:
        """Add a module under the path it is imported by, and the names in it."""
        self.api.modules.add(path)
        members = dict(self.linker.members(module))
        if "__getattr__" in members or self.linker.is_dynamic(module):
            self.api.dynamic.add(path)
        exports = self.linker.exports(module) or ()
        listed, is_package = frozenset(exports), self.linker.is_package(module)
        for name, member in members.items():
            if (name.startswith("_") and name not in listed) or "/" in name:
                continue
            if name in listed or is_package or not isinstance(member, Alias):
                self._add_member(path, module, name, member, explicit=name in listed, depth=depth)
            else:
                self._add_passing(f"{path}.{name}", self.linker.resolve(module, "", name, member))
        for name in sorted(listed - members.keys()):
            if f"{module}.{name}" not in self.linker.names:
                self.api.dynamic.add(f"{path}.{name}")

    def _add_member(
        self, holder: str, module: str, name: str, member: Member, *, explicit: bool, depth: int
    ) -> None:
        """Add one name of a module, through an import where it is one."""
        path = f"{holder}.{name}"
        node = self.linker.resolve(module, "", name, member)
        if node is None:
            target = member.target if isinstance(member, Alias) else ""
            if explicit or target.partition(".")[0] in self.linker.tops:
                self.api.dynamic.add(path)
        elif node.member is None:
            if isinstance(member, Alias) and depth == 0 and path not in self.linker.names:
                self.add_module(path, node.path, depth=1)
        else:
            self._add(path, node)

    def _add_passing(self, path: str, node: Node | None) -> None:
        """Add a function or class that a module imports for its own use: it alone, without its methods."""
        if node is None:
            return
        if isinstance(node.member, Function):
            self._add_function(path, node, node.member)
        elif isinstance(node.member, Class):
            self._add_class(path, node, node.member, members=False)

    def _add(self, path: str, node: Node, *, inherited: bool = False) -> None:
        """Add a function, class or variable."""
        if isinstance(node.member, Function):
            self._add_function(path, node, node.member, inherited=inherited)
        elif isinstance(node.member, Class):
            if path.count(".") < MAX_INNER or not node.owner:
                self._add_class(path, node, node.member)
        elif isinstance(node.member, Attribute):
            self._add_constant(path, node.path, node.member)

    def _add_function(self, path: str, node: Node, function: Function, *, inherited: bool = False) -> None:
        """Add a function or method."""
        self.api.objects[path] = Callable_(
            name=node.path,
            kind="method" if node.owner else "function",
            parameters=self._parameters(node, function),
            file=function.file,
            line=function.line,
            inherited=inherited,
            summary=function.summary,
            returns=self._returned(path, node, function),
        )
        if not self.certainty.is_certain(node, function):
            self.api.dynamic.add(path)

    def _returned(self, path: str, node: Node, function: Function) -> str:
        """Where the class is defined that a function returns; one with subclasses may be any of them."""
        written = function.returns
        if not written or function.decorators:
            return ""
        target = self.linker.absolute(node.module, node.owner, written)
        if target in SELF and node.owner:
            held = self.api.objects.get(path.rpartition(".")[0])
            return held.name if held is not None and held.kind == "class" else ""
        found = self.linker.find(target)
        if found is None or not isinstance(found.member, Class):
            return ""
        self.linker.trace.note(SUBCLASSED, found.path)
        return "" if found.path in self.subclassed else found.path

    def _parameters(self, node: Node, function: Function) -> tuple[Parameter, ...]:
        """The parameters of a call, worked out once for all paths of a function."""
        bound = bool(node.owner) and not function.static
        key = (node.path, bound)
        if key not in self._listed:
            self._listed[key] = parameters(function, node.owner.rpartition(".")[2], bound=bound)
        return self._listed[key]

    def _add_class(self, path: str, node: Node, cls: Class, *, members: bool = True) -> None:
        """Add a class by its constructor, with its own and inherited methods."""
        found = self.constructors.of(node)
        self.api.objects[path] = Callable_(
            name=node.path,
            kind="class",
            parameters=found or (),
            file=cls.file,
            line=cls.line,
            summary=cls.summary,
        )
        if found is None or self.certainty.is_open(node) or not self.certainty.constructs_as_written(node):
            self.api.dynamic.add(path)
        seen: set[str] = set()
        for ancestor in self.linker.lineage(node) if members else ():
            for name, member in ancestor.member.members.items() if isinstance(ancestor.member, Class) else ():
                if name not in seen and not name.startswith("_"):
                    seen.add(name)
                    self._add_class_member(path, ancestor, name, member, inherited=ancestor.path != node.path)

    def _add_class_member(self, path: str, cls: Node, name: str, member: Member, *, inherited: bool) -> None:
        """Add a method, or the name of an attribute, property or inner class."""
        node = self.linker.resolve(cls.module, cls.path, name, member)
        if node is None or node.member is None:
            self.api.constants.add(f"{path}.{name}")
        else:
            self._add(f"{path}.{name}", self._as_method(node, cls, member), inherited=inherited)

    def _as_method(self, node: Node, cls: Node, member: Member) -> Node:
        """A function of the module that a class takes as its own is a method of the class."""
        if isinstance(node.member, Function) and not node.owner and isinstance(member, Attribute | Alias):
            return node._replace(owner=cls.path)
        return node

    def _add_constant(self, path: str, defined: str, target: Attribute) -> None:
        """Add a variable; a lambda is a function, a named tuple a class."""
        fields = named_tuple(target.value)
        if target.parameters is None and fields is None:
            self.api.constants.add(path)
            return
        listed = tuple(record(p) for p in target.parameters or ())
        self.api.objects[path] = Callable_(
            name=defined,
            kind="function" if fields is None else "class",
            parameters=listed if fields is None else fields,
            file=target.file,
            line=target.line,
        )
        if fields is not None:
            self.api.constants.update(f"{path}.{f.name}" for f in fields)
