"""What points to earlier turns, and what does not."""

from __future__ import annotations

import pytest

from labagent.ask.routing import route


def resolved(text, *history):
    return [(e.value, e.resolved_from) for e in route(text, history).entities if e.resolved_from]


def test_what_is_resolved_says_from_where():
    assert resolved("Where is it located?", "BRCA1", "P04637") == [("P04637", 'turn 2, "it"')]
    assert resolved("该蛋白有多长?", "BRCA1") == [("BRCA1", 'turn 1, "该蛋白"')]


def test_a_chain_keeps_the_turn_that_named_the_thing():
    made = resolved("and its mass?", "P04637", "Where is it located?", "thanks")
    assert made == [("P04637", 'turn 1, "its"')]


@pytest.mark.parametrize(
    "text",
    [
        "Which compounds inhibit kinases?",
        "Is it true that TP53 is mutated in cancer?",
        "Tell me about BRCA2 and where it is located",
        "What is this gene BRCA2?",
        "Is this protein MKTAYIAKQRQISFVKSHFSRQ stable?",
        "the gene for cystic fibrosis",
        "orbit and habit",
    ],
)
def test_what_does_not_point_back_takes_nothing(text):
    assert resolved(text, "EGFR") == []


def test_two_candidates_of_the_newest_turn_are_asked_about():
    made = route("What does this gene do?", ("TP53", "BRCA1 and BRCA2"))
    assert (
        made.ambiguous
        and "BRCA1, BRCA2" in made.asks
        and not resolved("What does this gene do?", "BRCA1 and BRCA2")
    )
    assert resolved("What do these genes do?", "BRCA1 and BRCA2") == [
        ("BRCA1", 'turn 1, "these genes"'),
        ("BRCA2", 'turn 1, "these genes"'),
    ]


def test_nothing_to_point_to_is_asked_in_the_language_of_the_question():
    assert "refer to" in route("Where is this protein located?").asks
    assert "指的是什么" in route("这个蛋白在哪里?").asks


def test_the_kind_that_is_named_is_what_is_resolved():
    history = ("ATGGCCAAATTAGGC", "KRAS G12D")
    assert resolved("Translate this sequence", *history) == [("ATGGCCAAATTAGGC", 'turn 1, "this sequence"')]
    assert [v for v, _ in resolved("Is this mutation harmful?", *history)] == ["p.Gly12Asp"]


def test_a_new_organism_moves_the_gene():
    (gene,) = [e for e in route("and in mouse?", ("TP53",)).entities if e.namespace == "gene"]
    assert (gene.facts["organism"], gene.facts["taxon"], gene.resolved_from[:6]) == (
        "Mus musculus",
        10090,
        "turn 1",
    )


def test_nothing_outlives_a_call():
    first = route("Where is it located?", ("P04637",))
    route("Where is it located?", ("BRCA1",))
    assert route("Where is it located?", ("P04637",)) == first
    assert route("Where is it located?").ambiguous
