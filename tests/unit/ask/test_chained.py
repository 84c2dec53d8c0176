"""Operations on what an earlier step made or found, and on entries that are named more than once."""

from __future__ import annotations

import pytest

from labagent.ask import answer
from labagent.models.asking import AnswerRecord
from labagent.tools.calling import Caller

CODING = "ATGGCCAAATTAGGGCCCAAATAG"
OTHER = "CTATTTGGGCCCTAATTTGGCCAT"
HBB = "MVHLTPEEKSAVTALWGKVNVDEVGGEALGRLLVVYPWTQRFFESFGDLSTPDAVMGNPK"


def asked(question: str) -> AnswerRecord:
    made = answer(question, caller=Caller())
    assert made.outcome == "answer" and made.dropped == () and len(made.steps) <= 5
    return made


def tools(made: AnswerRecord) -> list[str]:
    return [call.tool for call in made.calls]


@pytest.mark.parametrize(
    "question",
    [
        f"What is the mass of the protein encoded by {CODING}?",
        f"Translate {CODING} and calculate the molecular weight of the protein",
        f"{CODING} 翻译后蛋白质的分子量是多少",
    ],
)
def test_figures_of_a_translated_protein_are_those_of_the_protein(question):
    made = asked(question)
    (figures,) = (c for c in made.calls if c.tool == "sequence.stats")
    assert figures.arguments == {"sequence": "MAKLGPK", "type": "protein"}
    assert "743.96 Da" in made.text and "7,474" not in made.text


def test_figures_of_nucleotides_stay_theirs_where_no_protein_is_spoken_of():
    assert "7,474.79 Da" in asked(f"mass of {CODING}").text
    assert "45.83 %" in asked(f"Translate {CODING} and give the GC content").text


def test_a_property_that_only_proteins_have_is_that_of_the_translation():
    assert "pI) of the translated protein: 10.00" in asked(f"pI of {CODING}").text


def test_the_figure_of_a_longest_frame_is_that_of_its_protein():
    assert "461.62 Da" in asked("mass of the protein of the longest ORF in CCATGGCCAAATTATAAGG").text


@pytest.mark.parametrize(
    "question", [f"Translate the reverse complement of {OTHER}", f"翻译 {OTHER} 的反向互补序列"]
)
def test_the_other_strand_is_translated(question):
    made = asked(question)
    call = next(c for c in made.calls if c.tool == "sequence.translate" and c.arguments["sequence"] == CODING)
    assert call.result["records"][0]["frames"][0]["protein"] == "MAKLGPK*" and "MAKLGPK" in made.text


def test_where_it_is_open_which_strand_is_meant_both_are_translated_and_named():
    made = asked(f"Reverse complement and translation of {OTHER}")
    sources = {c.arguments["sequence"] for c in made.calls if c.tool == "sequence.translate"}
    assert sources == {CODING, OTHER} and "The reverse complement is DNA" in made.text


def test_two_coding_sequences_are_aligned_as_proteins():
    made = asked(f"Translate and align {CODING} and ATGGCCAAACTTGGGCCCAAATAG")
    (call,) = (c for c in made.calls if c.tool == "sequence.align")
    assert (call.arguments["a"], call.arguments["b"]) == ("MAKLGPK", "MAKLGPK")


@pytest.mark.parametrize(
    ("question", "says"), [("What is the pI of P68871?", "6.74"), ("P68871 的等电点", "6.74")]
)
def test_a_property_of_an_entry_is_computed_from_its_sequence(question, says):
    made = asked(question)
    assert tools(made) == ["uniprot.fetch", "sequence.stats"] and says in made.text
    assert made.calls[1].arguments["sequence"] == f">P68871\n{made.calls[0].result['sequence']}"


def test_a_sequence_is_aligned_with_that_of_an_entry():
    made = asked(f"Align {HBB} with P68871")
    assert tools(made) == ["uniprot.fetch", "sequence.align"] and made.calls[1].result["identical"] == 60


@pytest.mark.parametrize(
    "question",
    [
        "Align hemoglobin beta HBB (P68871) with HBA1 P69905",
        "Align P68871 and P69905",
        "比对 HBB(P68871)和 HBA1(P69905)的序列",
    ],
)
def test_an_entry_that_is_named_twice_is_aligned_once(question):
    made = asked(question)
    (call,) = (c for c in made.calls if c.tool == "sequence.align")
    assert call.result["identical"] == 65
    assert sum(s.text.startswith(("The length of P68871", "P68871 的长度")) for s in made.statements) == 1


def test_two_names_of_one_entry_are_no_two_sequences():
    made = answer("Align HBB and P68871", caller=Caller())
    assert "sequence.align" not in tools(made) and made.steps[1].status == "empty"


def test_nucleotides_without_a_request_have_their_other_strand_and_translation():
    made = asked("GGCCTTAAGGCCTTAAGGCCAT")
    assert all(part in made.text for part in ("22 nt", "54.55 %", "`ATGGCCTTAAGGCCTTAAGGCC`", "`GLKALRP`"))
    assert tools(asked("MKTAYIAKQRQISFVKSHFSRQ")) == ["sequence.stats"]


def test_long_nucleotides_without_a_request_are_cut():
    made = asked("ACGTTGCACC" * 60)
    assert max(len(word) for word in made.text.replace("…", " ").split()) < 130


def test_a_type_that_is_stated_goes_to_the_tool():
    made = asked("Align the protein sequences MKTAYIAKQRQISF and MKTAYLAKQRQISF")
    assert made.calls[-1].arguments["type"] == "protein"
    made = asked("GC content of the ambiguous DNA sequence ATGNRYWSKMACGT")
    assert made.calls[0].arguments["type"] == "dna" and "not certain" not in made.text


@pytest.mark.parametrize("question", ["Apply G12D to KRAS", "将 KRAS G12D 应用到序列,突变后的序列"])
def test_a_variant_is_applied_to_the_sequence_of_its_entry(question):
    made = asked(question)
    (call,) = (c for c in made.calls if c.tool == "variant.apply")
    assert call.result["sequence"].startswith("MTEYKLVVVGADGVGKSALT") and len(call.result["sequence"]) == 189
    assert call.result["sequence"] in made.text and "BLOSUM62" in made.text
