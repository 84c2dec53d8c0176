"""A question's words as a query in PubMed's syntax.

Written are: words, "phrases", AND, OR and NOT with parentheses, ``[ti]``, ``[au]``, ``[pt]``,
``2018:2020[dp]``. Words that
stand side by side stay so (PubMed maps them together); stop words and requests part them, and the parts are
joined by AND.
Greek letters are asked for as a letter and by name. No word of a phrase is lost: only :data:`STOP` and what
was read as years,
authors, reviews or exclusions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from labagent.ask.routing.chinese import RUN, segments
from labagent.ask.routing.dois import keep_dois
from labagent.ask.routing.years import as_query, find_years, last_years
from labagent.errors import ToolError
from labagent.models.asking import Entity
from labagent.tools.literature.syntax import parse_query
from labagent.tools.literature.words import GREEK_LETTER, latin

STOP = frozenset(
    """
    info information details detail everything anything something brief briefly short quick quickly data-on
    thing things basic basics
    a about after all also am an and any are article articles as at be been before being between by can cite
    cited citing citation
    citations could current current describe describes did discuss do does during explain fetch find finding
    for from get give had
    has have hi hello help how i if in into is it its journal just key know latest let like list literature
    look lookup me medline most my
    need new newest not of on or our overview paper papers please provide publication publications published
    pubmed recent recently
    read reading reference references regarding related relating relevant report reported reports research
    retrieve role roles scientific
    search searching see show showing since so some study studies studying summaries summarise summarize
    summary tell than that the their them then there
    these they this those to top up us want was we were what when where whether which who whose why will with
    work works would you supporting
    your concerning onto via per versus vs each it's what's i'm i'd compare comparing comparison best good
    """.split()
)
"""Words that ask for papers, or say nothing to a search; never one that can be the topic."""
REQUESTED = frozenset(
    """
    analyse analyses analysis analyze annotate assess assessing assessment calculate characterise characterize
    check compute determine entries entry evaluate evaluating evaluation examine identify interpret
    investigate predict prediction report swiss-prot swissprot uniprot uniprotkb write
    consequence consequences effect effects impact impacts
    """.split()
)
"""Words that ask for work on a protein or variant: alone between stop words, and beside one, no topic."""
LOOKED_UP = re.compile(
    r"\b(?:look(?:ing)? up|fetch|get|retrieve|find|show|check)\s+(?:me\s+)?(?:the|its|their|a)\s+"
    r"(?:[\w-]+\s+)?(?:entry|entries|record)\b|\b(?:in|from|on)\s+(?:the\s+)?(?:uniprot(?:kb)?|swiss-?prot)\b|"
    r"UniProt\s*(?:条目|登录号|记录)|蛋白质?(?:数据库)?(?:条目|登录号)",
    re.IGNORECASE,
)
"""An entry that is to be looked up, which is no topic of papers."""
VERBS = REQUESTED - frozenset(
    "analyses analysis assessment consequence consequences effect effects entries entry evaluation impact "
    "impacts prediction report swiss-prot swissprot uniprot uniprotkb".split()
)
"""Those of them that are no words of a topic even at its beginning."""
REQUESTED_ZH = re.compile(r"(?:^|(?<=[，,。；;、\s并再请]))(?:评估|评价|预测|解读|注释|鉴定|计算)(?:一下)?")
STUDY_OF = frozenset(
    "association cohort case-control animal clinical twin pilot field case crossover longitudinal".split()
)
WORDS = r"[^\W_]+(?:(?:[-'’/.+][^\W_]+)|\+(?=\s|$))*"
TOKEN = re.compile(rf"\x00(?P<made>\d+)\x00|(?P<word>{WORDS})|(?P<stop>[,;:.?!()，。；、：\n]+)")
QUOTED = re.compile(r"[\"«»]([^\"«»]{1,200})[\"«»]")
TAGGED = re.compile(r"\[(?:ti|tiab|au|dp|pt|mh|title|author|ab|pdat)\]", re.IGNORECASE)
REQUEST = re.compile(
    r"^\s*(?:(?:please|can you|could you|search|find|look up|query|run|show|pubmed|for|in|me|papers?|with|:)"
    r"[\s:,]+)+",
    re.IGNORECASE,
)
NAME = r"(?:[A-Z][a-zà-ÿ]+(?:-[A-Z][a-zà-ÿ]+)?)"
AUTHOR = re.compile(
    rf"(?:(?:papers?|articles?|publications?|reviews?|stud(?:y|ies)|work|published|written|authored|"
    rf"research)\s+by|[Aa]uthors?(?:ed by)?\s*:?|作者\s*[:：]?)"
    rf"\s+(?:(?P<given>{NAME})\s+(?:[A-Z]\.?\s+)?)?(?P<family>{NAME})(?:\s+(?P<initials>[A-Z]{{1,3}})\b)?|"
    rf"(?P<before>{NAME})(?:\s+(?P<before_initials>[A-Z]{{1,3}}))?\s+et\s+al\.?|"
    rf"(?P<zh>{NAME})(?:\s+(?P<zh_initials>[A-Z]{{1,3}}))?\s*(?:发表|写)的"
)
TITLE = re.compile(
    r"(?:with|having|containing)\s+(?P<word>\"[^\"]+\"|[\w-]+)\s+in (?:the |their )?titles?|"
    r"titles? (?:contain\w*|with)\s+(?P<other>\"[^\"]+\"|[\w-]+)",
    re.IGNORECASE,
)
TYPES: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (query, re.compile(pattern, re.IGNORECASE))
    for query, pattern in (
        ('"systematic review"[pt]', r"\bsystematic reviews?\b|系统综述"),
        ("meta-analysis[pt]", r"\bmeta-?\s?analys[ie]s\b|荟萃分析"),
        ('"clinical trial"[pt]', r"\bclinical trials?\b(?= (?:papers?|reports?|publications?))"),
        ("review[pt]", r"\b(?:literature |review )?reviews?(?: (?:articles?|papers?))?\b|文献综述|综述"),
    )
)
NEGATION = re.compile(
    r"(?:\bbut not\b|\band not\b|,\s*not\b|\bNOT\b|\bnot (?=(?:about|on|in|including|from|involving|using|"
    r"related|those|by|the)\b)|"
    r"\bnot\b|\bwithout\b|"
    r"\bexclud(?:ing|e)\b|\bexcept(?: for)?\b|\bother than\b|"
    r"\bno (?=reviews?\b|mouse\b|mice\b|animal\b)|不包括|不包含|不含|排除|除了|除去|而非|不要|非(?=综述|"
    r"小鼠|人类))",
)
VERB_BEFORE = re.compile(
    r"\b(?:does|do|is|are|did|can|could|will|would|has|have|was|were|why|may|might|should)\b[^,.;]*$",
    re.IGNORECASE,
)
NEGATION_END = re.compile(
    r"[,;.?!()，。；、]|\x00|\b(?:since|from|between|published|please|then|but|after|before|by|for|with|that|"
    r"which)\b|的|文献|论文|以外|之外|研究",
)


@dataclass
class Parts:
    """What a query is put together from."""

    made: list[str] = field(default_factory=list)
    named: bool = False
    without: list[str] = field(default_factory=list)
    limits: list[str] = field(default_factory=list)
    untranslated: list[str] = field(default_factory=list)

    def keep(self, term: str) -> str:
        """A mark that stands for a finished term."""
        self.made.append(term)
        return f" \x00{len(self.made) - 1}\x00 "


@dataclass(frozen=True)
class Query:
    """A query and what of the words could not be put into English."""

    text: str
    untranslated: tuple[str, ...] = ()


def build_query(text: str, entities: Sequence[Entity] = (), references: Iterable[str] = ()) -> Query:
    """The query for a question; empty where it names no topic.

    Args:
        text: its words.
        entities: what was found in it or resolved for it: variants are asked for in both notations, resolved
        ones are added.
        references: words that stand for resolved entities ("this protein"), which are no terms.
    """
    if TAGGED.search(text) and (own := _own(text)):
        return Query(own)
    parts = Parts(named=any(e.namespace in NAMED for e in entities))
    text = text.replace("\x00", " ")
    if parts.named:
        text = LOOKED_UP.sub(" , ", text)
        text = REQUESTED_ZH.sub(" , ", text)
    stated = [e for e in entities if not e.resolved_from]
    text = _variants(keep_dois(text, stated, parts.keep), stated, parts)
    for words in references:
        text = text.replace(words, " , ", 1)
    text = _limits(text, parts)
    text = _negations(text, parts)
    topic = [_resolved(e) for e in entities if e.resolved_from and e.namespace in RESOLVED]
    topic += _topic(text, parts)
    terms = list(dict.fromkeys(filter(None, topic)))
    if not terms and not any("[au]" in limit for limit in parts.limits):
        return Query("", tuple(parts.untranslated))
    positive = " AND ".join([*terms, *parts.limits])
    negative = "".join(f" NOT {term}" for term in dict.fromkeys(parts.without))
    return Query(_checked(positive + negative), tuple(parts.untranslated))


NAMED = (
    "gene",
    "name",
    "uniprot",
    "uniprot_entry",
    "refseq_protein",
    "ensembl_protein",
    "variant",
    "dbsnp",
)
"""Entities beside which words of a request are no terms."""
RESOLVED = (
    "gene",
    "name",
    "uniprot",
    "uniprot_entry",
    "variant",
    "refseq_protein",
    "ensembl_protein",
    "pdb",
    "dbsnp",
)


def _resolved(entity: Entity) -> str:
    """The term for an entity of an earlier turn."""
    if entity.namespace == "variant":
        return _both_notations(entity)
    return quoted(entity.value)


def _own(text: str) -> str:
    """A query that the asker wrote in PubMed's syntax."""
    body = REQUEST.sub("", text.strip()).rstrip(" ?.。？")
    try:
        parse_query(body)
    except ToolError:
        return ""
    return body


