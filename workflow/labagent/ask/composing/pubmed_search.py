"""``pubmed.search`` in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labagent.ask.composing._paper import paper
from labagent.ask.composing._voice import Voice, plural
from labagent.models.asking import Statement


def say(voice: Voice) -> Iterator[Statement]:
    """How many papers fit, the query, the first ones."""
    r = voice.result
    if not r["hits"]:
        yield voice.remark(
            f"No paper was found for: {r['query']} (source: {r['source'] or 'none'}).",
            f"没有找到符合的文献:{r['query']}(来源:{r['source'] or '无'})。",
        )
    else:
        yield from _found(voice, r)
    for note in r["notes"]:
        yield voice.fact(f"Note: {note}.", f"说明:{note}。")


def _found(voice: Voice, r: dict[str, Any]) -> Iterator[Statement]:
    """How many there are, and each that is shown."""
    total = r["total"] if r["total"] is not None else len(r["hits"])
    yield voice.fact(
        f"{plural(total, 'paper')} found for the query {r['query']}; shown: {len(r['hits'])} ({r['order']}).",
        f"符合检索式 {r['query']} 的文献共 {total:,} 篇;列出 {len(r['hits'])} 篇({r['order']})。",
    )
    for hit in r["hits"]:
        yield paper(voice, hit)
