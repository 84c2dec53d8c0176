"""Nothing but a kind of thing is named ("protein", 突变): it is asked back which one."""

from __future__ import annotations

import re

from labagent.ask.routing.reading import Read
from labagent.ask.routing.rules import Decision
from labagent.models.asking import RouteName

ORDER = 15
KINDS: tuple[tuple[RouteName, str], ...] = (
    ("protein", "proteins?|genes?|enzymes?|uniprot|accession|蛋白质?|基因|酶|登录号"),
    ("sequence", "(?:(?:dna|rna|protein) )?sequences?|dna|rna|peptide|fasta|(?:DNA|RNA|蛋白质?)?序列|多?肽"),
    ("mutation", "mutations?|variants?|snps?|substitutions?|突变|变异|变体|位点"),
    ("literature", "papers?|literature|articles?|publications?|references?|文献|论文|文章"),
)
NOUNS = tuple(
    (name, re.compile(rf"\W*(?:(?:a|an|the|my|some|请|一个|一条)\s*)?(?:{words})\W*", re.IGNORECASE))
    for name, words in KINDS
)


def decide(read: Read) -> Decision | None:
    """The route of the kind that is named; its question back is that of a route with nothing given."""
    if read.all:
        return None
    for name, pattern in NOUNS:
        if pattern.fullmatch(read.text):
            return Decision(name, f"only the kind of thing is named ({read.text.strip()[:40]!r})")
    return None
