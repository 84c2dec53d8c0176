"""Old records in the form of today: one module a step, ``from_<version>.py``, discovered by its name.

A step brings every record of its version to the next one: it offers ``migrate(record, value) -> value``,
where ``record`` is the name of the model (``RunRecord``) and ``value`` its JSON object, which it may change.
A version without a step changed nothing that an old file lacks (new fields have defaults).
"""

from __future__ import annotations

import importlib.util
import pkgutil
from collections.abc import Callable
from functools import cache
from typing import Any

Step = Callable[[str, dict[str, Any]], dict[str, Any]]
PREFIX = "from_"


def migrated(record: str, value: dict[str, Any], to: int) -> dict[str, Any]:
    """A record's values in the form of a version; those of that version are given back as they are.

    Args:
        record: the model's name.
        value: its values as read; not changed.
        to: the version of this labagent.

    Raises:
        ValueError: they follow a version of a newer labagent.
    """
    version = value.get("schema_version", to)
    if not isinstance(version, int) or version == to:
        return value
    if version > to:
        raise ValueError(
            f"schema_version {version} is of a newer labagent (this one reads up to {to}); update labagent"
        )
    value = dict(value)
    steps = _steps(tuple(__path__))
    for number in range(version, to):
        if number in steps:
            value = steps[number](record, value)
    return {**value, "schema_version": to}


@cache
def _steps(folders: tuple[str, ...]) -> dict[int, Step]:
    """The steps there are, by the version they start from."""
    found: dict[int, Step] = {}
    for module in pkgutil.iter_modules(folders):
        number = module.name.removeprefix(PREFIX)
        if module.name.startswith(PREFIX) and number.isdecimal():
            spec = module.module_finder.find_spec(module.name, None)
            assert spec is not None and spec.loader is not None
            loaded = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(loaded)
            found[int(number)] = loaded.migrate
    return found
