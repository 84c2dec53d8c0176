"""Parameters of functions and constructors, from a griffe tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

import griffe

from labagent.models.snapshot import Parameter

Kind = Literal["positional_only", "positional", "var_positional", "keyword_only", "var_keyword"]
KINDS: dict[griffe.ParameterKind, Kind] = {
    griffe.ParameterKind.positional_only: "positional_only",
    griffe.ParameterKind.positional_or_keyword: "positional",
    griffe.ParameterKind.var_positional: "var_positional",
    griffe.ParameterKind.keyword_only: "keyword_only",
    griffe.ParameterKind.var_keyword: "var_keyword",
}
ATTRS = frozenset({"define", "frozen", "mutable", "attrs", "s", "dataclass", "attr.s"})
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


def parameters(function: griffe.Function, *, bound: bool = False) -> tuple[Parameter, ...]:
    """The parameters of a function; ``bound`` drops the first (``self`` or ``cls``)."""
    listed = list(function.parameters)
    holder = function.parent.name.lstrip("_") if isinstance(function.parent, griffe.Class) else ""
    if bound and listed and listed[0].kind in _POSITIONAL:
        listed = listed[1:]
    return tuple(_mangled(p, holder) for p in convert(listed))


def _mangled(parameter: Parameter, holder: str) -> Parameter:
    """Python's own renaming of ``__x`` inside a class."""
    name = parameter.name
    if not holder or not name.startswith("__") or name.endswith("__"):
        return parameter
    return parameter.model_copy(update={"name": f"_{holder}{name}"})


_POSITIONAL = (griffe.ParameterKind.positional_only, griffe.ParameterKind.positional_or_keyword)


def convert(listed: Iterable[griffe.Parameter | griffe.ExprParameter]) -> tuple[Parameter, ...]:
    """griffe's parameters (of a function or a lambda) as records."""
    return tuple(
        Parameter(
            name=p.name.lstrip("*"),
            kind=KINDS[p.kind or griffe.ParameterKind.positional_or_keyword],
            default=_default(p),
            annotation=None if p.annotation is None else str(p.annotation),
        )
        for p in listed
    )


def _default(parameter: griffe.Parameter | griffe.ExprParameter) -> str | None:
    """The default as source text; griffe gives variadic ones an invented default."""
    variadic = (griffe.ParameterKind.var_positional, griffe.ParameterKind.var_keyword)
    if parameter.default is None or parameter.kind in variadic:
        return None
    return str(parameter.default)


def is_static(function: griffe.Function) -> bool:
    """Whether a method is called without its object."""
    return "staticmethod" in function.labels or function.name == "__new__"


def lineage(cls: griffe.Class) -> list[griffe.Class]:
    """The class and its bases inside the tree, in the order Python looks them up."""
    try:
        return [cls, *cls.mro()]
    except (ValueError, griffe.GriffeError, RecursionError):
        return [cls]


def constructor(cls: griffe.Class) -> tuple[Parameter, ...] | None:
    """The parameters a class is called with; ``None`` where only code outside the tree knows them."""
    for ancestor in lineage(cls):
        found = _own_constructor(ancestor)
        if found is not None:
            return found
    bases = {_last(base) for ancestor in lineage(cls) for base in ancestor.bases}
    if bases & ENUMS:
        return (Parameter(name="value", kind="positional"),)
    if any(base.endswith(ERRORS) for base in bases):
        return (Parameter(name="args", kind="var_positional"),)
    return None if has_outside_base(cls) else ()


def _own_constructor(cls: griffe.Class) -> tuple[Parameter, ...] | None:
    """What the class itself says about its construction."""
    for name in ("__init__", "__new__"):
        member = cls.members.get(name)
        if isinstance(member, griffe.Function):
            return parameters(member, bound=True)
    fields = [m for m in cls.members.values() if isinstance(m, griffe.Attribute) and _is_field(m)]
    bases = {_last(base) for base in cls.bases}
    if "NamedTuple" in bases:
        return tuple(_field(m, "positional") for m in fields)
    if "TypedDict" in bases:
        return tuple(_field(m, "keyword_only") for m in fields)
    if any(_is_attrs(d) for d in cls.decorators):
        return tuple(_attrs_fields(cls))
    return None


def _is_field(attribute: griffe.Attribute) -> bool:
    """Whether an attribute is annotated in the class body."""
    text = str(attribute.annotation or "")
    return bool(text) and "ClassVar" not in text and "property" not in attribute.labels


def _field(attribute: griffe.Attribute, kind: Kind) -> Parameter:
    """An annotated attribute as a parameter."""
    default = None if attribute.value is None else str(attribute.value)
    return Parameter(
        name=attribute.name, kind=kind, default=default, annotation=str(attribute.annotation or "") or None
    )


def _is_attrs(decorator: griffe.Decorator) -> bool:
    """Whether a decorator is one of attrs'."""
    module, _, name = str(decorator.callable_path).rpartition(".")
    return module.partition(".")[0] in ("attr", "attrs") and name in ATTRS


def _attrs_fields(cls: griffe.Class) -> Iterator[Parameter]:
    """The fields of an attrs class and its attrs bases; leading underscores are dropped, as attrs does."""
    seen: set[str] = set()
    for ancestor in [*reversed(lineage(cls)[1:]), cls]:
        for member in ancestor.members.values():
            if not isinstance(member, griffe.Attribute) or member.name in seen or "property" in member.labels:
                continue
            value = str(member.value or "")
            made = value.startswith(("field(", "attr.ib(", "attrs.field(", "attrib(", "attr.field("))
            if not (made or _is_field(member)) or "init=False" in value:
                continue
            seen.add(member.name)
            default = (
                ("..." if "default=" in value or "factory=" in value else None) if made else value or None
            )
            kind: Kind = "keyword_only" if "kw_only=True" in value else "positional"
            yield Parameter(
                name=member.name.lstrip("_"),
                kind=kind,
                default=default,
                annotation=str(member.annotation or "") or None,
            )


def has_outside_base(cls: griffe.Class) -> bool:
    """Whether a class has a base or metaclass outside the tree whose members are not known."""
    for ancestor in lineage(cls):
        for base in ancestor.bases:
            name = _last(base)
            if name not in PLAIN | ENUMS and not name.endswith(ERRORS) and not _is_inside(ancestor, base):
                return True
        metaclass = ancestor.keywords.get("metaclass")
        if (
            metaclass is not None
            and _last(metaclass) not in METACLASSES
            and not _is_inside(ancestor, metaclass)
        ):
            return True
    return False


def _is_inside(cls: griffe.Class, base: str | griffe.Expr) -> bool:
    """Whether a base class is defined in the tree."""
    path = base if isinstance(base, str) else base.canonical_path
    try:
        member = cls.modules_collection.get_member(path)
        return bool((member.final_target if member.is_alias else member).is_class)
    except (griffe.AliasResolutionError, griffe.CyclicAliasError, KeyError):
        return False


def _last(base: str | griffe.Expr) -> str:
    """The last name of a base: ``typing.Generic[T]`` → ``Generic``."""
    return str(base).partition("[")[0].rpartition(".")[2]
