"""Which failures of a model service are worth another try, and when."""

from __future__ import annotations

import email.utils
import random
import re
import time
from dataclasses import dataclass
from typing import Any

from labagent.errors import ContextOverflow, InfrastructureError, LabagentError, ModelConfigError
from labagent.llm.service import load_litellm
from labagent.redaction import redact

LONGEST_WAIT = 60.0
LONGEST_RETRY_AFTER = 600.0
REASON_CHARACTERS = 300
OVERFLOW = re.compile(
    r"context[ _]length|context[ _](?:size|window)|prompt is too long|too many (?:input )?tokens|"
    r"input is too long|exceeds? the (?:model's )?(?:maximum|available) (?:context|number of tokens)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Failure:
    """A failed call.

    ``fatal`` is the error to raise where asking again cannot help. ``maybe_billed``: no whole answer came
    back, so the service may have done (and charged) the work. ``retry_after`` in seconds, as it asked.
    """

    reason: str
    fatal: LabagentError | None = None
    maybe_billed: bool = False
    retry_after: float | None = None


def classify(error: Exception, model: str) -> Failure:
    """What a failed call means.

    Args:
        error: what litellm raised.
        model: the model's name, for messages.
    """
    litellm = load_litellm()
    reason = _reason(error)
    if isinstance(error, litellm.ContextWindowExceededError) or _is_overflow(error):
        return Failure(reason, fatal=ContextOverflow(f'model "{model}": {reason}'))
    if isinstance(error, litellm.Timeout):
        return Failure(reason, maybe_billed=True)
    status = getattr(error, "status_code", None)
    headers = _headers(error)
    if isinstance(status, int) and 400 <= status < 500 and status not in (408, 409, 429):
        return Failure(reason, fatal=ModelConfigError(_refusal(model, status, reason)))
    return Failure(reason, maybe_billed=not headers and _was_sent(error), retry_after=_retry_after(headers))


def delay(failure: Failure, tried: int, backoff: float) -> float:
    """Seconds to wait before the next try: exponential with jitter, at least what the service asked for.

    Raises:
        InfrastructureError: the service asks for a wait that is longer than is useful.
    """
    wait = min(backoff * 2.0 ** (tried - 1), LONGEST_WAIT) * random.uniform(0.5, 1.0)
    asked = failure.retry_after or 0.0
    if asked > LONGEST_RETRY_AFTER:
        raise InfrastructureError(
            f"the service asks to wait {asked:.0f} s; start again then. {failure.reason}"
        )
    return max(wait, asked)


def _is_overflow(error: Exception) -> bool:
    """Whether a refusal is about length; each service says it in its own words."""
    status = getattr(error, "status_code", None)
    return status == 413 or (status == 400 and OVERFLOW.search(str(error)) is not None)


def _refusal(model: str, status: int, reason: str) -> str:
    """What to do about a request the service will never accept."""
    advice = {
        401: "the key is wrong or missing",
        403: "the key may not use this model",
        404: "the service has no such model (or api_base is wrong)",
        402: "the account has no credit",
    }.get(status, "the request is refused")
    return f'model "{model}": {advice} (status {status}): {reason}'


def _reason(error: Exception) -> str:
    """One short line of a litellm error, without secrets."""
    text = " ".join(redact(str(error)).split())
    text = text.removeprefix("litellm.")
    return text if len(text) <= REASON_CHARACTERS else text[: REASON_CHARACTERS - 1] + "…"


def _headers(error: Exception) -> dict[str, Any]:
    """Headers of the service's answer; empty where there was none."""
    response = getattr(error, "response", None)
    return {str(k).lower(): v for k, v in dict(getattr(response, "headers", None) or {}).items()}


def _was_sent(error: BaseException | None) -> bool:
    """Whether the request may have reached the service: no connection, no charge."""
    while error is not None:
        if type(error).__name__ in ("ConnectError", "ConnectTimeout", "ConnectionRefusedError"):
            return False
        error = error.__cause__ or error.__context__
    return True


def _retry_after(headers: dict[str, Any]) -> float | None:
    """Seconds of a Retry-After header, given as a number or a date."""
    value = str(headers.get("retry-after", "")).strip()
    try:
        return max(float(value), 0.0)
    except ValueError:
        pass
    try:
        return max(email.utils.parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    except ValueError:
        return None
