"""Looking after a finished run: rerun, archive, import, status, slices."""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import json
import shlex
import shutil
import subprocess
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from labagent.cli import run_command
from labagent.files import sha256_file
from labagent.inputs import load_inputs
from labagent.models.run import EnvironmentRecord, RunRecord
from labagent.workflow import leftovers
from support.toy import planned, snakemake, toy_project

MEAN = "results/runs/offline/toy-mean/1"


def package(root: Path) -> dict[str, str]:
    return {"PYTHONPATH": str(root / "package")}


def said(*words: object) -> tuple[int, str]:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
        status = run_command([str(word) for word in words])
    return status, out.getvalue()


def test_status_of_a_finished_run(finished: Path) -> None:
    status, text = said("status", "--root", finished, "--json")
    found = json.loads(text)
    assert status == 0 and found["workflow"] == ""
    assert (found["entries"]["planned"], found["entries"]["done"]) == (2, 2)
    assert found["attempts"] == {"planned": 2, "with_result": 2} and found["arms"]["offline"]["done"] == 2
    one = json.loads(said("status", "--root", finished, "--json", "--target", "toy-mean")[1])
    assert one["entries"]["planned"] == 1
    status, text = said("status", "--root", finished, "--family", "nonsense")
    assert status == 2 and '"nonsense" is not known; allowed: metric' in text and "Traceback" not in text
    assert "US$ 0.0000 spent, without a limit" in said("status", "--root", finished)[1]


