"""Backends: where the tools ``uniprot.*`` and ``pubmed.*`` look.

A backend is a module of this folder with ``connect(choice) -> Source`` (see :mod:`.protocols`); adding one
is adding a file. ``using(…)`` says which are asked, in order, within a block; outside of any block it is the
bundled facts. Nothing is shared between threads or tasks.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from labagent.errors import ToolError
from labagent.tools.backends.protocols import (
    Choice,
    LiteratureSource,
    ProteinSource,
    Settings,
    Source,
)

__all__ = [
    "DEFAULT",
    "Choice",
    "LiteratureSource",
    "ProteinSource",
    "Settings",
    "Source",
    "connect",
    "connect_all",
    "names",
    "sources",
    "using",
]

DEFAULT: tuple[str, ...] = ("facts",)
HELPERS = frozenset({"protocols"})
NAME = re.compile(r"(?P<module>[a-z]+)(?::(?P<detail>.+))?", re.DOTALL)
_current: ContextVar[tuple[Source, ...] | None] = ContextVar("labagent_tool_sources", default=None)


def names() -> tuple[str, ...]:
    """Names of the backends there are; helper modules and folders are none."""
    found = (i.name for i in pkgutil.iter_modules(__path__) if not i.ispkg and not i.name.startswith("_"))
    return tuple(n for n in found if n not in HELPERS)


def connect(name: str, settings: Settings | None = None) -> Source:
    """A backend by name (``facts``, ``live``, ``mirror:NAME``, ``recorded:NAME``).

    Args:
        name: a module of this folder; behind a colon the name of a file in ``settings.files``, or a path.
        settings: files, e-mail.

    Raises:
        ToolError: ``input``: there is no such backend or no such file. ``unavailable``: it cannot be read.
    """
    match = NAME.fullmatch(name)
    if match is None or match["module"] not in names():
        allowed = ", ".join(names())
        raise ToolError(
            "input", f"no backend is called {name[:80]!r}", field="backend", value=name[:80], allowed=allowed
        )
    detail = match["detail"] or ""
    known = settings or Settings()
    path = _path_of(name, detail, known) if detail else None
    shown = f"{match['module']}:{Path(detail).stem}" if detail else name
    module = importlib.import_module(f"{__name__}.{match['module']}")
    try:
        source: Source = module.connect(Choice(name=shown, detail=detail, path=path, settings=known))
    except OSError as error:
        message = f"{shown}: {path.name if path else 'its file'} cannot be read: {error.strerror}"
        raise ToolError("unavailable", message, field="backend", value=shown) from error
    return source


def connect_all(named: Sequence[str | Source], settings: Settings | None = None) -> tuple[Source, ...]:
    """Several backends, in order; those that are ready are taken as they are. Raises as :func:`connect`."""
    return tuple(connect(n, settings) if isinstance(n, str) else n for n in named)


def sources() -> tuple[Source, ...]:
    """The backends that are asked here, in order."""
    current = _current.get()
    return current if current is not None else connect_all(DEFAULT)


@contextmanager
def using(ready: Sequence[Source]) -> Iterator[None]:
    """Within the block, in this thread or task alone, tools ask these backends."""
    token = _current.set(tuple(ready))
    try:
        yield
    finally:
        _current.reset(token)


def _path_of(name: str, detail: str, settings: Settings) -> Path:
    """The file a backend's detail names."""
    if detail in settings.files:
        return settings.files[detail]
    if Path(detail).is_file():
        return Path(detail)
    allowed = ", ".join(sorted(settings.files)) or "a path (no file is configured)"
    raise ToolError(
        "input", f"{name}: there is no such file", field="backend", value=detail[:80], allowed=allowed
    )
