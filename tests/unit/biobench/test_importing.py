"""The published format and held-out files become tasks of ours."""

import json
import subprocess
from pathlib import Path

import pytest

from labagent.biobench.importing import import_tasks
from labagent.biobench.tasks import read_tasks, write_tasks
from labagent.cli import main
from labagent.errors import InputError, SourceError

ROOT = Path(__file__).resolve().parents[3]
CORRECTIONS = ROOT / "benchmarks/biobench/corrections.yaml"
OWN = ROOT / "benchmarks/biobench/tasks.jsonl"


def published(identifier="seq-90", category="sequence_basic", **fields):
    skill = {"sequence_basic": "sequence_basic_analysis", "follow_up": "literature_search"}.get(category)
    base = {
        "id": identifier, "category": category, "mode": "auto", "input": ">x GATTACA",
        "expected_skill": skill, "expected_tools": ["sequence.analyze"], "expected_keywords": ["7"],
        "checks": {"evidence_path": "sequence_stats.records.0.length", "equals": 7},
    }  # fmt: skip
    return {**base, **fields}


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("checks", "gold"),
    [
        ({"evidence_path": "sequence_stats.records.0.gc_percent", "approx": 40.0, "tol": 0.5},
         {"kind": "number", "name": "gc", "value": 40.0, "tolerance": 0.5, "unit": "%"}),
        ({"evidence_path": "sequence_stats.records.0.translation_preview", "starts_with": "MK"},
         {"kind": "sequence", "name": "translation", "value": "MK", "prefix": True}),
        ({"evidence_path": "pubmed.count", "min": 2}, {"kind": "set", "namespace": "pmid", "minimum": 2}),
        ({"evidence_path": "entry.organism", "equals": "Mus musculus"},
         {"kind": "string", "name": "organism", "accepted": ("Mus musculus",)}),
        ({"evidence_path": "mutation.differences.0.flags", "contains_any": ["glycine gain/loss (flexible)"]},
         {"kind": "string", "name": "flags", "accepted": ("glycine",)}),
        ({"summary_contains": ["p53"]}, {"kind": "string", "name": "summary", "accepted": ("p53",)}),
        ({"evidence_path": "sequence_stats.records", "min_length": 3},
         {"kind": "number", "name": "records", "value": 3}),
    ],
)  # fmt: skip
def test_a_published_check_becomes_gold(tmp_path, checks, gold):
    (task,) = import_tasks(write(tmp_path / "p.jsonl", [published(checks=checks)]))
    (found,) = task.gold
    assert {k: v for k, v in found.model_dump().items() if k in gold} == gold


def test_tools_have_our_names(tmp_path):
    rows = [
        published("a-1", checks={"evidence_path": "r.0.translation_preview", "starts_with": "M"}),
        published("a-2"),
        published("a-3", expected_tools=["mutation.diff"], input="WT: MKT\nMT: p.K2R"),
        published("a-4", expected_tools=["mutation.diff"], input="WT: MKT\nMT: MRT"),
    ]
    tasks = import_tasks(write(tmp_path / "p.jsonl", rows))
    assert [t.tools for t in tasks] == [
        ("sequence.translate",), ("sequence.stats",), ("variant.apply|variant.compare|variant.effect",),
            ("variant.compare",),
    ]  # fmt: skip


def test_a_follow_up_knows_the_turn_before(tmp_path):
    rows = [
        published("f-1", input="P00533"),
        published("f-2", "follow_up", follow_up_session="f-1", input="papers on it", checks={}),
    ]
    assert import_tasks(write(tmp_path / "p.jsonl", rows))[1].history == ("P00533",)


def test_corrections_replace_gold_and_give_the_reason_but_keep_the_keywords(tmp_path):
    corrections = tmp_path / "c.yaml"
    corrections.write_text(
        "corrections:\n  - id: seq-90\n    reason: seven is what it says, eight is what it is\n"
        "    gold: [{kind: number, name: length, value: 8}]\n"
    )
    source = write(tmp_path / "p.jsonl", [published(), published("seq-91")])
    first, second = import_tasks(source, corrections)
    assert first.gold[0].value == 8 and first.keywords == ("7",) and "eight" in first.correction
    assert second.gold[0].value == 7 and second.correction == ""


def test_versions_that_repeat_tasks_give_each_once_at_the_commit_named(tmp_path):
    clone = tmp_path / "clone"
    names = ("biobench_v0", "biobench_v1", "biobench_v03")
    for name in names:
        write(clone / "benchmark" / f"{name}.jsonl", [published("seq-90"), published(f"seq-{len(name)}")])
    git = ["git", "-C", str(clone), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *command], check=True)
    commit = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout
    write(clone / "benchmark" / "biobench_v0.jsonl", [published("seq-99")])
    at_commit = import_tasks(clone, None, commit.strip())
    assert [t.id for t in at_commit] == ["seq-90", "seq-11", "seq-12"]
    assert "seq-99" in [t.id for t in import_tasks(clone)]
    with pytest.raises(SourceError, match="cannot be read"):
        import_tasks(clone, None, "0" * 40)
    with pytest.raises(SourceError, match="not a commit"):
        import_tasks(clone, None, "--output=/x")


def test_every_wrong_line_of_a_held_out_file_is_named(tmp_path):
    lines = OWN.read_text(encoding="utf-8").splitlines()[:3]
    broken = [json.loads(line) for line in lines]
    broken[1]["split"] = "hard"
    broken[2]["gold"] = []
    path = write(tmp_path / "held.jsonl", broken)
    with pytest.raises(InputError) as caught:
        import_tasks(path)
    assert [(f.file, f.row) for f in caught.value.faults] == [("held.jsonl", 2), ("held.jsonl", 3)]
    assert "cannot fail" in str(caught.value)


def test_a_held_out_file_stays_as_it_is(tmp_path, capsys):
    target = tmp_path / "out.jsonl"
    assert main(["biobench", "import", str(OWN), "--to", str(target), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["tasks"] == len(read_tasks(OWN))
    assert read_tasks(target) == read_tasks(OWN)


def test_wrong_published_lines_are_named(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text('{"id": "a-1", "category": "x", "input": "y"}\n{"id"\n[]\n')
    with pytest.raises(InputError) as caught:
        import_tasks(path)
    assert [f.row for f in caught.value.faults] == [1, 2, 3]


def test_what_is_not_there_is_said(tmp_path):
    with pytest.raises(SourceError, match="no such file"):
        import_tasks(tmp_path / "gone.jsonl")
    with pytest.raises(SourceError, match="biobench_v0"):
        import_tasks(tmp_path)


def test_two_tasks_of_one_name_are_refused(tmp_path):
    task = read_tasks(OWN)[0]
    write_tasks(tmp_path / "t.jsonl", [task, task])
    with pytest.raises(InputError, match="a second task"):
        read_tasks(tmp_path / "t.jsonl")


def test_the_bundled_corrections_are_read_and_each_has_something_to_say(tmp_path):
    rows = [published("edge-04", "edge_case", input="Find papers about @#", checks={}, expected_keywords=[])]
    (task,) = import_tasks(write(tmp_path / "p.jsonl", rows), CORRECTIONS)
    assert task.outcome == "no_answer" and task.correction
