"""Nothing is said more surely than a result holds it, and what a source does not hold is said."""

from __future__ import annotations

import pytest

from labagent.ask import answer
from labagent.ask.facts import facts_of
from labagent.tools.calling import Caller


@pytest.mark.parametrize(
    ("question", "stated", "older"),
    [("F5 R534Q", "p.Arg534Gln", "p.Arg562Gln"), ("SERPINC1 的 R79C", "p.Arg79Cys", "p.Arg111Cys")],
)
def test_a_number_that_only_may_be_an_older_one_is_worked_with_as_stated(question, stated, older):
    made = answer(question, caller=Caller())
    (effect,) = (c for c in made.calls if c.tool == "variant.effect")
    assert effect.arguments["variant"] == stated
    (hint,) = (s.text for s in made.statements if older in s.text)
    assert "may count in an older" in hint or "可能采用旧的" in hint
    notes = [note for note in facts_of(made)["notes"] if note.startswith("legacy numbering")]
    assert [f"may be {older}" in note for note in notes] == [True]


def test_a_number_that_the_sequence_shows_to_be_an_older_one_is_counted_from_the_start():
    made = answer("F9 R338L", caller=Caller())
    (effect,) = (c for c in made.calls if c.tool == "variant.effect")
    assert effect.arguments["variant"] == "p.Arg384Leu" and "counts in an older" in made.text


@pytest.mark.parametrize(
    ("question", "limit"),
    [
        ("mouse Trp53", "hold 75 proteins"),
        ("小鼠 Kras 蛋白的长度", "hold 75 proteins"),
        ("immunoglobulins internationalization papers", "papers (titles), those of well-known proteins"),
    ],
)
def test_where_nothing_is_found_the_answer_says_how_little_the_source_holds(question, limit):
    made = answer(question, caller=Caller())
    note, *_ = (s for s in made.statements if limit in s.text)
    assert made.outcome == "not_found" and note.cites


def test_an_entry_that_was_not_taken_is_no_fact_of_the_answer():
    made = answer("ACTIN", caller=Caller())
    assert made.outcome == "not_found" and "uniprot.fetch" in {c.tool for c in made.calls}
    facts = facts_of(made)
    assert not {"accession", "organism"} & facts.keys()
    assert not [note for note in facts["notes"] if note.startswith("sequence version")]


def test_a_deletion_in_a_repeat_is_the_one_that_the_entry_counts_from_the_other_end():
    made = answer("KIT p.Val560del", caller=Caller())
    assert "does not list" not in made.text and "leaves the same protein" in made.text
    (known,) = (s for s in made.statements if s.text.startswith("Natural variant"))
    assert "at residue 559: V is missing (rs121913685, GIST)" in known.text and known.cites


def test_a_deletion_that_leaves_another_protein_is_not_taken_for_one_that_is_listed():
    made = answer("KIT p.Lys558del", caller=Caller())
    assert "does not list p.Lys558del" in made.text and "same protein" not in made.text


def test_a_long_deletion_is_not_told_as_the_loss_of_its_first_residues():
    made = answer("variants of GJB2", caller=Caller())
    (long,) = (s.text for s in made.statements if "24-226" in s.text)
    assert "all of these are missing" in long and "WLTVLFIFRIM" not in long


def test_diseases_that_a_record_names_with_its_variants_alone_are_not_denied():
    made = answer("Which diseases is INS linked to?", caller=Caller())
    (named,) = (s for s in made.statements if "MODY10" in s.text)
    assert named.factual and named.cites and "states no diseases" not in made.text
    assert "states no diseases" in answer("Is ADRB2 associated with any disease?", caller=Caller()).text


def test_a_list_that_is_cut_says_so():
    made = answer("PIK3CA H1047R", caller=Caller())
    (known,) = (s.text for s in made.statements if s.text.startswith("Natural variant"))
    assert known.count("and others") == 2


@pytest.mark.parametrize("before", ["", "doi:", "DOI: ", "https://doi.org/", "http://dx.doi.org/"])
def test_a_doi_is_asked_for_whole_and_no_other_paper_is_given(before):
    made = answer(f"{before}10.1016/0005-2795(77)90253-7", caller=Caller())
    assert made.routing.query == '"10.1016/0005-2795(77)90253-7"[doi]'
    assert [call.tool for call in made.calls] == ["pubmed.search"]
    assert facts_of(made)["papers"] == ["20980"]
    nothing = answer(f"{before}10.1126/science.1225829", caller=Caller())
    assert nothing.outcome == "not_found" and facts_of(nothing)["papers"] == []


def test_kinds_of_variants_are_said_in_english():
    made = answer("EGFR p.Asp770_Asn771insSerValAsp and TP53 R213* and KRAS G12D", caller=Caller())
    assert {"an insertion", "a nonsense change", "a substitution"} <= {
        s.text.partition(" is ")[2].rstrip(".") for s in made.statements
    }
    assert "a insertion, in" not in made.text and "is a nonsense." not in made.text
