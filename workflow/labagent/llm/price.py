"""Prices: what a call cost, and what the next one may cost at most."""

from __future__ import annotations

import math

from labagent.llm.interface import Message
from labagent.models.config import Price
from labagent.models.run import Usage

MILLION = 1_000_000
MESSAGE_TOKENS = 8
START_RATIO = 0.5
MARGIN = 1.2


def cost(usage: Usage, price: Price) -> float:
    """US$ of one call; cached prompt tokens at their own price, where there is one."""
    cached_price = price.input if price.cached_input is None else price.cached_input
    fresh = usage.prompt_tokens - usage.cached_tokens
    total = fresh * price.input + usage.cached_tokens * cached_price + usage.completion_tokens * price.output
    return total / MILLION


class WorstCase:
    """The most that one call may take, by a model's settings and what its service has reported."""

    def __init__(self, max_output_tokens: int, price: Price | None) -> None:
        """Nothing was reported yet; ``price`` is ``None`` where it is unknown."""
        self.estimate = TokenEstimate()
        self._output = max_output_tokens
        self._price = price

    def tokens(self, messages: list[Message]) -> int:
        """Prompt and completion."""
        return self.estimate.prompt(messages) + self._output

    def usd(self, messages: list[Message]) -> float | None:
        """US$, nothing cached; ``None`` where the price is unknown."""
        if self._price is None:
            return None
        usage = Usage(prompt_tokens=self.estimate.prompt(messages), completion_tokens=self._output)
        return cost(usage, self._price)

    def facts(self, messages: list[Message]) -> dict[str, float | int | None]:
        """Both, as a trace holds them."""
        return {"possible_usd": self.usd(messages), "possible_tokens": self.tokens(messages)}


class TokenEstimate:
    """Upper estimate of a prompt's tokens from its bytes, calibrated by what the service reported.

    A tokenizer would be exact for one provider only and costs more than the loop; half a token a byte holds
    for prose and code, and from the first reply on the highest ratio seen, plus a fifth, is used.
    """

    def __init__(self) -> None:
        self._highest = 0.0

    def prompt(self, messages: list[Message]) -> int:
        """Tokens of the messages, at most."""
        ratio = self._highest * MARGIN if self._highest else START_RATIO
        return math.ceil(_bytes(messages) * ratio) + MESSAGE_TOKENS * len(messages)

    def text(self, text: str) -> int:
        """Tokens of a text alone, at most."""
        return math.ceil(len(text.encode("utf-8", errors="replace")) * START_RATIO)

    def learn(self, messages: list[Message], usage: Usage) -> None:
        """Take in what a prompt really was."""
        framing = MESSAGE_TOKENS * len(messages)
        self._highest = max(self._highest, (usage.prompt_tokens - framing) / max(_bytes(messages), 1))


def _bytes(messages: list[Message]) -> int:
    """UTF-8 bytes of all contents."""
    return sum(len(message["content"].encode("utf-8", errors="replace")) for message in messages)
