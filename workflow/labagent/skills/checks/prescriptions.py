"""Prescriptions in prose: a threshold or a version needs evidence, or a check that computes it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.skills.blocks import prose
from labagent.skills.checks.citations import cited_in
from labagent.skills.finding import Context, Finding
from labagent.skills.frontmatter import ROOT

ID, TIER, ORDER = "prescriptions", 1, 90
NUMBER = r"\d+(?:\.\d+)?(?:e-?\d+)?"
WORDS = "threshold|cut-?off|alpha|padj|fdr|p-value|below|above|at least|at most|more than|less than"
THRESHOLD = re.compile(rf"(?:\b(?:{WORDS})\b[^.\d]{{0,25}}|[<>≤≥]=?\s*){NUMBER}", re.IGNORECASE)
RULE = re.compile(r"\bdecision rule\b|\bprint(?:s|ed)\b|\bprotocol\b", re.IGNORECASE)
VERSION = re.compile(r"==\s*\d|\bversion\s+\d", re.IGNORECASE)


def check(context: Context) -> Iterator[Finding]:
    """Paragraphs that prescribe a number without citing anything, and without a rule on what is printed."""
    root = (context.folder / ROOT).read_text(encoding="utf-8-sig")
    for file, text in ((ROOT, root), *((locus.path, locus.text) for locus in context.skill.loci)):
        for paragraph in _paragraphs(prose(text)):
            if any(cited_in(line) or RULE.search(line) for _, line in paragraph):
                continue
            for number, line in paragraph:
                match = THRESHOLD.search(line) or VERSION.search(line)
                if match:
                    said = match.group().strip()
                    message = f'"{said}" is prescribed without evidence; cite it, or print it and decide'
                    yield Finding(message, file, number)


def _paragraphs(lines: list[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Lines up to the next blank one; each item of a list stands alone; the frontmatter is left out."""
    paragraph: list[tuple[int, str]] = []
    inside_head = False
    for number, line in lines:
        if line.rstrip() == "---":
            inside_head = number == 1
            continue
        if not inside_head and (not line.strip() or line.lstrip().startswith(("- ", "* ", "| "))):
            yield paragraph
            paragraph = []
        if line.strip() and not inside_head:
            paragraph.append((number, line))
    yield paragraph
