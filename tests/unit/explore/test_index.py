"""The index over a lab's staged sources: what it finds, where it says it stands, and when it is made anew."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest

from labagent.errors import SourceError
from labagent.explore.index import open_index
from labagent.explore.index.chunks import LINES, chunks_of
from labagent.explore.index.kinds import kind_of
from labagent.explore.index.terms import query_terms
from labagent.models.skill import Source
from labagent.skills.passages import passage

MODULE = '"""Fits."""\n' + "".join(
    f"\n\ndef step_{n}(values):\n    # part {n}\n    return values\n" for n in range(30)
)
FILES = {
    "repository/pkg/fit.py": MODULE
    + "\n\nclass DeseqDataSet:\n    def fitModel(self, min_replicates=7): ...\n",
    "repository/pkg/other.py": "def deseq_data_set():\n    return 'deseq data set'\n",
    "repository/README.md": "# Lab\r\n\r\nOutliers are replaced where a condition has replicates.\r\n",
    "repository/tests/test_fit.py": "def test_replicates():\n    assert min_replicates\n",
    "repository/data/table.csv": "replicates,replicates\n",
    "repository/.github/workflows/ci.yml": "python: 3.11\npip install replicates==1.2.3\n",
    "repository/Dockerfile": "FROM r-base:4.3.1\n",
    "papers/paper.txt": "Introduction\fTable 2\nreplicates  7\n",
    "tutorials/start.json": json.dumps(
        [
            {"cell": 1, "type": "markdown", "source": "# T"},
            {"cell": 4, "type": "code", "source": "fit()", "outputs": "converged"},
        ]
    ),
    "issues/threads.json": json.dumps(
        [
            {
                "number": 7,
                "title": "Wrong fold change",
                "body": "sign?",
                "comments": [{"body": "ref_level is ignored"}],
            }
        ]
    ),
}


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "lab" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    (tmp_path / "lab/repository/binary.bin").write_bytes(b"replicates\0")
    notebook = {
        "nbformat": 4, "nbformat_minor": 5, "metadata": {},
        "cells": [{"cell_type": "code", "id": "a", "metadata": {}, "execution_count": 1,
                   "source": "shrinkage()",
                   "outputs": [{"output_type": "stream", "name": "stdout", "text": "apeglm used"}]}],
    }  # fmt: skip
    (tmp_path / "lab/repository/use.ipynb").write_text(json.dumps(notebook))
    return tmp_path / "lab"


def first(lab: Path, query: str, **options):
    with open_index(lab) as index:
        hits = index.search(query, **options)
    for hit in hits:
        assert passage(hit.source, lab) == hit.text
    return hits[0] if hits else None


def test_every_passage_is_the_text_its_address_gives(lab):
    chunks = list(chunks_of(lab))
    for chunk in chunks:
        assert passage(chunk.source, lab) == chunk.text
        assert len(chunk.text.split("\n")) <= LINES
    code = [c.source.lines for c in chunks if c.source.path == "pkg/fit.py"]
    total = len((lab / "repository/pkg/fit.py").read_text().split("\n"))
    covered = [n for a, b in code for n in range(a, b + 1)]
    assert covered == list(range(1, total + 1))
    assert not {c.source.path for c in chunks} & {"data/table.csv", "binary.bin"}


@pytest.mark.parametrize(
    ("query", "source"),
    [
        ("Table replicates", Source(kind="paper", path="paper.txt", page=2, lines=(1, 3))),
        ("which level is meant by ref_level",
         Source(kind="issue", path="threads.json", issue=7, comment=1, lines=(1, 1))),
        ("wrong sign of fold changes",
         Source(kind="issue", path="threads.json", issue=7, comment=0, lines=(1, 2))),
        ("has it converged", Source(kind="tutorial", path="start.json", cell=4, lines=(1, 2))),
        ("apeglm", Source(kind="repository", path="use.ipynb", cell=1, lines=(1, 2))),
        ("outlier replacement", Source(kind="repository", path="README.md", lines=(1, 4))),
        ("r-base 4.3.1", Source(kind="repository", path="Dockerfile", lines=(1, 2))),
    ],
)  # fmt: skip
def test_each_kind_of_source_is_found_at_its_address(lab, query, source):
    assert first(lab, query).source == source


def test_identifiers_count_whole_and_by_their_parts(lab):
    assert first(lab, "DeseqDataSet").source.path == "pkg/fit.py"
    assert first(lab, "deseqDataSet").source.path == "pkg/other.py"  # no such name: its parts
    assert first(lab, "deseq_data_set").source.path == "pkg/other.py"
    assert first(lab, "fitModel").source.path == "pkg/fit.py"
    assert {h.source.path for h in open_index(lab).search("deseq data set")} == {"pkg/fit.py", "pkg/other.py"}
    assert first(lab, "step_17").text.count("step_17") == 1
    path, server = query_terms("the numpy.linalg.matrix_rank of HTTPServer2")
    assert path.whole == ("numpy.linalg.matrix_rank0", "matrix_rank0")
    assert path.parts == ("numpy", "linalg", "matrix", "rank")
    assert (server.whole, server.parts) == (("^h^t^t^p^server20",), ("http", "server", "2"))


def test_kinds_narrow_a_search(lab):
    assert first(lab, "replicates", kinds=["ci"]).source.path == ".github/workflows/ci.yml"
    assert first(lab, "replicates", kinds=["test", "paper"]).kind in {"test", "paper"}
    assert first(lab, "replicates", kinds=["notebook"]) is None
    with pytest.raises(ValueError, match='"tests" is no kind of source; there are: code'):
        first(lab, "replicates", kinds=["tests"])


@pytest.mark.parametrize(
    "query", ["", "the of", '" OR parts : "*', "NEAR(", "(), ; -- '", "x" * 5000, "a.b." * 400]
)
def test_any_text_is_a_query(lab, query):
    with open_index(lab) as index:
        assert len(index.search(query, k=3)) <= 3


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("src/fit.py", "code"), ("R/fit.R", "code"), ("man/fit.Rd", "docs"), ("vignettes/use.Rmd", "example"),
        ("docs/conf.py", "docs"), ("DESCRIPTION", "build"), ("envs/environment.yml", "build"),
        ("tox.ini", "ci"), ("docker/Dockerfile.gpu", "build"), ("conf/model.gin", "config"),
        ("NEWS.md", "release"), ("TAGS", "release"),
    ],
)  # fmt: skip
def test_kind_of_a_file(path, kind):
    from pathlib import PurePosixPath

    assert kind_of(PurePosixPath(path)) == kind


def test_it_is_made_once_for_a_content(lab):
    open_index(lab).close()
    made = (lab / ".index.sqlite").stat()
    open_index(lab).close()
    assert (lab / ".index.sqlite").stat().st_ino == made.st_ino
    (lab / "repository/new.md").write_text("bootstrapping")
    assert first(lab, "bootstrapping").source.path == "new.md"
    assert sorted(p.name for p in lab.glob(".index*")) == [".index.sqlite"]


def test_a_manifest_says_when_the_content_is_another(lab):
    (lab / "manifest.json").write_text('{"content_sha256": "a"}')
    open_index(lab).close()
    (lab / "repository/new.md").write_text("bootstrapping")
    assert first(lab, "bootstrapping") is None
    (lab / "manifest.json").write_text('{"content_sha256": "b"}')
    assert first(lab, "bootstrapping").source.path == "new.md"


def test_a_broken_or_cut_index_is_made_anew(lab):
    open_index(lab).close()
    (lab / ".index.sqlite").write_bytes(b"SQLite format 3\0 cut")
    assert first(lab, "DeseqDataSet").source.path == "pkg/fit.py"
    with sqlite3.connect(lab / ".index.sqlite") as connection:
        connection.execute("DELETE FROM meta")
    connection.close()
    assert first(lab, "DeseqDataSet").source.path == "pkg/fit.py"


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser writes everywhere")
def test_a_folder_that_cannot_be_written_is_searched(lab):
    lab.chmod(0o555)
    try:
        assert first(lab, "DeseqDataSet").source.path == "pkg/fit.py"
    finally:
        lab.chmod(0o755)


def test_a_folder_without_sources_is_refused(tmp_path):
    with pytest.raises(SourceError, match="holds no staged repository"):
        open_index(tmp_path)
