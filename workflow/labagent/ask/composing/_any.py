"""Results of a tool that has no module of its own: its fields, as they are."""

from __future__ import annotations

import json
from collections.abc import Iterator

from labagent.ask.composing._voice import Voice
from labagent.models.asking import Statement

MOST = 12
LONG = 200


def say(voice: Voice) -> Iterator[Statement]:
    """Each field with its value, long ones cut."""
    for name, value in list(voice.result.items())[:MOST]:
        text = json.dumps(value, ensure_ascii=False)
        if value not in (None, "", [], {}):
            shown = text if len(text) <= LONG else text[:LONG] + "…"
            yield voice.fact(f"{name}: {shown}", f"{name}:{shown}")
