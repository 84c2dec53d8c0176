"""Parameters of functions and constructors, from what was read of Python sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from labagent.models.snapshot import Parameter
from labagent.snapshot.python_link import Linker, Node
from labagent.snapshot.python_units import Attribute, Class, Function, Written

ATTRS = frozenset({"define", "frozen", "mutable", "attrs", "s", "dataclass", "attr.s"})
DATACLASS = frozenset({"dataclasses.dataclass", "pydantic.dataclasses.dataclass"})
PLAIN = frozenset(
    {
        "object",
        "ABC",
        "Protocol",
        "Generic",
        "NamedTuple",
        "TypedDict",
        "Exception",
        "BaseException",
        "Warning",
    }
)
METACLASSES = frozenset({"ABCMeta", "EnumMeta", "EnumType", "type"})
ENUMS = frozenset({"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"})
ERRORS = ("Error", "Exception", "Warning")
POSITIONAL = ("positional_only", "positional")
ATTRS_FIELD = ("field(", "attr.ib(", "attrs.field(", "attrib(", "attr.field(")
DATA_FIELD = re.compile(r"^(\w+\.)?field\(")
TUPLE = re.compile(r"^(collections\.|typing\.)?(namedtuple|NamedTuple)\(")
_RECORDS: dict[Written, Parameter] = {}


def record(written: Written) -> Parameter:
    """A parameter as a record; equal ones are one object, of which there are many."""
    found = _RECORDS.get(written)
    if found is None:
        name, kind, default, annotation = written
        found = Parameter(name=name, kind=kind, default=default, annotation=annotation)
        _RECORDS[written] = found
    return found


def forget_records() -> None:
    """Let go of the parameters made so far."""
    _RECORDS.clear()


def parameters(function: Function, holder: str = "", *, bound: bool = False) -> tuple[Parameter, ...]:
    """The parameters of a call.

    Args:
        function: the function.
        holder: the name of its class, which Python puts into names like ``__x``.
        bound: drop the first parameter (``self`` or ``cls``).
    """
    listed = function.parameters
    if bound and listed and listed[0][1] in POSITIONAL:
        listed = listed[1:]
    return tuple(record(_mangled(p, holder.lstrip("_"))) for p in listed)


def _mangled(written: Written, holder: str) -> Written:
    """Python's own renaming of ``__x`` inside a class."""
    name = written[0]
    if not holder or not name.startswith("__") or name.endswith("__"):
        return written
    return (f"_{holder}{name}", *written[1:])


