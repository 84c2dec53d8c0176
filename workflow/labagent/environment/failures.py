"""The class of a failed build, from the builder's own words and the table of failures."""

from __future__ import annotations

import re

from labagent.memory.classify import classify

MACHINERY = frozenset({"network", "disk_full"})
"""Classes that say nothing about the environment asked for."""

# A server that answers "there is no such thing" answers the request.
_ANSWERED = re.compile(
    r"\b4(?:0[0-79]|1\d) (?:Client Error|Not Found|Forbidden|Gone|Unauthorized)|status client error"
    r"|HTTP ?[Ee]rror:? 4(?:0[0-79]|1\d)|repository .* not found|[Rr]emote branch .* not found"
)


def failure_class(output: str) -> str:
    """Class id of a failed resolve or build, ``unknown`` where no row fits.

    Args:
        output: what the builder printed.
    """
    return classify(output).failure_class


def is_machinery(failure: str, output: str) -> bool:
    """Whether a failure is one of the machine or the network, to be tried again as it is."""
    return failure in MACHINERY and not (failure == "network" and _ANSWERED.search(output))
