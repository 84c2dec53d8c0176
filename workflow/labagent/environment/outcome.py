"""A build that failed for reasons of the environment asked for: an outcome, no fault of the machinery."""

from __future__ import annotations

from labagent.environment.failures import failure_class, is_machinery
from labagent.errors import InfrastructureError


class BuildFailed(Exception):
    """Ends a build; becomes the record's ``failure_class`` and ``reason``.

    ``output`` is what the builder printed, empty where no builder was asked.
    """

    def __init__(self, failure: str, reason: str, output: str = "") -> None:
        self.failure = failure
        self.reason = reason
        self.output = output
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
    if is_machinery(failure, output):
        raise InfrastructureError(f"{reason} ({failure})")
    return BuildFailed(failure, reason, output)
