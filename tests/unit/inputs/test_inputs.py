"""Everything a user edits is validated at once; each fault names its place, the value and what to do."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from labagent.errors import InputError
from labagent.inputs import load_inputs, load_lab, load_target
from support.project import LABS, REFERENCES, TARGETS, small_project, write


def faults(root: Path, overrides: dict | None = None) -> list[str]:
    with pytest.raises(InputError) as caught:
        load_inputs(root, overrides)
    return [str(f) for f in caught.value.faults]


def test_a_right_project_loads_with_absolute_paths(tmp_path: Path) -> None:
    inputs = load_inputs(small_project(tmp_path))
    target = inputs.targets["toy-mean"]
    assert Path(target.task) == tmp_path / "config/task.md"
    assert target.data == (str(tmp_path / "config/values.csv"),)
    assert inputs.references["toy-mean"]["mean"].rounding == pytest.approx(0.005)
    assert list(inputs.entries()) == [("offline", "toy-mean", 1)]
    assert inputs.origin("offline", "toy-lab") == "offline"


def test_paths_may_also_start_at_the_workflow_folder(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    (root / "config/task.md").rename(root / "task.md")
    assert load_inputs(root).targets["toy-mean"].task == str(root / "task.md")


def test_byte_order_mark_crlf_comments_and_blank_lines_are_fine(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    text = "# my labs\n" + LABS + "\ntoy-lab\texplore\tlab\n"
    (root / "config/labs.tsv").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert load_inputs(root).labs["toy-lab"].repository == "lab"


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(root, "config/labs.tsv", "skill\tsource\ntoy-lab\texplore\n")
    assert any("labs.tsv, line 1" in f and '"repository"' in f and "missing" in f for f in faults(root))


def test_blanks_instead_of_tabs_are_recognised(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(root, "config/labs.tsv", "skill source repository\ntoy-lab explore lab\n")
    assert any("separated by tabs" in f for f in faults(root))


def test_all_faults_are_listed_not_only_the_first(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(root, "config/labs.tsv", LABS + "toy-lab\tguess\tlab\nToy Lab\texplore\tlab\n")
    rows = "toy-mean\tmetrik\tother\tnone.md\tvalues.csv\tmean=answer.json:mean\t\tsmall\n"
    write(root, "config/targets.tsv", TARGETS + rows)
    found = faults(root)
    for expected in (
        'labs.tsv, line 2, "source"',
        'labs.tsv, line 3, "skill"',
        '"family": "metrik" is not known; allowed: metric',
        '"skill": "other" is not known',
        '"task": no such file: "none.md"',
        '"budget": "small" is not known; allowed: default',
    ):
        assert any(expected in f for f in found), (expected, found)


def test_duplicate_targets_name_the_first_place(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    text = (root / "config/targets.tsv").read_text()
    write(root, "config/targets.tsv", text + text.splitlines()[1] + "\n")
    assert any("stands twice; first in config/targets.tsv, line 2" in f for f in faults(root))


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (
            "toy-mean\tmedian\tm\tmatch\t2\t\t\t\t\t\tbook\t\n",
            "has no reference; add a row to config/references.tsv",
        ),
        ("other\tmean\tm\tmatch\t2\t\t\t\t\t\tbook\t\n", '"other" is in no targets table'),
        ("toy-mean\tmean\tm\tup\t2\t\t\t\t\t\tbook\t\n", "'higher', 'lower' or 'match'"),
        ("toy-mean\tmean\tm\tmatch\ttwo\t\t\t\t\t\tbook\t\n", "'two'"),
        ("toy-mean\tmean\tm\tmatch\t2\t0.1\t\t\t\t\tbook\t\n", "sd and sd_kind go together"),
        ("toy-mean\tmean\tm\tmatch\tnan\t\t\t\t\t\tbook\t\n", "finite"),
    ],
)
def test_references_are_checked(tmp_path: Path, row: str, expected: str) -> None:
    root = small_project(tmp_path)
    write(root, "config/references.tsv", REFERENCES + row)
    assert any(expected in f for f in faults(root)), faults(root)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("none.csv", 'no such file or folder: "none.csv"'),
        ("values.csv#sha256=12", "64 hexadecimal digits"),
        ("lab:nobody/x.csv", 'lab "nobody" is not known'),
        ("lab:toy-lab", "must read lab:SKILL/PATH"),
    ],
)
def test_data_items_are_checked(tmp_path: Path, data: str, expected: str) -> None:
    root = small_project(tmp_path)
    row = f"toy-mean\tmetric\ttoy-lab\ttask.md\t{data}\tmean=answer.json:mean\n"
    write(root, "config/targets.tsv", TARGETS + row)
    assert any(expected in f for f in faults(root))


def test_a_yaml_tab_is_said_to_be_one_with_its_line(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    (root / "config/config.yaml").write_text("arms:\n\toffline: {}\n")
    assert any("config.yaml, line 2" in f and "tab" in f for f in faults(root))


def test_a_key_that_stands_twice_is_a_fault(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(root, "config/config.yaml", "arms:\n  a: {}\n  a: {memory: off}\n")
    assert faults(root) == ['config/config.yaml, line 3: the key "a" stands twice (column 3)']
    write(root, "config/config.yaml", "arms:\n  a: &a {memory: off}\n  b: {<<: *a, memory: live}\n")
    assert load_inputs(root).config.arms["b"].memory == "live"


def test_config_faults_name_key_line_and_value(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(root, "config/config.yaml", "arms:\n  offline:\n    memory: sometimes\nattempt: 2\n")
    found = faults(root)
    assert any('line 3, "arms.offline.memory"' in f and "'sometimes'" in f for f in found), found
    assert any('line 4, "attempt"' in f and "not a known key" in f for f in found), found


def test_an_arm_with_an_undefined_model_is_refused(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(root, "config/config.yaml", "arms:\n  a: {model: gpt}\n")
    assert any('arms.a.model: "gpt" is not defined; allowed: offline' in f for f in faults(root))


def test_overrides_are_merged_over_the_file(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    inputs = load_inputs(root, {"selection": {"targets": ["toy-mean"]}, "attempts": 3})
    assert [e[2] for e in inputs.entries()] == [1, 2, 3]
    assert any('"toy" is not known' in f for f in faults(root, {"selection": {"targets": ["toy"]}}))


def test_repository_and_commit_must_exist(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(root, "config/labs.tsv", LABS + "toy-lab\texplore\tnowhere\n")
    assert any('no such folder: "nowhere"' in f for f in faults(root))
    subprocess.run(["git", "init", "-q", str(root / "lab")], check=True)
    write(root, "config/labs.tsv", LABS + "toy-lab\texplore\tlab\tdeadbeef\n")
    assert any('"deadbeef" is no commit or tag' in f for f in faults(root))


def test_a_curated_skill_must_be_there(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(root, "config/labs.tsv", LABS + "toy-lab\tcurated\tlab\n")
    assert any("needs skills/toy-lab/SKILL.md" in f and "labagent skills new" in f for f in faults(root))


def test_an_index_repository_needs_an_exact_version(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(root, "config/labs.tsv", LABS + "toy-lab\texplore\tpypi:lifelines>=0.30\n")
    assert any("pypi:NAME==VERSION" in f for f in faults(root))


def test_one_row_is_read_without_its_neighbours(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    config = load_inputs(root).config
    with (root / "config/targets.tsv").open("a") as stream:
        stream.write("broken\tmetric\n")
    found = load_target(root, config, "toy-mean")
    assert found.target.target == "toy-mean"
    assert found.references == {}, "only scoring reads references"
    assert load_target(root, config, "toy-mean", scoring=True).references["mean"].value == 2.5
    assert load_lab(root, config, "toy-lab").source == "explore"
    with pytest.raises(InputError, match="no row"):
        load_lab(root, config, "other")


def test_rows_without_tabs_are_recognised(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(root, "config/labs.tsv", LABS + "toy-lab    explore    lab\n")
    found = faults(root)
    assert any("labs.tsv, line 2" in f and "separated by tabs" in f for f in found)


def test_a_broken_header_brings_no_faults_that_follow_from_it(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    text = (root / "config/references.tsv").read_text()
    write(root, "config/references.tsv", text.replace("\tsd\t", "\tstd\t"))
    assert [f for f in faults(root) if "std" not in f and "column is missing" not in f] == []


def test_a_protocol_must_be_a_yaml_mapping(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(root, "config/protocol.yaml", "- a\n- b\n")
    assert any("targets.tsv, line 2" in f and '"protocol"' in f and "mapping" in f for f in faults(root))


@pytest.mark.parametrize("item", ["labels/toy-mean.csv", "labels", "../config"])
def test_withheld_labels_cannot_be_data(tmp_path: Path, item: str) -> None:
    root = small_project(tmp_path)
    write(root, "config/labels/toy-mean.csv", "id,label\na,1\n")
    row = f"toy-mean\tmetric\ttoy-lab\ttask.md\t{item}\tmean=answer.json:mean\n"
    write(root, "config/targets.tsv", TARGETS + row)
    assert any("withheld labels" in f for f in faults(root)), faults(root)


def test_a_quote_that_is_not_closed_swallows_no_rows(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    row = 'toy-lab\texplore\tlab\t\t\t\t\t"expected/**\n'
    write(root, "config/labs.tsv", LABS + row + "other\texplore\tlab\n")
    assert any("labs.tsv, line 2" in f and "quote is not closed" in f for f in faults(root))


def test_a_cell_of_any_length_is_no_crash(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    row = f"toy-mean\tmean\tmean\tmatch\t2.5\t\t\t\t\t\t{'x' * 200_000}\t\n"
    write(root, "config/references.tsv", REFERENCES + row)
    assert any("references.tsv, line 2" in f and "limit" in f for f in faults(root))


@pytest.mark.parametrize(("text", "expected"), [("", "is empty"), (b"\xe9", "is not UTF-8 text")])
def test_a_task_is_text_that_says_something(tmp_path: Path, text: str | bytes, expected: str) -> None:
    root = small_project(tmp_path)
    (root / "config/task.md").write_bytes(text.encode() if isinstance(text, str) else text)
    assert any('"task"' in f and expected in f for f in faults(root))


@pytest.mark.parametrize("results", ["../x", "config", "a{b}", "/abs", "a//b", "skills/x"])
def test_results_are_a_folder_of_their_own(tmp_path: Path, results: str) -> None:
    root = small_project(tmp_path)
    assert any('"results"' in f and "folder of its own" in f for f in faults(root, {"results": results}))


def test_odd_numbers_and_aliases_are_faults(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(root, "config/config.yaml", "budgets:\n  default: {wall_seconds: .inf}\n")
    assert any('line 2, "budgets.default.wall_seconds"' in f for f in faults(root))
    write(root, "config/config.yaml", "arms: &a\n  offline: *a\n")
    assert any('"arms.offline.offline"' in f for f in faults(root)), faults(root)
