"""What costs money runs again only when what it depends on changed; what is free follows."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from support.toy import planned, snakemake

COSTLY = ("explore", "select", "reproduce")


def costly(root: Path, *arguments: str) -> set[str]:
    jobs = planned_in(root, *arguments)
    return {job for job in jobs if job.startswith(COSTLY)}


def planned_in(root: Path, *arguments: str) -> set[str]:
    return planned(root, *arguments, PYTHONPATH=str(root / "package"))


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as stream:
        stream.write(text)


def test_after_a_run_there_is_nothing_to_do(finished: Path) -> None:
    assert planned_in(finished) == set()


def test_touching_every_file_replans_nothing_that_costs(finished: Path) -> None:
    time.sleep(1.1)
    for path in finished.rglob("*"):
        inside = path.relative_to(finished).parts[0]
        if inside not in {"results", ".snakemake", ".labagent"} and path.is_file():
            path.touch()
    assert costly(finished) == set()


def test_a_comment_in_the_package_replans_nothing_at_all(finished: Path) -> None:
    for path in (finished / "package").rglob("*.py"):
        append(path, "\n# a comment\n")
    assert planned_in(finished) == set()


def test_code_of_a_free_stage_replans_it_and_nothing_that_costs(finished: Path) -> None:
    append(finished / "package/labagent/scoring/judge.py", "\nEXTRA = 1\n")
    assert planned_in(finished) == {"score:toy-mean", "score:toy-median", "report"}


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("config/task-mean.md", "More.\n", {"select:toy-mean", "reproduce:toy-mean"}),
        (
            "skills/toy/SKILL.md",
            "\nMore.\n",
            {f"{r}:toy-{q}" for r in COSTLY[1:] for q in ("mean", "median")},
        ),
        ("config/protocol.yaml", "more: 1\n", {"reproduce:toy-mean", "reproduce:toy-median"}),
        ("config/values.csv", "8\n", {"reproduce:toy-mean", "reproduce:toy-median"}),
        (
            "package/labagent/reproduce/prompts/system.j2",
            "x",
            {"reproduce:toy-mean", "reproduce:toy-median"},
        ),
    ],
)
def test_an_edit_replans_exactly_what_depends_on_it(
    finished: Path, file: str, text: str, expected: set[str]
) -> None:
    assert (finished / file).is_file()
    append(finished / file, text)
    assert costly(finished) == expected


def test_an_arms_settings_replan_that_arm(finished: Path) -> None:
    (finished / "config/config.yaml").write_text("arms:\n  offline: {memory: 'off'}\n")
    assert {job for job in costly(finished) if job.startswith("reproduce")} == {
        "reproduce:toy-mean",
        "reproduce:toy-median",
    }


def test_a_budget_replans_nothing_that_costs(finished: Path) -> None:
    (finished / "config/config.yaml").write_text("budgets:\n  default: {turns: 30}\n")
    assert costly(finished) == set()


def test_one_target_is_forced_alone(finished: Path) -> None:
    before = (finished / "results/runs/offline/toy-median/1/run.json").stat().st_mtime_ns
    score = "results/scores/offline/toy-mean/1.json"
    arguments = (score, "--cores", "1", "--forcerun", "reproduce")
    assert costly(finished, *arguments) == {"reproduce:toy-mean"}
    snakemake(finished, *arguments, PYTHONPATH=str(finished / "package"))
    assert (finished / "results/runs/offline/toy-mean/1/try-2/trace.jsonl").is_file()
    assert (finished / "results/runs/offline/toy-median/1/run.json").stat().st_mtime_ns == before


def test_force_holds_although_a_stage_above_runs_too(finished: Path) -> None:
    assert costly(finished, "--forcerun", "stage", "reproduce") == {
        "reproduce:toy-mean",
        "reproduce:toy-median",
    }
