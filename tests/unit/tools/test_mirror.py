"""Mirrors of UniProtKB flat files: what is found, what is refused, how a build begins, stops and ends."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from filelock import FileLock

from labagent.cli import main
from labagent.errors import InfrastructureError, InputError, ToolError
from labagent.tools.backends import Source, connect, using
from labagent.tools.mirrors import building
from labagent.tools.mirrors.building import build
from labagent.tools.mirrors.database import opened
from labagent.tools.mirrors.entry import unwrapped
from labagent.tools.mirrors.flat import crc64
from labagent.tools.proteins.records import ProteinHits, ProteinRecord, SearchArguments
from labagent.tools.registry import call
from support.flat_files import Entry, accession_of, chain, many

SEQUENCE = "MDSKGSSQKGSRLLLLLVVSNLLLPQGVVAEDCIGKPTEEWLNAVRTKCDGE"
ALPHA = Entry(
    "P11111",
    "ALPH_HUMAN",
    SEQUENCE,
    secondary=("Q22222", "Q33333"),
    gene="ALPH1",
    synonyms=("TGFB9", "NF-X"),
    full="Alpha-synthase β-like",
    comments=(
        ("FUNCTION", "Repairs broken strands of DNA in the nucleus. {ECO:0000269|PubMed:123}"),
        ("SUBCELLULAR LOCATION", "Nucleus, nucleolus {ECO:0000305}. Membrane; Lipid-anchor. Note=Seen once"),
        ("DISEASE", "Test disease 7 (TD7) [MIM:600123]: A disease. Note=Caused by variants"),
        (
            "ALTERNATIVE PRODUCTS",
            "Event=Alternative splicing; Named isoforms=2; Name=1; IsoId=P11111-1; Sequence=Displayed; "
            "Name=Short; Synonyms=B; IsoId=P11111-2; Sequence=VSP_000001, VSP_000002;",
        ),
    ),
    references=(
        "RefSeq; NP_000999.2; NM_001008.3. [P11111-1]",
        "PDB; 9XYZ; X-ray; 2.00 A; A=1-50",
        "GO; GO:0005634; C:nucleus; IDA:UniProtKB",
        "Ensembl; ENST00000123456; ENSP00000123456; ENSG00000123456",
    ),
    features=(
        "VAR_SEQ         2..5",
        '                /note="Missing (in isoform Short)"',
        '                /id="VSP_000001"',
        "VAR_SEQ         10",
        '                /note="G -> WW (in isoform Short)"',
        '                /id="VSP_000002"',
        "VARIANT         4",
        '                /note="K -> E (in TD7; dbSNP:rs777000777)"',
        '                /evidence="ECO:0000269|PubMed:555, ECO:0000269|PubMed:556"',
        '                /id="VAR_000009"',
        "VARIANT         6..7",
        '                /note="Missing (in TD7)"',
        "VARIANT         5",
        '                /note="W -> E (the residue is not there)"',
        "MUTAGEN         8",
        '                /note="Q->A,D: Loss of binding"',
        "CHAIN           ?..50",
        '                /note="Example chain, long enough for its note to go on over',
        '                the line"',
        "BINDING         P11111-2:7",
        '                /ligand="ATP"',
    ),
    pmids=("123", "555"),
)
OTHERS = (
    Entry("P44444", "BETA_MOUSE", chain(2), secondary=("Q33333",), gene="Alph1", taxon=10090,
          organism="Mus musculus (Mouse)", comments=(("FUNCTION", "Breaks strands"),)),
    Entry("P55555", "GAMM_YEAST", chain(3), gene="GAM1", taxon=559292, reviewed=False,
          organism="Saccharomyces cerevisiae (strain ATCC 204508 / S288c) (Baker's yeast)"),
)  # fmt: skip


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


def dumped(path: Path) -> list[ProteinRecord]:
    source = connect(f"mirror:{path}")
    return [protein(source, e.accession).model_copy(update={"retrieved": ""}) for e in (ALPHA, *OTHERS)]


@pytest.mark.parametrize(
    "written",
    [
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: gzip.compress(text.encode()),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: b"\n\n" + text.removesuffix("\n").encode(),
        lambda text: gzip.compress(text[:900].encode()) + gzip.compress(text[900:].encode()),
    ],
    ids=["CRLF", "gzip", "BOM", "blank lines", "two gzip members"],
)
def test_the_same_entries_written_otherwise(flat: Path, tmp_path: Path, written: Callable[[str], bytes]):
    build(tmp_path / "sp.sqlite", [flat])
    want = dumped(tmp_path / "sp.sqlite")
    (tmp_path / "other").write_bytes(written(flat.read_text(encoding="utf-8")))
    build(tmp_path / "sp.sqlite", [tmp_path / "other"])
    assert dumped(tmp_path / "sp.sqlite") == want


def changed(old: str, new: str) -> Callable[[str], bytes]:
    def write(text: str) -> bytes:
        assert old in text
        return text.replace(old, new, 1).encode()

    return write


FAULTS = {
    "cut inside an entry": (
        lambda t: t[: t.index("P44444") + 200].encode(),
        "entry BETA_MOUSE: the file ends inside",
    ),
    "cut gzip": (lambda t: gzip.compress(t.encode())[:-40], "gzip archive is damaged or incomplete"),
    "damaged gzip": (lambda t: gzip.compress(t.encode())[:60] + b"\0" * 80, "gzip archive is damaged"),
    "unknown line": (changed("DT   02-FEB", "ZZ   02-FEB"), "line 4: entry ALPH_HUMAN: unknown line 'ZZ  "),
    "no spaces": (changed("KW   Cyto", "KW Cyto"), "entry ALPH_HUMAN: unknown line 'KW Cyto"),
    "no UTF-8": (
        lambda t: t.encode().replace("β".encode(), b"\xdf"),
        "line 6: entry ALPH_HUMAN: byte 0xdf is no UTF-8",
    ),
    "a residue changed": (changed("MDSKGSSQKG", "MDSKGSSQKA"), "entry ALPH_HUMAN: the sequence has CRC64"),
    "a residue missing": (changed("MDSKGSSQKG", "MDSKGSSQK"), "ALPH_HUMAN: the sequence has 51 residues"),
    "a digit inside": (changed("MDSKGSSQKG", "MDSKGSSQK1"), "entry ALPH_HUMAN: the sequence holds '1'"),
    "no sequence": (
        lambda t: "".join(r for r in t.splitlines(True) if not r.startswith("     ")).encode(),
        "entry ALPH_HUMAN: the entry has no sequence",
    ),
    "no ID line": (changed("//\nID   BETA_MOUSE", "//\nAC   BETA_MOUSE"), "does not begin with one ID line"),
    "two entries in one": (changed("//\nID", "ID"), "entry ALPH_HUMAN: the sequence holds"),
    "wrong accession": (changed("AC   P11111;", "AC   P1111;"), "line 2: entry ALPH_HUMAN: no list of"),
    "twice": (lambda t: (t + t).encode(), "ALPH_HUMAN: the accession P11111 is in the mirror"),
    "empty": (lambda t: b"", "the file is empty"),
    "text": (lambda t: b"Dear reader,\n", "not a file that a mirror can be built from"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_faulty_file_is_one_clear_error(flat: Path, tmp_path: Path, name: str):
    write, message = FAULTS[name]
    target, faulty = tmp_path / "sp.sqlite", tmp_path / "faulty.dat"
    build(target, [flat])
    before = target.read_bytes()
    faulty.write_bytes(write(flat.read_text(encoding="utf-8")))
    with pytest.raises(InputError) as raised:
        build(target, [faulty])
    assert len(raised.value.faults) == 1
    assert "faulty.dat" in str(raised.value) and message in str(raised.value)
    assert target.read_bytes() == before
    assert not list(tmp_path.glob("*.building")) and not list(tmp_path.glob(".*.building"))


def test_a_fault_deep_in_a_file_is_counted_right(tmp_path: Path):
    """Behind several megabytes: the line is that of an editor."""
    text = "".join(many(2500))
    wrong = text.replace("GN   Name=GEN2400;", "XX   Name=GEN2400;")
    (tmp_path / "x.dat").write_text(wrong)
    line = wrong[: wrong.index("XX   Name")].count("\n") + 1
    with pytest.raises(InputError, match=rf"line {line}: entry X2400_HUMAN: unknown line"):
        build(tmp_path / "x.sqlite", [tmp_path / "x.dat"])


KILLED = """
import os, signal, sys
from pathlib import Path
from labagent.tools.mirrors.building import build
def progress(taken, entries):
    if entries == 40:
        os.kill(os.getpid(), signal.SIGKILL)
