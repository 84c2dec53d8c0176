"""What shapes an answer besides the messages."""

from __future__ import annotations

from typing import Any

from labagent.models.config import ModelSettings


def call_parameters(
    settings: ModelSettings, max_tokens: int | None, json_schema: dict[str, Any] | None
) -> dict[str, Any]:
    """The parameters of a call, as litellm takes them.

    Args:
        settings: gives temperature, seed and the default cap of the reply.
        max_tokens: a cap of its own for this call.
        json_schema: the form the reply should have.
    """
    parameters: dict[str, Any] = {"max_tokens": max_tokens or settings.max_output_tokens}
    if settings.temperature is not None:
        parameters["temperature"] = settings.temperature
    if settings.seed is not None:
        parameters["seed"] = settings.seed
    if json_schema is not None:
        schema = {"name": "answer", "schema": json_schema, "strict": True}
        parameters["response_format"] = {"type": "json_schema", "json_schema": schema}
    return parameters