def test_status_looks_at_the_config_that_the_running_workflow_was_started_with(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = finished / ".labagent/config/x.json"
    config = json.loads(next((finished / ".labagent/config").glob("*.json")).read_text())
    stored.write_text(json.dumps({**config, "attempts": 3}))
    monkeypatch.setenv("LABAGENT_CONFIG", str(stored))
    leftovers.begin(finished)
    monkeypatch.delenv("LABAGENT_CONFIG")
    found = json.loads(said("status", "--root", finished, "--json")[1])
    assert found["attempts"] == {"planned": 6, "with_result": 2}
    assert found["workflow"].startswith("process ") and found["seconds_left"] is None


def test_a_rerun_keeps_and_counts_what_was_there(finished: Path) -> None:
    before = (finished / MEAN / "run.json").read_bytes()
    score = (finished / "results/scores/offline/toy-mean/1.json").read_bytes()
    chosen = ("rerun", "--root", finished, "--status", "done", "--target", "toy-mean")
    assert "offline/toy-mean/1: done" in said(*chosen, "--dry-run")[1]
    assert (finished / MEAN / "run.json").read_bytes() == before, "a dry run changes nothing"

    leftovers.begin(finished)
    status, text = said(*chosen)
    assert status == 2 and "runs this workflow" in text
    leftovers.end(finished)
    assert (finished / MEAN / "run.json").read_bytes() == before

    status, text = said(*chosen)
    assert status == 0 and "snakemake --cores all results/scores/offline/toy-mean/1.json" in text
    assert (finished / MEAN / "earlier-1/run.json").read_bytes() == before
    assert (finished / MEAN / "earlier-1/score.json").read_bytes() == score
    assert planned(finished, **package(finished)) == {"reproduce:toy-mean", "score:toy-mean", "report"}
    assert "1 have no result" in said(*chosen)[1], "what is planned anyway is not put aside twice"

    snakemake(finished, "--cores", "1", **package(finished))
    again = RunRecord.read(finished / MEAN / "run.json")
    assert (again.status, again.tries, again.try_folder) == ("completed", 1, "try-2")
    assert (again.earlier_results, again.earlier_cost_usd) == (1, 0.0)
    assert (finished / MEAN / "try-1/trace.jsonl").is_file()
    with (finished / "results/report/entries.tsv").open() as stream:
        rows = {row["target"]: row["earlier_results"] for row in csv.DictReader(stream, delimiter="\t")}
    assert rows == {"toy-mean": "1", "toy-median": "0"}
    assert said("trace", "verify", finished / MEAN)[0] == 0
    assert "0 attempts to be made anew" in said("rerun", "--root", finished, "--failed")[1]


def test_a_failed_environment_is_built_again_by_a_rerun(finished: Path) -> None:
    environment = finished / "results/environments/offline/toy-mean.json"
    for path, fields in {
        environment: {"status": "env_failed"},
        finished / MEAN / "run.json": {"status": "env_failed", "ended_by": "env_failed", "try_folder": ""},
        finished / "results/scores/offline/toy-mean/1.json": {"status": "env_failed", "within": False},
    }.items():
        path.write_text(json.dumps({**json.loads(path.read_text()), **fields}))
    assert "offline/toy-mean/1: env_failed" in said("rerun", "--root", finished, "--failed")[1]
    assert not environment.exists() and (finished / MEAN / "earlier-1/environment.json").is_file()


def test_the_slice_of_a_run(finished: Path) -> None:
    words = ("run", "--root", finished, "--target", "toy-mean", "--arm", "offline")
    status, text = said(*words, "--print", "--", "-n", "--cores", "1")
    assert status == 0 and text.strip().endswith(
        "snakemake -n --cores 1 --config 'selection={arms: [offline], targets: [toy-mean]}'"
    )
    status, text = said("run", "--root", finished, "--target", "toy-maen", "--", "-n")
    assert status == 2 and '"toy-maen" is not known; did you mean toy-mean or toy-median?' in text
    value = shlex.split(said(*words, "--print")[1])[-1].removeprefix("selection=")
    inputs = load_inputs(finished, {"selection": yaml.safe_load(value)})  # as snakemake reads it
    assert list(inputs.entries()) == [("offline", "toy-mean", 1)]


def archived(root: Path, out: Path) -> str:
    status, text = said("results", "archive", out, "--root", root)
    assert status == 0, text
    return sha256_file(out)


def changed(source: Path, out: Path, change: Callable[[tarfile.TarInfo, bytes], bytes | None]) -> Path:
    """A copy of an archive with files changed, or left out."""
    with tarfile.open(source) as old, tarfile.open(out, "w:gz") as new:
        for member in old:
            stream = old.extractfile(member)
            assert stream is not None
            content = change(member, stream.read())
            if content is not None:
                member.size = len(content)
                new.addfile(member, io.BytesIO(content))
    return out


def test_an_archive_is_reproducible_checked_and_gone_on_from(finished: Path, tmp_path: Path) -> None:
    first = tmp_path / "first.tar.gz"
    digest = archived(finished, first)
    moved = tmp_path / "moved"
    shutil.copytree(finished, moved, symlinks=True, copy_function=shutil.copy)  # other times and place
    assert archived(moved, tmp_path / "second.tar.gz") == digest

    status, text = said("results", "verify", first)
    assert status == 0 and "every hash holds" in text
    with tarfile.open(first) as tar:
        names = tar.getnames()
        crate = json.load(tar.extractfile("ro-crate-metadata.json"))  # type: ignore[arg-type]
        assert {(m.mtime, m.uid, m.uname) for m in tar.getmembers()} == {(0, 0, "")}
    assert names == sorted(names) and not [n for n in names if "logs/" in n or n.endswith(".lock")]
    assert {
        f"{MEAN}/try-1/trace.jsonl",
        "results/scores/offline/toy-mean/1.json",
        "results/environments/offline/toy-mean.json",
        "results/report/report.html",
        "inputs/skills/toy/SKILL.md",
        "inputs/lab/toystats.py",
        "inputs/config/targets.tsv",
        "inputs/benchmarks/metric/family.yaml",
        "config.json",
    } <= set(names)
    root = next(entity for entity in crate["@graph"] if entity["@id"] == "./")
    assert {"@id": "results/report/report.html"} in root["hasPart"]
    assert all("@type" in entity for entity in crate["@graph"])

    def touched(member: tarfile.TarInfo, content: bytes) -> bytes | None:
        if member.name.endswith("scores/offline/toy-mean/1.json"):
            return content + b" "
        return None if member.name.endswith("report/report.html") else content

    status, text = said("results", "verify", changed(first, tmp_path / "touched.tar.gz", touched))
    assert status == 1
    assert "scores/offline/toy-mean/1.json: is not what it was" in text
    assert "results/report/report.html: is missing" in text
    assert "report.html is a part that is not in the archive" in text

    elsewhere = toy_project(tmp_path / "elsewhere")
    for name in ("config", "skills", "lab", "benchmarks", "memory"):
        shutil.rmtree(elsewhere / name)
    shutil.copytree(finished / "package", elsewhere / "package")
    status, text = said("results", "import", first, "--root", elsewhere)
    assert status == 0 and "1 environments built from locks" in text, text
    assert planned(elsewhere, **package(elsewhere)) == set()
    for name in names:
        if name.startswith("results/") and "/environments/" not in name:
            assert (elsewhere / name).read_bytes() == (finished / name).read_bytes()
    record = EnvironmentRecord.read(elsewhere / "results/environments/offline/toy-mean.json")
    assert record.prefix.startswith(str(elsewhere)) and (Path(record.prefix) / "bin/python").exists()
    subprocess.run([Path(record.prefix) / "bin/python", "-c", "import pip"], check=True)


def test_an_import_overwrites_nothing(finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "runs.tar.gz"
    archived(finished, out)
    status, text = said("results", "import", out, "--root", finished)
    assert status == 2 and "holds results already" in text
    shutil.rmtree(finished / "results")
    (finished / "config/task-mean.md").write_text("Something else.\n")
    status, text = said("results", "import", out, "--root", finished)
    assert status == 2 and "config/task-mean.md" in text and "--keep-inputs" in text
    assert not (finished / "results").exists()
    words = ("results", "import", out, "--root", finished, "--keep-inputs", "--no-environments")
    status, text = said(*words)
    assert status == 0 and "not asked for" in text
    assert (finished / "config/task-mean.md").read_text() == "Something else.\n"
    jobs = planned(finished, **package(finished))
    assert {"select:toy-mean", "reproduce:toy-mean"} <= jobs, "its task differs from the archived one's"
    assert not {"select:toy-median", "reproduce:toy-median", "score:toy-median"} & jobs
    assert "environment:toy-mean" in jobs, "it was not built, so its rule makes it where it is needed"


def test_what_looks_like_a_secret_is_not_archived(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "some-value-0123456789")
    (finished / "config/notes.md").write_text("the key is some-value-0123456789\n")
    status, text = said("results", "archive", tmp_path / "a.tar.gz", "--root", finished)
    assert status == 2 and "inputs/config/notes.md" in text and "0123456789" not in text
    assert not list(tmp_path.glob("*.gz*"))


def test_a_hostile_or_broken_archive_writes_nothing_outside(finished: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.tar.gz"
    archived(finished, out)

    def renamed(member: tarfile.TarInfo, content: bytes) -> bytes:
        if member.name.endswith("report.html"):
            member.name = "../../outside.html"
        return content

    status, text = said("results", "verify", changed(out, tmp_path / "bad.tar.gz", renamed))
    assert status == 1 and "../../outside.html: is no plain file below" in text
    elsewhere = tmp_path / "a/b"
    elsewhere.mkdir(parents=True)
    assert said("results", "import", tmp_path / "bad.tar.gz", "--root", elsewhere)[0] == 2
    assert not list(tmp_path.glob("**/outside.html")) and not (elsewhere / "results").exists()
    for cut, name in ((0.5, "cut"), (0.0, "empty")):
        content = out.read_bytes()
        (tmp_path / name).write_bytes(content[: int(len(content) * cut)])
        status, text = said("results", "verify", tmp_path / name)
        assert status == 2 and "Traceback" not in text and name in text
    (tmp_path / "other.gz").write_bytes(gzip.compress(b"x"))
    assert said("results", "verify", tmp_path / "other.gz")[0] == 2