build(Path(sys.argv[1]), [Path(sys.argv[2])], progress)
"""


def test_a_killed_build_leaves_the_old_mirror_and_the_next_one_starts_clean(flat: Path, tmp_path: Path):
    target = tmp_path / "sp.sqlite"
    build(target, [flat])
    before = target.read_bytes()
    (tmp_path / "many.dat").write_text("".join(many(80)))
    done = subprocess.run([sys.executable, "-c", KILLED, str(target), str(tmp_path / "many.dat")])
    assert done.returncode == -9
    assert target.read_bytes() == before
    assert len(list(tmp_path.glob(".sp.sqlite.*.building"))) == 1
    assert build(target, [tmp_path / "many.dat"]).entries == 80
    assert not list(tmp_path.glob(".sp.sqlite.*.building"))
    assert protein(connect(f"mirror:{target}"), accession_of(79)).gene == "GEN79"


LIMITED = """
import resource, sys
from pathlib import Path
from labagent.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
sys.exit(main(["mirror", "build", *sys.argv[1:]]))
"""


def test_a_disk_that_fills_up_is_said_and_nothing_is_left(tmp_path: Path):
    (tmp_path / "many.dat").write_text("".join(many(400)))
    arguments = [sys.executable, "-c", LIMITED, str(tmp_path / "sp.sqlite"), str(tmp_path / "many.dat")]
    done = subprocess.run(arguments, capture_output=True, text=True)
    assert done.returncode == 75 and "cannot be written" in done.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == [".sp.sqlite.lock", "many.dat"]


def test_a_disk_that_is_too_small_is_refused_before_anything_is_read(
    flat: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(building, "SPARE", 1 << 60)
    with pytest.raises(InfrastructureError, match=r"may take \d+ MB, \d+ MB are free"):
        build(tmp_path / "sp.sqlite", [flat])
    assert not list(tmp_path.iterdir())


def test_one_build_at_a_time(flat: Path, tmp_path: Path):
    with FileLock(tmp_path / ".sp.sqlite.lock"), pytest.raises(InfrastructureError, match="another build"):
        build(tmp_path / "sp.sqlite", [flat])
    assert build(tmp_path / "sp.sqlite", [flat]).entries == 3


def test_what_is_no_mirror_is_not_replaced(flat: Path, tmp_path: Path):
    before = flat.read_bytes()
    with pytest.raises(InputError, match="is no mirror, so it is not replaced"):
        build(flat, [flat])
    assert flat.read_bytes() == before
    with pytest.raises(InputError, match="there is no folder"):
        build(tmp_path / "no" / "sp.sqlite", [flat])


def test_who_reads_the_old_mirror_goes_on_reading_it(flat: Path, tmp_path: Path):
    """The new file takes the name, it is not written into the old one."""
    target = tmp_path / "sp.sqlite"
    build(target, [flat])
    old, before = connect(f"mirror:{target}"), target.read_bytes()
    with target.open("rb") as stream:
        (tmp_path / "other.dat").write_text("".join(many(3)))
        build(target, [tmp_path / "other.dat"])
        assert stream.read() == before != target.read_bytes()
    assert protein(old, "P11111").gene == "ALPH1"
    assert protein(connect(f"mirror:{target}"), accession_of(2)).gene == "GEN2"


def test_identity_is_that_of_the_files(flat: Path, tmp_path: Path):
    build(tmp_path / "a.sqlite", [flat])
    build(tmp_path / "b.sqlite", [flat])
    (tmp_path / "other.dat").write_text("".join(many(3)))
    build(tmp_path / "c.sqlite", [tmp_path / "other.dat"])
    a, b, c = (connect(f"mirror:{tmp_path / name}.sqlite").identity for name in "abc")
    assert a == b != c


def test_mirrors_that_cannot_be_read_are_unavailable(flat: Path, tmp_path: Path):
    build(tmp_path / "sp.sqlite", [flat])
    whole = (tmp_path / "sp.sqlite").read_bytes()
    (tmp_path / "cut.sqlite").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "text.sqlite").write_text("no database")
    (tmp_path / "empty.sqlite").write_bytes(b"")
    for name in ("text", "empty", "cut"):
        with pytest.raises(ToolError) as raised:
            protein(connect(f"mirror:{tmp_path / name}.sqlite"), "P55555")
        assert raised.value.code == "unavailable" and name in str(raised.value)


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
