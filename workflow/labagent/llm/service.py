"""litellm, loaded late and quietly, and what it knows of a model before any call."""

from __future__ import annotations

import difflib
import os
from functools import lru_cache
from typing import Any

from labagent.errors import ModelConfigError
from labagent.models.config import ModelSettings, Price

MILLION = 1_000_000
DEFAULT_CONTEXT_TOKENS = 32_768
NO_KEY = "no-key-needed"


@lru_cache(maxsize=1)
def load_litellm() -> Any:
    """Import litellm (seconds) with its own price table, without telemetry, hints or log lines."""
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    import logging

    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.drop_params = True
    litellm.num_retries = 0
    for name in ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return litellm


def check_model(settings: ModelSettings) -> None:
    """Check, without a call, that a model can be called at all.

    Raises:
        ModelConfigError: litellm does not know the name, or its key is not in the environment; the message
            says what to do.
    """
    _check_name(settings)
    _check_key(settings)


def api_key(settings: ModelSettings) -> str | None:
    """The key to send: the named variable's, else a dummy to an address of one's own, else litellm's own.

    A provider's key is never sent to another address unless ``api_key_env`` names it.
    """
    if settings.api_key_env:
        return os.environ.get(settings.api_key_env)
    return NO_KEY if settings.api_base else None


def price_of(settings: ModelSettings) -> Price | None:
    """US$ per million tokens: the settings' own price, else litellm's, else ``None``."""
    if settings.price is not None:
        return settings.price
    info = model_info(settings)
    if info.get("input_cost_per_token") is None or info.get("output_cost_per_token") is None:
        return None
    cached = info.get("cache_read_input_token_cost")
    return Price(
        input=info["input_cost_per_token"] * MILLION,
        output=info["output_cost_per_token"] * MILLION,
        cached_input=None if cached is None else cached * MILLION,
    )


def context_tokens(settings: ModelSettings) -> int:
    """Size of the context window: as set, else as litellm knows it, else a cautious default."""
    known = settings.context_tokens or model_info(settings).get("max_input_tokens")
    return int(known or DEFAULT_CONTEXT_TOKENS)


def model_info(settings: ModelSettings) -> dict[str, Any]:
    """litellm's table row for a model; empty where it has none."""
    litellm = load_litellm()
    try:
        return dict(litellm.get_model_info(settings.model))
    except Exception:  # litellm raises bare exceptions and several kinds of its own for an unmapped model
        return {}


def _check_name(settings: ModelSettings) -> None:
    """The name must lead litellm to a provider."""
    litellm = load_litellm()
    try:
        litellm.get_llm_provider(settings.model, api_base=settings.api_base)
    except litellm.BadRequestError as error:
        close = difflib.get_close_matches(settings.model, litellm.model_list, n=3)
        hint = f" Did you mean {' or '.join(close)}?" if close else ""
        raise ModelConfigError(
            f'model "{settings.model}": litellm does not know this name.{hint} Write it as PROVIDER/NAME, '
            "such as openai/NAME (also for a local OpenAI-compatible server, with api_base)."
        ) from error


def _check_key(settings: ModelSettings) -> None:
    """A key must be there, unless a server of one's own is named."""
    if settings.api_key_env:
        missing = [] if os.environ.get(settings.api_key_env) else [settings.api_key_env]
    else:
        missing = [] if settings.api_base else _missing_keys(settings)
    if missing:
        raise ModelConfigError(
            f'model "{settings.model}": no key in the environment. Set {" and ".join(missing)} '
            "(or name another variable with api_key_env), or use an arm with model: offline, "
            "which needs none."
        )


def _missing_keys(settings: ModelSettings) -> list[str]:
    """The variables litellm would need and does not find; litellm takes an empty one for a key."""
    litellm = load_litellm()
    empty = [name for name, value in os.environ.items() if not value]
    for name in empty:
        del os.environ[name]
    try:
        known = litellm.validate_environment(settings.model)
    finally:
        os.environ.update(dict.fromkeys(empty, ""))
    return [] if known["keys_in_environment"] else [str(key) for key in known["missing_keys"]]
