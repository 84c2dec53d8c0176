"""Answers that are right, wrong, uncited, wrongly cited or empty get what they deserve."""

from pathlib import Path

import pytest
from pydantic import TypeAdapter

from labagent.biobench.answered import Answer, Call, Statement, echo
from labagent.biobench.scoring import holds, score, valid_citation
from labagent.biobench.summary import summarise
from labagent.biobench.tasks import read_tasks
from labagent.models.biobench import BiobenchTask, Gold

ROOT = Path(__file__).resolve().parents[3]
GOLD = TypeAdapter(Gold)


def task(**fields):
    base = {
        "id": "t-1", "category": "protein", "split": "basic", "language": "en",
        "question": "How long is P01308?",
        "route": "protein", "outcome": "answer", "tools": ["uniprot.fetch"], "derivation": "by hand",
        "gold": [{"kind": "number", "name": "length", "value": 110, "unit": "aa"}],
    }  # fmt: skip
    return BiobenchTask.model_validate({**base, **fields})


def answer(text="P01308 has 110 residues.", cites=("c1",), **fields):
    call = Call("c1", "uniprot.fetch", {"accession": "P01308", "length": 110})
    base = {"route": "protein", "calls": (call,), "trace_complete": True}
    return Answer(text=text, statements=(Statement(text, True, tuple(cites)),), **{**base, **fields})


def test_a_right_answer_is_right_in_everything():
    result = score(
        task(published=True, keywords=["insulin", "110"]), answer("Insulin (P01308) has 110 amino acids.")
    )
    assert result.accurate and result.strict and result.tools_right and result.route_right
    assert (result.factual, result.cited, result.valid) == (1, 1, 1)
    assert result.trace_complete and not result.failed and result.missing == ()


NUMBER = {"kind": "number", "name": "length", "value": 1863, "unit": "aa"}
PAPERS = {"kind": "set", "namespace": "pmid", "values": ["2475911", "12068308"], "minimum": 1, "only": True}


@pytest.mark.parametrize(
    ("gold", "right", "wrong"),
    [
        (NUMBER,
         ["It has 1,863 residues", "1863aa", "长度为1863个氨基酸"], ["P1863 residues", "1863", "1,864 aa"]),
        ({"kind": "number", "name": "gc", "value": 46.15, "tolerance": 0.1, "unit": "%"},
         ["GC: 46.2 %", "GC content 46.15%"], ["GC: 46.3 %", "GC is 0.4615", "46.15 Da"]),
        ({"kind": "number", "name": "blosum62", "value": -3},
         ["BLOSUM62 is -3", "BLOSUM62: −3"], ["BLOSUM62 is 3", "there are -3 of them", "BLOSUM62 is -3.5"]),
        ({"kind": "number", "name": "hydropathy_change", "value": -7.7, "tolerance": 0.05, "absolute": True},
         ["hydropathy changes by 7.7", "Kyte-Doolittle -7.7"], ["hydropathy 7.8", "7.7 kg"]),
        ({"kind": "identifier", "namespace": "uniprot", "value": "P10636"},
         ["see P10636.", "[UniProt:P10636]", "P10636.5"], ["P10636-8", "XP10636", "P106360", "p10636"]),
        ({"kind": "string", "name": "variant", "accepted": ["p.Arg213Ter", "p.Arg213*"]},
         ["it is p.Arg213*", "P.ARG213TER"], ["p.Arg213", "p.Arg21"]),
        ({"kind": "string", "name": "type", "accepted": ["DNA"]},
         ["DNA, 9 nt", "这是DNA"], ["cDNA", "DNAse"]),
        ({"kind": "sequence", "name": "translation", "value": "MVRTG"},
         ["M V R T G", "MVR\nTG*", "gives MVRTG."], ["MVRTGK", "AMVRTG", "mvrtg", "MVRT"]),
        ({"kind": "sequence", "name": "translation", "value": "MVR", "prefix": True}, ["MVRTG"], ["AMVRTG"]),
        ({"kind": "boolean", "name": "x", "value": False, "says": ["no"], "denies": ["yes"]},
         ["No, it is not.", "There is no such site"], ["It is not known", "Yes, not no"]),
        (PAPERS,
         ["PMID:2475911", "pubmed.ncbi.nlm.nih.gov/12068308"], ["PMID 24759111", "2475911 and PMID:99", ""]),
        ({"kind": "set", "namespace": "pmid", "minimum": 2},
         ["PMID:1234 PMID:4321"], ["PMID:1234", "1234 4321"]),
    ],
)  # fmt: skip
def test_gold_is_found_where_it_stands_and_nowhere_else(gold, right, wrong):
    gold = GOLD.validate_python(gold)
    assert [text for text in right if not holds(gold, text)] == []
    assert [text for text in wrong if holds(gold, text)] == []


