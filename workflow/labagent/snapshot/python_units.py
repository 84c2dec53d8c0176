"""What one Python source file defines, as plain records that can be kept; none refers to another file.

Names are as written or, for imports, absolute; :mod:`labagent.snapshot.python_link` follows them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Written = tuple[str, str, str | None, str | None]
"""A parameter: name, kind, default and annotation as source text."""


class Function(NamedTuple):
    """A function. ``certain`` is false where its stubs disagree.

    ``keeps`` and ``through`` speak of it as a decorator.

    ``keeps``: ``wraps`` where it copies the signature, ``same`` where it gives back what it was given,
    ``signature`` where it sets another, empty where that cannot be told. ``through`` names what it calls to
    make the result. ``sets`` says whether it sets attributes by name.
    """

    line: int
    parameters: tuple[Written, ...]
    static: bool
    decorators: tuple[str, ...]
    runtime: bool
    summary: str
    file: str
    certain: bool = True
    keeps: str = ""
    through: tuple[str, ...] = ()
    sets: bool = False
    returns: str = ""


class Attribute(NamedTuple):
    """A variable: the name it is another one for, or the parameters of a lambda, or its value's text."""

    line: int
    reference: str
    parameters: tuple[Written, ...] | None
    value: str
    annotation: str
    is_property: bool
    is_class_variable: bool
    file: str


class Alias(NamedTuple):
    """An import; ``star`` imports all that ``target`` offers."""

    line: int
    target: str
    star: bool


class Class(NamedTuple):
    """A class; ``dataclass`` is the text of that decorator's arguments where there is one."""

    line: int
    bases: tuple[str, ...]
    metaclass: str
    decorators: tuple[str, ...]
    arguments: str
    summary: str
    file: str
    keeps: bool
    members: dict[str, Function | Attribute | Alias | Class]


Member = Function | Attribute | Alias | Class


class Unit(NamedTuple):
    """A file. ``exports`` is ``__all__`` where it can be read; ``*name`` in it is the list of another module.

    ``dynamic`` says whether it sets names of its own by hand; ``passed`` are pairs of a function and a name
    it is called with at the top level; ``fallback`` holds what a stub says of names that are imported.
    """

    file: str
    is_package: bool
    exports: tuple[str, ...] | None
    dynamic: bool
    passed: tuple[tuple[str, str], ...]
    members: dict[str, Member]
    fallback: dict[str, Member]


_KINDS: dict[type, str] = {Function: "f", Attribute: "a", Alias: "i", Class: "c"}


def pack(unit: Unit) -> tuple[Any, ...]:
    """The unit as plain tuples and dictionaries."""
    members, fallback = _pack(unit.members), _pack(unit.fallback)
    return (*unit[:5], members, fallback)


def unpack(raw: tuple[Any, ...]) -> Unit:
    """The unit that :func:`pack` made plain."""
    file, is_package, exports, dynamic, passed, members, fallback = raw
    return Unit(file, is_package, exports, dynamic, passed, _unpack(members), _unpack(fallback))


def _pack(members: dict[str, Member]) -> dict[str, tuple[Any, ...]]:
    """Members with a letter for their kind in front."""
    packed: dict[str, tuple[Any, ...]] = {}
    for name, member in members.items():
        if isinstance(member, Class):
            packed[name] = ("c", *member[:-1], _pack(member.members))
        else:
            packed[name] = (_KINDS[type(member)], *member)
    return packed


def _unpack(raw: dict[str, tuple[Any, ...]]) -> dict[str, Member]:
    """The members that :func:`_pack` made plain."""
    members: dict[str, Member] = {}
    for name, (kind, *rest) in raw.items():
        if kind == "f":
            members[name] = Function._make(rest)
        elif kind == "a":
            members[name] = Attribute._make(rest)
        elif kind == "i":
            members[name] = Alias._make(rest)
        else:
            members[name] = Class._make((*rest[:-1], _unpack(rest[-1])))
    return members


def merged(unit: Unit, stub: Unit) -> Unit:
    """A module with what its stub adds: names it lacks, annotations, what stands behind compiled imports.

    Imports of a stub count only where the module gets its names at run time.
    """
    lazy = "__getattr__" in unit.members
    members = _merged(unit.members, stub.members, imports=lazy)
    fallback: dict[str, Member] = {
        name: member
        for name, member in stub.members.items()
        if isinstance(unit.members.get(name), Alias) and not isinstance(member, Alias)
    }
    exports = stub.exports if unit.exports is None and lazy else unit.exports
    return unit._replace(members=members, fallback=fallback, exports=exports)


def _merged(
    ours: dict[str, Member], theirs: dict[str, Member], *, imports: bool = False
) -> dict[str, Member]:
    """Members of both; what the source itself says counts before the stub."""
    found = dict(ours)
    for name, stub in theirs.items():
        own = ours.get(name)
        if own is None:
            if imports or not isinstance(stub, Alias):
                found[name] = stub
        elif isinstance(own, Class) and isinstance(stub, Class):
            found[name] = own._replace(members=_merged(own.members, stub.members))
        elif isinstance(own, Function) and isinstance(stub, Function):
            found[name] = own._replace(parameters=_annotated(own.parameters, stub.parameters))
        elif isinstance(own, Attribute) and isinstance(stub, Function) and not own.is_property:
            found[name] = stub if own.parameters is None and not own.reference else own
            if found[name] is stub and own.value:
                found[name] = stub._replace(certain=False)
    return found


def _annotated(ours: tuple[Written, ...], theirs: tuple[Written, ...]) -> tuple[Written, ...]:
    """Parameters with the annotations of a stub where they have none."""
    notes = {name: note for name, _, _, note in theirs}
    return tuple((n, k, d, a if a is not None else notes.get(n)) for n, k, d, a in ours)
