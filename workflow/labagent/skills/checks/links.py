"""Links lead to files of the skill, one level deep."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from labagent.skills.blocks import prose
from labagent.skills.finding import Context, Finding
from labagent.skills.frontmatter import ROOT

ID, TIER, ORDER = "links", 1, 30
LINK = re.compile(
    r"\]\(<?([^)\s>]+)"  # [text](file), also with a title
    r"|^ {0,3}\[[^\]^]+\]:\s*<?([^\s>]+)"  # [name]: file
    r"|\b(?:href|src)\s*=\s*[\"']?([^\s\"'>]+)",  # <a href="file">
    re.IGNORECASE,
)
ADDRESS = re.compile(r"^([a-z][a-z0-9+.-]*:|#)", re.IGNORECASE)


def check(context: Context) -> Iterator[Finding]:
    """Every relative link of the root and of the loci."""
    root = (context.folder / ROOT).read_text(encoding="utf-8-sig")
    texts = [(ROOT, root), *((locus.path, locus.text) for locus in context.skill.loci)]
    for file, text in texts:
        for number, line in prose(text):
            for link in filter(None, itertools.chain.from_iterable(LINK.findall(line))):
                if not ADDRESS.match(link):
                    yield from _look(context, file, number, link.partition("#")[0])


def _look(context: Context, file: str, line: int, link: str) -> Iterator[Finding]:
    """One link: seen from the skill's folder it names one folder at most, and the file exists."""
    target = (context.folder / PurePosixPath(file).parent / link).resolve()
    if not target.is_relative_to(context.folder.resolve()):
        yield Finding(f'the link "{link}" leads out of the skill', file, line)
        return
    inside = target.relative_to(context.folder.resolve())
    if len(inside.parts) > 2:
        yield Finding(f'the link "{link}" is {len(inside.parts) - 1} levels deep; one is allowed', file, line)
    elif not target.is_file():
        yield Finding(f'the link "{link}" leads to no file', file, line)
