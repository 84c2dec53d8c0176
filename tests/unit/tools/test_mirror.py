"""Mirrors of UniProtKB flat files: what is read, what is found, by many at once."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from labagent.cli import main
from labagent.errors import ToolError
from labagent.tools.backends import Source, connect, using
from labagent.tools.mirrors.building import build
from labagent.tools.mirrors.database import opened
from labagent.tools.mirrors.entry import unwrapped
from labagent.tools.mirrors.flat import crc64
from labagent.tools.proteins.records import ProteinHits, ProteinRecord, SearchArguments
from labagent.tools.registry import call
from support.flat_files import ALPHA, OTHERS, SEQUENCE, Entry, accession_of, chain, many


@pytest.fixture(scope="module")
def flat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("flat") / "entries.dat"
    path.write_text("".join(e.text() for e in (ALPHA, *OTHERS)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def mirror(flat: Path, tmp_path_factory: pytest.TempPathFactory) -> Source:
    target = tmp_path_factory.mktemp("mirror") / "sp.sqlite"
    build(target, [flat])
    return connect(f"mirror:{target}")


def protein(source: Source, key: str) -> ProteinRecord:
    assert source.proteins is not None
    return source.proteins.protein(key)


def search(source: Source, **query: object) -> ProteinHits:
    assert source.proteins is not None
    return source.proteins.search_proteins(SearchArguments.model_validate(query))


def accessions(source: Source, **query: object) -> list[str]:
    return [h.accession for h in search(source, **query).hits]


def test_an_entry_is_read_whole(mirror: Source):
    found = protein(mirror, "P11111")
    assert (found.name, found.gene, found.gene_synonyms) == (
        "Alpha-synthase β-like",
        "ALPH1",
        ("TGFB9", "NF-X"),
    )
    assert (found.organism, found.common_name, found.taxon) == ("Homo sapiens", "Human", 9606)
    assert found.function == ("Repairs broken strands of DNA in the nucleus.",)
    assert found.locations == ("Nucleus, nucleolus", "Membrane", "Lipid-anchor")
    assert [(d.name, d.acronym, d.mim) for d in found.diseases] == [("Test disease 7", "TD7", "600123")]
    assert found.ec == ("2.7.11.1",) and found.keywords == ("Cytoplasm", "Kinase")
    assert (found.entry_version, found.entry_date, found.sequence_version) == (77, "2023-03-03", 3)
    assert [g.id for g in found.go] == ["GO:0005634"]
    first = found.references[0]
    assert (first.database, first.id, first.more) == ("RefSeq", "NP_000999.2", ("NM_001008.3",))
    assert found.pmids == ("123", "555") and found.source == "mirror:sp" and found.missing == ()


def test_features_and_variants(mirror: Source):
    found = protein(mirror, "P11111")
    variants = [(v.first, v.last, v.original, v.changed, v.diseases) for v in found.variants]
    assert variants == [(4, 4, "K", "E", ("TD7",)), (6, 7, "SS", "", ("TD7",))]  # "W -> E" is not there
    assert found.variants[0].dbsnp == ("rs777000777",) and found.variants[0].pmids == ("555", "556")
    kinds = [(f.kind, f.first, f.last, f.original, f.changed) for f in found.features]
    assert kinds == [
        ("Alternative sequence", 2, 5, "DSKG", ""),
        ("Alternative sequence", 10, 10, "G", "WW"),
        ("Mutagenesis", 8, 8, "", ""),
        ("Chain", None, 50, "", ""),
    ]
    assert found.features[3].note == "Example chain, long enough for its note to go on over the line"


def test_an_isoform_is_made_by_its_changes(mirror: Source):
    """Asked through the tool: residues 2 to 5 are missing, residue 10 is WW."""
    with using([mirror]):
        reply = call("uniprot.fetch", {"accession": "P11111-2"})
    assert reply.result is not None
    assert reply.result["sequence"] == "M" + SEQUENCE[5:9] + "WW" + SEQUENCE[10:]


def test_keys_lead_to_entries(mirror: Source):
    assert protein(mirror, "Q22222").accession == "P11111"
    assert protein(mirror, "Q22222").found_by == "secondary"
    assert protein(mirror, "ALPH_HUMAN").found_by == "entry_name"
    with pytest.raises(ToolError) as split:
        protein(mirror, "Q33333")
    assert split.value.code == "ambiguous" and split.value.allowed == "P11111, P44444"
    for absent in ("P99999", "NONE_HUMAN", "A0A000A000"):
        with pytest.raises(ToolError) as unknown:
            protein(mirror, absent)
        assert unknown.value.code == "not_found"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"gene": "alph1"}, ["P11111", "P44444"]),
        ({"gene": "ALPH1", "organism": "human"}, ["P11111"]),
        ({"gene": "tgfb9"}, ["P11111"]),
        ({"gene": "ALP"}, []),
        ({"organism": "yeast"}, ["P55555"]),
        ({"organism": "Saccharomyces cerevisiae"}, ["P55555"]),
        ({"organism": "Baker's yeast"}, ["P55555"]),
        ({"organism": "Saccharomyces"}, []),
        ({"taxon": 10090}, ["P44444"]),
        ({"query": "strands"}, ["P11111", "P44444"]),
        ({"query": '"broken strands" nucleus'}, ["P11111"]),
        ({"query": '"strands broken"'}, []),
        ({"query": "kinase", "reviewed": False}, ["P55555"]),
        ({"query": "alphasynthase"}, ["P11111"]),
        ({"query": "β-like"}, ["P11111"]),
        ({"query": "beta-like"}, ["P11111"]),
        ({"query": "NP_000999"}, ["P11111"]),
        ({"query": "ENSG00000123456"}, ["P11111"]),
        ({"query": "9xyz"}, ["P11111"]),
        ({"query": "rs777000777"}, ["P11111"]),
        ({"query": "555"}, ["P11111"]),
        ({"query": 'AND OR NOT ( " *'}, []),
        ({"query": "'; DROP TABLE entry; --"}, []),
    ],
)
def test_searches(mirror: Source, query: dict[str, object], found: list[str]):
    hits = search(mirror, **query)
    assert [h.accession for h in hits.hits] == found and hits.total == len(found)


def test_a_word_in_the_name_counts_more_than_one_in_a_comment(tmp_path: Path):
    named = Entry("P66666", "ZINC_HUMAN", chain(9), full="Zinc importer", gene="ZZZ3")
    told = Entry("P00006", "TOLD_HUMAN", chain(8), comments=(("FUNCTION", "It is fond of zinc and zinc"),))
    others = [Entry(f"P0000{n}", f"X{n}_HUMAN", chain(n), gene=f"X{n}") for n in range(5)]
    (tmp_path / "x.dat").write_text("".join(e.text() for e in (told, *others, named)))
    build(tmp_path / "x.sqlite", [tmp_path / "x.dat"])
    assert accessions(connect(f"mirror:{tmp_path / 'x.sqlite'}"), query="zinc") == ["P66666", "P00006"]


def test_a_search_says_how_it_was_made(mirror: Source):
    hits = search(mirror, query="strands", size=1)
    assert len(hits.hits) == 1 and hits.total == 2 and "BM25" in hits.order
    assert hits.source == "mirror:sp" and hits.retrieved
    assert search(mirror, query="rs777000777").notes == ("rs777000777 of P11111: K4E",)
    with pytest.raises(ToolError) as empty:
        search(mirror, query="--- ?")
    assert empty.value.code == "input"


def test_many_threads_and_processes_read_at_once(tmp_path: Path):
    (tmp_path / "many.dat").write_text("".join(many(60)))
    target = tmp_path / "sp.sqlite"
    build(target, [tmp_path / "many.dat"])
    target.chmod(0o444)
    code = (
        "import sys; from labagent.tools.backends import connect\n"
        "source = connect('mirror:' + sys.argv[1])\n"
        "print(source.proteins.protein(sys.argv[2]).gene)"
    )
    command = [sys.executable, "-c", code, str(target)]
    running = [
        subprocess.Popen([*command, accession_of(n)], stdout=subprocess.PIPE, text=True) for n in (7, 8)
    ]
    source = connect(f"mirror:{target}")
    with ThreadPoolExecutor(8) as pool:
        genes = list(pool.map(lambda n: protein(source, accession_of(n % 60)).gene, range(240)))
    assert genes == [f"GEN{n % 60}" for n in range(240)]
    assert [p.communicate()[0].strip() for p in running] == ["GEN7", "GEN8"]
    assert sorted(p.name for p in tmp_path.iterdir()) == [".sp.sqlite.lock", "many.dat", "sp.sqlite"]


def test_a_mirror_is_never_written(flat: Path, tmp_path: Path):
    build(tmp_path / "sp.sqlite", [flat])
    database, _ = opened(tmp_path / "sp.sqlite")
    for statement in ("DELETE FROM entry", "CREATE TABLE x (y)"):
        with pytest.raises(ToolError, match="readonly"):
            database.rows(statement)


def test_the_command(flat: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    target = str(tmp_path / "sp.sqlite")
    assert main(["mirror", "build", target, str(flat)]) == 0
    assert "3 proteins" in capsys.readouterr().out
    assert main(["mirror", "info", target]) == 0
    assert "entries.dat" in capsys.readouterr().out
    assert main(["mirror", "search", target, "strands", "--organism", "mouse"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("P44444\tBETA_MOUSE\tAlph1\t") and shown.out.count("\n") == 1
    assert "1 found" in shown.err
    assert main(["mirror", "search", target]) == 2
    assert main(["mirror", "info", str(flat)]) == 2
    assert "not a mirror" in capsys.readouterr().err


def test_lines_are_joined_as_they_were_broken():
    rows = [
        " May be calcium-",
        "    dependent, of the N-",
        "    and C-terminal part",
        "    in -",
        "    all cells",
    ]
    assert unwrapped(rows) == "May be calcium-dependent, of the N- and C-terminal part in - all cells"


def test_crc64_is_that_of_biopython():
    from Bio.SeqUtils.CheckSum import crc64 as theirs

    for seed in range(20):
        assert theirs(chain(seed, 10 + 37 * seed)) == f"CRC-{crc64(chain(seed, 10 + 37 * seed))}"
