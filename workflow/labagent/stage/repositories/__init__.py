"""Kinds of repository. Each module of this package is one kind; adding one is adding a file.

A module offers ``accepts(text, path) -> bool`` for the ``repository`` column as written and as a path
(``None`` where the text cannot be one), and ``fetch(request) -> Fetched``, which fills ``request.target``.
At most one module accepts a text.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from pathlib import Path

from labagent.errors import SourceError
from labagent.stage.download import hide_userinfo


@dataclass(frozen=True)
class Request:
    """What to fetch: ``text`` as written, ``path`` where it can be one, into the empty ``target``."""

    text: str
    path: Path | None
    commit: str
    target: Path
    cache: Path
    without: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Fetched:
    """The pinned origin (see ``ArtifactManifest.origin``), the full commit, its day, what to tell the user.

    ``released`` is the day of the commit or of the upload (``YYYY-MM-DD``), empty where it is not known.
    ``tags`` are the names of tags at or before the commit, oldest first, as far as history is at hand.
    """

    origin: str
    commit: str = ""
    released: str = ""
    tags: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def fetch(request: Request) -> Fetched:
    """Fill ``request.target`` with the sources, by the module that accepts the request.

    Raises:
        SourceError: no kind accepts the text, or the source is not to be had as asked.
        InfrastructureError: a server or registry cannot be reached.
    """
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    for name in names:
        module = importlib.import_module(f"{__name__}.{name}")
        if module.accepts(request.text, request.path):
            result: Fetched = module.fetch(request)
            return result
    shown = hide_userinfo(request.text)
    raise SourceError(f'repository "{shown}": no such kind of repository; known kinds: {", ".join(names)}')
