"""One module a tool, found by name: adding one is adding a file.

``claude_code.py`` is the adapter ``claude-code``. A module holds:

* ``COMMAND``: the words that start the tool without a terminal; empty where there is no usual one;
* ``INSTALL``: what to do where it is missing;
* ``VARIABLES``: settings that keep it quiet, by name;
* ``BESIDE``: globs below HOME of JSON lines that it writes while it runs, besides what it prints;
* ``Reader``: a class whose ``read(line, beside)`` turns one JSON object into events.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from typing import Any, Protocol, cast

from labagent.errors import LabagentError
from labagent.reproduce.harness.events import Event


class Reader(Protocol):
    """Reads one transcript, line by line."""

    def read(self, line: dict[str, Any], *, beside: bool) -> Iterable[Event]:
        """The events of a line; ``beside`` says that it stood in a file of ``BESIDE``."""
        ...


class Adapter(Protocol):
    """What a module of this folder offers."""

    COMMAND: tuple[str, ...]
    INSTALL: str
    VARIABLES: Mapping[str, str]
    BESIDE: tuple[str, ...]

    def Reader(self) -> Reader:
        """A reader of a new transcript."""
        ...


def adapter_names() -> tuple[str, ...]:
    """All adapters, as a configuration names them."""
    modules = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name.replace("_", "-") for name in modules if not name.startswith("_")))


def load_adapter(name: str) -> Adapter:
    """The adapter of a name.

    Raises:
        LabagentError: there is none; the text names those there are.
    """
    if name not in adapter_names():
        raise LabagentError(f'no adapter "{name}"; allowed: {", ".join(adapter_names())}')
    return cast(Adapter, importlib.import_module(f"{__name__}.{name.replace('-', '_')}"))
