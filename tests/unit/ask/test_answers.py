"""The whole path without a model: every kind of input has the right facts, sources and outcome."""

from __future__ import annotations

from typing import Any

import pytest

from labagent.ask import answer
from labagent.ask.checking import Checker
from labagent.ask.facts import facts_of
from labagent.biobench.scoring import valid_citation
from labagent.models.asking import AnswerRecord
from labagent.tools.calling import Caller

KRAS = "MTEYKLVVVGAGGVGKSALT"
INSULIN = (
    "MALWMRLLPLLALLALWGPDPAAAFVNQHLCGSHLVEALYLVCGERGFFYTPKTRREAEDLQVGQVELGGGPGAGSLQPLALEGSLQKRGIVEQCC"
    "TSICSLYQLENYCN"
)
FASTA = (
    f">sp|P01308|INS_HUMAN Insulin OS=Homo sapiens OX=9606 GN=INS PE=1 SV=1\n{INSULIN}\n"
    ">sp|P69905|HBA_HUMAN Hemoglobin\nMVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSH"
)
RNA = "AUGGCCAAAUUAAUGGCCAAAUUAAUGGCCAAAUUAAUGGCCAAA"
GAPS = "ATG-GCC-AAA-TTA-ATG-GCC-AAA-TTA-ATG-GCC-AAA"
Expected = dict[str, Any]
CASES: dict[str, tuple[str, str, Expected]] = {
    "acc-old": ("P12345", "protein", {"entities": [["uniprot", "P12345"]], "outcome": "not_found"}),
    "acc-version": (
        "P38398.2",
        "protein",
        {"entities": [["uniprot", "P38398"]], "note": "sequence version 2", "says": "sequence version 2"},
    ),
    "acc-lower": ("p38398", "protein", {"entities": [["uniprot", "P38398"]], "says": "BRCA1_HUMAN"}),
    "two-acc": (
        "Compare P38398 and P04637",
        "protein",
        {
            "entities": [["uniprot", "P38398"], ["uniprot", "P04637"]],
            "says": ["1,863 residues", "393 residues"],
        },
    ),
    "refseq-np": (
        "NP_009225.1",
        "protein",
        {"entities": [["refseq_protein", "NP_009225.1"]], "says": ["NP_009225.1", "P38398"]},
    ),
    "ensp": (
        "ENSP00000350283",
        "protein",
        {"entities": [["ensembl_protein", "ENSP00000350283"]], "says": "P38398"},
    ),
    "pdb": ("1TUP", "protein", {"entities": [["pdb", "1TUP"]], "says": ["1TUP", "P04637"]}),
    "rsid": (
        "rs121913529",
        "mutation",
        {"entities": [["dbsnp", "rs121913529"]], "says": ["G12D", "P01116", "rs121913529"]},
    ),
    "gene": (
        "TP53",
        "protein",
        {"entities": [["gene", "TP53"]], "says": ["Homo sapiens (Human), by default", "P04637"]},
    ),
    "gene-mouse": (
        "mouse Trp53",
        "protein",
        {
            "entities": [["gene", "Trp53"], ["organism", "Mus musculus"]],
            "outcome": "not_found",
            "never": "P04637",
        },
    ),
    "hgvs-p": (
        "p.Gly12Asp",
        "mutation",
        {"variant": "p.Gly12Asp", "outcome": "ask", "says": "gene", "calls": 0},
    ),
    "hgvs-full": (
        "NM_004985.5(KRAS):c.35G>A (p.Gly12Asp)",
        "mutation",
        {"gene": "KRAS", "variant": "p.Gly12Asp", "transcript": "NM_004985.5"},
    ),
    "kras-g12d": ("KRAS G12D", "mutation", {"gene": "KRAS", "variant": "p.Gly12Asp", "says": "heuristics"}),
    "cftr-del": (
        "CFTR p.Phe508del",
        "mutation",
        {"gene": "CFTR", "variant": "p.Phe508del", "kind": "deletion", "says": "rs113993960"},
    ),
    "brca1-fs": (
        "BRCA1 c.68_69delAG p.Glu23ValfsTer17",
        "mutation",
        {"gene": "BRCA1", "kind": "frameshift"},
    ),
    "hbb-legacy": (
        "HBB E6V sickle",
        "mutation",
        {
            "gene": "HBB",
            "variant": "p.Glu7Val",
            "note": "legacy numbering",
            "says": ["older (legacy) numbering", "p.Glu7Val", "P68871"],
        },
    ),
    "not-mut": ("cell line A549B growth", "literature", {}),
    "dna-short": ("ATGGCCAAATTAA", "sequence", {"type": "dna", "length": 13}),
    "dna-gaps": (GAPS, "sequence", {"type": "dna", "length": 33, "gaps": 10}),
    "rna": (RNA, "sequence", {"type": "rna"}),
    "rna-strand": (
        f"reverse complement of {RNA}",
        "sequence",
        {"reverse_complement": "UUUGGCCAUUAAUUUGGCCAUUAAUUUGGCCAUUAAUUUGGCCAU", "says": "in RNA letters"},
    ),
    "protein-stop": (
        "MKTAYIAKQRQISFVKSHFSRQ*",
        "sequence",
        {"type": "protein", "length": 22, "says": ["1 stop (*), no residue", "2,655.09 Da"]},
    ),
    "dna-21": ("MGGCCTTAAGGCCTTAAGGCC", "sequence", {"says": "M may be IUPAC", "note": "M may be IUPAC"}),
    "multi-fasta-protein": (
        FASTA,
        "sequence",
        {"records": 2, "lengths": [110, 51], "says": "2 sequence records"},
    ),
    "fasta-crlf": (">a desc here\r\nATGAAA\r\nCCCGGG\r\n", "sequence", {"type": "dna", "length": 12}),
    "embedded-dna": (
        "Please translate ATGGCCAAATTAAGGGCCCAAATAG for me",
        "sequence",
        {"type": "dna", "length": 25, "translation": "MAKLRAQI"},
    ),
    "embedded-protein": (
        "what protein is MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMF?",
        "sequence",
        {"type": "protein", "length": 34},
    ),
    "long-words": ("Tell me about immunoglobulins internationalization", "literature", {}),
    "greek": ("α-synuclein aggregation papers", "literature", {"query_contains": ["synuclein", "alpha"]}),
    "zh-function": ("BRCA1 的功能是什么?", "protein", {"entities": [["gene", "BRCA1"]], "says": "分子功能"}),
    "zh-sequence": (
        "分析这个序列 ATGGCCAAATTAAATGGCCAAATTAAATGGCCAAATTAA",
        "sequence",
        {"type": "dna", "length": 39, "says": "长度为 39"},
    ),
    "wt-mt-ins": (
        "WT: MKTAYIAKQR\nMT: MKATAYIAKQR",
        "mutation",
        {"kind": "insertion", "n_differences": 1, "variant": "p.Lys2_Thr3insAla"},
    ),
    "wt-mt-3let": (
        f"WT: {KRAS}\nMT: p.Gly12Asp",
        "mutation",
        {"n_differences": 1, "variant": "p.Gly12Asp"},
    ),
    "wt-mt-mismatch": (
        f"WT: {KRAS}\nMT: A12D",
        "mutation",
        {"error": "residue 12 is G, not A", "outcome": "refuse", "says": "residue 12 is G, not A"},
    ),
    "nonsense-input": ("???", "none", {"outcome": "ask", "calls": 0, "says": "What can be asked"}),
    "quoted": (
        '"single cell" RNA-seq review',
        "literature",
        {"query_contains": ['"single cell"', "RNA-seq"]},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_kind_of_input_has_the_facts_that_are_expected(name, tmp_path):
    question, route, expected = CASES[name]
    made = answer(question, caller=Caller(), folder=tmp_path)
    assert made.route == route
    assert faults(made, dict(expected)) == []
    assert made.dropped == () and made.trace_complete
    every_fact_has_a_source_that_holds_it(made)


def every_fact_has_a_source_that_holds_it(made: AnswerRecord) -> None:
    factual = [s for s in made.statements if s.factual]
    checker = Checker(made.calls)
    assert all(s.cites for s in factual)
    assert [s.text for s in factual if not valid_citation(s, made.calls)] == []
    assert [s.text for s in factual if checker.faults(s, free=False)] == []
    assert all(f"[{cite}]" in made.text for s in factual for cite in s.cites)
    assert made.outcome != "answer" or factual


def faults(made: AnswerRecord, expected: Expected) -> list[str]:
    """What is not as expected."""
    facts = facts_of(made)
    found = []
    if made.outcome != expected.pop("outcome", made.outcome):
        found.append(f"outcome {made.outcome}")
    if len(made.calls) != expected.pop("calls", len(made.calls)):
        found.append(f"{len(made.calls)} calls")
    says = expected.pop("says", [])
    found += [
        f"does not say {part!r}"
        for part in ([says] if isinstance(says, str) else says)
        if part not in made.text
    ]
    if (never := expected.pop("never", "")) and never in made.text:
        found.append(f"says {never!r}")
    note = expected.pop("note", "")
    if note and not any(note in text for text in facts["notes"]):
        found.append(f"no note {note!r} in {facts['notes']}")
    for pair in expected.pop("entities", []):
        if pair not in facts["entities"]:
            found.append(f"{pair} not in {facts['entities']}")
    found += [f"{p!r} not in query" for p in expected.pop("query_contains", []) if p not in facts["query"]]
    return found + [f"{k}: {facts.get(k)!r}, not {v!r}" for k, v in expected.items() if facts.get(k) != v]


@pytest.mark.parametrize(
    ("question", "outcome", "says"),
    [
        ("KRAS A12D", "refuse", "residue 12 is G, not A"),
        ("What is the function of FOOBAR7 gene?", "not_found", "FOOBAR7"),
        ("PMID: 123", "not_found", "123"),
        (f"WT: {KRAS}\nMT: p.Gly120Asp", "refuse", "120"),
        ("P38398.9", "answer", "not version 9"),
        ("translate MKTAYIAKQRQISFVKSHFSRQ", "refuse", "protein"),
    ],
)
def test_what_cannot_be_answered_is_said(question, outcome, says):
    made = answer(question, caller=Caller())
    assert (made.outcome, says in made.text) == (outcome, True)


def test_a_gene_of_another_organism_than_asked_for_is_not_taken_for_it():
    made = answer("What is the length of rat TP53?", caller=Caller())
    assert made.outcome == "not_found" and "393" not in made.text


def test_variants_of_two_genes_are_looked_up_each_in_its_own():
    made = answer("KRAS G12D and BRAF V600E", caller=Caller())
    effects = {
        c.arguments["variant"]: c.arguments["sequence"] for c in made.calls if c.tool == "variant.effect"
    }
    assert made.outcome == "answer" and set(effects) == {"p.Gly12Asp", "p.Val600Glu"}
    assert (len(effects["p.Gly12Asp"]), len(effects["p.Val600Glu"])) == (189, 766)
    known = [s.text for s in made.statements if s.text.startswith("Natural variant")]
    assert [("G12D" in t, "V600E" in t) for t in known] == [(True, False), (False, True)]


def test_a_variant_of_a_protein_that_is_not_found_is_not_looked_for_in_another():
    made = answer("KRAS G12D and PTEN R130Q", caller=Caller())
    calls = {c.arguments["variant"]: c for c in made.calls if c.tool == "variant.effect"}
    assert len(calls["p.Gly12Asp"].arguments["sequence"]) == 189
    assert calls["p.Arg130Gln"].arguments["sequence"] == "" and calls["p.Arg130Gln"].status == "ok"
    assert made.outcome == "answer" and "PTEN" in made.text and "not checked against a sequence" in made.text


class Elsewhere(Caller):
    """A source whose searches find another gene, or the gene in another organism."""

    def __init__(self, **changed: str) -> None:
        super().__init__()
        self.changed = changed

    def call(self, name, arguments):
        done = super().call(name, arguments)
        if name != "uniprot.search" or not done.result:
            return done
        hits = [{**hit, **self.changed, "gene_synonyms": []} for hit in done.result["hits"]]
        return done.model_copy(update={"result": {**done.result, "hits": hits}})


def test_a_hit_of_another_gene_is_said_and_not_taken():
    made = answer("What is the function of TP53?", caller=Elsewhere(gene="TP63"))
    assert made.outcome == "not_found" and "uniprot.fetch" not in {c.tool for c in made.calls}
    assert "gene TP63" in made.text and "which is another one" in made.text


def test_an_entry_that_does_not_bear_the_name_is_not_taken():
    made = answer("Which isoforms does interleukin-6 have?", caller=Caller())
    assert made.outcome == "not_found" and "P04062" not in [s.text[:6] for s in made.statements]


class Empty(Caller):
    """A source whose searches for papers find nothing."""

    def call(self, name, arguments):
        done = super().call(name, arguments)
        if name != "pubmed.search" or not done.result:
            return done
        return done.model_copy(update={"result": {**done.result, "hits": [], "total": 0}})


def test_where_a_search_has_no_paper_those_that_the_entry_cites_for_the_variant_are_given():
    made = answer("Assess the effect of HBB E7V and find papers on it", caller=Empty())
    (fetched,) = (c for c in made.calls if c.tool == "pubmed.fetch")
    assert fetched.arguments["pmids"] == ["13464827", "16001361"]
    assert made.outcome == "answer" and "cited by the UniProt entry" in made.text


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_plan_is_bounded(most):
    question = "Assess the effect of KRAS G12D and find papers on it"
    made = answer(question, caller=Caller(), max_steps=most)
    assert made.routing.plan == "mutation_assessment"
    done = [step.status for step in made.steps]
    assert done[most:] == ["skipped"] * (len(done) - most) and "skipped" not in done[:most]
    assert all(f"only {most} steps" in s.note or "needs" in s.note for s in made.steps[most:])


def test_steps_that_need_what_was_not_found_are_skipped():
    made = answer("Find the function of FOOBAR7 gene and papers about it", caller=Caller())
    assert made.routing.plan == "protein_research"
    assert [(s.name, s.status) for s in made.steps] == [("entry", "empty"), ("literature", "skipped")]
    assert not any(c.tool.startswith("pubmed") for c in made.calls) and made.outcome == "not_found"


def test_the_entities_of_the_question_go_into_every_step():
    made = answer("Tell me about the function of BRCA1 and find papers about it", caller=Caller())
    assert made.routing.plan == "protein_research"
    queries = [c.arguments.get("query", "") for c in made.calls if c.tool == "pubmed.search"]
    assert queries and all("BRCA1" in q for q in queries)


def test_an_earlier_turn_is_resolved_and_shown():
    made = answer("How long is this protein?", caller=Caller(), history=["Tell me about P68871"])
    assert "147 residues" in made.text and "earlier turn" in made.text
    assert answer("How long is this protein?", caller=Caller()).outcome == "ask"


def test_a_sequence_that_is_asked_for_is_whole_and_one_that_is_not_is_cut():
    from labagent.ask.composing._voice import Voice

    whole = answer("sequence of P04637", caller=Caller()).text
    assert "MEEPQSDPSVEPPLSQETFSDLWKLLPENNVLSPLPSQAMDDLMLSPDDIEQWFTEDPGPDEAPRMPEAAPPVAP" in whole
    call = answer("sequence of P04637", caller=Caller()).calls[0]
    cut = Voice(call, "en", frozenset()).sequence("A" * 500, whole=False)
    assert cut == f"`{'A' * 60}…` (the first 60)"


def test_single_steps_alone_are_taken_without_plans():
    question = "Tell me about the function of BRCA1 and find papers about it"
    made = answer(question, caller=Caller(), condition="no_template")
    assert [s.name for s in made.steps] == ["entry"]


def test_without_the_duty_to_cite_nothing_cites():
    made = answer("KRAS G12D", caller=Caller(), condition="no_cite")
    assert not any(s.cites for s in made.statements) and "Sources" not in made.text and "[c" not in made.text
