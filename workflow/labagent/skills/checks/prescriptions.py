"""Prescriptions: each needs evidence that says it, or a check that prints the quantity and a rule."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.skills.finding import Context, Finding
from labagent.skills.frontmatter import ROOT
from labagent.skills.prescribed import prescriptions_of
from labagent.skills.support import Support

ID, TIER, ORDER = "prescriptions", 1, 90


def check(context: Context) -> Iterator[Finding]:
    """Sentences that prescribe something without evidence that says it or a check; one finding a line."""
    support = Support(context.folder, context.skill, context.artifacts, context.snapshot)
    root = (context.folder / ROOT).read_text(encoding="utf-8-sig")
    for file, text in ((ROOT, root), *((locus.path, locus.text) for locus in context.skill.loci)):
        told: set[int] = set()
        for item in prescriptions_of(text, support.names):
            why = "" if item.line in told else support.why_not(item)
            if why:
                told.add(item.line)
                yield Finding(f'{item.kind} "{item.said}" is prescribed {why}', file, item.line)
