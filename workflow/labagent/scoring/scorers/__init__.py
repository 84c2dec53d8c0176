"""One module a scorer, found by name: adding one is adding a file (``labagent.scoring.attempt.Scorer``)."""

from __future__ import annotations

import importlib
import pkgutil
from typing import cast

from labagent.errors import LabagentError
from labagent.scoring.attempt import Scorer


def known_scorers() -> tuple[str, ...]:
    """Names a family may give as its scorer."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")))


def load_scorer(name: str) -> Scorer:
    """The scorer called ``name``.

    Raises:
        LabagentError: there is none of this name; the message lists those there are.
    """
    if name not in known_scorers():
        raise LabagentError(f'unknown scorer "{name}"; allowed: {", ".join(known_scorers())}')
    return cast(Scorer, importlib.import_module(f"{__name__}.{name}"))
