"""Numbers of a session's variables, as nested JSON: ``variable.attribute…``, ``variable.column.row``.

Standard library only, apart from what the values themselves bring along.
"""

import json
import math
import numbers
import os
import warnings

MAX_ITEMS = 5000
MAX_CELLS = 20000
MAX_DEPTH = 4
MAX_NUMBERS = 100000
ROOTS_LEFT_ALONE = {
    "builtins",
    "types",
    "functools",
    "logging",
    "io",
    "_io",
    "threading",
    "pathlib",
    "datetime",
}


def describe(name, value):
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


def save(values, path):
    """Write the numbers of ``values`` (name to value) to ``path`` and print how many each name gave.

    Names that gave none are listed, so that nothing is lost unseen.
    """
    found, empty = {}, []
    for name, value in values.items():
        harvested = harvest(value)
        if harvested is None or harvested == {} or harvested == []:
            empty.append(name)
            continue
        found[name] = harvested
        print(f"harvested {name}: {count(harvested)} numbers")
    if empty:
        print("no numbers in: " + ", ".join(sorted(empty)))
    total = count(found)
    print(f"numbers in all: {total}")
    if not total:
        raise SystemExit("harvest: the method left no number in any variable")
    with open(path, "w", encoding="utf-8") as stream:
        json.dump(found, stream, indent=1, sort_keys=True)
        stream.write("\n")
    return found


def harvest(value, depth=0, seen=None):
    """The numbers of one value; ``None`` where it has none. Numbers that are not finite are left out."""
    seen = seen if seen is not None else set()
    number = to_number(value)
    if number is not None:
        return number
    if (
        value is None
        or depth > MAX_DEPTH
        or id(value) in seen
        or isinstance(value, (str, bytes, bool, type))
    ):
        return None
    seen = seen | {id(value)}
    if hasattr(value, "columns") and hasattr(value, "iloc"):
        return frame(value)
    if hasattr(value, "index") and hasattr(value, "iloc"):
        return series(value)
    if hasattr(value, "ndim") and hasattr(value, "tolist"):
        return array(value)
    if hasattr(value, "items") and hasattr(value, "keys"):
        return mapping(value, depth, seen)
    if isinstance(value, (list, tuple)):
        items = [harvest(item, depth + 1, seen) for item in value[:MAX_ITEMS]]
        return {str(i): item for i, item in enumerate(items) if item not in (None, {}, [])} or None
    return attributes(value, depth, seen)


def to_number(value):
    """A finite int or float, ``None`` for anything else."""
    if isinstance(value, bool) or type(value).__name__ in {"bool_", "bool"}:
        return None
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value) if math.isfinite(value) else None
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):
        inner = value.item()
        return to_number(inner) if isinstance(inner, (int, float)) else None
    return None


def frame(table):
    """A data frame: its size, and the numbers by column and row where they are not too many."""
    found = {"rows": int(table.shape[0]), "columns": int(table.shape[1])}
    if table.shape[0] * max(table.shape[1], 1) > MAX_CELLS:
        return found
    for position, column in enumerate(table.columns):
        numbers_ = series(table.iloc[:, position])
        numbers_.pop("rows", None)
        if numbers_:
            found[label(column)] = numbers_
    return found


def series(column):
    """A series: its length, and the numbers by label where they are not too many."""
    found = {"rows": int(len(column))}
    if len(column) > MAX_ITEMS:
        return found
    labels = [label(item) for item in column.index]
    if len(set(labels)) < len(labels):
        labels = [str(i) for i in range(len(labels))]
    for name, item in zip(labels, column.tolist()):
        number = to_number(item)
        if number is not None:
            found[name] = number
    return found


def array(values):
    """An array: its size, and its numbers by index where they are not too many."""
    found = {"rows": int(values.shape[0])} if values.ndim else {}
    if values.ndim > 1:
        found["columns"] = int(values.shape[1])
    if values.size <= MAX_ITEMS and values.ndim in (1, 2):
        for i, item in enumerate(values.tolist()):
            kept = harvest(item, MAX_DEPTH)
            if kept is not None and kept != {}:
                found[str(i)] = kept
    return found


def mapping(values, depth, seen):
    """A mapping's numbers by key, and its own public attributes where it is more than a plain dict."""
    found = {}
    for key, item in list(values.items())[:MAX_ITEMS]:
        kept = harvest(item, depth + 1, seen)
        if kept not in (None, {}, []):
            found[label(key)] = kept
    return found or None


def attributes(value, depth, seen):
    """Public attributes and properties of an object that are numbers or hold some."""
    if type(value).__module__.split(".")[0] in ROOTS_LEFT_ALONE or callable(value) and not vars_of(value):
        return None
    found = {}
    for name in public_names(value):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                item = getattr(value, name)
            except Exception:
                continue
        if callable(item) and not hasattr(item, "iloc"):
            continue
        kept = harvest(item, depth + 1, seen)
        if kept not in (None, {}, []):
            found[name] = kept
        if count(found) > MAX_NUMBERS:
            break
    return found or None


def vars_of(value):
    """An object's own attributes; empty where it has none."""
    return getattr(value, "__dict__", {})


def public_names(value):
    """Names of an object's public attributes and properties, in a stable order."""
    names = set(vars_of(value))
    for kind in type(value).__mro__[:-1]:
        names |= {n for n, member in vars(kind).items() if isinstance(member, property)}
        names |= set(getattr(kind, "__slots__", ()) or ())
    return sorted(n for n in names if isinstance(n, str) and not n.startswith("_"))


def label(key):
    """A key as text; the parts of a tuple are joined by dots."""
    if isinstance(key, tuple):
        return ".".join(str(part) for part in key)
    if isinstance(key, float) and key.is_integer():
        return str(int(key))
    return str(key)


def count(value):
    """How many numbers a harvested value holds."""
    if isinstance(value, dict):
        return sum(count(item) for item in value.values())
    return 1 if isinstance(value, (int, float)) else 0


def data_path(name):
    """The staged data file ``name``; without it the error lists what is staged."""
    folder = os.environ["LABAGENT_DATA"]
    path = os.path.join(folder, name)
    if not os.path.exists(path):
        staged = ", ".join(sorted(os.listdir(folder))) or "nothing"
        raise SystemExit(f"data: {name} is not staged; staged is: {staged}")
    return path
