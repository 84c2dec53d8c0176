"""Queries in PubMed's syntax: built from words without losing any, read, and matched with papers."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labagent.errors import ToolError
from labagent.tools.literature.query import build_query, find_period, with_years
from labagent.tools.literature.syntax import Term, Years, matches, parse_query, terms_of
from labagent.tools.literature.words import GREEK, STOP_WORDS, latin, words_of


@pytest.mark.parametrize(
    ("topic", "query"),
    [
        ("p53 tumor suppressor", "p53 tumor suppressor"),
        ("TNF-α signalling in macrophages", "(TNF-α OR TNF-alpha) signalling macrophages"),
        ("Aβ42 and NF-κB", "(Aβ42 OR Abeta42) (NF-κB OR NF-kappaB)"),
        ("β-catenin[ti]", "(β-catenin[ti] OR beta-catenin[ti])"),
        ('"amyloid β" plaques', '("amyloid β" OR "amyloid beta") plaques'),
        ("“base editing” in rice", '"base editing" rice'),
        ("CRISPR base editing in 2024", "(CRISPR base editing) AND 2024[dp]"),
        ("BRCA1 from 2019 to 2023", "BRCA1 AND 2019:2023[dp]"),
        ("BRCA1 2019-2023", "BRCA1 AND 2019:2023[dp]"),
        ("BRCA1 2019–2023", "BRCA1 AND 2019:2023[dp]"),
        ("BRCA1 between 2023 and 2019", "BRCA1 AND 2019:2023[dp]"),
        ("BRCA1 since 2020", "BRCA1 AND 2020:3000[dp]"),
        ("BRCA1 after 2020", "BRCA1 AND 2021:3000[dp]"),
        ("BRCA1 before 2015", "BRCA1 AND 1500:2014[dp]"),
        ("BRCA1 2019:2023[dp]", "BRCA1 AND 2019:2023[dp]"),
        ("p53 2019年到2023年", "p53 AND 2019:2023[dp]"),
        ("p53 2020年以后的", "p53 AND 2020:3000[dp]"),
        ("2024年 p53", "p53 AND 2024[dp]"),
        ('"in vitro 2020 study"', '"in vitro 2020 study"'),
        ("gene2020 kinase", "gene2020 kinase"),
        ("CAR-T cell therapy without leukemia", "(CAR-T cell therapy) NOT leukemia"),
        (
            'interferon-γ excluding "multiple sclerosis" and mice',
            '((interferon-γ OR interferon-gamma) NOT "multiple sclerosis") NOT mice',
        ),
        ("p53 NOT (mice OR rats) 2020", "(p53 NOT (mice OR rats)) AND 2020[dp]"),
        ("p53 除了 mice", "p53 NOT mice"),
        ("RNA-seq SARS-CoV-2 5-HT2A CD4+ T", "RNA-seq SARS-CoV-2 5-HT2A CD4+ T"),
        ("Alzheimer's disease", "Alzheimer's disease"),
        ("10.1038/nature12373", '"10.1038/nature12373"'),
        ("HLA-A*02:01 neuro*", '"HLA-A*02:01" neuro*'),
        ("Smith J[au] kinase[foo]", "Smith J[au] kinase"),
        ("AND OR p53 NOT", "p53"),
        ("((kinase) )(", "((kinase))"),
        ("@#$%^&*()", ""),
        ("the of and", ""),
        ("", ""),
    ],
)
def test_a_topic_becomes_a_query(topic, query):
    assert build_query(topic) == query
    if query:
        parse_query(query)


def test_years_and_exclusions_may_be_given_apart():
    assert build_query("p53 2020", from_year=2021) == "p53 AND 2021:3000[dp]"
    assert build_query("p53 cancer", to_year=2020) == "(p53 cancer) AND 1500:2020[dp]"
    assert build_query("p53", without=("mouse model", "")) == "p53 NOT (mouse model)"
    assert with_years("a OR b", 2020, 2020) == "(a OR b) AND 2020[dp]"
    assert with_years("a", None, None) == "a"
    assert find_period("nothing here")[1] is None


TOPICS = st.lists(
    st.sampled_from(
        """( ) " [ ] : * @ , - AND OR NOT not since 2020 2019-2023 without [ti] [x] TNF-α NF-κB p53 cell
        RNA-seq E. 的 蛋白 a the c.68_69delAG""".split()
    ),
    max_size=12,
).map(" ".join)


@given(TOPICS | st.text(max_size=60))
def test_whatever_is_asked_the_query_can_be_read(topic):
    query = build_query(topic)
    if not query:
        return
    try:
        parse_query(query)
    except ToolError as error:
        assert "nothing to look for" in error.message, (topic, query)


@given(
    st.lists(st.sampled_from(["TNF-α", "p53", "β-catenin", "RNA-seq", "Aβ42", "CAR-T", "5'UTR"]), min_size=1)
)
def test_no_word_is_lost(words):
    query = build_query(" ".join(words))
    for word in words:
        assert word in query and latin(word) in query


def test_greek_letters_have_their_names_in_both_cases():
    assert len(GREEK) >= 2 * 24
    assert (latin("α"), latin("Δ"), latin("µ"), latin("ς")) == ("alpha", "Delta", "mu", "sigma")
    assert words_of("IFN-γ") == words_of("ifn-GAMMA") and words_of("naïve") == ["naive"]


# --- reading


def test_operators_are_of_equal_rank_from_left_to_right():
    node = parse_query("a1 OR b2 AND c3 NOT d4")
    assert not matches(node, {"text": ["a1"]}, None)
    assert matches(node, {"text": ["a1", "c3"]}, None)
    assert not matches(node, {"text": ["b2", "c3", "d4"]}, None)
    assert matches(parse_query("a1 OR (b2 AND c3)"), {"text": ["a1"]}, None)


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ("TNF-α", "text", ("tnf", "alpha")),
        ('"base editing"[ti]', "title", ("base", "editing")),
        ("base editing[tiab]", "text", ("base", "editing")),
        ("Doe J[Author]", "author", ("doe", "j")),
        ("Nature[ta]", "journal", ("nature",)),
        ("123[pmid]", "pmid", ("123",)),
        ("Review[pt]", "type", ("review",)),
    ],
)
def test_a_tag_says_which_field(query, field, words):
    (term,) = terms_of(parse_query(query))
    assert term == Term(words, field)


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("2024[dp]", 2024, 2024),
        ("2019:2023[pdat]", 2019, 2023),
        ("2019/05/01 : 2023/12[dp]", 2019, 2023),
        ('"2019"[dp] : "2023"[dp]', 2019, 2023),
        ("2019:3000[dp]", 2019, 3000),
    ],
)
def test_years_are_ranges(query, first, last):
    assert parse_query(query) == Years(first, last)


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ('"open', "not closed"),
        ("[ti", "not closed"),
        ("(p53", "not closed"),
        ("p53)", "was not opened"),
        ("p53 AND", "nothing to join"),
        ("AND p53", "nothing to join"),
        ("p53 AND OR cell", "nothing to join"),
        ("NOT p53", "before it"),
        ("[ti]", "behind nothing"),
        ("p53[nosuch]", "not known"),
        ("x[dp]", "no year"),
        ("2023:2019[dp]", "no year"),
        ("the of", "nothing to look for"),
        ("", "nothing to look for"),
        ("(" * 60 + "a" + ")" * 60, "parentheses"),
    ],
)
def test_a_query_that_cannot_be_read_says_why(query, why):
    with pytest.raises(ToolError, match=re.escape(why)) as caught:
        parse_query(query)
    assert caught.value.code == "input" and caught.value.field == "query"


@given(st.text(alphabet='ab()"[]:* ANDORT19dp2', max_size=30))
def test_reading_ends_with_a_tree_or_an_error(text):
    try:
        node = parse_query(text)
    except ToolError as error:
        assert error.code == "input"
    else:
        assert isinstance(matches(node, {"text": ["ab"]}, 2020), bool)


# --- matching

PAPER = {
    "text": words_of("The role of TNF-alpha in base editing: RNA-seq of CAR-T cells and neurodegeneration"),
    "title": words_of("The role of TNF-alpha"),
    "author": words_of("Doe JA Roe R"),
}


@pytest.mark.parametrize(
    "query",
    'TNF-α|TNFα|tnfalpha|RNAseq|"RNA-seq"|neuro*|"base editing"|editing base|CART|CAR-T NOT mice|TNF-α[ti]|'
    "Roe R[au]|role 2019:2021[dp]|mice OR role|the role".split("|"),
)
def test_a_paper_that_fits(query):
    assert matches(parse_query(query), PAPER, 2020)


@pytest.mark.parametrize(
    "query",
    '"editing base"|editing[ti]|neur|role NOT base|role 2021[dp]|alpha*x|Doe R[au]|TNF-β|ole'.split("|"),
)
def test_a_paper_that_does_not(query):
    assert not matches(parse_query(query), PAPER, 2020)
    assert not matches(parse_query("role 2020[dp]"), PAPER, None)


def test_words_that_pubmed_leaves_out_are_left_out():
    assert {"the", "of", "with"} <= STOP_WORDS and "cell" not in STOP_WORDS and "function" not in STOP_WORDS
