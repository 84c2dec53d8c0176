"""What is cited exists as evidence, and all evidence is cited."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.blocks import prose
from labagent.skills.finding import Context, Finding
from labagent.skills.frontmatter import ROOT
from labagent.skills.read import EVIDENCE, evidence_lines

ID, TIER, ORDER = "citations", 1, 60
CITATION = re.compile(r"\[(E\d+(?:\s*,\s*E\d+)*)\]")


def check(context: Context) -> Iterator[Finding]:
    """Citations of root and loci against ``evidence.jsonl``."""
    root = (context.folder / ROOT).read_text(encoding="utf-8-sig")
    known = {item.id for item in context.skill.evidence}
    cited: set[str] = set()
    for file, text in ((ROOT, root), *((locus.path, locus.text) for locus in context.skill.loci)):
        for number, line in prose(text):
            for name in cited_in(line):
                cited.add(name)
                if name not in known:
                    yield Finding(f"cites {name}, which {EVIDENCE} does not have", file, number)
    for item, (number, _) in zip(context.skill.evidence, evidence_lines(context.folder), strict=True):
        if item.id not in cited:
            yield Finding(f"{item.id} is cited nowhere", EVIDENCE, number)


def cited_in(line: str) -> list[str]:
    """Ids cited in a line of text."""
    return [name.strip() for group in CITATION.findall(line) for name in group.split(",")]