class Constructors:
    """How the classes of a repository are called."""

    def __init__(self, linker: Linker) -> None:
        self.linker = linker

    def of(self, cls: Node) -> tuple[Parameter, ...] | None:
        """The parameters a class is called with; ``None`` where only code outside the tree knows them."""
        lineage = self.linker.lineage(cls)
        for ancestor in lineage:
            found = self._own(ancestor)
            if found is not None:
                return found
        bases = {
            _last(base) for node in lineage if isinstance(node.member, Class) for base in node.member.bases
        }
        if bases & ENUMS:
            return (record(("value", "positional", None, None)),)
        if any(base.endswith(ERRORS) for base in bases):
            return (record(("args", "var_positional", None, None)),)
        return None if self.has_outside_base(cls) else ()

    def _own(self, node: Node) -> tuple[Parameter, ...] | None:
        """What the class itself says about its construction."""
        cls = node.member
        if not isinstance(cls, Class):
            return None
        for name in ("__init__", "__new__"):
            member = cls.members.get(name)
            if isinstance(member, Attribute) and member.reference:
                found = self.linker.resolve(node.module, node.path, name, member)
                member = found.member if found is not None and isinstance(found.member, Function) else member
            if isinstance(member, Function):
                return parameters(member, node.path.rpartition(".")[2], bound=True)
        bases = {_last(base) for base in cls.bases}
        if "NamedTuple" in bases or "TypedDict" in bases:
            kind = "positional" if "NamedTuple" in bases else "keyword_only"
            return tuple(_field(n, m, kind) for n, m in _fields(cls))
        if self.is_dataclass(node):
            return () if "init=False" in cls.arguments else self._data_fields(node)
        if any(self._is_attrs(node, d) for d in cls.decorators):
            return tuple(self._attrs_fields(node))
        return None

    def is_dataclass(self, node: Node) -> bool:
        """Whether a decorator makes a class one of data."""
        return self._decorated(node, DATACLASS)

    def _decorated(self, node: Node, names: frozenset[str]) -> bool:
        """Whether one of the decorators has one of the names."""
        cls = node.member
        written = cls.decorators if isinstance(cls, Class) else ()
        return any(self.linker.absolute(node.module, node.owner, d) in names for d in written)

    def _data_fields(self, node: Node) -> tuple[Parameter, ...]:
        """The fields of a dataclass and its dataclass bases; those by keyword come last."""
        found: dict[str, Parameter] = {}
        for ancestor in reversed(self.linker.lineage(node)):
            if isinstance(ancestor.member, Class) and self.is_dataclass(ancestor):
                keyword = "kw_only=True" in ancestor.member.arguments
                for name, field in _fields(ancestor.member):
                    if _last(field.annotation) == "KW_ONLY":
                        keyword = True
                        continue
                    made = DATA_FIELD.match(field.value) is not None
                    if made and "init=False" in field.value:
                        continue
                    by_keyword = keyword or (made and "kw_only=True" in field.value)
                    found[name] = _field(
                        name, field, "keyword_only" if by_keyword else "positional", made=made
                    )
        return tuple(sorted(found.values(), key=lambda p: p.kind == "keyword_only"))

    def _is_attrs(self, node: Node, decorator: str) -> bool:
        """Whether a decorator is one of attrs'."""
        module, _, name = self.linker.absolute(node.module, node.owner, decorator).rpartition(".")
        return module.partition(".")[0] in ("attr", "attrs") and name in ATTRS

    def _attrs_fields(self, node: Node) -> Iterator[Parameter]:
        """The fields of an attrs class and its bases; leading underscores are dropped, as attrs does."""
        seen: set[str] = set()
        for ancestor in [*reversed(self.linker.lineage(node)[1:]), node]:
            for name, member in ancestor.member.members.items() if isinstance(ancestor.member, Class) else ():
                if not isinstance(member, Attribute) or name in seen or member.is_property:
                    continue
                made = member.value.startswith(ATTRS_FIELD)
                if not (made or _is_field(member)) or "init=False" in member.value:
                    continue
                seen.add(name)
                kind = "keyword_only" if "kw_only=True" in member.value else "positional"
                yield _field(name.lstrip("_"), member, kind, made=made)

    def has_outside_base(self, cls: Node) -> bool:
        """Whether a class has a base or metaclass outside the tree whose members are not known."""
        for ancestor in self.linker.lineage(cls):
            member = ancestor.member
            if not isinstance(member, Class):
                continue
            for base in member.bases:
                name = _last(base)
                known = name in PLAIN | ENUMS or name.endswith(ERRORS)
                if not known and self.linker.base(ancestor, base) is None:
                    return True
            outside = member.metaclass and self.linker.base(ancestor, member.metaclass) is None
            if outside and _last(member.metaclass) not in METACLASSES:
                return True
        return False


def named_tuple(value: str) -> tuple[Parameter, ...] | None:
    """The fields of ``namedtuple("X", "a b")`` or ``NamedTuple("X", [("a", int)])``; ``None`` for others."""
    if not TUPLE.match(value):
        return None
    try:
        call = ast.parse(value, mode="eval").body
        assert isinstance(call, ast.Call)
        written = ast.literal_eval(call.args[1])
    except (SyntaxError, ValueError, IndexError, AssertionError):
        return _named_fields(value)
    if isinstance(written, str):
        written = written.replace(",", " ").split()
    names = [str(item[0] if isinstance(item, tuple) else item) for item in written]
    has_defaults = any(k.arg == "defaults" for k in call.keywords)
    return tuple(record((n, "positional", "..." if has_defaults else None, None)) for n in names)


def _named_fields(value: str) -> tuple[Parameter, ...] | None:
    """The fields of ``NamedTuple("X", [("a", SomeType)])``, whose types are no literals."""
    names = re.findall(r"\(\s*['\"](\w+)['\"]\s*,", value.partition("[")[2])
    return tuple(record((n, "positional", None, None)) for n in names) or None


def _fields(cls: Class) -> Iterator[tuple[str, Attribute]]:
    """The annotated attributes of a class body."""
    return ((n, m) for n, m in cls.members.items() if isinstance(m, Attribute) and _is_field(m))


def _is_field(attribute: Attribute) -> bool:
    """Whether an attribute is annotated in the class body."""
    text = attribute.annotation
    return (
        bool(text)
        and "ClassVar" not in text
        and not attribute.is_property
        and not attribute.is_class_variable
    )


def _field(name: str, attribute: Attribute, kind: str, *, made: bool = False) -> Parameter:
    """An annotated attribute as a parameter; ``made`` means that a call like ``field()`` describes it."""
    value = attribute.value
    has_default = "default=" in value or "factory=" in value
    default = ("..." if has_default else None) if made else value or None
    return record((name, kind, default, attribute.annotation or None))


def _last(base: str) -> str:
    """The last name of a base: ``typing.Generic[T]`` → ``Generic``."""
    return base.partition("[")[0].rpartition(".")[2]
