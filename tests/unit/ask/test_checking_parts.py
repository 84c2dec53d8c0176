"""Cut texts, labels in lists, and comparisons without a difference: held where they are true, and no more."""

from __future__ import annotations

import pytest

from labagent.ask import answer
from labagent.ask.checking import Checker
from labagent.models.asking import CallRecord, Statement
from labagent.tools.calling import Caller

KRAS = "MTEYKLVVVGAGGVGKSALT"
FUNCTION = (
    "Acts as a lethal brake of the cell cycle (PubMed:24051492). Binds 14-3-3 proteins at Ser-2481 with a "
    "KD of 37 nM and is not active without Zn(2+). Phosphorylated by ATR at 29 "
    "sites, of which 7 are in the tail. "
)


def entry(**changed: object) -> CallRecord:
    made = Caller().call("uniprot.fetch", {"accession": "P04637"})
    return made.model_copy(update={"result": {**(made.result or {}), **changed}})


def faults(text: str, call: CallRecord) -> list[str]:
    return Checker([call]).faults(Statement(text=text, cites=(call.id,)), free=False)


@pytest.mark.parametrize(
    "question",
    [
        f"WT: {KRAS}\nMT: {KRAS}",
        "WT: ATGGCC\nMT: ATGGCC",
        f"比较 WT: {KRAS}\nMT: {KRAS}",
        f"Align {KRAS} and {KRAS}",
    ],
)
def test_that_two_sequences_are_identical_is_said(question):
    made = answer(question, caller=Caller())
    assert made.dropped == () and any(s.factual for s in made.statements)
    assert any(word in made.text for word in ("identical", "相同"))


@pytest.mark.parametrize(
    "wrong",
    [
        "The three protein sequences are identical: 0 differences.",
        "The two protein sequences are identical: 2 differences.",
        "The two variants are known.",
    ],
)
def test_that_two_sequences_are_compared_holds_no_other_count(wrong):
    call = Caller().call("variant.compare", {"wild_type": KRAS, "mutant": KRAS})
    assert faults(wrong, call)


@pytest.mark.parametrize("size", [70, 140, 170, len(FUNCTION) - 3])
def test_a_text_that_is_cut_and_marked_so_is_held_by_what_is_left(size):
    call = entry(function=[FUNCTION * 9])
    cut = (FUNCTION * 9)[:size].rsplit(" ", 1)[0]
    assert faults(f"Function, as the entry says: {cut} …", call) == []
    assert faults(f"功能(条目原文):{cut} …", call) == []


def test_a_cut_text_holds_nothing_that_is_not_in_it():
    call = entry(function=[FUNCTION * 9])
    cut = FUNCTION[:140].rsplit(" ", 1)[0]
    assert faults(f"Function: {cut.replace('37', '38')} …", call)
    assert faults(f"Function: {cut} … It has 97531 sites.", call)
    assert faults(f"Function: {cut} … It is pathogenic.", call)
    assert faults(f"Function: {cut[: cut.index('2481') + 3]}…", call)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("domains and sites of P01308", "95-100"),
        ("domains and sites of P97929", "(BRCA2 1)"),
        ("Which isoforms does P37840 have?", "P37840-2 (2-4)"),
        ("Which isoforms does Q00987 have?", "Q00987-11 (11)"),
    ],
)
def test_lists_with_labels_are_said(question, says):
    made = answer(question, caller=Caller())
    assert made.dropped == () and says in made.text


@pytest.mark.parametrize(
    ("accession", "wrong"),
    [
        ("P37840", "The entry has 3 isoforms: P37840-1 (2-4), P37840-2 (1)."),
        ("P97929", "Repeat at residues: 981-1015 (BRCA2 2)."),
        ("P97929", "Repeat at residues: 982-1015 (BRCA2 1)."),
        ("P01308", "Disulfide bond at residues: 31-96 (Interchain (between B and A chains)), 95-101."),
    ],
)
def test_labels_of_other_items_are_not_held(accession, wrong):
    assert faults(wrong, Caller().call("uniprot.fetch", {"accession": accession}))


def test_a_title_that_is_quoted_whole_holds_the_names_in_it():
    made = answer("papers about cyclin-cdk Orc1 Cdc18", caller=Caller())
    assert made.dropped == () and "Human CDC6/Cdc18 associates with Orc1" in made.text
    call = next(c for c in made.calls if c.result["hits"])
    title = next(h["title"] for h in call.result["hits"] if "Cdc18" in h["title"])
    assert faults(f"Bcl et al.: {title} It acts on Xyzase.", call)
