"""A family's archive taken apart, from any place: what a run may see, and what is withheld from it."""

import hashlib
import io
import tarfile
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from labagent.cli import main
from labagent.errors import SourceError
from labagent.inputs import load_inputs
from labagent.models.family import SourceTable
from labagent.stage.benchmark import fetch_family
from support.project import REFERENCES, TARGETS, small_project, write

TRAIN = "Drug_ID,Drug,Y\nx,CCO,0.5\n"
TEST = 'Drug_ID,Drug,Y\n"a, b",CC,0.125\na,CCC,0.25\n'
FAMILY = """\
    scorer: metric
    title: Boards
    opt_in: true
    obtain: "labagent benchmarks fetch boards"
    data:
      url: URL
      sha256: "HASH"
      licence: none
      tables:
        - {member: "{board}/train_val.csv", name: train.csv}
        - {member: "{board}/test.csv", name: test.csv, show: [Drug_ID, Drug], label: Y}
"""


def zipped(files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(f"group/{name}"), text)
    return stream.getvalue()


FILES = {"one/train_val.csv": TRAIN, "one/test.csv": TEST}


@pytest.fixture
def project(tmp_path):
    root = small_project(tmp_path / "project")
    place = root / "benchmarks/boards"
    place.mkdir(parents=True)
    (place / "task.md").write_text("Predict.\n")
    rows = "".join(f"b-{m}\tboards\t\ttask.md\tdata/one\tmae=p.csv\t\t\n" for m in ("x", "y"))
    (place / "targets.tsv").write_text(TARGETS + rows)
    line = "b-{}\tmae\tmae\tlower\t0.5\t\t\t\t\t\ts\t\n"
    (place / "references.tsv").write_text(REFERENCES + line.format("x") + line.format("y"))
    configure(root)
    return root


def configure(root, url="https://nowhere.invalid/a.zip", sha256=""):
    write(root, "benchmarks/boards/family.yaml", FAMILY.replace("URL", url).replace("HASH", sha256))


def assert_filled(root):
    place = root / "benchmarks/boards"
    assert (place / "data/one/train.csv").read_text() == TRAIN
    assert (place / "data/one/test.csv").read_text() == 'id,Drug_ID,Drug\n1,"a, b",CC\n2,a,CCC\n'
    for name in ("x", "y"):
        assert (place / f"labels/b-{name}.csv").read_text() == "id,label\n1,0.125\n2,0.25\n"
    inputs = load_inputs(root, {"selection": {"families": ["boards"]}})
    assert [t.target for t in inputs.selected_targets] == ["b-x", "b-y"]
    assert set(inputs.labels) == {"b-x", "b-y"}
    assert "0.125" not in "".join(p.read_text() for p in (place / "data").rglob("*.csv"))


def copies(folder: Path):
    for name, text in FILES.items():
        write(folder, f"copy/{name}", text)
    (folder / "a.zip").write_bytes(zipped(FILES))
    with tarfile.open(folder / "a.tar.gz", "w:gz") as archive:
        archive.add(folder / "copy", "group")
    return folder


