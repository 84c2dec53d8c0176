"""Changes in a sequence: what becomes of it, figures, older numbering, letters that can be two things."""

from __future__ import annotations

import pytest

from labagent.ask import answer
from labagent.ask.checking import Checker
from labagent.models.asking import Statement
from labagent.tools.calling import Caller

KRAS = "MTEYKLVVVGAGGVGKSALT"
HBB = "MVHLTPEEKSAVTALWGKVNVDEVG"


@pytest.mark.parametrize(
    "question",
    [
        f"What is the effect of G12D in {KRAS}?",
        f"WT: {KRAS}\nMT: p.Gly12Asp",
        f"评估 G12D 对 {KRAS} 的影响",
        f"What is the effect? WT: {KRAS}\nMT: {KRAS.replace('GAGG', 'GADG')}",
    ],
)
def test_the_effect_of_a_change_has_figures_and_the_changed_sequence(question):
    made = answer(question, caller=Caller())
    tools = {call.tool for call in made.calls}
    assert made.outcome == "answer" and made.dropped == () and "variant.effect" in tools
    assert tools & {"variant.apply", "variant.compare"}
    assert all(part in made.text for part in ("BLOSUM62", "Grantham", "hydropathy", "-1 e", "glycine lost"))


@pytest.mark.parametrize(("change", "flag"), [("T2C", "cysteine gained"), ("V8P", "proline gained")])
def test_what_an_exchange_gains_is_said(change, flag):
    assert flag in answer(f"Effect of {change} in {KRAS}", caller=Caller()).text


@pytest.mark.parametrize("question", ["KRAS V13D", f"Apply E6V to {HBB}", f"Effect of E6V in {HBB}"])
def test_older_numbering_is_a_hint_where_it_is_no_tradition(question):
    made = answer(question, caller=Caller())
    assert made.outcome == "refuse" and not any(
        c.status == "ok" and c.tool == "variant.effect" for c in made.calls
    )
    assert "residue 13 is G, not V" in made.text or "residue 6 is P, not E" in made.text
    assert "int: residue 7 is E" in made.text or "hint only: residue 13 is G, residue 14 is V" in made.text


def test_older_numbering_that_is_a_tradition_is_taken():
    made = answer("HBB E6V", caller=Caller())
    assert made.outcome == "answer" and "p.Glu7Val is a substitution" in made.text


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (
            "WT: MKTAYIAKQR MT: MKGGIAKQR",
            ["3 residues (TAY) deleted, 2 residues (GG) inserted", "mutant 9 aa"],
        ),
        (
            "apply p.Thr3_Tyr5delinsGlyGly to MKTAYIAKQRQISF",
            ["3 residues (TAY) deleted, 2 residues (GG) inserted", "Its length is 13 aa"],
        ),
        (
            "应用 p.Thr3_Tyr5delinsGlyGly 到 MKTAYIAKQRQISF",
            ["3 个氨基酸(TAY)被删去,2 个氨基酸(GG)被插入", "长度为 13"],
        ),
    ],
)
def test_what_is_deleted_and_inserted_is_said(question, says):
    made = answer(question, caller=Caller())
    assert made.dropped == () and all(part in made.text for part in says)


@pytest.mark.parametrize(
    "wrong",
    [
        "By p.Thr3_Tyr5delinsGlyGly: 2 residues (TAY) deleted, 2 residues (GG) inserted.",
        "By p.Thr3_Tyr5delinsGlyGly: 3 residues (TAY) deleted, 4 residues (GG) inserted.",
        "By p.Thr3_Tyr5delinsGlyGly: 3 residues (TAW) deleted.",
    ],
)
def test_another_count_of_residues_is_not_held(wrong):
    arguments = {"sequence": "MKTAYIAKQRQISF", "variant": "p.Thr3_Tyr5delinsGlyGly"}
    call = Caller().call("variant.apply", arguments)
    assert Checker([call]).faults(Statement(text=wrong, cites=(call.id,)), free=False)


@pytest.mark.parametrize(
    ("question", "types"),
    [
        ("WT: MGGCAT\nMT: MGACAT", ["dna", "protein"]),
        ("Protein pair. WT: MGGCAT\nMT: MGACAT", ["protein"]),
        ("Which residue changes? WT: MGGCAT\nMT: MGACAT", ["protein"]),
        ("蛋白质 WT: MGGCAT\nMT: MGACAT", ["protein"]),
        ("DNA. WT: ATGGCC\nMT: ATGACC", ["dna"]),
        ("WT: ATGGCCAAATTATAA\nMT: ATGGACAAATTATAA", ["dna"]),
    ],
)
def test_letters_that_are_bases_and_residues_are_read_as_is_said_or_both_ways(question, types):
    made = answer(question, caller=Caller())
    found = [c.result["type"] for c in made.calls if c.tool == "variant.compare"]
    assert found == types and ("both readings" in made.text) == (len(types) == 2)


def test_a_genetic_code_that_is_stated_goes_to_the_comparison():
    made = answer("Genetic code 2. WT: ATGGCCAAATTATAA\nMT: ATGGCCAGATTATAA", caller=Caller())
    assert made.calls[0].arguments["table"] == 2
