"""The table of failure classes (``classes.yaml``), compiled once per process."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import count
from typing import Any

import yaml

from labagent.errors import MemoryStoreError
from labagent.memory.needles import ignores_case, needles

UNKNOWN = "unknown"
MASKED = "masked_failure"
_MACRO = re.compile(r"\{([a-z]+)\}")
_NAMED = re.compile(r"\(\?P<(\w+)>")
_QUOTED = re.compile(r"['\"]([^'\"]+)['\"]")
_FIELDS = frozenset("pattern rank first warning explains swallowed key status paths".split())


@dataclass(frozen=True)
class Row:
    """One row of the table; its fields are explained at the top of ``classes.yaml``.

    ``needles`` are strings of which every match contains one (in lower case, if ``folded``); looking for
    them first is what makes large outputs cheap.
    """

    failure_class: str
    pattern: re.Pattern[str]
    needles: tuple[str, ...]
    folded: bool
    one_line: bool
    rank: int
    first: bool
    warning: bool
    paths: bool
    explains: frozenset[str]
    swallowed: bool
    key: tuple[re.Pattern[str], ...]
    status: frozenset[int]


@dataclass(frozen=True)
class Table:
    """All rows in the order of the file."""

    rows: tuple[Row, ...]
    classes: tuple[str, ...]


@lru_cache(maxsize=1)
def table() -> Table:
    """The table shipped with the package.

    Raises:
        MemoryStoreError: ``classes.yaml`` has a row that cannot be used; the text names class and row.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    data = yaml.load(files(__package__).joinpath("classes.yaml").read_text(encoding="utf-8"), Loader=loader)
    macros = {**data["macros"], "namespaces": "|".join(data["namespaces"])}
    rows = [
        _row(entry["id"], number, raw, macros)
        for entry in data["classes"]
        for number, raw in enumerate(entry["rows"], start=1)
    ]
    return Table(rows=tuple(rows), classes=tuple(entry["id"] for entry in data["classes"]))


def _row(failure_class: str, number: int, raw: str | dict[str, Any], macros: dict[str, str]) -> Row:
    """One compiled row."""
    place = f"classes.yaml: class {failure_class}, row {number}"
    fields: dict[str, Any] = {"pattern": raw} if isinstance(raw, str) else raw
    if unknown := sorted(set(fields) - _FIELDS):
        raise MemoryStoreError(
            f"{place}: unknown field {unknown[0]!r}; allowed: {', '.join(sorted(_FIELDS))}"
        )
    source = _expand(fields["pattern"], macros, place)
    return Row(
        failure_class=failure_class,
        pattern=_compile(source, place),
        needles=needles(source),
        folded=ignores_case(source),
        one_line="\\n" not in source,
        rank=int(fields.get("rank", 50)),
        first=bool(fields.get("first", False)),
        warning=bool(fields.get("warning", False)),
        paths=bool(fields.get("paths", False)),
        explains=frozenset(fields.get("explains", ())),
        swallowed=bool(fields.get("swallowed", False)),
        key=tuple(_compile(_expand(k, macros, place), place) for k in fields.get("key", ())),
        status=frozenset(fields.get("status", ())),
    )


def _expand(pattern: str, macros: dict[str, str], place: str) -> str:
    """``pattern`` with its macros put in."""
    try:
        expanded = _MACRO.sub(lambda m: macros[m[1]], pattern)
    except KeyError as error:
        raise MemoryStoreError(
            f"{place}: unknown macro {error}; allowed: {', '.join(sorted(macros))}"
        ) from None
    numbers = count(1)
    return _NAMED.sub(lambda m: f"(?P<{m[1]}__{next(numbers)}>", expanded)


def _compile(source: str, place: str) -> re.Pattern[str]:
    """A pattern over many lines, or an error that names the row."""
    try:
        return re.compile(source, re.MULTILINE)
    except re.error as error:
        raise MemoryStoreError(f"{place}: not a regular expression: {error}: {source}") from None


def captured(match: re.Match[str], source: str) -> dict[str, str]:
    """The named groups of a match that are not empty. Alternatives of one pattern may share a name.

    Args:
        match: in ``source``, or in a text of the same length in which paths are hidden.
        source: the text whose characters are wanted.
    """
    spans = {name: match.span(name) for name in match.re.groupindex}
    found = {k: source[left:right].strip() for k, (left, right) in spans.items() if left >= 0}
    values = {k.partition("__")[0]: v for k, v in found.items() if v}
    return {k: quoted[1] if (quoted := _QUOTED.fullmatch(v)) else v for k, v in values.items()}
