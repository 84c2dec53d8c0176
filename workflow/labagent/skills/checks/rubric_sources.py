"""Sources are cited."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.skills.checks._rubric import lines_of
from labagent.skills.checks.citations import cited_in
from labagent.skills.finding import Context, Finding
from labagent.skills.frontmatter import ROOT

ID, TIER, ORDER = "rubric-sources", 1, 103
REASON = "what no source says is a guess"
ADVICE = False


def check(context: Context) -> Iterator[Finding]:
    """Root and loci together cite one piece of evidence at least."""
    lines = lines_of(context)
    if not any(cited_in(line.text) for line in lines):
        first = next((line.number for line in lines if line.text.strip()), 1)
        yield Finding(f"neither root nor loci cite any evidence ([E1]): {REASON}", ROOT, first)
