"""Names of proteins that nothing here knows: what a question asks a protein's property of.

A look-up says that there is none; a search for papers would find some by its other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.models.asking import Entity
from labagent.tools.naming.symbols import NO_GENES

HARD = (
    r"(?:(?:sub)?cellular )?lo(?:cation|cali[sz]ation)|(?:amino[- ]acid |protein |full )?sequence|length|"
    r"(?:molecular )?(?:mass|weight)|domains?|domain structure|active sites?|binding (?:sites?|partners)|"
    r"isoforms?|accession(?: number)?|uniprot (?:entry|id|accession)|(?:gene|protein) name|ec number|"
    r"cofactors?|features|go terms|keywords|subunits?"
)
PROPERTY = rf"\b(?:functions?|{HARD})"
TOKEN = r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*"
SYMBOL = r"(?=[A-Za-z0-9-]*[0-9])(?=[A-Za-z0-9-]*[A-Z])[A-Za-z][A-Za-z0-9]{2,}(?:-[A-Za-z0-9]+)*|[A-Z]{4,}"
LIKE_ACCESSION = r"[A-Z]{1,2}\d(?=[A-Z0-9]*\d[A-Z0-9]*\d)[A-Z0-9]{3,9}|[A-Z]{2,6}\d{3,8}[A-Z]?"
CALLED = r"(?:the\s+)?(?:human\s+|mouse\s+)?(?:protein|gene|enzyme|entry)\s+(?:called\s+|named\s+)?"
PROTEINLIKE = r"[A-Za-z][a-z]{4,}(?:in|ase|protein)(?:-?\d{1,2}[A-Z]?)?"
END = r"(?![A-Za-z0-9_-])"
ENGLISH = tuple(
    re.compile(rf"(?<![A-Za-z0-9_-])(?:{pattern}){END}")
    for pattern in (
        rf"(?i:{PROPERTY}\s+(?:of|for)\s+(?:the\s+|human\s+|mouse\s+)*(?:(?:protein|gene|enzyme)\s+)?)(?P<name>{SYMBOL})",
        rf"(?i:{PROPERTY}\s+(?:of|for)\s+(?:the\s+|human\s+|mouse\s+)*)(?P<name>{PROTEINLIKE})",
        rf"(?i:where\s+(?:is|are)\s+(?:the\s+)?(?:(?:protein|gene|enzyme)\s+)?)(?P<name>{SYMBOL}|{PROTEINLIKE})"
        r"(?=\s+(?:located|locali[sz]ed|found|expressed))",
        rf"(?i:where\s+(?:is|are)\s+(?:the\s+)?)(?P<name>{TOKEN})"
        r"(?=\s+(?:located|locali[sz]ed|found)\s+in\s+(?:the|a)\s+cells?\b)",
        rf"(?i:how\s+(?:long|big|large|heavy)\s+is\s+(?:the\s+)?)(?P<name>{SYMBOL}|{PROTEINLIKE})",
        rf"(?i:what\s+does\s+(?:the\s+)?(?:(?:protein|gene|enzyme)\s+)?)(?P<name>{SYMBOL})(?=\s+do\b)",
        rf"(?i:{CALLED})(?P<name>{SYMBOL}|[A-Z][a-z]{{3,}}(?:-?\d{{1,3}}[A-Za-z]?)?(?=\s*[?.]?$))",
        rf"(?i:(?:tell me about|what is|describe|look up|information on|info on|uniprot(?: entry| id)?|"
        rf"accession(?: number)?|entry)\s+)(?P<name>{LIKE_ACCESSION})",
    )
)
CHINESE = (
    re.compile(
        rf"(?<![A-Za-z0-9_-])(?P<name>{SYMBOL}|{PROTEINLIKE})\s*(?:是|属于)(?:一种|一个)?\s*"
        r"(?:什么|哪种|何种|哪个|怎样的)(?:样的)?\s*(?:蛋白质?|基因|酶)"
    ),
    re.compile(
        rf"(?<![A-Za-z0-9_-])(?P<name>{SYMBOL})\s*(?:蛋白质?|基因)?\s*的?\s*(?:功能|(?:亚细胞)?定位|(?:氨基酸)?序列|"
        r"长度|分子量|结构域|位于|在细胞)"
    ),
    re.compile(rf"(?:蛋白质?|基因|登录号|查询)\s*(?P<name>{SYMBOL}){END}"),
)
NO_PROTEIN = re.compile(
    r"(?:.*(?:vitamin|melatonin|serotonin|heparin|melanin|chromatin|penicillin|aspirin|metformin|warfarin|statin|"
    r"mycin|cillin|floxacin|toxin)|domain|protein|proteins|brain|skin|strain|chain|train|grain|plain|margin|"
    r"origin|vein|basin|cabin|cousin|captain|certain|contain|within|again|begin|remain|explain|database|disease|"
    r"release|increase|decrease|base|phase|phrase|purchase|genome|sars.*|covid.*|pubmed|crispr.*|hela|"
    r"function|structure|folding|expression|family|complex|engineering|design)",
    re.IGNORECASE,
)
"""Words that end like a protein's name, or stand where one does, and are none."""
LONGEST_ALONE = 60
ODD_SHORT = re.compile(r"[A-Z]\d{1,4}[A-Z]?")
"""Variants and codes."""


ALONE = re.compile(r"\W*(?P<name>[A-Z]+(?:_[A-Z0-9]+)+|[A-Z]+_?\d{3,}(?:_[A-Z0-9]+)*)\W*")
"""All of a text: capitals and a number, joined like an identifier, of a form that no database here has."""


def find_unknown(text: str) -> Iterator[Entity]:
    """Names that a protein's property is asked of, each once, in no particular order."""
    seen: set[str] = set()
    alone = ALONE.fullmatch(text) if len(text) <= LONGEST_ALONE else None
    matches = [alone] if alone and any(c.isdigit() for c in text) else []
    for pattern in (*ENGLISH, *CHINESE):
        for match in [*matches, *pattern.finditer(text)]:
            matches = []
            name = match["name"]
            if name in seen or name.upper() in NO_GENES or _is_none(name):
                continue
            seen.add(name)
            yield Entity(
                namespace="name",
                value=name,
                written=name,
                start=match.start("name"),
                certain=False,
                notes=("read as a protein's name by what is asked of it; no list here has it",),
                facts={"basis": "asked"},
            )


def _is_none(name: str) -> bool:
    """Whether a word in the place of a protein's name is none."""
    return bool(NO_PROTEIN.fullmatch(name) or ODD_SHORT.fullmatch(name))
