"""The tools on variants: notation both ways, applying, comparing, what is said of an exchange."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labagent.tools import call
from labagent.tools.variants.effects import GRANTHAM_ORDER, HYDROPATHY, VOLUME, grantham
from labagent.tools.variants.legacy import OFFSETS, bundled
from labagent.tools.variants.reading import read_variant
from labagent.tools.variants.residues import THREE
from labagent.tools.variants.writing import hgvs, short

AMINO = "ACDEFGHIKLMNPQRSTVWY"
few = settings(max_examples=150, deadline=None)
KRAS = "MTEYKLVVVGAGGVGKSALT"


def result(name: str, **arguments):
    reply = call(f"variant.{name}", arguments)
    assert reply.status == "ok", reply.error
    return reply.result


def error(name: str, **arguments):
    return call(f"variant.{name}", arguments).error


def found(text: str, **more):
    return [(v["hgvs"], v["gene"], v["certain"]) for v in result("parse", text=text, **more)["variants"]]


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("p.Gly12Asp", "p.Gly12Asp", "substitution"),
        ("p.(Gly12Asp)", "p.(Gly12Asp)", "substitution"),
        ("G12D", "p.Gly12Asp", "substitution"),
        ("p.g12d", "p.Gly12Asp", "substitution"),
        ("p.GLY12ASP", "p.Gly12Asp", "substitution"),
        ("W24*", "p.Trp24Ter", "nonsense"),
        ("p.Trp24X", "p.Trp24Ter", "nonsense"),
        ("p.Trp24Stop", "p.Trp24Ter", "nonsense"),
        ("p.Cys123=", "p.Cys123=", "synonymous"),
        ("p.Met1?", "p.Met1?", "start_loss"),
        ("p.=", "p.=", "synonymous"),
        ("p.0", "p.0", "no_protein"),
        ("p.?", "p.?", "unknown"),
        ("p.Phe508del", "p.Phe508del", "deletion"),
        ("ΔF508", "p.Phe508del", "deletion"),
        ("∆Phe508", "p.Phe508del", "deletion"),
        ("F508Δ", "p.Phe508del", "deletion"),
        ("delF508", "p.Phe508del", "deletion"),
        ("F508delF", "p.Phe508del", "deletion"),
        ("p.Lys23_Val25del", "p.Lys23_Val25del", "deletion"),
        ("K2_T3insA", "p.Lys2_Thr3insAla", "insertion"),
        ("p.Lys2_Thr3insGlnSerLys", "p.Lys2_Thr3insGlnSerLys", "insertion"),
        ("p.Gly4_Gln6dup", "p.Gly4_Gln6dup", "duplication"),
        ("p.C28delinsWV", "p.Cys28delinsTrpVal", "delins"),
        ("p.Glu23ValfsTer17", "p.Glu23ValfsTer17", "frameshift"),
        ("p.E23Vfs*17", "p.Glu23ValfsTer17", "frameshift"),
        ("E23fs", "p.Glu23fs", "frameshift"),
        ("p.(Arg97ProfsX?)", "p.(Arg97ProfsTer?)", "frameshift"),
        ("p.Met1ext-5", "p.Met1ext-5", "extension"),
        ("p.*110Glnext*17", "p.Ter110GlnextTer17", "extension"),
        ("c.35G>A", "c.35G>A", "substitution"),
        ("c.68_69delAG", "c.68_69del", "deletion"),
        ("c.88+1G>T", "c.88+1G>T", "substitution"),
        ("c.89-2_90del", "c.89-2_90del", "deletion"),
        ("c.-14G>C", "c.-14G>C", "substitution"),
        ("c.*32_*33insTA", "c.*32_*33insTA", "insertion"),
        ("c.20dupG", "c.20dup", "duplication"),
        ("g.3_8inv", "g.3_8inv", "inversion"),
        ("n.7_9delinsAC", "n.7_9delinsAC", "delins"),
        ("n.7_9delTGAinsAC", "n.7_9delinsAC", "delins"),
        ("m.8993T>G", "m.8993T>G", "substitution"),
        ("NM_004985.5(KRAS):c.35G>A", "NM_004985.5:c.35G>A", "substitution"),
    ],
)
def test_notations(text, name, kind):
    variant = read_variant(text)
    assert (hgvs(variant), variant.kind) == (name, kind)
    assert read_variant(hgvs(variant, stated=True)) == variant


@pytest.mark.parametrize(
    "text",
    ["", "p.", "G12", "p.12D", "A549B!", "p.Gly12_Asp10del", "K2_T4insA", "c.35G>", "g.88+1G>T", "c.3ins",
     "p.Foo12Bar",
     "p.Gly0Asp", "*12D", "p.Gly12Asp;", "g.*5A>T", "c.9_8del", "p.K2ins", "hello", "p.Val2?"],
)  # fmt: skip
def test_what_is_no_variant_is_refused(text):
    assert call("variant.apply", {"sequence": KRAS, "variant": text}).error.code in ("input", "arguments")


numbers = st.integers(1, 99999)
residue = st.sampled_from(AMINO)
residues = st.text(alphabet=AMINO, min_size=1, max_size=4)
bases = st.text(alphabet="ACGT", min_size=1, max_size=4)
pair = st.tuples(residue, numbers, residue, st.integers(1, 50))
place = st.builds(
    lambda a, n, o: f"{a}{n}{o:+d}" if o else f"{a}{n}",
    st.sampled_from(["", "-", "*"]),
    numbers,
    st.integers(-9, 9),
)
protein = st.one_of(
    st.builds(lambda a, n, b: f"{THREE[a]}{n}{THREE[b]}", residue, numbers, st.sampled_from(AMINO + "*")),
    st.builds(lambda p, w: f"{p[0]}{p[1]}_{p[2]}{p[1] + p[3]}{w}", pair, st.sampled_from(["del", "dup"])),
    st.builds(lambda p, new: f"{p[0]}{p[1]}_{p[2]}{p[1] + 1}ins{new}", pair, residues),
    st.builds(lambda a, n, new: f"{a}{n}delins{new}", residue, numbers, residues),
    st.builds(lambda a, n, b, k: f"{a}{n}{b}fs*{k or '?'}", residue, numbers, residue, st.integers(0, 99)),
    st.builds(lambda n, b, k: f"*{n}{b}ext*{k or '?'}", numbers, residue, st.integers(0, 99)),
    st.builds(lambda b, k: f"Met1{THREE[b]}ext-{k}", residue.filter(lambda b: b != "M"), numbers),
)
nucleotide = st.one_of(
    st.builds(lambda p, x: f"{p}{x[0]}>{x[1]}", place, st.permutations("ACGT")),
    st.builds(lambda p, w, s: f"{p}{w}{s}", place, st.sampled_from(["del", "dup"]), bases | st.just("")),
    st.builds(lambda n, k, s: f"{n}_{n + k}delins{s}", numbers, st.integers(1, 9), bases),
    st.builds(lambda n, s: f"{n}_{n + 1}ins{s}", numbers, bases),
    st.builds(lambda n: f"-{n + 1}_-{n}inv", numbers),
)
notation = st.one_of(protein.map("p.{}".format), protein.map("p.({})".format), nucleotide.map("c.{}".format))


@settings(max_examples=400, deadline=None)
@given(notation, st.sampled_from(["", "NM_004985.5:", "NP_004976.2:", "ENST00000311936.8:"]))
def test_parse_format_parse_is_the_identity(body, reference):
    variant = read_variant(reference + body)
    for stated in (True, False):
        text = hgvs(variant, stated=stated)
        assert hgvs(read_variant(text), stated=stated) == text
    assert read_variant(hgvs(variant, stated=True)) == variant
    assert variant.reference == reference.rstrip(":")
    if short(variant) and variant.kind != "frameshift" and not reference:
        assert read_variant("p." + short(variant)).start == variant.start


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60) | st.text(alphabet="pcg.()_>delinsfsX*ΔGly12AspKT 508:=?+-", max_size=40))
def test_no_text_crashes_a_tool(text):
    for name, arguments in (
        ("parse", {"text": text}),
        ("apply", {"sequence": KRAS, "variant": text}),
        ("effect", {"variant": text}),
        ("compare", {"wild_type": KRAS, "mutant": text}),
    ):
        failure = call(f"variant.{name}", arguments).error
        assert failure is None or failure.code in ("input", "arguments", "range", "mismatch"), failure


@settings(max_examples=100, deadline=None)
@given(
    st.lists(notation | st.text(alphabet="pcg.KRAS GD12>_:()del*", max_size=12), max_size=4).map(" ".join),
)
def test_what_is_found_stands_there_and_can_be_read_again(text):
    reply = call("variant.parse", {"text": text})
    for one in reply.result["variants"] if reply.result else []:
        assert text[one["start"] :].startswith(one["written"])
        again = read_variant(one["hgvs"])
        assert (hgvs(again), again.kind) == (one["hgvs"], one["variant"]["kind"])


def test_variants_in_sentences_with_their_gene():
    assert found("KRAS G12D") == [("p.Gly12Asp", "KRAS", True)]
    assert found("What does KRAS-G12D do?") == [("p.Gly12Asp", "KRAS", True)]
    assert found("NM_004985.5(KRAS):c.35G>A (p.Gly12Asp)") == [
        ("NM_004985.5:c.35G>A", "KRAS", True), ("p.Gly12Asp", "KRAS", True)
    ]  # fmt: skip
    assert found("BRCA1 c.68_69delAG p.Glu23ValfsTer17") == [
        ("c.68_69del", "BRCA1", True), ("p.Glu23ValfsTer17", "BRCA1", True)
    ]  # fmt: skip
    assert found("TP53:p.R175H是什么突变?") == [("p.Arg175His", "TP53", True)]
    assert found("WT: MTEYK\nMT: p.Gly12Asp") == [("p.Gly12Asp", "", True)]
    assert found("CFTR ΔF508, and p.Trp1282*.")[1][0] == "p.Trp1282Ter"


@pytest.mark.parametrize(
    "text", ["cell line A549B growth", "H1N1 and COVID-19", "p53 in mice", "version p.2 of it"]
)
def test_words_that_are_no_variants(text):
    assert not found(text)


@pytest.mark.parametrize("text", ["T47D cells", "E2F binding", "the A1C value", "braf v600e"])
def test_words_that_may_be_something_else_are_said_to_be(text):
    ((_, _, certain),) = found(text)
    assert not certain


def test_older_numbering_is_hinted_at_and_only_where_the_residues_say_so():
    (hint,) = result("parse", text="HBB E6V sickle")["legacy"]
    assert (hint["hgvs"], hint["offset"], hint["basis"]) == ("p.Glu7Val", 1, "sequence")
    assert not result("parse", text="HBB E7V")["legacy"]
    assert result("parse", text="TTR V30M")["legacy"][0]["hgvs"] == "p.Val50Met"
    (hint,) = result("parse", text="SOD1 A4V")["legacy"]
    assert (hint["hgvs"], hint["basis"]) == ("p.Ala5Val", "known variant")
    assert result("parse", text="SOD1 N19S")["legacy"][0]["basis"] == "known gene"
    assert not result("parse", text="SOD1 p.Ala5Val")["legacy"]
    assert result("parse", text="E6V", sequence=bundled("P68871"))["legacy"][0]["hgvs"] == "p.Glu7Val"
    assert not result("parse", text="KRAS G12D", sequence=KRAS)["legacy"]


def test_offsets_are_those_of_the_records(monkeypatch):
    import gzip

    from labagent.tools.variants.legacy import FACTS

    rows = {}
    with gzip.open(FACTS, "rt") as stream:
        for row in map(json.loads, stream):
            rows[row["accession"]] = min((s[1] for s in row["sites"] if s[0] == "Chain"), default=1)
    checked = [g for g, n in OFFSETS.items() if n.accession in rows and rows[n.accession] == n.offset + 1]
    assert not [g for g, n in OFFSETS.items() if n.accession in rows and rows[n.accession] != n.offset + 1]
    assert {"HBB", "TTR", "GBA1", "F9"} <= set(checked)


@pytest.mark.parametrize(
    ("sequence", "variant", "name", "made"),
    [
        (KRAS, "G12D", "p.Gly12Asp", "MTEYKLVVVGADGVGKSALT"),
        ("MKTAAAYI", "A4del", "p.Ala6del", "MKTAAYI"),
        ("MKTAAAYI", "p.Thr3_Ala4insAla", "p.Ala6dup", "MKTAAAAYI"),
        ("MKTAAAYI", "p.Ala4_Ala5dup", "p.Ala5_Ala6dup", "MKTAAAAAYI"),
        ("MKTAAAYI", "p.Lys2_Thr3delinsThr", "p.Lys2del", "MTAAAYI"),
        ("MKTAAAYI", "p.Tyr7Ter", "p.Tyr7Ter", "MKTAAA"),
        ("ATGGCAAATTA", "c.6del", "c.8del", "ATGGCAATTA"),
        ("ATGGCAAATTA", "c.4_5insGG", "c.3_4dup", "ATGGGGCAAATTA"),
        ("ATGGCAAATTA", "c.4_5insTT", "c.4_5insTT", "ATGGTTCAAATTA"),
        ("ATGGCAAATTA", "c.2_4inv", "c.2_4inv", "ACCACAAATTA"),
        ("AUGGCAAAUUA", "n.2T>C", "n.2T>C", "ACGGCAAAUUA"),
        ("ATGGCAAATTA", "g.9T>G", "g.9T>G", "ATGGCAAAGTA"),
    ],
)
def test_applying(sequence, variant, name, made):
    kind = "protein" if name.startswith("p.") else "rna" if "U" in sequence else "dna"
    got = result("apply", sequence=sequence, variant=variant, type=kind)
    assert (got["sequence"], got["hgvs"], got["length_after"]) == (made, name, len(made))


def test_places_of_a_transcript_count_from_its_start_codon():
    got = result("apply", sequence="GGGCCATGGCAAATTA", variant="c.-2C>T", type="dna", cds_start=6)
    assert got["sequence"] == "GGGTCATGGCAAATTA"
    assert error("apply", sequence="ATGGCA", variant="c.-2C>T", type="dna").code == "range"
    assert error("apply", sequence="ATGGCA", variant="c.3+1G>T", type="dna").message.endswith("does not show")


def test_errors_say_which_residue_is_there():
    wrong = error("apply", sequence=KRAS, variant="A12D")
    assert (wrong.code, wrong.message) == ("mismatch", "residue 12 is G, not A")
    assert error("compare", wild_type=KRAS, mutant="A12D").message == "residue 12 is G, not A"
    assert "p.Glu7" in error("apply", sequence="MVHLTPEEKS", variant="E6V").hints[0]
    far = error("apply", sequence=KRAS, variant="G120D")
    assert far.code == "range" and "20" in far.faults[0].allowed
    assert error("apply", sequence="ATGGCAAATTA", variant="c.2A>C", type="dna").code == "mismatch"
    assert error("apply", sequence="ATGGCAAATTA", variant="c.4_5delAA", type="dna").faults[0].allowed == "GC"
    assert not result("apply", sequence=KRAS, variant="p.Gly12fs")["complete"]


def test_one_inserted_residue_is_one_difference():
    got = result("compare", wild_type="MKTAYIAKQR", mutant="MKATAYIAKQR")
    assert (got["n_differences"], got["hgvs"], got["differences"][0]["kind"]) == (
        1,
        "p.Lys2_Thr3insAla",
        "insertion",
    )
    got = result("compare", wild_type=KRAS, mutant="p.Gly12Asp")
    assert (got["n_differences"], got["hgvs"], got["identity_percent"]) == (1, "p.Gly12Asp", 95.0)


@pytest.mark.parametrize(
    ("old", "new", "name", "count"),
    [
        ("MKTAYIAKQR", "MKTAYIAKQR", "p.=", 0),
        ("MKTAYIAKQR", "MKTAY*", "p.Ile6Ter", 1),
        ("MKTAYIAKQR", "MKTAY", "p.Ile6_Arg10del", 1),
        ("MKTAYIAKQR*", "MKTAYIAKQRWW*", "p.Ter11TrpextTer2", 1),
        ("MKTAYIAKQR", "AGMKTAYIAKQR", "p.Met1ext-2", 1),
        ("MKTAYIAKQR", "MKTAYIAKAKQR", "p.Ala7_Lys8dup", 1),
        ("MKTAYIAKQR", "MKTWWIAKQR", "p.Ala4_Tyr5delinsTrpTrp", 1),
        ("MKTAYIAKQRQISFVKSHFS", "MKWAYIAKQRQISFVKSWFS", "p.[Thr3Trp;His18Trp]", 2),
    ],
)
def test_comparing_proteins(old, new, name, count):
    got = result("compare", wild_type=old, mutant=new, type="protein")
    assert (got["hgvs"], got["n_differences"]) == (name, count)


@pytest.mark.parametrize(
    ("new", "name", "consequence", "effect"),
    [
        ("ATGGACAAATTATAA", "c.5C>A", "p.(Ala2Asp)", "missense"),
        ("ATGGCTAAATTATAA", "c.6C>T", "p.(=)", "synonymous"),
        ("ATGGCCTAATTATAA", "c.7A>T", "p.(Lys3Ter)", "nonsense"),
        ("ATGGCCAAATTACAA", "c.13T>C", "p.(Ter5GlnextTer?)", "stop lost"),
        ("ATGGCAAATTATAA", "c.6del", "p.(Lys3AsnfsTer?)", None),
        ("ATGGCCAAAAAATTATAA", "c.7_9dup", "p.(Lys3dup)", None),
        ("ATAGCCAAATTATAA", "c.3G>A", "p.(Met1?)", "missense"),
    ],
)
def test_dna_is_compared_by_codon(new, name, consequence, effect):
    got = result("compare", wild_type="ATGGCCAAATTATAA", mutant=new)
    assert (got["hgvs"], got["protein_hgvs"]) == (name, consequence)
    assert [c["effect"] for c in got["codons"]] == ([effect] if effect else [])
    assert result("compare", wild_type="ATGGCCAAATTATAA", mutant=new, coding="no")["hgvs"] == name.replace(
        "c.", "n."
    )


@few
@given(st.text(alphabet=AMINO, min_size=4, max_size=60), st.data())
def test_a_difference_names_the_change_that_was_made(text, data):
    """Applying what the comparison says gives the mutant again."""
    start = data.draw(st.integers(1, len(text) - 1))
    end = data.draw(st.integers(start, min(start + 4, len(text) - 1)))
    mutant = text[:start] + data.draw(st.text(alphabet=AMINO, max_size=4)) + text[end:]
    got = result("compare", wild_type=text, mutant=mutant, type="protein")
    assert (got["n_differences"] == 0) == (text == mutant)
    made = text
    for difference in reversed(got["differences"]):
        if difference["kind"] == "extension":  # its name holds the first new residue only
            made += difference["mutant"]
        else:
            made = result("apply", sequence=made, variant=difference["hgvs"])["sequence"]
    assert made == mutant


@few
@given(
    st.text(alphabet="ACGT", min_size=30, max_size=90),
    st.integers(2, 20),
    st.text(alphabet="ACGT", max_size=7),
)
def test_dna_differences_give_the_mutant_again(text, at, new):
    mutant = text[:at] + new + text[at + 3 :]
    got = result("compare", wild_type=text, mutant=mutant, type="dna", coding="no")
    made = text
    for difference in reversed(got["differences"]):
        made = result("apply", sequence=made, variant=difference["hgvs"], type="dna")["sequence"]
    assert made == mutant


def test_figures_are_those_published_and_never_a_verdict():
    got = result("effect", variant="BRAF V600E".split()[1])
    values = {e["name"]: e["value"] for e in got["evidence"]}
    assert values == {
        "BLOSUM62": -2,
        "Grantham distance": 121,
        "hydropathy": -7.7,
        "charge": -1,
        "volume": -1.6,
    }
    assert "heuristics" in got["label"] and "pathogenic" in got["label"]
    words = json.dumps({k: v for k, v in got.items() if k != "label"}).lower()
    assert not any(w in words for w in ("benign", "impactful", "damaging", "pathogenic"))
    assert result("effect", variant="K5E")["flags"] == ["charge reversal"]
    assert "premature stop" in result("effect", variant="W24*")["flags"]
    assert error("effect", variant="A12D", sequence=KRAS).message == "residue 12 is G, not A"
    assert error("effect", variant="c.35G>A").faults[0].allowed.startswith("p.")


def test_the_scales_agree_with_other_sources():
    from Bio.SeqUtils.ProtParamData import kd

    assert kd == HYDROPATHY and set(VOLUME) == set(AMINO) == set(GRANTHAM_ORDER)
    composition = {"S": (1.42, 9.2, 32), "R": (0.65, 10.5, 124), "L": (0, 4.9, 111), "P": (0.39, 8.0, 32.5),
                   "T": (0.71, 8.6, 61), "A": (0, 8.1, 31), "V": (0, 5.9, 84), "G": (0.74, 9.0, 3),
                   "I": (0, 5.2, 111),
                   "F": (0, 5.2, 132), "Y": (0.20, 6.2, 136), "C": (2.75, 5.5, 55), "H": (0.58, 10.4, 96),
                   "Q": (0.89, 10.5, 85), "N": (1.33, 11.6, 56), "K": (0.33, 11.3, 119),
                   "D": (1.38, 13.0, 54),
                   "E": (0.92, 12.3, 83), "M": (0, 5.7, 105), "W": (0.13, 5.4, 170)}  # fmt: skip
    for x, (c, p, v) in composition.items():
        for y, (d, q, w) in composition.items():
            formula = 50.723 * (1.833 * (c - d) ** 2 + 0.1018 * (p - q) ** 2 + 0.000399 * (v - w) ** 2) ** 0.5
            if {x, y} != {"D", "W"}:  # the published table has 181, the formula gives 191
                assert abs(grantham(x, y) - formula) < 1.5, (x, y, grantham(x, y), formula)


def test_a_question_of_the_longest_size_is_read():
    rng = random.Random(5)
    text = "".join(rng.choices("p.c.G12D (>_", k=20_000))
    assert call("variant.parse", {"text": text}).status == "ok"


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("BRAF V600E/K", ["p.Val600Glu", "p.Val600Lys"]),
        ("KRAS G12C/D/V", ["p.Gly12Cys", "p.Gly12Asp", "p.Gly12Val"]),
        ("p.Arg175His/Ter", ["p.Arg175His", "p.Arg175Ter"]),
        ("V600E/V600K", ["p.Val600Glu", "p.Val600Lys"]),
        ("G12D and/or surgery", ["p.Gly12Asp"]),
        ("c.[76A>C;83G>C]", ["c.76A>C", "c.83G>C"]),
        (
            "NM_000492.4(CFTR):c.[350G>A];[1521_1523del]",
            ["NM_000492.4:c.350G>A", "NM_000492.4:c.1521_1523del"],
        ),
        ("p.[Arg175His;nonsense]", ["p.Arg175His"]),
        ("mutation=G13D", ["p.Gly13Asp"]),
    ],
)
def test_several_variants_in_one_notation_are_each_found(text, want):
    found = result("parse", text=text)["variants"]
    assert [f["hgvs"] for f in found] == want
    assert all(text[f["start"] :].startswith(f["written"]) for f in found)
