"""``uniprot.search`` in words: only where it led to no one entry."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.ask.composing._voice import Voice
from labagent.models.asking import Statement


def say(voice: Voice) -> Iterator[Statement]:
    """What was found instead, or that nothing was, and where."""
    r = voice.result
    slot = voice.focus.get("ambiguous") or voice.focus.get("asked")
    name = slot.value if slot is not None else r["query"]
    if "ambiguous" in voice.focus:
        organisms = list(dict.fromkeys(h["organism"] for h in r["hits"] if h["organism"]))
        yield voice.remark(
            f"{name} is a gene of more than one organism: {voice.several(organisms)}. Which one is meant?",
            f"{name} 是多个物种的基因:{voice.several(organisms)}。请问指哪一个?",
        )
        return
    yield voice.remark(
        f"No entry of {name} was found; asked: {r['query']} (source: {r['source'] or 'none'}).",
        f"没有找到 {name} 的条目;检索式:{r['query']}(来源:{r['source'] or '无'})。",
    )
    for hit in r["hits"][:3]:
        yield voice.fact(
            f"The search gave {hit['accession']}, gene {hit['gene']}, of {hit['organism']}, which is "
            f"another one.",
            f"检索到的是 {hit['accession']}(基因 {hit['gene']},{hit['organism']}),并非所问。",
        )
    for note in dict.fromkeys(r["notes"]):
        yield voice.fact(f"Note: {note}.", f"说明:{note}。")