@pytest.mark.parametrize(
    ("wanted", "given", "right"),
    [
        ("answer", "ask", False), ("ask", "ask", True), ("ask", "answer", False), ("refuse", "refuse", True),
        ("no_answer", "not_found", True), ("no_answer", "answer", False), ("any", "answer", True),
        ("any", "failed", False),
    ],
)  # fmt: skip
def test_what_becomes_of_the_question_counts(wanted, given, right):
    result = score(task(outcome=wanted, gold=[], keywords=["x"]), answer(outcome=given))
    assert result.outcome_right is right and result.accurate is right


def test_tools_are_right_by_their_exact_names():
    assert not score(task(tools=["uniprot.search"]), answer()).tools_right
    assert not score(task(tools=["uniprot.fetch", "pubmed.search"]), answer()).tools_right
    assert not score(task(route="none", outcome="ask", tools=[]), answer()).tools_right
    assert score(task(route="none", outcome="ask", tools=[]), answer(calls=())).tools_right


CALLS = (
    Call("c1", "sequence.stats", {"length": 110, "mass": 11980.86, "note": "P01308"}),
    Call("c2", "pubmed.fetch", {"pmid": "2475911", "year": 1989}),
    Call("c3", "uniprot.fetch", None),
    Call("c4", "variant.effect", {"variant": "p.Gly12Asp", "sequence": "MTEYKLVVVGADGVGK", "position": 12}),
)


@pytest.mark.parametrize(
    ("text", "cites", "valid"),
    [
        ("P01308 has 110 residues", ("c1",), True),
        ("Its mass is 11981 Da", ("c1",), False),
        ("Its mass is 11980.9 Da", ("c1",), True),
        ("P01308 has 111 residues", ("c1",), False),
        ("P01309 has 110 residues", ("c1",), False),
        ("P01308 has 110 residues", ("c2",), False),
        ("P01308 has 110 residues (1989)", ("c1", "c2"), True),
        ("P01308 has 110 residues", ("c9",), False),
        ("P01308 has 110 residues", ("c1", "c9"), False),
        ("P01308 has 110 residues", ("c3",), False),
        ("P01308 has 110 residues", (), False),
        ("PMID:2475911 is of 1989", ("c2",), True),
        ("PMID:2475912 is of 1989", ("c2",), False),
        ("G12D, p.Gly12Asp, is a change", ("c4",), True),
        ("G12V is a change", ("c4",), False),
        ("the mutant reads MTEYKLVVVGADGVGK", ("c4",), True),
        ("the mutant reads MTEYKLVVVGAVGVGK", ("c4",), False),
    ],
)
def test_a_citation_is_valid_if_the_call_is_there_and_holds_what_is_said(text, cites, valid):
    assert valid_citation(Statement(text, True, cites), CALLS) is valid


def test_the_strict_rule_reads_greek_and_both_forms_of_variants():
    asked = task(published=True, keywords=["R175H", "alpha", "p.Val600Glu"])
    assert score(asked, answer("α chain, p.Arg175His and V600E")).strict
    assert not score(asked, answer("α chain, p.Arg175Leu and V600E")).strict
    assert score(task(keywords=["x"]), answer()).strict is None
    assert score(task(published=True), answer()).strict


