"""The tools on sequences, against Biopython and by properties."""

from __future__ import annotations

import random
import warnings

import pytest
from Bio.Align import PairwiseAligner, substitution_matrices
from Bio.Data.CodonTable import generic_by_id
from Bio.Seq import Seq
from Bio.SeqUtils import molecular_weight
from Bio.SeqUtils.ProtParam import ProteinAnalysis
from hypothesis import example, given, settings
from hypothesis import strategies as st

from labagent.tools import call
from labagent.tools.sequences import records
from labagent.tools.sequences.alignment import align, matrix_scoring
from labagent.tools.sequences.embedded import find_sequences
from labagent.tools.sequences.letters import ALPHABETS
from labagent.tools.sequences.parsing import parse_stream
from labagent.tools.sequences.translation import table_of, translate_frame

IUPAC = "ACGTRYSWKMBDHVN"
AMINO = "ACDEFGHIKLMNPQRSTVWY"
few = settings(max_examples=60, deadline=None)
GENBANK = """LOCUS       SCU49845         24 bp    DNA     linear   PLN 21-JUN-1999
DEFINITION  A gene of yeast.
ORIGIN
        1 gatcctccat atacaacggt
       21 atct
//
LOCUS       PEPTIDE           6 aa            linear   PLN 21-JUN-1999
ORIGIN
        1 macgtt
//
"""
EMBL = """ID   X56734; SV 1; linear; mRNA; STD; PLN; 12 BP.
DE   Trifolium repens mRNA
SQ   Sequence 12 BP; 4 A; 2 C; 2 G; 4 T; 0 other;
     aaacaaacca aa                                                            12
//
"""
SWISS = """ID   CRAM_CRAAB              Reviewed;          46 AA.
SQ   SEQUENCE   46 AA;  4736 MW;  919E68AF159EF722 CRC64;
     TTCCPSIVAR SNFNVCRLPG TPEALCATYT GCIIIPGATC PGDYAN
//
"""


def result(name: str, **arguments):
    reply = call(f"sequence.{name}", arguments)
    assert reply.status == "ok", reply.error
    return reply.result


def parsed(text: str, **more):
    return result("parse", sequence=text, **more)["records"]


def error(name: str, **arguments):
    return call(f"sequence.{name}", arguments).error


def test_headers_are_whole_and_never_residues():
    one, two = parsed(
        ">sp|P01308|INS_HUMAN Insulin OS=Homo sapiens\nMALWMRLL\r\nPLLA\r\n\r\n>x ACGT\nGG-CC*\n"
    )
    assert (one["name"], one["header"]) == (
        "sp|P01308|INS_HUMAN",
        "sp|P01308|INS_HUMAN Insulin OS=Homo sapiens",
    )
    assert (one["sequence"], one["type"], one["length"]) == ("MALWMRLLPLLA", "protein", 12)
    assert (two["sequence"], two["length"], two["gaps"], two["terminal_stop"]) == ("GGCC", 4, 1, True)
    assert "header" in error("parse", sequence=">x ACGTACGTACGT").message


def test_flat_files_and_numbered_blocks():
    dna, peptide = parsed(GENBANK)
    assert (dna["sequence"], dna["type"], dna["certain"]) == ("GATCCTCCATATACAACGGTATCT", "dna", True)
    assert (dna["header"], dna["format"]) == ("A gene of yeast.", "genbank")
    assert (peptide["type"], peptide["certain"]) == ("protein", True)
    assert parsed(EMBL)[0]["sequence"] == "AAACAAACCAAA"
    assert (parsed(SWISS)[0]["length"], parsed(SWISS)[0]["type"]) == (46, "protein")
    (blocks,) = parsed("ORIGIN\n 1 gatcctccat atacaacggt\n 21 atct\n//\n")
    assert (blocks["sequence"], blocks["lower_case"]) == ("GATCCTCCATATACAACGGTATCT", 24)
    (tail,) = parsed("gatcctccat atacaacggt 20\natct 24\n")
    assert tail["length"] == 24


