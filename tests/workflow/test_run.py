"""The toy project from its inputs to the report."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

from support.project import write
from support.toy import snakemake, toy_project

COSTLY = {"explore", "select", "reproduce"}


def rows(root: Path, table: str) -> list[dict[str, str]]:
    with (root / f"results/report/{table}.tsv").open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def test_every_entry_is_scored_from_what_the_run_computed(finished_template: Path) -> None:
    entries = {row["target"]: row for row in rows(finished_template, "entries")}
    assert {name: (row["status"], row["within"]) for name, row in entries.items()} == {
        "toy-mean": ("scored", "true"),
        "toy-median": ("scored", "true"),
    }
    values = {row["quantity"]: float(row["value"]) for row in rows(finished_template, "quantities")}
    assert values == {"mean": 6.6, "median": 3.0}


def test_the_skill_passed_all_three_tiers(finished_template: Path) -> None:
    verdict = json.loads((finished_template / "results/skills/curated/toy/verdict.json").read_text())
    assert [(tier["tier"], tier["status"]) for tier in verdict["tiers"]] == [
        (1, "passed"),
        (2, "passed"),
        (3, "passed"),
    ]


def test_sealed_files_are_nowhere_below_results(finished_template: Path) -> None:
    repository = finished_template / "results/artifacts/toy/repository"
    assert (repository / "toystats.py").is_file()
    assert not (repository / "expected").exists()
    manifest = json.loads((finished_template / "results/artifacts/toy/manifest.json").read_text())
    assert manifest["sealed"] == {"expected/**": 1}


def test_a_change_of_the_data_changes_the_answer(finished: Path) -> None:
    write(finished, "config/values.csv", "value\n1\n2\n4\n10\n18\n")
    snakemake(finished, "--cores", "2", PYTHONPATH=str(finished / "package"))
    values = {row["quantity"]: float(row["value"]) for row in rows(finished, "quantities")}
    assert values == {"mean": 7.0, "median": 4.0}
    assert {row["within"] for row in rows(finished, "entries")} == {"false"}


def test_snakemakes_own_report_is_made(finished: Path) -> None:
    snakemake(finished, "--report", "report.html", PYTHONPATH=str(finished / "package"))
    page = (finished / "report.html").read_text(encoding="utf-8")
    assert "entries.tsv" in page and "metric.svg" in page


def test_any_results_folder_and_any_way_to_call_snakemake(tmp_path: Path) -> None:
    root = toy_project(tmp_path / "ein Projekt", config="results: out put/läufe\n")
    write(root, "config/protocol.yaml", "column: value\npublished: 2020-01-01\n")
    done = snakemake(root, "--cores", "2", PATH=os.defpath)
    assert "2 entries: 2 within" in done.stdout
    assert (root / "out put/läufe/report/report.html").is_file()
    assert not (root / "out").exists() and not (root / "results").exists()


def test_the_report_follows_an_attempt_that_was_made_again(finished: Path) -> None:
    variables = {"PYTHONPATH": str(finished / "package")}
    score = "results/scores/offline/toy-mean/1.json"
    snakemake(finished, score, "--cores", "1", "--forcerun", "reproduce", **variables)
    snakemake(finished, "--cores", "1", **variables)
    run = json.loads((finished / "results/runs/offline/toy-mean/1/run.json").read_text())
    assert run["try_folder"] == "try-2"
    walls = {row["target"]: float(row["wall_s"]) for row in rows(finished, "entries")}
    assert walls["toy-mean"] == run["wall_seconds"]