def _checked(query: str) -> str:
    """The query, where it can be read."""
    try:
        parse_query(query)
    except ToolError:
        return ""
    return query


def _variants(text: str, entities: Sequence[Entity], parts: Parts) -> str:
    """Variants in both notations, identifiers in one piece."""
    for entity in entities:
        if not entity.written or entity.namespace not in (
            "variant",
            "dbsnp",
            "uniprot",
            "refseq_protein",
            "go",
            "interpro",
        ):
            continue
        term = _both_notations(entity) if entity.namespace == "variant" else quoted(entity.value)
        if entity.namespace == "variant" and entity.written.startswith("r."):
            term = quoted(entity.written)
        text = text.replace(entity.written, parts.keep(term), 1)
    return text


def _both_notations(entity: Entity) -> str:
    """``(G12D OR Gly12Asp)``."""
    short = str(entity.facts.get("short", ""))
    long = entity.value.removeprefix("p.").strip("()")
    names = [n for n in dict.fromkeys((short.removeprefix("p.").strip("()"), long, entity.written)) if n]
    names = [n for n in names if not n.startswith("p.") and ":" not in n][:2] or [long]
    return quoted(names[0]) if len(names) == 1 else f"({' OR '.join(map(quoted, names))})"


def _limits(text: str, parts: Parts) -> str:
    """Phrases, years, authors, words of the title, kinds of paper."""
    text = QUOTED.sub(lambda m: parts.keep(greek(m[1].strip(), phrase=True)) if m[1].strip() else " ", text)
    years = find_years(text)
    for found in years:
        parts.limits.append(as_query(found))
    text = _without(text, [y.span for y in years])
    if back := last_years(text):
        text = _without(text, [back[1]])
    text = TITLE.sub(lambda m: parts.keep(f"{quoted((m['word'] or m['other']).strip(chr(34)))}[ti]"), text)
    text = re.sub(
        r"(?<![\w.:/+-])(?:top\s+)?\d{1,3}\s+(?=(?:\w+\s+){0,3}(?:papers?|articles?|publications?|studies|"
        r"reviews?|"
        r"references?)\b)|\d{1,3}\s*篇|[一两二三四五六七八九十]\s*篇",
        " , ",
        text,
    )
    return AUTHOR.sub(lambda m: _author(m, parts), text)