@pytest.mark.parametrize(
    ("text", "kind", "certain", "length"),
    [
        ("ATGGCCAAATTAA", "dna", True, 13),
        ("AUGGCCAAAUUAA", "rna", True, 13),
        ("ATG-GCC-AAA-TTA-ATG-GCC-AAA-TTA-ATG-GCC-AAA", "dna", True, 33),
        ("MKTAYIAKQRQISFVKSHFSRQ*", "protein", True, 22),
        ("MGGCCTTAAGGCCTTAAGGCC", "dna", False, 21),
        ("GGCCAAGGCCAA", "dna", False, 12),
        ("GATTACA", "dna", False, 7),
        ("GAGAGAGAGAGAGAGAGAGA", "dna", False, 20),
        ("NNNNNNNNNNNN", "dna", False, 12),
        ("ACGTUACGTACGT", "unknown", False, 13),
        ("MSUKKAEELPQ", "protein", True, 11),
        ("insulin", "protein", False, 7),
        ("INSULIN", "protein", False, 7),
        ("acgtacgtttgacca", "dna", True, 15),
    ],
)
def test_type_and_its_ambiguity(text, kind, certain, length):
    (record,) = parsed(text)
    assert (record["type"], record["certain"], record["length"]) == (kind, certain, length)
    assert certain or record["type_note"]


def test_what_the_caller_or_the_header_says_settles_the_type():
    assert parsed("GAGAGAGAGAGA", type="protein")[0]["certain"]
    assert parsed(">NP_000509.1 x\nGAGAGAGAGAGA")[0]["type"] == "protein"
    wrong = error("parse", sequence="MKTE", type="dna")
    assert wrong.faults[0].field == "type" and "ACGT" in wrong.faults[0].allowed


@pytest.mark.parametrize(
    "text", ["Tell me about kinases", "", "   \n", "???", "A12D", "分析 ACGT", ">a\n>b\n", "-.-"]
)
def test_what_is_no_sequence_is_an_error_with_a_place(text):
    failure = error("parse", sequence=text)
    assert failure.code in ("input", "arguments") and failure.faults[0].field == "sequence"


@few
@given(st.text(alphabet=IUPAC + "U-\n ", min_size=1, max_size=60))
def test_nucleotides_are_never_silently_a_protein(text):
    reply = call("sequence.parse", {"sequence": ">x\n" + text})
    for record in reply.result["records"] if reply.result else []:
        assert record["type"] in ("dna", "rna") or not record["certain"]


@few
@given(st.text(alphabet=AMINO, min_size=1, max_size=60))
def test_proteins_are_never_silently_nucleotides_but_for_letters_by_chance(text):
    (record,) = parsed(">x\n" + text)
    assert record["length"] == len(text)
    if record["type"] != "protein" and record["certain"]:
        assert set(text) <= set("ACGT") and len(text) >= 8


@example("ID   ")
@settings(max_examples=150, deadline=None)
@given(st.text(max_size=80) | st.text(alphabet="ACGU>\n\r *-.1LOCUSID/;N", max_size=80))
def test_no_text_crashes_a_tool(text):
    for name in ("parse", "stats", "reverse_complement", "translate", "orfs"):
        reply = call(f"sequence.{name}", {"sequence": text})
        assert reply.error is None or reply.error.code in ("input", "arguments")
    aligned = call("sequence.align", {"a": text, "b": "ACGTACGTAC"})
    assert aligned.error is None or aligned.error.code in ("input", "arguments")


