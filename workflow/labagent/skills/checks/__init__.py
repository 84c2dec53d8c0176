"""The checks of a skill, one module each; adding a check is adding a file.

A module offers ``ID``, ``TIER`` (1 file, 2 resolve, 3 run), ``ORDER`` within the tier, and
``check(context)``, which yields findings with file and line. Modules whose name starts with an underscore
are helpers.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import cast

from labagent.skills.finding import CheckModule


@cache
def all_checks() -> tuple[CheckModule, ...]:
    """All checks, in the order in which they run."""
    names = [m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")]
    modules = [cast(CheckModule, importlib.import_module(f"{__name__}.{name}")) for name in names]
    return tuple(sorted(modules, key=lambda m: (m.TIER, m.ORDER, m.ID)))
