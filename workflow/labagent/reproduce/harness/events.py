"""What an adapter finds in a tool's transcript, the same for every tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from labagent.models.run import Usage


@dataclass(frozen=True)
class Asked:
    """A tool was called: a shell command, or what does the same as the call of another ``tool``."""

    id: str
    command: str
    tool: str = "shell"


@dataclass(frozen=True)
class Answered:
    """What came of the call ``id``; ``status`` is an exit status, ``None`` where the call did not end."""

    id: str
    status: int | None
    output: str


@dataclass(frozen=True)
class Said:
    """Text of the model."""

    text: str


@dataclass(frozen=True)
class Used:
    """Tokens spent so far under ``key`` (a reply, a conversation); a larger figure replaces it."""

    key: str
    usage: Usage
    model: str = ""


@dataclass(frozen=True)
class Total:
    """What the tool says the whole run cost; ``usage`` is ``None`` where it names no tokens."""

    usd: float | None
    usage: Usage | None = None


@dataclass(frozen=True)
class Done:
    """The tool's own verdict at its end; ``cap`` is the limit of its own that it says it met."""

    ok: bool
    reason: str = ""
    cap: Literal["", "turns", "usd"] = ""


Event = Asked | Answered | Said | Used | Total | Done


def count(value: Any) -> int:
    """A number of tokens; 0 for anything that is none."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return min(value, 1 << 40) if whole and value > 0 else 0


def mapping(value: Any) -> dict[str, Any]:
    """A JSON object; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def text_of(value: Any) -> str:
    """The text of a content field: a string, or the texts of a list of blocks."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(str(mapping(block).get("text", "")) for block in value if isinstance(block, dict))
    return ""