def _author(match: re.Match[str], parts: Parts) -> str:
    """An author as PubMed writes one: family name and initials."""
    family = match["family"] or match["before"] or match["zh"]
    initials = (
        match["initials"] or match["before_initials"] or match["zh_initials"] or (match["given"] or "")[:1]
    )
    parts.limits.append(f"{family} {initials}[au]" if initials else f"{family}[au]")
    return " , "


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with a stop in these places."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} , {text[end:]}"
    return text


def _negations(text: str, parts: Parts) -> str:
    """What is to be left out; kinds of paper that are asked for or left out."""
    while match := next((m for m in NEGATION.finditer(text) if not _denies(m, text)), None):
        end = NEGATION_END.search(text, match.end())
        stop = end.start() if end else len(text)
        if end and end[0].startswith("\x00") and not text[match.end() : stop].strip():
            mark = re.compile(r"\x00\d+\x00").match(text, stop)
            stop = mark.end() if mark else stop
        body = text[match.end() : stop]
        types = [query for query, pattern in TYPES if pattern.search(body)][:1]
        for _, pattern in TYPES:
            body = pattern.sub(" ", body) if types else body
        body = re.sub(r"\b(?:and|or)\b|和|或|与|及", " , ", body)
        parts.without += types + list(_terms(body, parts))
        text = f"{text[: match.start()]} , {text[stop:]}"
    for query, pattern in TYPES:
        changed = pattern.sub(" , ", text)
        if changed != text and not any(limit.endswith("[pt]") for limit in parts.limits):
            parts.limits.insert(0, query)
        text = changed
    return text


