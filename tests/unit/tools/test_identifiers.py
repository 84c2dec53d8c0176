"""Identifiers in questions, English and Chinese."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from labagent.tools import call


def identifiers(text: str):
    reply = call("identifiers.find", {"text": text})
    assert reply.status == "ok", reply.error
    return reply.result["identifiers"]


def pairs(text: str):
    return [(i["namespace"], i["value"]) for i in identifiers(text)]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("P12345", [("uniprot", "P12345")]),
        ("p38398", [("uniprot", "P38398")]),
        ("A0A024R161 and Q9H3P7?", [("uniprot", "A0A024R161"), ("uniprot", "Q9H3P7")]),
        ("P53_HUMAN", [("uniprot_entry", "P53_HUMAN")]),
        ("NP_009225.1", [("refseq_protein", "NP_009225.1")]),
        ("NM_004985.5", [("refseq_transcript", "NM_004985.5")]),
        ("NC_000017.11", [("refseq_genomic", "NC_000017.11")]),
        ("ENSP00000350283", [("ensembl_protein", "ENSP00000350283")]),
        ("ENSG00000012048.23", [("ensembl_gene", "ENSG00000012048.23")]),
        ("ENSMUST00000102476", [("ensembl_transcript", "ENSMUST00000102476")]),
        ("1TUP", [("pdb", "1TUP")]),
        ("structure 4hhb", [("pdb", "4HHB")]),
        ("IPR011364", [("interpro", "IPR011364")]),
        ("GO:0006281", [("go", "GO:0006281")]),
        ("rs121913529", [("dbsnp", "rs121913529")]),
        ("PMID: 7545954, PMID7545955", [("pmid", "7545954"), ("pmid", "7545955")]),
        ("https://pubmed.ncbi.nlm.nih.gov/7545954/", [("pmid", "7545954")]),
        ("(doi:10.1016/S0092-8674(00)81683-9).", [("doi", "10.1016/S0092-8674(00)81683-9")]),
        ("https://doi.org/10.1038/nature12373.", [("doi", "10.1038/nature12373")]),
        ("TP53", [("gene", "TP53")]),
        ("mouse Trp53", [("organism", "Mus musculus"), ("gene", "Trp53")]),
        ("小鼠Trp53基因", [("organism", "Mus musculus"), ("gene", "Trp53")]),
        ("P38398和P04637有什么区别?", [("uniprot", "P38398"), ("uniprot", "P04637")]),
        ("BRCA1 的功能是什么?", [("gene", "BRCA1")]),
        ("KRAS:p.G12D and NM_004985.5:c.35G>A", [("gene", "KRAS"), ("refseq_transcript", "NM_004985.5")]),
        ("KRAS-G12D", [("gene", "KRAS")]),
        ("HLA-A", [("gene", "HLA-A")]),
        ("yeast GAL4", [("organism", "Saccharomyces cerevisiae"), ("gene", "GAL4")]),
        ("YBR020W", [("gene", "YBR020W")]),
        ("E. coli lacZ", [("organism", "Escherichia coli"), ("gene", "lacZ")]),
    ],
)  # fmt: skip
def test_identifiers_are_kept_whole(text, want):
    assert pairs(text) == want


def test_versions_and_isoforms_are_kept_and_said():
    (one,) = identifiers("P38398.2")
    assert (one["version"], one["isoform"], one["notes"]) == ("2", "", ["sequence version 2"])
    (two,) = identifiers("P10636-8")
    assert (two["value"], two["isoform"], two["written"]) == ("P10636", "8", "P10636-8")
    (end,) = identifiers("This is P38398.")
    assert (end["version"], end["written"]) == ("", "P38398")


def test_a_gene_is_human_by_default_and_that_is_said():
    (gene,) = identifiers("BRCA1")
    assert (gene["organism"], gene["taxon"], gene["organism_basis"]) == ("Homo sapiens", 9606, "default")
    *_, mouse = identifiers("mouse Trp53")
    assert (mouse["organism"], mouse["organism_basis"]) == ("Mus musculus", "stated")
    two = [i for i in identifiers("酵母GCN4和人TP53") if i["namespace"] == "gene"]
    assert [(g["value"], g["taxon"], g["organism_basis"]) for g in two] == [
        ("GCN4", 559292, "stated"),
        ("TP53", 9606, "stated"),
    ]
    gene = next(i for i in identifiers("TP53 in mouse and rat") if i["namespace"] == "gene")
    assert gene["organism"] == "" and "more than one organism" in gene["notes"][0]


@pytest.mark.parametrize(
    "text",
    ["???", "DNA and RNA", "internationalization of rates", "10.5 kb", "COVID-19", "50NM of it", "3UTR",
     "ATGGCCAAATTAA",
     "p.Gly12Asp", "MKTAYIAKQRQISFVKSHFSRQ", "2024", "NP_12", "the 21ST century", "RNA-seq"],
)  # fmt: skip
def test_words_that_are_no_identifiers(text):
    assert not pairs(text)


def test_what_may_be_something_else_is_uncertain():
    assert not identifiers("is 1ABC of use here")[0]["certain"]
    assert not identifiers("FOO7")[0]["certain"]
    assert not identifiers("ABC_QQQQQ")[0]["certain"]


@example("RAT")
@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80) | st.text(alphabet="P38398.-_:/10RNMSGOrsENP a蛋", max_size=60))
def test_no_text_crashes_it_and_nothing_overlaps(text):
    reply = call("identifiers.find", {"text": text})
    assert reply.error is None or reply.error.code == "arguments"
    at = 0
    for found in reply.result["identifiers"] if reply.result else []:
        assert text[found["start"] : found["start"] + len(found["written"])] == found["written"]
        assert found["start"] >= at
        at = found["start"] + len(found["written"])


@settings(max_examples=60, deadline=None)
@given(
    st.from_regex(r"[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9]([A-Z][A-Z0-9]{2}[0-9]){1,2}", fullmatch=True),
    st.sampled_from(["", "Compare ", "蛋白", "("]),
    st.sampled_from(["", " and more", "的功能", ")", ", ", "?"]),
)
def test_any_accession_in_any_sentence(accession, before, after):
    accession = accession.strip()
    assert ("uniprot", accession) in pairs(before + accession + after)
