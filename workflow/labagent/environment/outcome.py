"""A build that failed for reasons of the environment asked for: an outcome, no fault of the machinery."""

from __future__ import annotations

from labagent.environment.failures import MACHINERY, failure_class
from labagent.errors import InfrastructureError


class BuildFailed(Exception):
    """Ends a build; becomes the record's ``failure_class`` and ``reason``."""

    def __init__(self, failure: str, reason: str) -> None:
        self.failure = failure
        self.reason = reason
        super().__init__(f"{failure}: {reason}")


def failed(step: str, output: str) -> BuildFailed:
    """The failure of a builder's command, from what it printed.

    Raises:
        InfrastructureError: the registry cannot be reached or the disk is full.
    """
    failure = failure_class(output)
    telling = [line.strip() for line in output.splitlines() if line.strip()]
    marked = [line for line in telling if line.lower().startswith(("error", "cause", "because", "×", "╰"))]
    reason = f"{step}: {' '.join((marked or telling)[:4])[:1500]}"
    if failure in MACHINERY:
        raise InfrastructureError(f"{reason} ({failure})")
    return BuildFailed(failure, reason)
