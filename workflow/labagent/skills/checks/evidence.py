"""Evidence points to a staged place that says what it is cited for."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.skills.finding import Context, Finding, Skipped
from labagent.skills.passages import Unresolved, missing_terms
from labagent.skills.read import EVIDENCE, evidence_lines

ID, TIER, ORDER = "evidence", 1, 70


def check(context: Context) -> Iterator[Finding]:
    """Each piece: file, lines, page, cell or comment exist, and every term occurs there."""
    if context.artifacts is None:
        raise Skipped("the lab's artifacts are not at hand")
    for item, (line, _) in zip(context.skill.evidence, evidence_lines(context.folder), strict=True):
        if item.source.kind == "url":
            if not item.source.url:
                yield Finding(f"{item.id}: kind url needs url", EVIDENCE, line)
            else:
                yield Finding(
                    f"{item.id} cannot be checked here: {item.source.url}", EVIDENCE, line, warning=True
                )
            continue
        if not all(term.strip() for term in item.terms):
            yield Finding(f"{item.id}: a term is blank", EVIDENCE, line)
        try:
            missing = missing_terms(item, context.artifacts)
        except Unresolved as reason:
            yield Finding(f"{item.id}: {reason}", EVIDENCE, line)
            continue
        if missing:
            where = f"{item.source.path} {item.source.lines or ''}".strip()
            yield Finding(f'{item.id}: "{missing[0]}" does not occur in {where}', EVIDENCE, line)
