"""Numbers and choices of a question that a tool is to be given: genetic code, frame, years, how many papers.

Each is an entity ``parameter`` with the value ``name=value``; ``facts`` hold both apart. Adding one is
adding a row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from labagent.ask.routing.years import find_years, last_years
from labagent.models.asking import Entity

TABLES = {
    "standard": 1,
    "universal": 1,
    "vertebrate mitochondrial": 2,
    "yeast mitochondrial": 3,
    "mold mitochondrial": 4,
    "protozoan mitochondrial": 4,
    "coelenterate mitochondrial": 4,
    "mycoplasma": 4,
    "spiroplasma": 4,
    "invertebrate mitochondrial": 5,
    "ciliate": 6,
    "echinoderm mitochondrial": 9,
    "euplotid": 10,
    "bacterial": 11,
    "archaeal": 11,
    "plant plastid": 11,
    "alternative yeast": 12,
    "ascidian mitochondrial": 13,
    "mitochondrial": 2,
    "脊椎动物线粒体": 2,
    "酵母线粒体": 3,
    "无脊椎动物线粒体": 5,
    "细菌": 11,
    "线粒体": 2,
    "标准": 1,
}
"""Names of NCBI's genetic codes (https://www.ncbi.nlm.nih.gov/Taxonomy/Utils/wprintgc.cgi)."""
CODE = re.compile(
    r"(?P<name>"
    + "|".join(sorted(map(re.escape, TABLES), key=len, reverse=True))
    + r")\s*(?:genetic )?(?:codes?\b|codons?\b|"
    r"tables?\b|遗传密码|密码子?表?)",
    re.IGNORECASE,
)
NUMBER = dict(
    zip("one two three four five six seven eight nine ten twenty".split(), (*range(1, 11), 20), strict=True)
) | dict(zip("一二三四五六七八九十", range(1, 11), strict=True))
NUMBER["两"] = 2
WORD = "|".join(NUMBER)
Reader = Callable[[re.Match[str]], str]


def _number(match: re.Match[str]) -> str:
    """A number in figures or words."""
    word = next(g for g in match.groups() if g)
    return str(NUMBER.get(word.lower(), word))


ROWS: tuple[tuple[str, re.Pattern[str], Reader], ...] = tuple(
    (name, re.compile(pattern, re.IGNORECASE), reader)
    for name, pattern, reader in (
        (
            "table",
            r"(?:genetic code|codon table|translation table|transl_table|\btable|密码子?表|遗传密码|"
            r"翻译表)\s*(?:number |no\.? ?|=|:|第)?"
            r"\s*(\d{1,2})(?!\d)|(?<!\d)(\d{1,2})\s*号(?:密码子?表|遗传密码)",
            _number,
        ),
        ("table", CODE.pattern, lambda m: str(TABLES[m["name"].lower()])),
        (
            "frame",
            r"\bframe\s*(?:number |=|:)?\s*([+-]?[1-3])(?!\d)|(?<![\w])([+-][1-3])\s+frame|"
            r"第([一二三123])\s*(?:阅读)?框",
            _number,
        ),
        (
            "frame",
            r"\b(first|second|third)\s+(?:reading )?frame",
            lambda m: str(["first", "second", "third"].index(m[1].lower()) + 1),
        ),
        (
            "papers",
            rf"(?<![\w.:/-])(\d{{1,3}}|{WORD})\s+(?:(?:most |more )?(?:recent|latest|relevant|newest|best|"
            rf"top|key|new|good|cited|"
            rf"pubmed|scientific|research|review|other)\s+){{0,3}}(?:papers?|articles?|publications?|"
            rf"studies|references?|reviews?|hits)\b|"
            rf"\btop[ -](\d{{1,3}}|{WORD})\b|(\d{{1,3}}|[一两二三四五六七八九十])\s*篇",
            _number,
        ),
        (
            "min_length",
            r"(?:at least|minimum(?: length)?(?: of)?|longer than|min(?:imal)?(?: length)?|≥|"
            r">=?)\s*(\d{1,5})\s*(?:aa|amino acids?|residues|codons)|至少\s*(\d{1,5})\s*个?(?:氨基酸|残基)",
            _number,
        ),
        ("matrix", r"\b(BLOSUM(?:45|62|80)|PAM250)\b", lambda m: m[1].upper()),
        (
            "mode",
            r"\b(local|global)(?:ly)?\b(?=.*align)|\balign\w*\b.*?\b(local|global)(?:ly)?\b",
            lambda m: (m[1] or m[2]).lower(),
        ),
        (
            "position",
            r"\b(?:residue|position|amino acid|codon)\s*(?:number |no\.? ?|at )?(\d{1,5})\b|"
            r"第\s*(\d{1,5})\s*(?:位|个)(?:氨基酸|残基|密码子)?",
            _number,
        ),
        ("order", r"\b(latest|newest|most recent|recent(?:ly)?)\b|(最新|最近|近期)", lambda m: "date"),
        (
            "reviewed",
            r"\b(?:only )?(?<!peer[- ])(reviewed|swiss-?prot)(?: entr(?:y|ies)| only| proteins?)?\b",
            lambda m: "true",
        ),
    )
)


def find_parameters(text: str) -> list[Entity]:
    """The parameters of a text, each name once (the first that is said), in its order."""
    found: dict[str, Entity] = {}
    for made in (*_rows(text), *_years(text)):
        found.setdefault(str(made.facts["name"]), made)
    return sorted(found.values(), key=lambda e: e.start)


def _rows(text: str) -> Iterator[Entity]:
    """Those of the table."""
    for name, pattern, reader in ROWS:
        if match := pattern.search(text):
            yield parameter(name, reader(match), match[0], match.start())


def _years(text: str) -> Iterator[Entity]:
    """Years of publication."""
    years = find_years(text)
    if years:
        start, end = years[0].span
        yield parameter("years", f"{years[0].first}:{years[0].last}", text[start:end], start)
    if back := last_years(text):
        count, (start, end) = back
        yield parameter("last_years", str(count), text[start:end], start)


def parameter(name: str, value: str, written: str = "", start: int = -1) -> Entity:
    """A parameter as an entity."""
    stated: str | int = int(value) if value.lstrip("+-").isdigit() else value
    return Entity(
        namespace="parameter",
        value=f"{name}={value}",
        written=written,
        start=start,
        facts={"name": name, "value": stated},
    )
