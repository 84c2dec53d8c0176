"""Whether a question asks for several steps, by its words: what is asked besides papers, clause by clause."""

from __future__ import annotations

import re
from collections.abc import Sequence

from labagent.ask.routing.query import build_query
from labagent.models.asking import RouteName

PAPERS = re.compile(
    r"\b(?:papers?|literature|publications?|articles?|pubmed|reviews?(?=\s+(?:on|of|about|articles?|"
    r"papers?)\b|s\b|[\s.?!]*$)|reviews|"
    r"research (?:on|about|into)|studies|stud(?:y|ies) (?:on|about|of)|citations?|evidence (?:in|"
    r"from) (?:the )?literature)\b|"
    r"文献|论文|文章|综述|研究(?!所|员|院)|发表",
    re.IGNORECASE,
)
NOT_PAPERS = re.compile(
    r"\b(?:cite|citing|with|include|including|give|provide)\s+(?:\w+\s+)?(?:sources?|citations?|references?|"
    r"evidence)\b|"
    r"\breview (?:this|these|the|my) (?:protein|sequence|mutation|variant|gene)\b|非综述|"
    r"研究(?:一下)?(?:这个|"
    r"该)(?:蛋白|序列|基因|突变)",
    re.IGNORECASE,
)
SPLIT = re.compile(
    r"\s*(?:[,;，；。、]|[.?!？](?=\s|$)|\n|\band (?:then |also )?|\bthen\b|\bafter that\b|\bsubsequently\b|"
    r"\bfollowed by\b|\balso\b|\bas well as\b|\bplus\b|并且|并|然后|再|同时|以及|接着|随后|最后|和)\s*",
    re.IGNORECASE,
)
DOES = re.compile(
    r"^\W*(?:(?:please|first(?:ly)?|next|finally|can you|could you|i want (?:you )?to|i would like to|"
    r"i'd like to|help me|let's|now|to|请|首先|先|帮我|我想)\s*,?\s*)*"
    r"(?:analy[sz]e|assess|evaluate|explain|describe|identify|translate|compute|calculate|characteri[sz]e|"
    r"annotate|compare|predict|interpret|check|"
    r"determine|summari[sz]e|tell me|look up|look at|get|fetch|retrieve|what|where|which|how|who|is|are|"
    r"does|find|show|give|list|report|align|"
    r"apply|investigate|examine|review|search|study|research|name|分析|评估|评价|解释|描述|鉴定|识别|翻译|"
    r"计算|注释|比较|预测|查询|查看|"
    r"查找|查|说明|总结|介绍|找|"
    r"给出|告诉|检索|搜索|研究)",
    re.IGNORECASE,
)
ASKS = re.compile(r"什么|哪|如何|怎么|吗|多少|功能|定位|影响|分析|评估")
REVIEW = re.compile(
    r"\bliterature (?:review|survey|overview|search and summary)\b|\b(?:review|survey|synthesi[sz]e|"
    r"summari[sz]e and compare) (?:of )?(?:the )?"
    r"(?:\w+ )?literature\b|\bstate of the art\b|\boverview of (?:the )?(?:\w+ )?literature\b|文献综述|"
    r"综述(?:一下)?(?:相关|有关)?(?:的)?(?:文献|研究)|"
    r"梳理.*(?:文献|研究)",
    re.IGNORECASE,
)
PART = re.compile(
    r"(?<=[A-Za-z0-9])\s*[:：]\s+|\s+with\s+(?=(?:\w+\s+)?(?:papers|literature|publications)\b)",
    re.IGNORECASE,
)
"""What parts a variant from what is asked about it."""
READS_PAPERS = re.compile(
    r"\b(?:review|summari[sz]e|survey|synthesi[sz]e)\b[^,.;]*?\b(?:papers|literature|articles|publications|"
    r"studies|research)\b|综述.*(?:文献|论文|研究)",
    re.IGNORECASE,
)
"""A review in other words: of papers, of the literature on something."""
LOOKS_UP = re.compile(
    r"\b(?:look(?:ing)? up|fetch|get|retrieve|find|show|give|check|query)\b(?:(?!\bpapers?\b|\bliterature\b)"
    r"[^,.;，。])*?\b(?:uniprot|swiss-?prot|(?:protein|database|uniprotkb)(?:'s)? (?:entry|record))\b"
    r"(?:\s*(?:id|entry|entries|record|accession|number)s?)*|"
    r"(?:查询|查找|查|检索|获取)[^，。；,;]*?(?:UniProt|蛋白质?)\s*(?:数据库)?(?:中)?的?\s*(?:条目|登录号|记录)?",
    re.IGNORECASE,
)
"""An entry of a database of proteins is to be looked up."""
READS = re.compile(
    r"\b(?:summari[sz]e|read|compare|synthesi[sz]e|discuss|extract|rank)\b|总结|归纳|概括|比较|阅读|梳理",
    re.IGNORECASE,
)
SEARCHES = re.compile(
    r"\b(?:find|search|look up|look for|get|retrieve|collect|fetch)\b|查找|搜索|检索|找", re.IGNORECASE
)