@settings(max_examples=100, deadline=None)
@given(
    st.text(max_size=80) | st.text(alphabet="ACGTUNRMKDE*->\n\r 1", max_size=80),
    st.sampled_from(["auto", "dna", "rna", "protein"]),
)
def test_what_is_read_is_made_of_letters_of_its_type(text, declared):
    reply = call("sequence.parse", {"sequence": text, "type": declared})
    for record in reply.result["records"] if reply.result else []:
        letters = record["sequence"].replace("*", "")
        assert record["length"] == len(letters) and not set(letters) & set("-.")
        assert letters or declared != "auto" or (record["type"], record["certain"]) == ("unknown", False)
        if record["type"] != "unknown":
            assert set(letters) <= ALPHABETS[record["type"]]
            assert record["type"] in record["candidates"] or declared != "auto"
        if declared == "auto" and record["certain"] and not record["stops"]:
            assert len(record["candidates"]) == 1 or set(letters) <= set("ACGTU")


@few
@given(st.text(alphabet=AMINO + "UO", min_size=1, max_size=80).filter("ORIGIN".__ne__), st.booleans())
def test_statistics_of_proteins_are_biopythons_without_the_stop(text, stop):
    (got,) = result("stats", sequence=text + "*" * stop, type="protein")["records"]
    assert got["length"] == len(text) and got["stops"] == int(stop)
    assert got["mass"]["da"] == pytest.approx(molecular_weight(text, "protein"))
    assert (got["mass_to_first_stop"] or {}).get("da") == (got["mass"]["da"] if stop else None)
    analysis = ProteinAnalysis(text)
    assert got["isoelectric_point"] == pytest.approx(analysis.isoelectric_point())
    assert (got["extinction_reduced"], got["extinction_cystines"]) == analysis.molar_extinction_coefficient()
    assert (got["gravy"] is None) == bool(set(text) & set("UO"))


def test_statistics_say_what_cannot_be_known():
    (odd,) = result("stats", sequence="MKXAB*KL", type="protein")["records"]
    assert odd["mass"]["da"] is None and "B, X" in odd["mass"]["note"] and odd["gravy"] is None
    assert (odd["length"], odd["composition"]["*"]) == (7, 1)
    (dna,) = result("stats", sequence="GGSSAATTNNNNNNNN", type="dna")["records"]
    assert (dna["gc_percent"], dna["gc_counted"]) == (50.0, 8) and dna["mass"]["da"] is None
    (plain,) = result("stats", sequence="ACGTACGTAA")["records"]
    assert plain["mass"]["da"] == pytest.approx(molecular_weight("ACGTACGTAA", "DNA"))
    assert plain["mass_double_strand"]["da"] == pytest.approx(
        molecular_weight("ACGTACGTAA", "DNA", double_stranded=True)
    )
    (early,) = result("stats", sequence="MKTAY*IAKQR", type="protein")["records"]
    assert early["mass_to_first_stop"]["da"] == pytest.approx(molecular_weight("MKTAY", "protein"))


@few
@given(st.text(alphabet=IUPAC, min_size=1, max_size=60), st.booleans())
def test_the_other_strand_is_biopythons_in_its_own_letters(text, rna):
    text = text.replace("T", "U") if rna else text
    (got,) = result("reverse_complement", sequence=text, type="rna" if rna else "dna")["records"]
    want = Seq(text).reverse_complement_rna() if rna else Seq(text).reverse_complement()
    assert got["reverse_complement"] == str(want)
    (back,) = result("reverse_complement", sequence=str(want), type=got["type"])["records"]
    assert back["reverse_complement"] == text
    assert not rna or "T" not in str(want)


def test_a_protein_has_no_other_strand():
    assert "protein" in error("reverse_complement", sequence="MKTAYIAKQRQISFVK").message
    assert "T and U" in error("reverse_complement", sequence="ACGTUACGTACGT").message


