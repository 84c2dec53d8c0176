"""From words to a query: nothing of a topic is lost, and what is written can be read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labagent.ask.routing.query import STOP, build_query
from labagent.ask.routing.words import FULL
from labagent.tools.literature.syntax import parse_query


def query(text):
    return build_query(text.translate(FULL)).text


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("α-synuclein aggregation papers", '("alpha-synuclein" OR "α-synuclein") AND aggregation'),
        ('"single cell" RNA-seq review', '"single cell" AND RNA-seq AND review[pt]'),
        ("papers on CRISPR between 2018 and 2020", "CRISPR AND 2018:2020[dp]"),
        ("kinase papers after 2010 but before 2015", "kinase AND 2011:2014[dp]"),
        ("Alzheimer papers, until 2001", "Alzheimer AND 1800:2001[dp]"),
        ("SARS-CoV-2 papers from the 2020s", "SARS-CoV-2 AND 2020:2029[dp]"),
        ("BRCA1 not in mice", "BRCA1 NOT mice"),
        ("why does p53 not work in HeLa cells", "p53 AND HeLa cells"),
        ("statins excluding mouse and rat, since 2020", "statins AND 2020:3000[dp] NOT mouse NOT rat"),
        ("statins, no reviews", "statins NOT review[pt]"),
        ("sepsis and IL-6 or IL-10", "sepsis AND (IL-6 OR IL-10)"),
        ("papers by Jennifer Doudna on Cas9", "Cas9 AND Doudna J[au]"),
        ("inhibition by Aspirin", "inhibition AND Aspirin"),
        ("Zhang F et al. CRISPR 2013", "CRISPR AND 2013:2013[dp] AND Zhang F[au]"),
        ("papers with telomerase in the title", "telomerase[ti]"),
        (
            "search PubMed for (BRCA1[ti] OR BRCA2[ti]) NOT review[pt]",
            "(BRCA1[ti] OR BRCA2[ti]) NOT review[pt]",
        ),
        (
            "genome-wide association studies of type 2 diabetes",
            "genome-wide association studies AND type 2 diabetes",
        ),
        ("10 recent papers on the role of the cell wall", "cell wall"),
        ("2018年以来 BRCA1 乳腺癌 的文献", 'BRCA1 AND "breast cancer" AND 2018:3000[dp]'),
        ("排除小鼠的 CRISPR 综述", "CRISPR AND review[pt] NOT mouse"),
        ("3 papers on COVID-19", "COVID-19"),
        ("IL-6 papers", "IL-6"),
        ("please find papers", ""),
        ("not mice", ""),
    ],
)
def test_words_become_the_query_that_was_meant(text, want):
    assert query(text) == want


@pytest.mark.parametrize(
    "phrase", ["cell function", "cell cycle", "growth factor", "T cell receptor", "cell death"]
)
def test_no_word_of_a_topic_is_a_stop_word(phrase):
    assert phrase in query(f"Find papers about {phrase} in aging") and not set(phrase.lower().split()) & STOP


def test_chinese_that_is_in_no_dictionary_is_kept_and_said():
    made = build_query("关于紫杉烷的文献")
    assert made.text == '"紫杉烷"' and made.untranslated == ("紫杉烷",)


@settings(max_examples=60)
@given(st.text(max_size=200) | st.text(alphabet='ab "()[]:NOTANDOR不α年2018-,.', max_size=60))
def test_every_query_can_be_read(text):
    made = query(text)
    assert not made or parse_query(made)
