"""The class of a failed build, from the builder's own words."""

from __future__ import annotations

import re

# First match wins: what the machinery lacks stands before what the request lacks.
_TABLE: tuple[tuple[str, str], ...] = (
    ("disk_full", r"no space left on device|os error 28\b|disk quota exceeded|ENOSPC"),
    ("out_of_memory", r"out of memory|cannot allocate memory|\[stopped by labagent \(memory\)"),
    ("timeout", r"\[stopped by labagent \(seconds\)"),
    (
        "python_version",
        r"(current|your) python version|requires-?python|does not satisfy python|"
        r"requires a different python|no interpreter found|unsupported python|"
        r"has no wheels with a matching python",
    ),
    (
        "missing_system_library",
        r"fatal error: \S+\.h: no such file|cannot find -l\w+|pkg-config.*not found|"
        r"cannot open shared object file",
    ),
    (
        "missing_command",
        r"command ['\"]?(gcc|cc|g\+\+|gfortran|cmake|make|cargo|git)['\"]? (failed: )?(not found|no such)|"
        r"git executable not found",
    ),
    (
        "build_failure",
        r"failed to build|failed-wheel-build|build backend|failed building wheel|compilation terminated|"
        r"error: command .* failed|metadata-generation-failed",
    ),
    (
        "network",
        r"error sending request|dns error|failed to lookup address|"
        r"connection (refused|reset|closed|timed out)|"
        r"could not connect|tcp connect error|operation timed out|request timed out|network is unreachable|"
        r"http status server error|\b50[0234] (bad gateway|service|internal|gateway)|connectionerror|"
        r"condahttperror|tunnel error|error trying to connect|offline",
    ),
    (
        "missing_distribution",
        r"was not found in the package registry|there is no version of|no matching distribution|"
        r"because only \S+ (is|are) available and you require|"
        r"no versions? of|packagesnotfounderror|resolvepackagenotfound|nothing provides|"
        r"not available from current channels|only the following versions? of .* (is|are) available",
    ),
    (
        "resolver_conflict",
        r"no solution found|requirements are unsatisfiable|are incompatible|resolutionimpossible|"
        r"unsatisfiableerror|libmambaunsatisfiableerror|conflict",
    ),
    ("permission", r"permission denied|os error 13\b"),
)
_COMPILED = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _TABLE)

MACHINERY = frozenset({"network", "disk_full"})
"""Classes that say nothing about the environment asked for."""


def failure_class(output: str) -> str:
    """Class id of a failed resolve or build, ``unknown`` where no row fits.

    Args:
        output: what the builder printed.
    """
    flat = " ".join(output.split())
    return next((name for name, pattern in _COMPILED if pattern.search(flat)), "unknown")
