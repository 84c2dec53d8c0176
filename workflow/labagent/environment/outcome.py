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
    reason = f"{step}: {' '.join((_marked(output) or telling)[:6])[:1500]}"
    if is_machinery(failure, output):
        raise InfrastructureError(f"{reason} ({failure})")
    return BuildFailed(failure, reason, output)


def _marked(output: str) -> list[str]:
    """The lines a builder marks as its reason, and those below with which a resolver goes on."""
    marked = list[str]()
    for line in output.splitlines():
        said = line.strip()
        goes_on = said.startswith(("And because", "we can conclude", "and ")) and bool(marked)
        if goes_on or said.lower().startswith(("error", "cause", "because", "×", "╰")):
            marked.append(said)
    return marked
