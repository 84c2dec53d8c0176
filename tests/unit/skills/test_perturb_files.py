"""The scripts that change data files, run as the validator runs them."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy
import pandas
import pytest

import labagent.skills
from labagent.skills.comparing import stable_changes, varying_changes

RESOURCES = Path(labagent.skills.__file__).parent / "resources"
TABLE = "id,dose,dead,arm\n" + "".join(
    f"{i},{i * 1.25 + 0.5},{i % 2},{'ab'[i % 3 == 0]}\n" for i in range(20)
)


def change(
    path: Path, kind: str, program: str = sys.executable, script: str = "perturb.py"
) -> tuple[Path, int]:
    target = path.with_name(f"new-{path.name}")
    done = subprocess.run(
        [program, str(RESOURCES / script), kind, "20"],
        input=f"{path}\t{target}\n",
        capture_output=True,
        text=True,
        check=True,
    )
    return target, int(done.stdout.split("\t")[1])


def test_a_table_keeps_its_form(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    target, changed = change(path, "values")
    old, new = pandas.read_csv(path), pandas.read_csv(target)
    assert list(new.columns) == list(old.columns)
    assert (new["id"] == old["id"]).all()
    assert set(new["dead"]) == {0, 1}
    assert new["dead"].sum() == old["dead"].sum()
    assert (new["dose"] != old["dose"]).sum() >= 15
    assert new["dose"].between(old["dose"].min(), old["dose"].max()).all()
    assert changed > 15
    assert change(path, "values")[0].read_bytes() == target.read_bytes()


def test_rows_and_labels(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    target, _ = change(path, "rows")
    assert target.read_text() == "".join(TABLE.splitlines(keepends=True)[:19])
    target, changed = change(path, "labels")
    old, new = pandas.read_csv(path), pandas.read_csv(target)
    assert changed
    assert sorted(new["arm"]) == sorted(old["arm"])
    assert (new["arm"] != old["arm"]).any()
    assert (new["dose"] == old["dose"]).all()


def test_other_forms(tmp_path):
    files = {
        "a.json": json.dumps({"name": "x", "values": [0.5, 1.5, 2.5], "flag": True}).encode(),
        "b.tsv.gz": gzip.compress(TABLE.replace(",", "\t").encode()),
        "c.txt": b"growth = 1.25 per hour\nlag = 0.75 h\nrate = 2.375\nother = 3.5\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
        target, changed = change(tmp_path / name, "values")
        assert changed, name
        assert target.read_bytes() != content
    assert json.loads((tmp_path / "new-a.json").read_text())["flag"] is True
    assert pandas.read_csv(tmp_path / "new-b.tsv.gz", sep="\t").shape == (20, 4)
    assert (tmp_path / "new-c.txt").read_text().startswith("growth = ")


def test_sequences_keep_their_letters_and_gaps(tmp_path):
    path = tmp_path / "s.fasta"
    path.write_text(">one 1.5\nMKV--LLTAGQWERTY\n>two\nMKVAALLTAGQWERTY\n")
    assert change(path, "values")[1] <= 1
    target, changed = change(path, "labels")
    lines = target.read_text().split("\n")
    assert changed
    assert lines[0] == ">one 1.5"
    assert sorted(lines[1]) == sorted("MKV--LLTAGQWERTY")
    assert lines[1][3:5] == "--"


def test_arrays(tmp_path):
    values = numpy.linspace(0, 1, 40).reshape(20, 2) ** 2
    numpy.save(tmp_path / "a.npy", values)
    numpy.savez(tmp_path / "b.npz", x=values, y=numpy.arange(20) % 3)
    new = numpy.load(change(tmp_path / "a.npy", "values")[0])
    assert new.shape == values.shape
    assert (new != values).mean() > 0.5
    assert new.max() <= values.max()
    assert numpy.load(change(tmp_path / "b.npz", "rows")[0])["x"].shape == (18, 2)


def test_what_cannot_be_read_counts_as_unchanged(tmp_path):
    (tmp_path / "x.bed").write_bytes(bytes(range(256)))
    assert change(tmp_path / "x.bed", "values")[1] == 0


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="no R here")
def test_data_of_r(tmp_path):
    rscript = str(shutil.which("Rscript"))
    made = "d <- data.frame(x = (1:12)^1.5, g = factor(rep(c('a', 'b'), 6))); save(d, file = 'd.rda')"
    subprocess.run([rscript, "-e", made], cwd=tmp_path, check=True)
    changed = change(tmp_path / "d.rda", "values", rscript, "perturb.R")[1]
    assert changed > 5
    seen = "load('new-d.rda'); cat(nrow(d), class(d$g), max(d$x) <= 12^1.5, any(d$x != (1:12)^1.5))"
    done = subprocess.run([rscript, "-e", seen], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert done.stdout == "12 factor TRUE TRUE"


def test_what_differs_between_equal_runs_is_left_out():
    equal = [{"a": 1.0, "seconds": 3.0}, {"a": 1.0, "seconds": 3.5}]
    assert stable_changes(equal, {"a": 1.0, "seconds": 9.0}) == (0, 1)
    assert stable_changes(equal, {"a": 1.1, "seconds": 3.0}) == (1, 1)
    assert stable_changes(equal, {"a": 1.0 + 1e-13, "seconds": 3.0}) == (0, 1)
    assert varying_changes(equal, {"a": 1.0, "seconds": 90.0}) == (0, 0)


def test_numbers_that_vary_must_leave_their_range_by_far():
    random = [{"n": 5.0, "x": 1.0}, {"n": 5.0, "x": 1.1}, {"n": 5.0, "x": 1.05}]
    assert varying_changes(random, {"n": 5.0, "x": 1.35}) == (0, 1)
    assert varying_changes(random, {"n": 5.0, "x": 1.5}) == (1, 1)