def test_a_summary_counts_and_sets_the_echo_beside():
    right, wrong = answer(), answer("P01308 has 111 residues", outcome="failed", trace_complete=False)
    asked = task(published=True, keywords=["110"])
    summary = summarise([score(asked, right), score(asked, wrong)], [asked, asked])
    assert (summary.accuracy.hits, summary.accuracy.total) == (1, 2)
    assert (summary.valid.hits, summary.cited.hits, summary.valid.total) == (1, 2, 2)
    assert summary.failures.hits == 1 and summary.trace.hits == 1
    assert summary.accuracy.low is not None and summary.accuracy.low < 0.5 < summary.accuracy.high
    assert summary.echo_accuracy.hits == 0


def test_an_echo_gets_almost_nothing_of_our_tasks():
    tasks = read_tasks(ROOT / "benchmarks/biobench/tasks.jsonl")
    scores = [score(t, echo(t.question)) for t in tasks]
    assert [s.task for s in scores if s.accurate] == []
    assert sum(s.tools_right for s in scores) < len(tasks) / 6


def test_each_gold_value_of_our_tasks_can_be_said():
    """A text made of the gold itself holds it: no check asks for what cannot be written."""
    for asked in read_tasks(ROOT / "benchmarks/biobench/tasks.jsonl"):
        for gold in asked.gold:
            assert holds(gold, said(gold)), (asked.id, gold)


def said(gold):
    """A sentence that states one gold value."""
    if gold.kind == "number":
        words = {
            "blosum62": "BLOSUM62",
            "hydropathy_change": "hydropathy",
            "pi": "pI",
            "differences": "differences",
        }
        value = f"{gold.value:g}" if gold.value == int(gold.value) else str(gold.value)
        return f"{words.get(gold.name, gold.name.replace('_', ' '))}: {value} {gold.unit}"
    if gold.kind == "set":
        prefix = "PMID:" if gold.namespace == "pmid" else ""
        return " ".join(prefix + value for value in gold.values[: gold.minimum])
    if gold.kind in ("string", "boolean"):
        return gold.accepted[0] if gold.kind == "string" else gold.says[0]
    return gold.value


@pytest.mark.parametrize(
    ("sentence", "gives"),
    [
        ("It has 110 residues.", True),
        ("P01308 is meant.", False),
        ("P01315 is meant.", True),
        ("p.(Gly12Asp) is not listed.", True),
        ("Do you mean P01315?", False),
        ("Figures are rounded.", False),
        ("It begins with MALWMRLLPLLALLALWG.", True),
    ],
)
def test_values_of_sentences_that_are_said_to_state_nothing_are_counted(sentence, gives):
    statements = (Statement("P01308 has 110 residues.", True, ("c1",)), Statement(sentence, factual=False))
    result = score(task(), Answer(text="P01308 has 110 residues.", statements=statements))
    assert (result.factual, result.unflagged) == (1, int(gives))


def test_of_overlapping_tools_either_counts_by_its_exact_name():
    either = task(tools=["uniprot.fetch|uniprot.search"])
    assert score(either, answer()).tools_right
    assert not score(either, answer(calls=(Call("c1", "uniprot.lookup", {}),))).tools_right
    both = task(tools=["uniprot.fetch|uniprot.search", "sequence.stats"])
    assert not score(both, answer()).tools_right


def test_a_predicted_consequence_is_the_same_variant():
    gold = GOLD.validate_python({"kind": "string", "name": "variant", "accepted": ["p.Arg3His"]})
    assert holds(gold, "for the protein: p.(Arg3His).") and holds(gold, "p.Arg3His")
    assert not holds(gold, "p.(Arg3Hisfs)") and not holds(gold, "p.(Arg33His)") and not holds(gold, "R3H")
