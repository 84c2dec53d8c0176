"""Bad input through the real workflow: one clear error, nothing lost; a failed entry stops no other."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from support.project import LABS, write
from support.toy import snakemake, toy_project


def entries(root: Path) -> dict[str, dict[str, str]]:
    with (root / "results/report/entries.tsv").open(encoding="utf-8") as stream:
        return {row["target"]: row for row in csv.DictReader(stream, delimiter="\t")}


def edit(root: Path, name: str, old: str, new: str) -> None:
    path = root / name
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("config/targets.tsv", "family\t", "famly\t", 'targets.tsv, line 1, "family": column is missing'),
        ("config/targets.tsv", "toy-median\tmetric", "toy-mean\tmetric", '"toy-mean" stands twice'),
        ("config/targets.tsv", "\ttoy\t", "\tpoy\t", '"skill": "poy" is not known; allowed: toy'),
        (
            "config/targets.tsv",
            "\tmetric\t",
            "\tmetrics\t",
            '"family": "metrics" is not known; allowed: metric',
        ),
        (
            "config/references.tsv",
            "toy-mean\tmean",
            "toy-mean\tmeen",
            'quantity "mean" of target "toy-mean" has no',
        ),
        ("config/labs.tsv", "\tlab\t", "\tlob\t", 'no such folder: "lob"'),
        ("config/labs.tsv", "\tlab\t\t", "\tlab\tabc123\t", '"abc123" is no commit or tag of "lab"'),
        ("config/config.yaml", "attempts: 1", "attempts:\n\t- 1", "line 2: is not valid YAML: a tab"),
    ],
)
def test_one_clear_error_before_any_job(tmp_path: Path, file: str, old: str, new: str, expected: str) -> None:
    root = toy_project(tmp_path)
    edit(root, file, old, new)
    done = snakemake(root, "--cores", "1", check=False)
    assert done.returncode != 0
    assert expected in done.stdout
    assert "Traceback" not in done.stdout
    assert not (root / "results").exists()


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("{model: no-such-provider/some-model}", "no-such-provider/some-model"),
        ("{model: openai/gpt-5-mini}", "OPENAI_API_KEY"),
    ],
)
def test_models_that_cannot_be_called_are_named_before_any_job(
    tmp_path: Path, model: str, expected: str
) -> None:
    root = toy_project(tmp_path, config=f"models:\n  m: {model}\narms:\n  a: {{model: m}}\n")
    done = snakemake(root, "--cores", "1", check=False, OPENAI_API_KEY="")
    assert done.returncode != 0
    assert expected in done.stdout and "models.m" in done.stdout
    assert "Traceback" not in done.stdout
    assert not (root / "results").exists()


def test_wrong_data_fails_its_entry_alone(tmp_path: Path) -> None:
    root = toy_project(tmp_path)
    table = (root / "config/targets.tsv").read_text().splitlines()
    table[1] = table[1].replace("values.csv", f"values.csv#sha256={'0' * 64}")
    write(root, "config/targets.tsv", "\n".join(table) + "\n")
    done = snakemake(root, "--cores", "2")
    found = entries(root)
    assert (found["toy-mean"]["status"], found["toy-mean"]["ended_by"]) == ("failed", "data_failed")
    assert found["toy-median"]["status"] == "scored"
    reason = json.loads((root / "results/data/toy-mean/manifest.json").read_text())["reason"]
    assert "values.csv" in reason and "0" * 64 in reason
    assert "2 entries: 1 within, 1 failed" in done.stdout and "values.csv" in done.stdout

    write(root, "config/targets.tsv", "\n".join(table).replace(f"#sha256={'0' * 64}", "") + "\n")
    snakemake(root, "--cores", "2")
    assert {row["status"] for row in entries(root).values()} == {"scored"}, "mended, so it runs"


def test_a_wrong_hash_on_data_that_was_used_keeps_the_attempt(finished: Path) -> None:
    table = finished / "config/targets.tsv"
    right = table.read_text()
    table.write_text(right.replace("values.csv", f"values.csv#sha256={'0' * 64}"))
    variables = {"PYTHONPATH": str(finished / "package")}
    runs = {p: p.stat().st_mtime_ns for p in finished.glob("results/runs/*/*/*/run.json")}
    snakemake(finished, "--cores", "2", **variables)
    assert {row["status"] for row in entries(finished).values()} == {"failed"}
    table.write_text(right)
    snakemake(finished, "--cores", "2", **variables)
    assert {row["status"] for row in entries(finished).values()} == {"scored"}
    assert {p: p.stat().st_mtime_ns for p in runs} == runs, "what was computed is not computed again"


def test_a_skill_with_an_empty_locus_is_refused_and_reported(tmp_path: Path) -> None:
    root = toy_project(tmp_path)
    write(root, "skills/toy/references/check-result.md", "\n")
    snakemake(root, "--cores", "2")
    assert {row["ended_by"] for row in entries(root).values()} == {"skill_refused"}
    verdict = json.loads((root / "results/skills/curated/toy/verdict.json").read_text())
    assert verdict["status"] == "refused" and "check-result" in verdict["reason"]


def test_an_environment_that_cannot_be_built_is_an_outcome(tmp_path: Path) -> None:
    root = toy_project(tmp_path)
    edit(root, "skills/toy/environment.yaml", "- python=3.11", "- python=3.11\n  - pip: [iniconfig==99.99]")
    snakemake(root, "--cores", "2")
    verdict = json.loads((root / "results/skills/curated/toy/verdict.json").read_text())
    assert verdict["status"] == "refused" and "iniconfig" in verdict["reason"]
    assert {row["status"] for row in entries(root).values()} == {"failed"}


def test_a_sealed_glob_that_matches_nothing_is_a_warning(tmp_path: Path) -> None:
    root = toy_project(tmp_path)
    write(root, "config/labs.tsv", LABS + "toy\tcurated\tlab\t\t\t\t\texpected/**;vignettes/*.html\n")
    snakemake(root, "--cores", "1", "results/artifacts/toy/manifest.json")
    manifest = json.loads((root / "results/artifacts/toy/manifest.json").read_text())
    assert any("vignettes/*.html" in warning for warning in manifest["warnings"])
    assert "vignettes/*.html" in (root / "results/logs/stage/toy.log").read_text()


def test_a_source_that_cannot_be_had_is_one_message(tmp_path: Path) -> None:
    root = toy_project(tmp_path)
    edit(root, "config/labs.tsv", "\tlab\t", "\tpypi:iniconfig==99.99\t")
    done = snakemake(root, "--cores", "1", "results/artifacts/toy/manifest.json", check=False)
    assert done.returncode != 0 and "Traceback" not in done.stdout
    assert "labagent: " in done.stdout and "iniconfig" in done.stdout and "99.99" in done.stdout
    assert "99.99" in (root / "results/logs/stage/toy.log").read_text()
