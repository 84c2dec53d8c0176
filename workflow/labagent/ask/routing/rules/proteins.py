"""A protein or gene is named, and asked about; with other words beside it, it may be a topic for papers."""

from __future__ import annotations

import re

from labagent.ask.routing.reading import IDENTIFIERS, Read
from labagent.ask.routing.rules import Decision
from labagent.ask.routing.unknown import LIKE_ACCESSION
from labagent.models.asking import Entity

ORDER = 90
SOFT = frozenset(
    (
        "pathway",
        "expression",
        "interactions",
        "diseases",
        "variants",
        "compare",
        "count",
        "domains",
        "pdb",
        "sites",
        "catalysis",
    )
)
"""Aspects whose words are as often a topic of papers."""
QUESTION = re.compile(
    r"^\W*(?:what|which|where|who|how (?:many|long|big|large|heavy)|is|are|does|do|tell me|describe|give|"
    r"show|list|get|fetch|look up|find|compare|explain|"
    r"请|查|介绍|什么|哪|列出|给出|比较)|[?？]\s*$|什么|哪|吗|多少",
    re.IGNORECASE,
)
NAMED = re.compile(
    r"\b(?:gene|protein|uniprot|entry|accession|swiss-?prot|enzyme)\b|基因|蛋白", re.IGNORECASE
)


def decide(read: Read) -> Decision | None:
    """Route ``protein``, or ``literature`` where a topic stands beside a gene."""
    sure = [e for e in read.of(*IDENTIFIERS) if e.certain or read.alone or read.aspects("p")]
    if sure:
        return Decision("protein", f"{sure[0].namespace} {sure[0].value}")
    genes = [e for e in read.of("gene", "name") if _counts(e, read)]
    if not genes:
        return None
    asked = read.aspects("p")
    hard = [a for a in asked if a not in SOFT and a not in ("papers",)]
    said = f"{genes[0].namespace} {genes[0].value}"
    if hard:
        return Decision("protein", f"{said}; asked: {', '.join(hard)}")
    if not read.leftover:
        return Decision("protein", said)
    if (asked and QUESTION.search(read.text)) or read.resolved or NAMED.search(read.plain):
        return Decision(
            "protein", f"{said}; asked: {', '.join(asked) or 'what it is'}", open=not read.resolved
        )
    return Decision("literature", f"{said} with a topic beside it ({read.leftover})", open=True)


def _counts(entity: Entity, read: Read) -> bool:
    """Whether a symbol or name can carry a question: a doubtful one only where something speaks for it."""
    if entity.certain or read.alone or entity.facts.get("basis") == "asked":
        return True
    if not read.leftover and (read.aspects("p") or re.fullmatch(LIKE_ACCESSION, entity.written)):
        return True
    return bool(NAMED.search(read.plain) or [a for a in read.aspects("p") if a not in SOFT and a != "papers"])
