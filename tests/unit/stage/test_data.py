from __future__ import annotations

import pytest

from labagent.errors import InfrastructureError
from labagent.files import sha256_file, sha256_tree
from labagent.models.sources import DataManifest


def test_files_and_folders_lie_flat(stage, tmp_path, write):
    write(tmp_path, {"in/a.csv": "1", "deep/set/x/b.csv": "2", "deep/set/c.csv": "3"})
    manifest = stage.data("in/a.csv; deep/set")
    assert [f.path for f in manifest.files] == ["a.csv", "set/c.csv", "set/x/b.csv"]
    assert manifest.status == "staged"
    assert manifest.content_sha256 == sha256_tree(stage.files)
    assert DataManifest.read(stage.files.parent / "manifest.json") == manifest
    assert not (stage.files / "a.csv").is_symlink()
    assert (stage.files / "a.csv").stat().st_nlink == 1


def test_no_data_is_an_empty_folder(stage):
    assert stage.data("").status == "staged"
    assert list(stage.files.iterdir()) == []


def test_pins_of_files_and_folders(stage, tmp_path, write):
    write(tmp_path, {"a.csv": "1", "set/c.csv": "3"})
    file_hash, tree_hash = sha256_file(tmp_path / "a.csv"), sha256_tree(tmp_path / "set")
    assert stage.data(f"a.csv#sha256={file_hash}; set#sha256={tree_hash.upper()}").status == "staged"
    wrong = stage.data(f"set#sha256={file_hash}")
    assert wrong.status == "failed"
    assert wrong.reason == f'data "set": sha256 is {tree_hash}, expected {file_hash}'
    assert wrong.files == ()
    assert list(stage.files.iterdir()) == []


@pytest.fixture
def lab(stage, tmp_path, write):
    write(tmp_path / "src", {"data/a.csv": "1", "data/b.csv": "2", "tests/gold.csv": "g", "x/a.csv": "3"})
    stage.lab(repository="src", sealed="tests/**")
    return stage


def test_files_of_a_lab(lab):
    assert [f.path for f in lab.data("lab:lab/data/*.csv").files] == ["a.csv", "b.csv"]
    assert [f.path for f in lab.data("lab:lab/data; lab:lab/x/a.csv").files] == [
        "a.csv",
        "data/a.csv",
        "data/b.csv",
    ]


@pytest.mark.parametrize(
    ("items", "reason"),
    [
        ("none.csv", r"none\.csv does not exist"),
        ("lab:lab/tests/gold.csv", "does not exist.*sealed"),
        ("lab:lab/none/*.csv", "does not exist"),
        ("lab:lab/../manifest.json", "inside the repository"),
        ("lab:other/a.csv", "no staged repository"),
        ("lab:lab/data/a.csv; lab:lab/x/a.csv", 'gives "a.csv", as "lab:lab/data/a.csv" does'),
        ("src/data/a.csv#sha256=abc", "64 hexadecimal"),
        ("lab:lab/data/*.csv#sha256=" + "0" * 64, "exactly one"),
        ("ftp://host/a.csv", "https://"),
        ("http://files.invalid/a.csv", "https://"),
        ("linked", "leaves the folder"),
    ],
)
def test_what_cannot_be_had_is_an_outcome(lab, tmp_path, items, reason):
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "out").symlink_to("/etc/hostname")
    manifest = lab.data(items)
    assert manifest.status == "failed"
    import re

    assert re.search(reason, manifest.reason), manifest.reason
    assert "\n" not in manifest.reason


def test_download_with_and_without_pin(stage, tmp_path, serve, write):
    server = serve(write(tmp_path / "web", {"a.csv": "1"}))
    digest = sha256_file(tmp_path / "web/a.csv")
    assert [f.path for f in stage.data(f"{server.url}/a.csv?v=2").files] == ["a.csv"]
    assert stage.data(f"{server.url}/a.csv#sha256={digest}").status == "staged"
    asked = len(server.requests)
    assert stage.data(f"{server.url}/a.csv#sha256={digest}").status == "staged"
    assert len(server.requests) == asked
    wrong = stage.data(f"{server.url}/a.csv#sha256={'0' * 64}")
    assert digest in wrong.reason
    assert "0" * 64 in wrong.reason


def test_download_that_is_not_there_or_leaves_https(stage, tmp_path, serve):
    (tmp_path / "web").mkdir()
    url = serve(tmp_path / "web").url
    assert "404" in stage.data(f"{url}/none.csv").reason
    assert "403" in stage.data(f"{url}/status/403").reason
    assert "only https://" in stage.data(f"{url}/moved/x").reason


@pytest.mark.parametrize("path", ["/status/503", "/status/429", ""])
def test_a_server_that_fails_is_infrastructure(stage, tmp_path, serve, path):
    (tmp_path / "web").mkdir()
    url = serve(tmp_path / "web").url if path else "http://user:hunter2@127.0.0.1:9"
    with pytest.raises(InfrastructureError) as caught:
        stage.data(f"{url}{path}/a.csv" if not path else f"{url}{path}")
    assert "hunter2" not in str(caught.value)
    assert not stage.files.parent.exists()
