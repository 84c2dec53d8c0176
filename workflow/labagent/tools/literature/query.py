"""A topic in words as a query in PubMed's syntax, with nothing lost on the way.

Kept: "quoted phrases", ``[tags]``, AND, OR, NOT, parentheses that match, hyphens, ``*`` at the end of a word.
Turned: a word with a Greek letter into itself OR its spelling in Latin letters; years (``2019-2023``,
``since 2020``, ``in 2024``, ``2019年到2023年``) into ``[dp]``; ``without X``, ``excluding X and Y`` into NOT.
Left out: words that PubMed leaves out, and signs that are no words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from labagent.tools.literature.syntax import EVER, TAGS
from labagent.tools.literature.words import GREEK_LETTER, STOP_WORDS, latin

YEAR = r"(?<![\w/-])(?:1[89]|20)\d\d(?![\w/])"
_Y = r"((?:1[89]|20)\d\d)"
_LEFT, _RIGHT = r"(?<![A-Za-z0-9_/.-])", r"(?![A-Za-z0-9_/]|[-.]\d)"
RANGES: tuple[tuple[re.Pattern[str], int, int], ...] = (
    (
        re.compile(rf"{_LEFT}(?:from|between)\s+{_Y}\s+(?:to|and|until|through|-|–)\s+{_Y}{_RIGHT}", re.I),
        0,
        0,
    ),
    (
        re.compile(rf"{_LEFT}(?:in\s+|from\s+)?{_Y}\s*(?:-|–|—|:|\.\.|to\s)\s*{_Y}(?:\[dp\])?{_RIGHT}", re.I),
        0,
        0,
    ),
    (re.compile(rf"(?:从)?{_Y}\s*年?\s*(?:到|至|-|–|—|~)\s*{_Y}\s*年?(?:之间|间|的)?"), 0, 0),
    (re.compile(rf"{_LEFT}(?:since|from)\s+{_Y}(?:\s+on(?:wards?)?)?{_RIGHT}", re.I), 0, EVER),
    (re.compile(rf"{_LEFT}(?:after|later\s+than)\s+{_Y}{_RIGHT}", re.I), 1, EVER),
    (re.compile(rf"{_Y}\s*年\s*(?:以来|以后|之后|后|起)的?"), 0, EVER),
    (re.compile(rf"{_LEFT}(?:before|prior\s+to|earlier\s+than)\s+{_Y}{_RIGHT}", re.I), 1500, -1),
    (re.compile(rf"{_LEFT}(?:until|up\s+to)\s+{_Y}{_RIGHT}", re.I), 1500, 0),
    (re.compile(rf"{_Y}\s*年\s*(?:以前|之前|前)的?"), 1500, -1),
    (re.compile(rf"{_Y}\s*年(?:的|发表的|发表)?"), 0, 0),
    (
        re.compile(
            rf"{_LEFT}(?:(?:published\s+)?(?:in|during|of)\s+(?:the\s+year\s+)?)?{_Y}(?:\s*\[dp\])?{_RIGHT}",
            re.I,
        ),
        0,
        0,
    ),
)
"""How years are written, the more telling first. The numbers: with one year y, what is added to y for the
first year (or, from 1500, the first year itself) and for the last (or ``EVER``)."""
WITHOUT = re.compile(
    r"(?<![A-Za-z0-9_-])(?:but\s+not|without|excluding|except(?:\s+for)?|other\s+than|not)\s+"
    r"(?:about\s+|in\s+|including\s+)?|(?:不包括|不含|排除|除了)"
)
PIECE = re.compile(
    r'"(?P<phrase>[^"]*[^\W_][^"]*)"(?P<ptag>\[[^\]\[]*\])?|(?P<bracket>[()])|'
    r"(?P<word>(?:[^\W_]|(?<=\w)[-'/.+_:*](?=\w)|(?<=\w)[+](?!\w))+(?:\*(?!\w))?)(?P<tag>\[[^\]\[]*\])?"
)
WIDE = str.maketrans(
    {"“": '"', "”": '"', "「": '"', "」": '"', "（": "(", "）": ")", "‐": "-", "‑": "-", "−": "-"}
)


@dataclass(frozen=True)
class Period:
    """Years of publication, both included."""

    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.first}[dp]" if self.first == self.last else f"{self.first}:{self.last}[dp]"


def build_query(
    topic: str, *, from_year: int | None = None, to_year: int | None = None, without: Sequence[str] = ()
) -> str:
    """A query for PubMed.

    Args:
        topic: words, in any language; what is already PubMed syntax stays. Years in it count, unless
            ``from_year`` or ``to_year`` says otherwise.
        from_year: first year of publication.
        to_year: last year of publication.
        without: further topics that must not occur.

    Returns:
        The query; empty if nothing is left to look for.
    """
    text, period = find_period(topic.translate(WIDE))
    if from_year or to_year:
        period = Period(from_year or 1500, to_year or EVER)
    wanted, *excluded = _split(text)
    query = _joined(_pieces(wanted))
    if not query:
        return ""
    for unwanted in [
        _joined(_pieces(part)) for part in (*_each(excluded), *(w.translate(WIDE) for w in without))
    ]:
        if unwanted:
            query = f"{_grouped(query)} NOT {_grouped(unwanted)}"
    return query if period is None else f"{_grouped(query)} AND {period}"


def _grouped(query: str) -> str:
    """A query in parentheses, where it is more than one word or phrase."""
    inner = query[1:-1]
    if query[:1] == "(" and query[-1:] == ")" and _depth(inner) == 0 and not _closes_early(inner):
        return query
    return f"({query})" if " " in query and not re.fullmatch(r'"[^"]*"', query) else query


def _closes_early(text: str) -> bool:
    """Whether a parenthesis is closed in the text before it is opened there."""
    return any(_depth(text[: i + 1]) < 0 for i, c in enumerate(text) if c == ")")


def _each(excluded: Sequence[str]) -> list[str]:
    """``X and Y``, ``X, Y`` and ``X or Y`` behind an exclusion are excluded each; phrases stay whole."""
    cut = re.compile(r'(?:"[^"]*"|\([^()]*\)|(?!\s+(?:and|or)\s|,|，|、|和|或).)+', re.IGNORECASE | re.DOTALL)
    return [m[0] for part in excluded for m in cut.finditer(part)]


def with_years(query: str, from_year: int | None, to_year: int | None) -> str:
    """A query, limited to years of publication where one is given."""
    if not from_year and not to_year:
        return query
    return f"{_grouped(query)} AND {Period(from_year or 1500, to_year or EVER)}"


def find_period(text: str) -> tuple[str, Period | None]:
    """The text without its years of publication, and these; years in quotes belong to the phrase."""
    for pattern, start, end in RANGES:
        for match in pattern.finditer(text):
            if text.count('"', 0, match.start()) % 2:
                continue
            years = [int(y) for y in match.groups()]
            if len(years) == 2:
                period = Period(min(years), max(years))
            else:
                first = start if start >= 1500 else years[0] + start
                period = Period(first, EVER if end == EVER else years[0] + end)
            return f"{text[: match.start()]} {text[match.end() :]}", period
    return text, None


def _split(text: str) -> list[str]:
    """The topic, and what must not occur; quoted phrases are left alone."""
    parts, begin = [], 0
    for match in WITHOUT.finditer(text):
        if text.count('"', 0, match.start()) % 2 == 0 and _depth(text[: match.start()]) == 0:
            parts.append(text[begin : match.start()])
            begin = match.end()
    return [*parts, text[begin:]]


def _depth(text: str) -> int:
    """Parentheses that are open at the end of a text."""
    return text.count("(") - text.count(")")


def _pieces(text: str) -> list[str]:
    """Words, phrases, operators and parentheses of the query, in order."""
    found: list[str] = []
    for match in PIECE.finditer(text):
        if match["bracket"]:
            found.append(match["bracket"])
        elif match["phrase"]:
            found.append(_either(f'"{" ".join(match["phrase"].split())}"', _tag(match["ptag"])))
        elif match["word"] in ("AND", "OR", "NOT"):
            found.append(match["word"])
        elif match["word"].casefold() not in STOP_WORDS or match["tag"]:
            found.append(_either(_word(match["word"]), _tag(match["tag"])))
    return _sound(found)


def _word(word: str) -> str:
    """A word; one with signs inside that PubMed would read as its own is quoted."""
    return f'"{word}"' if re.search(r"[/:]|\*.", word) else word


def _tag(tag: str | None) -> str:
    """A tag that PubMed knows, or none."""
    return tag if tag and tag[1:-1].strip().casefold() in TAGS else ""


def _either(word: str, tag: str) -> str:
    """A word; with a Greek letter, it or its Latin spelling."""
    if GREEK_LETTER.search(word):
        return f"({word}{tag} OR {latin(word)}{tag})"
    return word + tag


def _sound(pieces: list[str]) -> list[str]:
    """The pieces without parentheses that do not match or are empty, and operators that join nothing."""
    kept = _matched(pieces)
    changed = True
    while changed:
        changed = False
        for i, piece in enumerate(kept):
            before, after = kept[i - 1] if i else "(", kept[i + 1] if i + 1 < len(kept) else ")"
            operators = ("AND", "OR", "NOT")
            idle = piece in operators and (before in ("(", *operators) or after == ")")
            if idle:
                del kept[i]
                changed = True
                break
            if piece == "(" and after == ")" and i + 1 < len(kept):
                del kept[i : i + 2]
                changed = True
                break
    return kept


def _matched(pieces: list[str]) -> list[str]:
    """The pieces without parentheses that have no partner."""
    open_, paired = [], set()
    for i, piece in enumerate(pieces):
        if piece == "(":
            open_.append(i)
        elif piece == ")" and open_:
            paired |= {open_.pop(), i}
    return [p for i, p in enumerate(pieces) if p not in ("(", ")") or i in paired]


def _joined(pieces: Sequence[str]) -> str:
    """The pieces as a query."""
    return re.sub(r"\(\s+|\s+\)", lambda m: m[0].strip(), " ".join(pieces))
