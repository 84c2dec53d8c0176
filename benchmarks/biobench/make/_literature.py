"""Literature tasks: what papers the store knows; gold is a set that a search may answer from."""

from __future__ import annotations

import re
from collections.abc import Iterable

from _task import Gold, Task, identifier, number, papers, proteins, some, string, task


def tasks() -> Iterable[Task]:
    """All of them."""
    yield from _records()
    yield from _searches()
    yield from _edges()
    yield from _steps()


def _matching(pattern: str, accessions: str = "", first: int = 0, last: int = 9999) -> list[str]:
    """Papers whose title matches, or that a record of ``accessions`` cites, of the years given."""
    wanted = set(accessions.split())
    return [
        p["pmid"]
        for p in papers().values()
        if first <= p["year"] <= last
        and (re.search(pattern, p["title"], re.IGNORECASE) or wanted & set(p["proteins"]))
    ]


def _found(
    pattern: str,
    minimum: int = 1,
    accessions: str = "",
    first: int = 0,
    last: int = 9999,
    *,
    only: bool = False,
) -> Gold:
    """A search's gold: some of the matching papers."""
    return some("pmid", _matching(pattern, accessions, first, last), minimum, only=only)


def _records() -> Iterable[Task]:
    """One paper by its identifier."""
    first = papers()["2475911"]
    yield task(
        "literature-pmid",
        "PMID 2475911",
        [identifier("pmid", "2475911"), string("title", str(first["title"])), number("year", first["year"])],
        "pubmed.fetch",
        "title and year of the paper",
        facts=["P13569"],
    )
    second = papers()["12068308"]
    yield task(
        "literature-journal",
        "In which journal was PMID:12068308 published, and when?",
        [
            string("journal", str(second["journal"])),
            number("year", second["year"]),
            identifier("pmid", "12068308"),
        ],
        "pubmed.fetch",
        "journal and year of the paper",
        facts=["P15056"],
    )
    yield task(
        "literature-zh-title",
        "PMID 16001361 这篇文章的标题是什么?",
        [string("title", str(papers()["16001361"]["title"])), identifier("pmid", "16001361")],
        "pubmed.fetch",
        "title of the paper",
        facts=["P68871"],
    )
    third = papers()["2543678"]
    yield task(
        "literature-two-pmids",
        f"Years of publication of PMID 6092920 and PMID {third['pmid']}?",
        [
            number("year", papers()["6092920"]["year"]),
            number("year", third["year"]),
            identifier("pmid", "6092920"),
            identifier("pmid", str(third["pmid"])),
        ],
        "pubmed.fetch",
        "year of both papers",
        split="edge",
        facts=["P01116"],
    )


def _searches() -> Iterable[Task]:
    """Topics."""
    yield task(
        "literature-topic",
        "Find papers about CFTR chloride channel mutations",
        [_found(r"cftr|cystic fibrosis|chloride channel", 2, "P13569")],
        "pubmed.search",
        "title words, or cited by the record",
        facts=["P13569"],
    )
    yield task(
        "literature-rhodopsin",
        "articles on rhodopsin and retinitis pigmentosa",
        [_found(r"rhodopsin|retinitis", 2, "P08100")],
        "pubmed.search",
        "title words, or cited by the record",
        facts=["P08100"],
    )
    yield task(
        "literature-tau",
        "literature on tau mutations in frontotemporal dementia",
        [_found(r"\btau\b|dementia", 2, "P10636")],
        "pubmed.search",
        "title words, or cited by the record",
        facts=["P10636"],
    )
    yield task(
        "literature-year",
        "Publications on BRCA1 from 1996",
        [_found(r"BRCA1|breast", 1, "P38398", 1996, 1996, only=True)],
        "pubmed.search",
        "the year is a limit",
        facts=["P38398"],
    )
    yield task(
        "literature-zh-topic",
        "查找关于 KRAS 突变的论文",
        [_found(r"k-?ras|\bras\b", 2, "P01116")],
        "pubmed.search",
        "title words, or cited by the record",
        facts=["P01116"],
    )
    yield task(
        "literature-zh-year",
        "2002年发表的关于 BRAF 的文献",
        [_found(r"braf|b-raf", 1, "P15056", 2002, 2002, only=True)],
        "pubmed.search",
        "the year is a limit",
        facts=["P15056"],
    )
    yield task(
        "literature-hemoglobin",
        "Show me publications about unstable hemoglobin variants",
        [_found(r"h(a)?emoglobin|globin", 3, "P68871 P69905")],
        "pubmed.search",
        "title words, or cited by the record",
        facts=["P68871", "P69905"],
    )
    yield task(
        "literature-gaucher",
        "papers on Gaucher disease glucocerebrosidase",
        [_found(r"gaucher|glucocerebrosidase", 2, "P04062")],
        "pubmed.search",
        "title words, or cited by the record",
        facts=["P04062"],
    )


