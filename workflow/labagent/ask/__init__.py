"""Questions: routing, plans, tool calls, cited answers, their traces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labagent.ask.answering import answer as answer

__all__ = ["answer"]


def __getattr__(name: str) -> Any:
    """``answer``, loaded when it is asked for: routing a question does not need it."""
    if name == "answer":
        from labagent.ask.answering import answer as found

        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
