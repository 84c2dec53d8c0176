"""The hash chain of a trace: each event vouches for all events before it."""

from __future__ import annotations

import json
from typing import Any

from labagent.files import sha256_text

CHAIN_DIGITS = 16


def link(previous: str, event: dict[str, Any]) -> str:
    """The chain value of ``event``.

    Args:
        previous: chain value of the event before, ``""`` for the first.
        event: the event; its own ``chain`` is left out.

    Returns:
        The first 16 hex digits of the SHA-256 of ``previous`` and the event as canonical JSON.
    """
    body = {key: value for key, value in event.items() if key != "chain"}
    text = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256_text(previous + text)[:CHAIN_DIGITS]
