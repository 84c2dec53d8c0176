"""What a caller sees of a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from labagent.models.run import Usage

Message = dict[str, str]


class Trace(Protocol):
    """Where calls are recorded: a :class:`labagent.trace.TraceWriter`."""

    def event(self, kind: str, /, **fields: Any) -> Any:
        """Write one event; it is on disk when this returns. Returns it, with its number ``seq``."""
        ...


@dataclass(frozen=True)
class Reply:
    """An answer. ``cost_usd`` is ``None`` where the price, or the usage, is unknown.

    ``reported``: the usage is the service's own; else it reported none and the tokens are estimated.

    ``finish_reason`` as litellm gives it: ``stop``, ``length`` (cut at ``max_tokens``), ``content_filter``.
    """

    text: str
    usage: Usage
    cost_usd: float | None
    finish_reason: str = "stop"
    reported: bool = True


class Model(Protocol):
    """A model that can be asked."""

    @property
    def name(self) -> str:
        """The model's name, as configured."""
        ...

    @property
    def context_tokens(self) -> int:
        """How many tokens of messages and reply fit the context window."""
        ...

    def complete(
        self,
        messages: list[Message],
        *,
        max_tokens: int | None = None,
        json_schema: dict[str, Any] | None = None,
        seconds: float | None = None,
        affordable: Callable[[], bool] | None = None,
    ) -> Reply:
        """Ask the model.

        Args:
            messages: ``{"role": "system" | "user" | "assistant", "content": text}``, oldest first.
            max_tokens: cap of the reply's tokens; ``None`` takes the one of the settings.
            json_schema: asks for a reply of this form; models without the ability ignore it.
            seconds: the caller's remaining time for the whole call, retries included.
            affordable: asked before each retry whether its worst case may still be spent.

        Raises:
            InfrastructureError: the service failed again and again, or no money is left for all entries.
            ModelConfigError: the service refuses the model's name, key or parameters.
            ContextOverflow: the messages are too long.
            ModelTimeUp: ``seconds`` are over.
            ModelBudgetUp: another try is not affordable.
        """
        ...

    def worst_case_tokens(self, messages: list[Message]) -> int:
        """An upper estimate of the tokens, prompt and reply, of asking with ``messages``."""
        ...

    def worst_case_usd(self, messages: list[Message]) -> float | None:
        """An upper estimate of the cost of one call; ``None`` where the price is unknown."""
        ...
