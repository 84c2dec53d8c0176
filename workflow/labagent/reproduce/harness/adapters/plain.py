"""Any command: its output is kept as it is, its cost is unknown.

Lines that are JSON objects of the form ``{"command": …, "status": …, "output": …}``, ``{"text": …}`` or
``{"cost_usd": …, "input_tokens": …, "output_tokens": …}`` (totals so far) are understood, so that a script of
one's own can say what it did.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from labagent.models.run import Usage
from labagent.reproduce.harness.events import Answered, Asked, Event, Said, Total, Used, count

COMMAND: tuple[str, ...] = ()
INSTALL = "install it, or correct the command"
VARIABLES: dict[str, str] = {}
BESIDE: tuple[str, ...] = ()


class Reader:
    """Numbers the commands it is told of."""

    def __init__(self) -> None:
        self._calls = 0

    def read(self, line: dict[str, Any], *, beside: bool) -> Iterable[Event]:
        """The events of a line."""
        if isinstance(line.get("command"), str):
            self._calls += 1
            status = line.get("status", 0)
            yield Asked(str(self._calls), line["command"])
            yield Answered(
                str(self._calls), status if isinstance(status, int) else None, str(line.get("output", ""))
            )
        if isinstance(line.get("text"), str):
            yield Said(line["text"])
        usage = Usage(
            prompt_tokens=count(line.get("input_tokens")), completion_tokens=count(line.get("output_tokens"))
        )
        if usage != Usage():
            yield Used("all", usage, str(line.get("model", "")))
        if "cost_usd" in line:
            yield Total(line["cost_usd"])
