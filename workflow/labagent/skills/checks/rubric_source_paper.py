"""The data set's own paper is not looked up for the answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.checks._rubric import each_block, lines_of
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-source-paper", 1, 105
REASON = "an answer read from the publication reproduces nothing"
ADVICE = False
PLACE = re.compile(
    r"https?://[^\s\"')]*(?:doi\.org|arxiv\.org|biorxiv\.org|medrxiv\.org|pubmed|eutils|europepmc|semanticscholar|"
    r"/pmc/)|\bEntrez\.(?:esearch|efetch|esummary)\b",
    re.IGNORECASE,
)
PAPER = r"(?:paper|publication|article|preprint|abstract)s?"
ANSWER = r"(?:value|answer|result|number|figure|estimate)s?"
ORDER_TO = re.compile(
    rf"\b(?:look up|search (?:for|in)|consult|copy|take|read|fetch|download|find)\b[^.]{{0,60}}\b{PAPER}\b"
    rf"[^.]{{0,60}}\b{ANSWER}\b|\b(?:look up|copy|take|read|fetch|find)\b[^.]{{0,40}}\b{ANSWER}\b[^.]{{0,40}}"
    rf"\b(?:from|in) (?:the|its|their) (?:original |own |source )?{PAPER}\b",
    re.IGNORECASE,
)
REFUSED = re.compile(r"\b(?:not|never|n't|without|no)\b", re.IGNORECASE)


def check(context: Context) -> Iterator[Finding]:
    """Code that asks a place of publications; prose that tells to read the answer there."""
    for locus, block in each_block(context):
        for offset, row in enumerate(block.code.split("\n")):
            if match := PLACE.search(row):
                message = f'asks "{match.group()}" for a publication: {REASON}'
                yield Finding(message, locus.path, block.line + offset)
    for line in lines_of(context):
        match = ORDER_TO.search(line.text)
        if match and not REFUSED.search(line.text[: match.end()]):
            yield Finding(f'"{match.group()}": {REASON}', line.file, line.number)
