"""What a service says it used, and what a prefix cache could have served of it."""

from __future__ import annotations

from typing import Any

from labagent.llm.interface import Message
from labagent.models.run import Usage


def reported_usage(response: Any) -> Usage:
    """Tokens as the service reported them; all zero where it reports none, or a prompt without a token.

    Args:
        response: litellm's response.
    """
    usage = getattr(response, "usage", None)
    details = getattr(usage, "prompt_tokens_details", None)
    prompt = _count(getattr(usage, "prompt_tokens", 0))
    if not prompt:  # every request has one: the rest cannot be trusted, and a cap would count too little
        return Usage()
    return Usage(
        prompt_tokens=prompt,
        cached_tokens=min(_count(getattr(details, "cached_tokens", 0)), prompt),
        completion_tokens=_count(getattr(usage, "completion_tokens", 0)),
    )


class SharedPrefix:
    """Measures how much of each prompt is the beginning of the one before."""

    def __init__(self) -> None:
        self._before: list[Message] = []

    def share(self, messages: list[Message]) -> float:
        """The part of a prompt, by bytes, from 0 to 1, that it shares with the beginning of the last one."""
        shared = total = 0
        together = True
        for place, message in enumerate(messages):
            text = message["content"].encode("utf-8", errors="replace")
            total += len(text)
            if not together:
                continue
            before = self._before[place] if place < len(self._before) else None
            if before is None or before["role"] != message["role"]:
                together = False
            elif before["content"] == message["content"]:
                shared += len(text)
            else:
                shared += _common(before["content"].encode("utf-8", errors="replace"), text)
                together = False
        self._before = [dict(message) for message in messages]
        return shared / total if total else 0.0


def _count(value: Any) -> int:
    """A number of tokens; anything else counts as none."""
    return max(int(value), 0) if isinstance(value, int | float) and abs(value) < float("inf") else 0


def _common(first: bytes, second: bytes) -> int:
    """Length of the common beginning."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[:middle] == second[:middle]:
            low = middle
        else:
            high = middle - 1
    return low
