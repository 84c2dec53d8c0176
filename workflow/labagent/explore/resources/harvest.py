"""Numbers of a session's variables, as nested JSON: ``variable.attribute…``, ``variable.column.row``.

Standard library only, apart from what the values themselves bring along.
"""

from __future__ import annotations

import json
import math
import numbers
import os
import warnings
from pathlib import Path
from typing import Any

MAX_ITEMS = 5000
MAX_CELLS = 20000
MAX_DEPTH = 4
MAX_NUMBERS = 100000
LEFT_ALONE = {"builtins", "types", "functools", "logging", "io", "_io", "threading", "pathlib", "datetime"}


def describe(name: str, value: Any) -> None:
    """Print what a variable holds: type, shape or length, and the number itself where it is one."""
    parts = [type(value).__name__]
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        parts.append("shape " + "x".join(str(n) for n in shape))
    elif isinstance(value, (list, tuple, dict, set)):
        parts.append(f"{len(value)} items")
    number = to_number(value)
    if number is not None:
        parts.append(f"{number:.10g}")
    print(f"{name}: {', '.join(parts)}")


def save(values: dict[str, Any], path: str) -> dict[str, Any]:
    """Write the numbers of ``values`` (name to value) to ``path`` and print how many each name gave.

    Names that gave none are listed, so that nothing is lost unseen; with no number at all the step stops.
    """
    found, empty = {}, []
    for name, value in values.items():
        harvested = harvest(value)
        if is_empty(harvested):
            empty.append(name)
        else:
            found[name] = harvested
            print(f"harvested {name}: {count(harvested)} numbers")
    if empty:
        print("no numbers in: " + ", ".join(sorted(empty)))
    total = count(found)
    print(f"numbers in all: {total}")
    if not total:
        raise SystemExit("harvest: the method left no number in any variable")
    Path(path).write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    return found


def harvest(value: Any, depth: int = 0, seen: frozenset[int] = frozenset()) -> Any:
    """The numbers of one value; ``None`` where it has none. Numbers that are not finite are left out."""
    number = to_number(value)
    if number is not None:
        return number
    if value is None or depth > MAX_DEPTH or id(value) in seen or isinstance(value, (str, bytes, type)):
        return None
    seen = seen | {id(value)}
    if hasattr(value, "columns") and hasattr(value, "iloc"):
        return frame(value)
    if hasattr(value, "index") and hasattr(value, "iloc"):
        return series(value)
    if hasattr(value, "ndim") and hasattr(value, "tolist"):
        return array(value) or None
    if hasattr(value, "items") and hasattr(value, "keys"):
        return members(list(value.items())[:MAX_ITEMS], depth, seen)
    if isinstance(value, (list, tuple)):
        return members(list(enumerate(value[:MAX_ITEMS])), depth, seen)
    return attributes(value, depth, seen)


def to_number(value: Any) -> int | float | None:
    """A finite int or float, ``None`` for anything else."""
    if isinstance(value, bool) or type(value).__name__ in {"bool", "bool_"}:
        return None
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value) if math.isfinite(value) else None
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        inner = value.item()
        return to_number(inner) if isinstance(inner, (int, float)) else None
    return None


def frame(table: Any) -> dict[str, Any]:
    """A data frame: its size, and the numbers by column and row where they are not too many."""
    found: dict[str, Any] = {"rows": int(table.shape[0]), "columns": int(table.shape[1])}
    if table.shape[0] * max(table.shape[1], 1) > MAX_CELLS:
        return found
    for position, column in enumerate(table.columns):
        by_row = labelled(table.iloc[:, position])
        if by_row:
            found[label(column)] = by_row
    return found


def series(column: Any) -> dict[str, Any]:
    """A series: its length, and the numbers by label where they are not too many."""
    found = {"rows": len(column)}
    return {**found, **labelled(column)} if len(column) <= MAX_ITEMS else found


def labelled(column: Any) -> dict[str, Any]:
    """The numbers of a series by label; by position where labels repeat."""
    labels = [label(item) for item in column.index]
    if len(set(labels)) < len(labels):
        labels = [str(i) for i in range(len(labels))]
    pairs = ((name, to_number(item)) for name, item in zip(labels, column.tolist()))  # noqa: B905
    return {name: number for name, number in pairs if number is not None}


def array(values: Any) -> dict[str, Any]:
    """An array: its size, and its numbers by index where they are not too many."""
    found: dict[str, Any] = {"rows": int(values.shape[0])} if values.ndim else {}
    if values.ndim > 1:
        found["columns"] = int(values.shape[1])
    if values.size <= MAX_ITEMS and values.ndim in (1, 2):
        for i, item in enumerate(values.tolist()):
            kept = harvest(item, MAX_DEPTH - 1)
            if not is_empty(kept):
                found[str(i)] = kept
    return found


def members(items: list[tuple[Any, Any]], depth: int, seen: frozenset[int]) -> dict[str, Any] | None:
    """The numbers of a mapping or list, by key or index."""
    found = {label(key): harvest(item, depth + 1, seen) for key, item in items}
    return {key: item for key, item in found.items() if not is_empty(item)} or None


def attributes(value: Any, depth: int, seen: frozenset[int]) -> dict[str, Any] | None:
    """Public attributes and properties of an object that are numbers or hold some."""
    own = getattr(value, "__dict__", {})
    if type(value).__module__.split(".")[0] in LEFT_ALONE or (callable(value) and not own):
        return None
    found: dict[str, Any] = {}
    for name in public_names(value):
        item = attribute(value, name)
        kept = None if callable(item) and not hasattr(item, "iloc") else harvest(item, depth + 1, seen)
        if not is_empty(kept):
            found[name] = kept
        if count(found) > MAX_NUMBERS:
            break
    return found or None


def attribute(value: Any, name: str) -> Any:
    """An attribute; ``None`` where computing it fails, as a property of an unfitted model may."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return getattr(value, name)
        except Exception:
            return None


def public_names(value: Any) -> list[str]:
    """Names of an object's public attributes and properties, in a stable order."""
    names = set(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__[:-1]:
        names |= {n for n, member in vars(kind).items() if isinstance(member, property)}
        names |= set(getattr(kind, "__slots__", ()) or ())
    return sorted(n for n in names if isinstance(n, str) and not n.startswith("_"))


def label(key: Any) -> str:
    """A key as text; the parts of a tuple are joined by dots."""
    if isinstance(key, tuple):
        return ".".join(label(part) for part in key)
    if isinstance(key, float) and key.is_integer():
        return str(int(key))
    return str(key)


def is_empty(value: Any) -> bool:
    """Whether a harvested value holds nothing."""
    return value is None or (isinstance(value, dict) and not value)


def count(value: Any) -> int:
    """How many numbers a harvested value holds."""
    if isinstance(value, dict):
        return sum(count(item) for item in value.values())
    return 1 if isinstance(value, (int, float)) else 0


def data_path(name: str) -> str:
    """The staged data file ``name``; without it the error lists what is staged."""
    folder = Path(os.environ["LABAGENT_DATA"])
    if not (folder / name).exists():
        staged = ", ".join(sorted(path.name for path in folder.iterdir())) or "nothing"
        raise SystemExit(f"data: {name} is not staged; staged is: {staged}")
    return str(folder / name)
