"""``sequence.translate`` in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labagent.ask.composing._voice import KINDS, KINDS_ZH, Voice, named, size, upper
from labagent.models.asking import Statement


def say(voice: Voice) -> Iterator[Statement]:
    """Each record's frames, with the code that was used."""
    records = voice.result["records"]
    table = f"{voice.result['table']} ({voice.result['table_name']})"
    for number, record in enumerate(records, start=1):
        who = named(voice, record["name"], number, len(records))
        length = size(voice, record["length"], record["type"])
        yield voice.fact(
            f"{upper(who)} is {KINDS[record['type']]}, {length} long; it is translated with NCBI "
            f"genetic code {table}.",
            f"{who}是 {KINDS_ZH[record['type']]} 序列,长度为 {length};按 NCBI 遗传密码表 {table} 翻译。",
        )
        if record["type_note"] and not record["certain"]:
            yield voice.fact(
                f"The type of {who} is not certain: {record['type_note']}.",
                f"{who}的类型并不确定:{record['type_note']}。",
            )
        for frame in record["frames"]:
            yield from _frame(voice, frame)
    for note in voice.result["notes"]:
        yield voice.fact(f"Note: {note}.", f"说明:{note}。")


def _frame(voice: Voice, frame: dict[str, Any]) -> Iterator[Statement]:
    """One frame: the protein, its length, stops, what is left over."""
    protein, sign = frame["protein"], f"{frame['frame']:+d}"
    whole = not voice.focus.get("short")
    if not protein:
        yield voice.fact(f"Frame {sign} has no whole codon.", f"阅读框 {sign} 没有完整的密码子。")
        return
    yield voice.fact(
        f"Frame {sign}: {voice.sequence(protein, whole=whole)}, {frame['length']:,} residues (aa), "
        f"{frame['stops']} stop codons (*).",
        f"阅读框 {sign}:{voice.sequence(protein, whole=whole)},{frame['length']:,} 个氨基酸残基(aa),"
        f"{frame['stops']} 个终止密码子(*)。",
    )
    if frame["to_first_stop"] != protein and frame["to_first_stop"]:
        first = frame["to_first_stop"]
        yield voice.fact(
            f"Frame {sign} up to its first stop: {voice.sequence(first, whole=whole)}.",
            f"阅读框 {sign} 到第一个终止密码子为止:{voice.sequence(first, whole=whole)}。",
        )
    if frame["left_over"]:
        yield voice.fact(
            f"Frame {sign} leaves {frame['left_over']} nt over behind the last whole codon.",
            f"阅读框 {sign} 在最后一个完整密码子之后剩余 {frame['left_over']} 个碱基(nt)。",
        )
