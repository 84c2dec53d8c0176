"""Building mirrors: what is refused and how it is said, how a build begins, stops and ends."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from labagent.errors import InfrastructureError, InputError, ToolError
from labagent.tools.backends import Source, connect
from labagent.tools.mirrors import building
from labagent.tools.mirrors.building import build
from labagent.tools.proteins.records import ProteinRecord
from support.flat_files import ALPHA, OTHERS, accession_of, many


@pytest.fixture(scope="module")
def flat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("flat") / "entries.dat"
    path.write_text("".join(e.text() for e in (ALPHA, *OTHERS)), encoding="utf-8")
    return path


def protein(source: Source, key: str) -> ProteinRecord:
    assert source.proteins is not None
    return source.proteins.protein(key)


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
