"""Bases in capitals and small letters (masked repeats) are one sequence; symbols that are words are genes."""

from __future__ import annotations

import pytest

from labagent.ask.routing import route
from labagent.tools.sequences.embedded import find_sequences


@pytest.mark.parametrize(
    ("question", "letters"),
    [
        ("translate atggccaaaTAG", "ATGGCCAAATAG"),
        ("reverse complement of atgNNNacgt", "ATGNNNACGT"),
        ("what is ATGGCCaaatttGGGCCC", "ATGGCCAAATTTGGGCCC"),
        ("ATGGCCAAATTAaaattgcc", "ATGGCCAAATTAAAATTGCC"),
    ],
)
def test_masked_bases_are_one_sequence(question, letters):
    found = route(question)
    assert found.route == "sequence"
    assert [(e.value, e.facts["type"]) for e in found.entities] == [(letters, "dna")]


@pytest.mark.parametrize("word", ["Attagcat", "GatTaca", "MKTAYIAKqrqisfvk", "Internationalization"])
def test_words_of_both_cases_are_no_sequences(word):
    assert find_sequences(f"what is {word} here") == []


def test_a_gene_that_is_called_as_what_no_variant_follows_still_has_variants():
    found = route("KIT D816V")
    assert found.route == "mutation"
    assert [(e.namespace, e.value) for e in found.entities] == [("gene", "KIT"), ("variant", "p.Asp816Val")]


@pytest.mark.parametrize("question", ["assay kit D816V", "cell line T47D in culture", "Plasmid Kit A250B"])
def test_what_is_no_gene_keeps_its_number(question):
    assert "variant" not in {e.namespace for e in route(question).entities}