def asks_papers(text: str) -> bool:
    """Whether papers are asked for."""
    return bool(PAPERS.search(NOT_PAPERS.sub(" ", text)))


def asks_more_than_papers(text: str, about: bool) -> bool:
    """Whether one clause asks for papers and another one for something else.

    Args:
        text: the words.
        about: what is asked about stands in the text or was resolved for it.
    """
    clauses = [c for c in SPLIT.split(NOT_PAPERS.sub(" ", text)) if c and c.strip()]
    papers = [bool(PAPERS.search(c)) for c in clauses]
    others = [c for c, has in zip(clauses, papers, strict=True) if not has]
    return about and any(papers) and any(DOES.match(c) or ASKS.search(c) for c in others)


def papers_too(text: str, variants: Sequence[str]) -> bool:
    """Whether a variant is named in a clause of its own, and papers are asked for in a later one that names
    no topic ("KRAS G12D and find papers").

    Args:
        text: the words.
        variants: the variants as they are written there.
    """
    clauses = [c for c in SPLIT.split(PART.sub(" , ", text)) if c and c.strip()]
    named = [n for n, c in enumerate(clauses) if any(v in c for v in variants)]
    asked = [n for n, c in enumerate(clauses) if PAPERS.search(c)]
    if not named or not asked or not max(named) < min(asked):
        return False
    return not any(build_query(c).text for c in clauses[min(asked) :])


def reviews_and_looks_up(text: str) -> bool:
    """Whether a review of papers is asked for, and beside it nothing but an entry of a database."""
    if not (asks_review(text) or READS_PAPERS.search(text)) or not LOOKS_UP.search(text):
        return False
    clauses = [c for c in SPLIT.split(LOOKS_UP.sub(" ", text)) if c and c.strip()]
    others = [c for c in clauses if not PAPERS.search(c)]
    return not any(DOES.match(c) or ASKS.search(c) for c in others)


def asks_review(text: str) -> bool:
    """Whether papers are to be found and then read: a review of the literature."""
    if REVIEW.search(text):
        return True
    clauses = [c for c in SPLIT.split(text) if c and c.strip()]
    finds = [n for n, c in enumerate(clauses) if SEARCHES.search(c) and PAPERS.search(c)]
    return any(READS.match(c.strip()) for n, c in enumerate(clauses) for f in finds if n > f)


def plan_of(
    route: RouteName, text: str, about: bool, only_identifier: bool, variants: Sequence[str] = ()
) -> str:
    """The template that a question needs, or nothing.

    Args:
        route: of the question.
        text: its words.
        about: whether it speaks of a sequence, protein or variant.
        only_identifier: papers are asked for something that only an accession names.
        variants: those that are named, as they are written.
    """
    if route in ("sequence", "protein") and asks_more_than_papers(text, about):
        return "protein_research"
    if route == "mutation" and (
        asks_more_than_papers(text, about) or papers_too(text, variants) or _assessed_in_full(text)
    ):
        return "mutation_assessment"
    if route == "literature":
        if reviews_and_looks_up(text):
            return "literature_review"
        return "protein_research" if only_identifier else "literature_review" if asks_review(text) else ""
    return ""


def _assessed_in_full(text: str) -> bool:
    """Whether a variant is to be assessed together with its protein."""
    return bool(
        re.search(r"\b(?:assess|evaluate|full assessment|comprehensive)\b|评估|评价", text, re.IGNORECASE)
        and re.search(
            r"\b(?:protein|gene)\b.*\b(?:function|information|annotation|context|entry)\b|look up|"
            r"蛋白.*(?:功能|"
            r"信息)",
            text,
            re.IGNORECASE,
        )
    )