def test_frames_agree_with_biopython_on_every_table():
    rng = random.Random(3)
    for number in sorted(generic_by_id):
        table = table_of(number)
        for alphabet in ("ACGT", "ACGU", IUPAC):
            text = "".join(rng.choices(alphabet, k=100))
            kind = "rna" if alphabet == "ACGU" else "dna"
            other = Seq(text).reverse_complement_rna() if kind == "rna" else Seq(text).reverse_complement()
            for frame in (1, 2, 3, -1, -2, -3):
                strand = (Seq(text) if frame > 0 else other)[abs(frame) - 1 :]
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    want = str(strand[: len(strand) // 3 * 3].translate(table=number))
                got = translate_frame(text, kind, frame, number)
                assert (got.protein, got.left_over) == (want, len(strand) % 3)
                assert got.length == len(want.replace("*", ""))
        for codon, residue in table.forward_table.items():
            assert translate_frame(codon, "dna", 1, number).protein == residue, (number, codon)


def test_translation_says_its_table_and_refuses_others():
    got = result("translate", sequence="ATGTGAGCCAAATTAAGGTA", table=2, frames=[1])
    assert (got["table_name"], got["records"][0]["frames"][0]["protein"]) == (
        "Vertebrate Mitochondrial",
        "MWAKL*",
    )
    assert "TGA" in result("translate", sequence="ATGTGAGCCAAATTAAGG", table=27)["notes"][0]
    wrong = error("translate", sequence="ATGTGAGCC", table=7)
    assert wrong.faults[0].field == "table" and wrong.faults[0].allowed.startswith("1, 2, 3")


@few
@given(st.text(alphabet="ACGT", min_size=1, max_size=300), st.sampled_from([1, 2, 11, 27]), st.booleans())
def test_an_orf_is_what_its_place_says(text, table, partial):
    got = result("orfs", sequence=text, type="dna", table=table, min_length=3, start="table", partial=partial)
    for orf in got["orfs"]:
        piece = Seq(text)[orf["start"] - 1 : orf["end"]]
        piece = piece if orf["frame"] > 0 else piece.reverse_complement()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            protein = str(piece.translate(table=table))
        assert "M" + protein[1:].rstrip("*") == orf["protein"] and len(orf["protein"]) == orf["length"] >= 3
        assert partial or orf["stop_codon"] == str(piece[-3:])
        assert (
            str(piece[:3]) == orf["start_codon"] and orf["start_codon"] in generic_by_id[table].start_codons
        )
        begin = orf["start"] if orf["frame"] > 0 else len(text) + 1 - orf["end"]
        assert (begin - abs(orf["frame"])) % 3 == 0


def test_orfs_that_are_known():
    text = "CC" + "ATG" + "GCC" * 40 + "TAA" + "GG"
    (orf,) = result("orfs", sequence=text)["orfs"]
    assert (orf["frame"], orf["start"], orf["end"], orf["length"]) == (3, 3, 128, 41)
    (back,) = result("orfs", sequence=str(Seq(text).reverse_complement()))["orfs"]
    assert (back["frame"], back["start"], back["end"]) == (-3, 3, 128) and back["protein"] == orf["protein"]
    assert result("orfs", sequence=text[:-5])["total"] == 0
    assert result("orfs", sequence=text[:-5], partial=True)["orfs"][0]["stop_codon"] == ""


def printed_identity(text: str) -> tuple[int, int]:
    """Identical columns and all columns, counted over the printed alignment."""
    identical = columns = 0
    for block in text.split("\n\n"):
        first, _, second = (line[9:] for line in block.split("\n"))
        for x, y in zip(first.split(" ")[0], second.split(" ")[0], strict=True):
            columns, identical = columns + 1, identical + (x == y != "-")
    return identical, columns


@few
@given(st.text(alphabet=AMINO, min_size=1, max_size=150), st.data())
def test_identity_is_that_of_the_printed_alignment(text, data):
    cut = data.draw(st.integers(0, len(text)))
    other = text[:cut] + data.draw(st.text(alphabet=AMINO, max_size=20)) + text[cut + 5 :]
    mode = data.draw(st.sampled_from(["global", "local"]))
    got = result("align", a=text, b=other or "M", type="protein", mode=mode)
    identical, columns = printed_identity(got["text"]) if got["text"] else (0, 0)
    assert (got["identical"], got["columns"]) == (identical, columns)
    assert got["identity_percent"] == pytest.approx(100 * identical / columns if columns else 0)
    assert got["a"].replace("-", "") == text[got["a_start"] - 1 : got["a_end"]]
    assert mode == "local" or got["b"].replace("-", "") == (other or "M")


def test_identity_counts_beyond_the_first_block():
    text = "MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHGKKVADALTNAVAHVDDMPNALSALSDLHAHKL"
    other = text[:60] + "W" * (len(text) - 60)
    got = result("align", a=text, b=other)
    assert got["identity_percent"] < 70 and got["identical"] >= 60


def test_the_score_is_biopythons_over_modes_costs_and_kept_rows():
    rng = random.Random(1)
    matrix = substitution_matrices.load("BLOSUM62")
    for _ in range(60):
        cost = rng.choice([(0, 0), (1, 1), (5, 0), (11, 1), (11, 2)])
        a = "".join(rng.choices("ACDEFGHIK", k=rng.randint(1, 60)))
        b = list(a)
        for _ in range(rng.randint(0, 8)):
            at = rng.randrange(len(b) + 1)
            b[at : at + rng.randint(0, 6)] = rng.choices("ACDEFGHIK", k=rng.randint(0, 6))
        b = "".join(b) or "A"
        for mode in ("global", "local"):
            oracle = PairwiseAligner(mode=mode)
            oracle.substitution_matrix = matrix
            oracle.open_gap_score, oracle.extend_gap_score = -cost[0], -cost[1]
            made = align(a, b, matrix_scoring("BLOSUM62", *cost), local=mode == "local")
            assert made.score == oracle.score(a, b)
            assert score_of(made.a, made.b, matrix, *cost) == made.score


def score_of(a: str, b: str, matrix, opening: int, extending: int) -> int:
    score, gap = 0, ""
    for x, y in zip(a, b, strict=True):
        here = "a" if x == "-" else "b" if y == "-" else ""
        score += -(extending if gap == here else opening) if here else int(matrix[x, y])
        gap = here
    return score


def test_alignments_of_two_types_are_refused_and_rna_is_read_beside_dna():
    assert error("align", a="MKTAYIAKQRQISF", b="ACGTACGTTGCA").faults[0].field == "b"
    got = result("align", a="ACGTACGTTGCA", b="ACGUACGUUGCA")
    assert got["identity_percent"] == 100 and "U is written as T" in got["notes"][0]
    assert error("align", a="ACGTACGTTGCA", b="ACGTACGTTGCA", matrix="BLOSUM62").faults[0].field == "matrix"
    assert error("align", a=">a\nACGT\n>b\nACGT", b="ACGT").faults[0].field == "a"


def test_a_stream_gives_records_before_it_ends():
    def lines():
        yield ">one\n"
        yield "ACGTACGTTT\n"
        yield ">two\n"
        raise RuntimeError("read too far")

    stream = parse_stream(lines())
    assert next(stream).name == "one"
    with pytest.raises(RuntimeError):
        next(stream)


def test_sequences_in_sentences():
    found = [
        f.letters
        for f in find_sequences(
            "Please translate ATGGCCAAATTAAGGGCCCAAATAG for DNA. 分析MVLSPADKTNVKAAWGKVG?"
        )
    ]
    assert found == ["ATGGCCAAATTAAGGGCCCAAATAG", "MVLSPADKTNVKAAWGKVG"]
    assert not find_sequences("Tell me about immunoglobulins internationalization, BRCA1 and RNA-SEQ")


def test_alphabets_are_iupacs():
    from Bio.Data.IUPACData import ambiguous_dna_letters, extended_protein_letters

    assert ALPHABETS["dna"] == set(ambiguous_dna_letters)
    assert ALPHABETS["protein"] == set(extended_protein_letters) | {"*"}
    assert records.MAX_TEXT >= 35_000
