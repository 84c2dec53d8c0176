"""``sequence.reverse_complement`` in words."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.ask.composing._voice import KINDS, KINDS_ZH, Voice, named, size
from labagent.models.asking import Statement


def say(voice: Voice) -> Iterator[Statement]:
    """Each record's other strand, whole."""
    records = voice.result["records"]
    for number, record in enumerate(records, start=1):
        who = named(voice, record["name"], number, len(records))
        length = size(voice, record["length"], record["type"])
        letters = voice.sequence(record["reverse_complement"], whole=not voice.focus.get("short"))
        yield voice.fact(
            f"Reverse complement of {who} ({KINDS[record['type']]}, {length} long), in "
            f"{KINDS[record['type']]} "
            f"letters: {letters}.",
            f"{who}({KINDS_ZH[record['type']]},长度 {length})的反向互补序列:{letters}。",
        )
        if record["type_note"] and not record["certain"]:
            yield voice.fact(
                f"The type of {who} is not certain: {record['type_note']}.",
                f"{who}的类型并不确定:{record['type_note']}。",
            )