def _denies(match: re.Match[str], text: str) -> bool:
    """Whether "not" belongs to a verb before it ("why does p53 not work")."""
    return match[0] == "not" and bool(VERB_BEFORE.search(text[: match.start()]))


def _topic(text: str, parts: Parts) -> list[str]:
    """Terms that are joined by AND; neighbours of "or" are alternatives."""
    pieces = re.split(r"(?<!\w)(?:and/or|or|OR)(?!\w)|或者?(?!\w)", text)
    topic = _terms(pieces[0], parts)
    for piece in pieces[1:]:
        more = _terms(piece, parts)
        if topic and more:
            last = topic.pop()
            inner = (
                last[1:-1]
                if last.startswith("(") and last.endswith(")") and " OR " in last and "(" not in last[1:]
                else last
            )
            topic += [f"({inner if ' OR ' in inner else _one(inner)} OR {_one(more[0])})", *more[1:]]
        else:
            topic += more
    return topic


def _one(term: str) -> str:
    """A term that can stand beside OR."""
    return f"({term})" if " " in term and not term.startswith(('"', "(")) else term


def _terms(text: str, parts: Parts) -> list[str]:
    """Runs of words between stop words, marks and punctuation."""
    terms: list[str] = []
    run: list[str] = []
    before = ""

    def close() -> None:
        if parts.named:
            while run and run[0].lower() in VERBS:
                run.pop(0)
        if run and not (parts.named and all(word.lower() in REQUESTED for word in run)):
            terms.append(" ".join(run))
        run.clear()

    for match in TOKEN.finditer(RUN.sub(lambda m: _chinese(m[0], parts), text)):
        word = match["word"] or ""
        if match["made"]:
            close()
            terms.append(parts.made[int(match["made"])])
        elif not word or (
            word.lower() in STOP and not (word.lower() in ("study", "studies") and before in STUDY_OF)
        ):
            close()
        elif GREEK_LETTER.search(word):
            close()
            terms.append(greek(word))
        else:
            run.append(quoted(word))
        before = word.lower()
    close()
    return terms


def _chinese(run: str, parts: Parts) -> str:
    """A run of Chinese as marks for its English terms."""
    made = []
    for term, known in segments(run):
        if not known:
            parts.untranslated.append(term)
        made.append(parts.keep(term if known else f'"{term}"') if term else " , ")
    return "".join(made)


def greek(words: str, *, phrase: bool = False) -> str:
    """A word or phrase; with a Greek letter it is asked for by name and as it is."""
    if not GREEK_LETTER.search(words):
        return f'"{words}"' if phrase else quoted(words)
    return f'("{latin(words)}" OR "{words}")'


def quoted(word: str) -> str:
    """A word as a term: in quotes where a parser could cut it, or read it as an operator."""
    word = word.replace('"', " ").strip()
    plain = re.fullmatch(r"[^\W_]+(?:[-'][^\W_]+)*", word) and word not in ("AND", "OR", "NOT")
    return word if plain else f'"{word}"'
