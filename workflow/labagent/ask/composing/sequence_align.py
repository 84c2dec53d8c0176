"""``sequence.align`` in words."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.ask.composing._voice import KINDS, KINDS_ZH, Voice
from labagent.models.asking import Statement

PRINTED = 1200
"""Columns of an alignment that are printed."""


def say(voice: Voice) -> Iterator[Statement]:
    """Identity over the whole alignment, gaps, score, the alignment itself."""
    r = voice.result
    share, pairs = voice.figure(r["identity_percent"]), voice.figure(r["identity_of_pairs_percent"])
    mode = {"global": ("end to end", "全局"), "local": ("of the best part", "局部")}[r["mode"]]
    yield voice.fact(
        f"The alignment ({KINDS[r['type']]}, {mode[0]}, {r['matrix']}) has {r['columns']:,} columns, "
        f"{r['identical']:,} of them identical: identity {share} %.",
        f"比对({KINDS_ZH[r['type']]},{mode[1]},{r['matrix']})共 {r['columns']:,} 列,其中 "
        f"{r['identical']:,} 列相同:"
        f"一致性 {share} %。",
    )
    yield voice.fact(
        f"There are {r['gaps']:,} columns with a gap, in {r['gap_openings']:,} gap openings; of the "
        f"pairs without a gap, "
        f"{pairs} % are identical.",
        f"有 {r['gaps']:,} 列含空位(gap),空位开口 {r['gap_openings']:,} 处;不含空位的列中 {pairs} % 相同。",
    )
    yield voice.fact(f"The alignment score is {r['score']:,}.", f"比对得分为 {r['score']:,}。")
    for note in r["notes"]:
        yield voice.fact(f"Note: {note}.", f"说明:{note}。")


def block(voice: Voice) -> str:
    """The printed alignment."""
    return str(voice.result["text"]) if voice.result["columns"] <= PRINTED else ""
