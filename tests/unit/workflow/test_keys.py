"""A key changes with what a costly result depends on, and with nothing else."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from labagent.inputs import load_inputs
from labagent.workflow.keys import Keys
from labagent.workflow.session import VARIABLE, current_config, open_session
from support.project import LABS, small_project, write


def keys_of(root: Path, overrides: dict | None = None) -> dict[str, str]:
    inputs = load_inputs(root, overrides)
    keys = Keys(inputs)
    target = inputs.targets["toy-mean"]
    return {
        "explore": keys.explore("offline", "toy-lab"),
        "select": keys.select("offline", target),
        "reproduce": keys.reproduce("offline", target),
        "data": keys.data(target),
    }


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {name for name in before if before[name] != after[name]}


def test_touching_and_rewriting_the_same_changes_nothing(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    before = keys_of(root)
    later = time.time() + 100
    for path in root.rglob("*"):
        os.utime(path, (later, later))
    assert changed(before, keys_of(root)) == set()


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("config/task.md", {"select", "reproduce"}),
        ("config/protocol.yaml", {"reproduce"}),
        ("config/values.csv", {"data", "reproduce"}),
        ("lab/toy.py", {"explore", "select", "reproduce"}),
    ],
)
def test_an_edit_changes_the_keys_that_depend_on_it(tmp_path: Path, file: str, expected: set[str]) -> None:
    root = small_project(tmp_path)
    before = keys_of(root)
    with (root / file).open("a") as stream:
        stream.write("\n# more\n")
    assert changed(before, keys_of(root)) == expected


def test_arm_settings_count_and_budgets_do_not(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    before = keys_of(root)
    assert changed(before, keys_of(root, {"arms": {"offline": {"memory": "off"}}})) == {
        "select",
        "reproduce",
    }
    assert changed(before, keys_of(root, {"budgets": {"default": {"turns": 3}}})) == set()


def test_a_new_draft_changes_what_runs_with_it(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    before = keys_of(root)
    write(root, "results/explore/offline/toy-lab/draft.json", json.dumps({"skill_sha256": "ab"}))
    assert changed(before, keys_of(root)) == {"select", "reproduce"}


def test_an_unrelated_lab_changes_nothing_for_a_target_that_names_its_skill(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    before = keys_of(root)
    write(root, "other/README.md", "x\n")
    write(root, "config/labs.tsv", LABS + "toy-lab\texplore\tlab\nother\texplore\tother\n")
    assert changed(before, keys_of(root)) == set()


def test_a_record_is_current_only_with_its_key(tmp_path: Path) -> None:
    keys = Keys(load_inputs(small_project(tmp_path)))
    assert not keys.is_current("results/x.json", "k")
    write(tmp_path, "results/x.json", '{"key": "k"}')
    assert keys.is_current("results/x.json", "k")
    assert not keys.is_current("results/x.json", "other")
    write(tmp_path, "results/x.json", '{"key": ')
    assert not keys.is_current("results/x.json", "k")


def test_jobs_see_the_config_with_overrides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    root = small_project(tmp_path)
    open_session(root, {"attempts": 4})
    assert current_config(root).attempts == 4
    monkeypatch.delenv(VARIABLE)
    assert current_config(root).attempts == 1


def test_a_hash_of_the_data_restages_it_and_costs_nothing(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    before = keys_of(root)
    table = root / "config/targets.tsv"
    table.write_text(table.read_text().replace("values.csv", f"values.csv#sha256={'0' * 64}"))
    assert changed(before, keys_of(root)) == {"data"}


@pytest.mark.parametrize("ended_by", ["data_failed", "env_failed", "skill_refused"])
def test_an_attempt_in_which_nothing_ran_follows_what_it_waits_for(tmp_path: Path, ended_by: str) -> None:
    keys = Keys(load_inputs(small_project(tmp_path)))
    write(tmp_path, "results/x.json", json.dumps({"key": "k", "ended_by": ended_by}))
    assert not keys.is_current("results/x.json", "k")
    write(tmp_path, "results/x.json", json.dumps({"key": "k", "ended_by": "success"}))
    assert keys.is_current("results/x.json", "k")


def test_what_an_editor_leaves_behind_changes_no_skill(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(root, "skills/toy-lab/SKILL.md", "---\nname: toy-lab\n---\n")
    write(root, "config/labs.tsv", LABS + "toy-lab\tcurated\tlab\n")
    before = keys_of(root)
    for name in ("SKILL.md~", ".DS_Store", ".SKILL.md.swp", ".#SKILL.md"):
        write(root, f"skills/toy-lab/{name}", "x")
    assert changed(before, keys_of(root)) == set()
    write(root, "skills/toy-lab/references/new.md", "x")
    assert changed(before, keys_of(root)) == {"select", "reproduce"}
