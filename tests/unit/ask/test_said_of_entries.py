"""Plain answers on GO terms and features, how much a deletion takes, and few papers."""

from __future__ import annotations

import pytest

from labagent.ask import answer
from labagent.tools.calling import Caller


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (
            "Is P63000 annotated with GO:0003924?",
            "Yes: P63000 is annotated with GTPase activity (GO:0003924).",
        ),
        (
            "Is P63000 annotated with GO:0004672?",
            "No: that GO term is not among those of the entry P63000.",
        ),
        (
            "Does P01308 have a signal peptide?",
            "Yes: the entry P01308 lists a signal peptide at residues 1-24.",
        ),
        ("Does P37840 have a signal peptide?", "No: the entry P37840 lists no signal peptide."),
        ("P01308 有信号肽吗?", "是:条目 P01308 列出了 Signal peptide(残基 1-24)。"),
        ("CFTR p.Phe508del", "p.Phe508del: 1 residue deleted."),
        ("EGFR p.Glu746_Ala750delinsLys", "p.Glu746_Ala750delinsLys: 5 residues deleted, K in their place."),
    ],
)
def test_what_is_said_first(question: str, says: str) -> None:
    made = answer(question, caller=Caller())
    assert made.dropped == ()
    (said,) = (s for s in made.statements if s.text == says)
    assert said.factual and said.cites


def test_a_search_with_few_hits_is_widened_and_keeps_them() -> None:
    made = answer("papers about unstable hemoglobin variants", caller=Caller())
    exact, wider = (c for c in made.calls if c.tool == "pubmed.search")
    assert exact.result is not None and 0 < len(exact.result["hits"]) < 3
    assert wider.result is not None and len(wider.result["hits"]) > len(exact.result["hits"])
    assert all(hit["pmid"] in made.text for call in (exact, wider) for hit in call.result["hits"])
    assert "The search was relaxed" in made.text


@pytest.mark.parametrize("question", ["UNKNOWN_ENTRY_424242", "blorbase 是什么蛋白质?"])
def test_a_name_that_nobody_has_is_not_found(question: str) -> None:
    made = answer(question, caller=Caller())
    assert (made.route, made.outcome) == ("protein", "not_found")


def test_a_base_behind_a_name_is_a_record() -> None:
    made = answer(">empty A", caller=Caller())
    assert made.route == "sequence" and "1 nt long" in made.text