@pytest.mark.parametrize("name", ["copy", "a.zip", "a.tar.gz"])
def test_from_a_users_copy(project, tmp_path, name, capsys):
    place = copies(tmp_path)
    assert main(["benchmarks", "--root", str(project), "fetch", "boards", "--from", str(place / name)]) == 0
    assert "one\t2 targets\ttrain.csv: 1 rows, test.csv: 2 rows" in capsys.readouterr().out
    assert_filled(project)


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / "served"
    folder.mkdir()
    (folder / "a.zip").write_bytes(zipped(FILES))
    handler = partial(SimpleHTTPRequestHandler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as http:
        threading.Thread(target=http.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{http.server_address[1]}/a.zip"
        http.shutdown()


def test_from_the_address_by_its_hash_alone(project, server, capsys):
    right = hashlib.sha256(zipped(FILES)).hexdigest()
    fetch = ["benchmarks", "--root", str(project), "fetch", "boards"]
    configure(project, server)
    assert main(fetch) == 2
    assert "its sha256 is not known; give it with --sha256 HEX" in capsys.readouterr().err
    configure(project, server, "0" * 64)
    assert main(fetch) == 2
    assert f"sha256 is {right}, expected {'0' * 64}" in capsys.readouterr().err
    assert not (project / "benchmarks/boards/data").exists()
    configure(project, server, right)
    assert main(fetch) == 0
    assert_filled(project)


def test_another_edition_has_to_be_said(project, tmp_path, capsys):
    place = copies(tmp_path) / "a.zip"
    configure(project, sha256="0" * 64)
    fetch = ["benchmarks", "--root", str(project), "fetch", "boards", "--from", str(place)]
    assert main(fetch) == 2
    found = hashlib.sha256(place.read_bytes()).hexdigest()
    assert f"--sha256 {found}" in capsys.readouterr().err
    assert main([*fetch, "--sha256", found]) == 0


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"one/train_val.csv": TRAIN}, "0 members are called one/test.csv"),
        ({**FILES, "two/one/test.csv": TEST}, "2 members are called one/test.csv"),
        ({**FILES, "one/test.csv": "Drug_ID,Drug\na,C\n"}, "has no column Y"),
        ({**FILES, "one/test.csv": "Drug_ID,Drug,Y\na,C\n"}, "rows differ in length"),
        ({**FILES, "one/test.csv": b"\xff\xfe"}, "no readable CSV"),
        ({**FILES, "one/test.csv": ""}, "has no column"),
    ],
)
def test_a_board_that_cannot_be_had_says_why(project, tmp_path, files, reason, capsys):
    (tmp_path / "a.zip").write_bytes(zipped(files))
    assert (
        main(["benchmarks", "--root", str(project), "fetch", "boards", "--from", str(tmp_path / "a.zip")])
        == 1
    )
    assert reason in capsys.readouterr().err
    assert not (project / "benchmarks/boards/labels").exists()


def test_no_archive_no_family_no_target(project, tmp_path, capsys):
    (tmp_path / "a.zip").write_text("no zip")
    for words, said in (
        (["boards", "--from", str(tmp_path / "a.zip")], "no folder, zip or tar"),
        (["nothing"], 'no family is called "nothing"'),
        (["metric", "--from", str(tmp_path)], "names no data to fetch"),
        (["boards", "--targets", "z"], 'no target "z"'),
    ):
        assert main(["benchmarks", "--root", str(project), "fetch", *words]) == 2
        assert said in capsys.readouterr().err


def test_links_out_of_a_folder_are_no_members(project, tmp_path):
    place = copies(tmp_path) / "copy"
    (place / "one/test.csv").unlink()
    (tmp_path / "outside.csv").write_text(TEST)
    (place / "one/test.csv").symlink_to(tmp_path / "outside.csv")
    inputs = load_inputs(project)
    rows = [(inputs.targets["b-x"], project / "benchmarks/boards")]
    (done,) = fetch_family(inputs.families["boards"], rows, cache=tmp_path / "c", source=place)
    assert "0 members" in done.reason
    with pytest.raises(SourceError):
        fetch_family(inputs.families["metric"], rows, cache=tmp_path / "c")


@pytest.mark.parametrize(
    "fields",
    [
        {"member": "../{board}.csv"},
        {"member": "/{board}.csv"},
        {"member": "all.csv"},
        {"label": "Y"},
        {"label": "Y", "show": ("Y",)},
    ],
)
def test_a_source_that_leaks_or_leaves_is_refused(fields):
    with pytest.raises(ValueError, match=r"member|show"):
        SourceTable.model_validate({"member": "{board}.csv", "name": "t.csv", **fields})


def test_families_that_have_to_be_named_do_not_run_by_default(project, capsys):
    assert [t.target for t in load_inputs(project).selected_targets] == ["toy-mean"]
    with pytest.raises(Exception, match="labagent benchmarks fetch boards"):
        load_inputs(project, {"selection": {"targets": ["b-x"]}})
    assert main(["benchmarks", "--root", str(project), "list"]) == 0
    out = capsys.readouterr().out
    assert "boards\t2 targets, data of 0 there\truns where selection names it" in out
    assert "metric\t1 targets, data of 1 there\truns by default" in out
