"""``pubmed.fetch`` in words."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.ask.composing._paper import paper
from labagent.ask.composing._voice import Voice
from labagent.models.asking import Statement

ABSTRACT = 1500
"""Characters of an abstract that are shown."""


def say(voice: Voice) -> Iterator[Statement]:
    """Each paper; of a review only what the search has not said."""
    r, read = voice.result, voice.focus.get("read")
    for found in r["papers"]:
        if not read:
            yield paper(voice, found)
        if found["retracted"]:
            yield voice.fact(
                f"PMID: {found['pmid']} is retracted.", f"PMID: {found['pmid']} 已被撤稿(retracted)。"
            )
        if found["abstract"]:
            text = " ".join(found["abstract"].split())
            cut = text if len(text) <= ABSTRACT else text[:ABSTRACT].rsplit(" ", 1)[0] + " …"
            yield voice.fact(
                f"Abstract of PMID: {found['pmid']}: {cut}", f"PMID: {found['pmid']} 的摘要:{cut}"
            )
        elif not read and voice.call.arguments.get("abstract", True):
            yield voice.remark(
                f"The source holds no abstract of PMID: {found['pmid']}.",
                f"该来源没有 PMID: {found['pmid']} 的摘要。",
            )
        if found["proteins"]:
            text = voice.several([f"UniProt {a}" for a in found["proteins"][:8]])
            yield voice.fact(
                f"PMID: {found['pmid']} is cited by {text}.", f"引用 PMID: {found['pmid']} 的条目:{text}。"
            )
    for pmid in r["missing"]:
        yield voice.remark(
            f"PMID: {pmid} was not found (source: {r['source'] or 'none'}).",
            f"没有找到 PMID: {pmid}(来源:{r['source'] or '无'})。",
        )
    for note in r["notes"]:
        yield voice.fact(f"Note: {note}.", f"说明:{note}。")