def _edges() -> Iterable[Task]:
    """Ranges, phrases, Greek letters, NOT, and what only looks like something else."""
    yield task(
        "literature-range",
        "1990年至1992年间关于 APP 的论文",
        [_found(r"\bAPP\b|amyloid|alzheimer", 1, "P05067", 1990, 1992, only=True)],
        "pubmed.search",
        "a range of years is a limit",
        split="edge",
        facts=["P05067"],
    )
    yield task(
        "literature-greek",
        "β-catenin signaling papers",
        [_found(r"beta-catenin|β-catenin", 1, "Q02248")],
        "pubmed.search",
        "beta and β are one word",
        split="edge",
        facts=["Q02248"],
    )
    yield task(
        "literature-phrase",
        '"long QT" sodium channel',
        [_found(r"long[- ]qt|sodium channel", 1, "Q14524")],
        "pubmed.search",
        "a quoted phrase stays together",
        split="edge",
        route="literature",
        facts=["Q14524"],
    )
    yield task(
        "literature-not",
        "thalassemia papers NOT alpha",
        [
            some(
                "pmid",
                [p for p in _matching("thalass(a)?emia") if "alpha" not in papers()[p]["title"].lower()],
                1,
                only=True,
            )
        ],
        "pubmed.search",
        "title has no alpha",
        split="edge",
        facts=["P68871"],
    )
    yield task(
        "literature-nothing",
        "papers about zzyzxnonexistentase999",
        [],
        "pubmed.search",
        "nothing of this name is published",
        split="edge",
        outcome="not_found",
    )
    yield task(
        "literature-cell-line",
        "papers on A431 cells and receptor gene amplification",
        [_found(r"A431|epidermal growth factor receptor", 1, "P00533")],
        "pubmed.search",
        "A431 is a cell line, not a variant; title words, or cited by the record",
        split="edge",
        facts=["P00533"],
    )
    yield task(
        "literature-long-words",
        "Publications about pseudohermaphroditism and autophosphorylation",
        [_found("pseudohermaphroditism|autophosphorylation", 1)],
        "pubmed.search",
        "long words are no sequences; title words",
        split="edge",
    )
    yield task(
        "literature-follow-up",
        "Any publications on this protein?",
        [_found(r"parkin\b|PARK2|parkinson", 1, "O60260")],
        "pubmed.search",
        "the protein of the turn before",
        split="edge",
        history=["O60260"],
        facts=["O60260"],
    )
    yield task(
        "literature-follow-up-zh",
        "帮我找一下它的相关文献",
        [_found(r"glucokinase|hexokinase|MODY", 1, "P35557")],
        "pubmed.search",
        "the protein of the turn before",
        split="edge",
        history=["What is P35557?"],
        facts=["P35557"],
    )
    yield task(
        "literature-no-topic",
        "查文献",
        [],
        "",
        "no topic: it has to be asked for",
        split="edge",
        outcome="ask",
    )
    yield task(
        "literature-symbols",
        "Find papers about ^^&&~~",
        [],
        "",
        "no topic is left: it has to be asked for",
        split="edge",
        outcome="ask",
    )


def _steps() -> Iterable[Task]:
    """From a variant or a protein to papers."""
    f508 = next(v for v in proteins()["P13569"]["variants"] if v["first"] == 508 and not v["to"])
    yield task(
        "literature-variant",
        "Which papers are about deletion of phenylalanine 508 in CFTR?",
        [some("pmid", [*f508["pmids"], *_matching(r"508|cystic fibrosis", "P13569")], 1)],
        "pubmed.search",
        "papers that are evidence of the variant, or by title",
        split="multistep",
        facts=["P13569"],
    )
    yield task(
        "literature-review",
        "Review the literature on transthyretin amyloidosis and name the protein's UniProt entry",
        [_found(r"transthyretin|amyloid", 2, "P02766"), identifier("uniprot", "P02766")],
        "pubmed.search uniprot.search",
        "papers, and the record of transthyretin",
        split="multistep",
        facts=["P02766"],
    )
    yield task(
        "literature-zh-review",
        "综述 Fabry 病的 GLA 基因研究文献",
        [_found(r"fabry|galactosidase", 2, "P06280")],
        "pubmed.search",
        "title words, or cited by the record",
        split="multistep",
        facts=["P06280"],
    )
