"""One module a kind of evidence, found by name: adding one is adding a file with ``find(story, facts)``."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator

from labagent.audit.facts import Facts
from labagent.audit.story import Sign, Story

Find = Callable[[Story, Facts], Iterator[Sign]]


def all_kinds() -> list[tuple[str, Find]]:
    """Name and search of every kind, by name."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return [(name, importlib.import_module(f"{__name__}.{name}").find) for name in names]
