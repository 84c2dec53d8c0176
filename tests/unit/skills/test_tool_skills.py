"""Skills that work with the registered tools: manifests, the bundled four, their examples, a new folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from labagent.ask.manifests import as_event, discover, skills_for
from labagent.cli import main
from labagent.inputs import load_inputs
from labagent.models.snapshot import Snapshot
from labagent.skills.manifest import ANSWER, ROUTES, read_manifest, schema_fault
from labagent.skills.read import read_skill
from labagent.skills.validate import validate_skill
from labagent.tools import registry
from labagent.tools.examples import differences
from support.skills import found, replace

ROOT = Path(__file__).parents[3]
BUNDLED = {
    "sequence": "sequence-analysis",
    "protein": "protein-annotation",
    "literature": "literature-search",
    "mutation": "mutation-assessment",
}


@pytest.fixture
def copied(tmp_path):
    """A project with a copy of one tool skill."""
    place = tmp_path / "skills" / "sequence-analysis"
    shutil.copytree(ROOT / "skills" / "sequence-analysis", place)
    return place


def validated(folder, tmp_path, tier=2, **more):
    given = {"snapshot": None, "artifacts": None, **more}
    return validate_skill(folder, origin="curated", root=tmp_path, log=tmp_path / "log", tier=tier, **given)


def test_each_route_has_its_bundled_skill():
    assert {route: [m.skill for m in skills_for(route, ROOT)] for route in ROUTES} == {
        route: [name] for route, name in BUNDLED.items()
    }
    assert skills_for("none", ROOT) == [] and discover(ROOT).faults == {}


def test_tool_skills_are_no_candidates_of_targets():
    labs = set(load_inputs(ROOT).labs)
    assert labs and not labs & set(BUNDLED.values())


@pytest.mark.parametrize("name", BUNDLED.values())
def test_the_bundled_skills_pass_without_a_warning(name, tmp_path):
    verdict = validated(ROOT / "skills" / name, tmp_path)
    checks = [c for t in verdict.tiers for c in t.checks]
    assert [c for c in checks if c.status in ("failed", "warning")] == []
    assert {c.status for c in checks if c.id in ("manifest", "tool-calls")} == {"passed"}


@pytest.mark.parametrize("name", BUNDLED.values())
def test_the_examples_of_the_bundled_skills_hold(name, tmp_path, monkeypatch):
    """All blocks in this process, which is quicker than the sandbox; one skill is run there below."""
    folder = ROOT / "skills" / name
    skill = read_skill(folder)
    manifest = read_manifest(folder, skill)
    for number, example in enumerate(manifest.examples):
        place = tmp_path / str(number)
        place.mkdir()
        (place / "protocol.json").write_text(json.dumps(example.arguments))
        monkeypatch.chdir(place)
        monkeypatch.setenv("LABAGENT_PROTOCOL", str(place / "protocol.json"))
        for locus in skill.loci:
            for block in locus.blocks:
                exec(compile(block.code, locus.path, "exec"), {"__name__": "__main__"})
        answer = json.loads((place / ANSWER).read_text())
        assert (number, differences(answer, example.expect)) == (number, [])
        assert schema_fault(answer, manifest.result) == ""


def test_what_a_trace_says_of_a_skill():
    (manifest,) = skills_for("mutation", ROOT)
    event = as_event(manifest)
    assert event["sha256"] == read_skill(ROOT / "skills" / event["skill"]).sha256
    assert set(event["tools"]) <= set(registry())


EXAMPLES, SCHEMA, START = "assets/examples.jsonl", "assets/schema.json", "assets/quickstart.yaml"
SAFE = "safety: safe\n"


@pytest.mark.parametrize(
    ("file", "old", "new", "place", "said"),
    [
        ("SKILL.md", "tools: sequence.parse", "tools: sequence.pars", "SKILL.md, line 12: metadata tools",
         'no tool "sequence.pars"; did you mean sequence.parse'),
        ("SKILL.md", "  safety: safe\n", "", "metadata safety", "is missing"),
        ("SKILL.md", SAFE, "safety: safe network\n", "line 11: metadata safety", "none of its tools"),
        ("SKILL.md", SAFE, "safety: compute\n", "metadata safety", "is marked safe"),
        ("SKILL.md", SAFE, "safety: harmless\n", "metadata safety", "safe, network, compute"),
        ("SKILL.md", "routes: sequence", "routes: sequence structure", "line 10: metadata routes",
         "sequence, protein, mutation, literature"),
        ("SKILL.md", "category: sequence", "category: A Word", "line 9: metadata category", "one word"),
        ("SKILL.md", f"schema: {SCHEMA}", "schema: assets/shema.json", "metadata schema",
         'names "assets/shema.json", which is not there'),
        ("SKILL.md", f"schema: {SCHEMA}", "schema: ../schema.json", "metadata schema", "a file of the skill"),
        (SCHEMA, '"type": "object"', '"type": "objct"', SCHEMA, "arguments"),
        (SCHEMA, '{"enum": ["auto"', '{"enum": [["auto"', SCHEMA, "not JSON"),
        (SCHEMA, '"minimum": 1}', '"minimum": "1"}', f"{SCHEMA}, line 1", "no JSON schema"),
        (SCHEMA, '{"type": "string", "minLength": 1}', '{"$ref": "http://x.example/s.json"}', SCHEMA,
         "only places in the schema itself"),
        (EXAMPLES, '{"sequence": "GATTACA"}', '{"sequnce": "GATTACA"}', f"{EXAMPLES}, line 3", "'sequence'"),
        (EXAMPLES, '"expect": {"records.0.certain"', '"expects": {"records.0.certain"', f"{EXAMPLES}, line 3",
         '"expect"'),
        (START, "min_length: 3", "min_length: three", START, "min_length"),
        (START, "file: answer.json", "file: other.json", START, "answer.json"),
    ],
)  # fmt: skip
def test_a_wrong_manifest_is_one_clear_error(copied, tmp_path, file, old, new, place, said):
    replace(copied / file, old, new)
    verdict = validated(copied, tmp_path, tier=1)
    assert verdict.status == "refused"
    assert place in verdict.reason and said in verdict.reason, verdict.reason
    assert len(found(verdict, "manifest")) == 1


def test_one_example_is_too_few(copied, tmp_path):
    lines = (copied / "assets/examples.jsonl").read_text().splitlines()
    (copied / "assets/examples.jsonl").write_text(lines[0] + "\n")
    assert "at least 2" in validated(copied, tmp_path, tier=1).reason


@pytest.mark.parametrize(
    ("old", "new", "check", "said"),
    [
        ('"sequence.parse", {"sequence": asked["sequence"], "type": asked.get("type", "auto")}',
         '"sequence.parse", {"seqence": asked["sequence"]}', "tool-calls", 'no argument "seqence"'),
        ('"sequence.parse"', '"variant.parse"', "tool-calls", "which the tools of the manifest do not name"),
        ('"sequence.parse"', 'str("sequence.parse")', "tool-calls", "no block calls sequence.parse"),
        ("import json\n", "import json\nimport numpy\n", "imports", "a tool skill declares no numpy"),
    ],
)  # fmt: skip
def test_blocks_call_what_the_manifest_names(copied, tmp_path, old, new, check, said):
    replace(copied / "references/read-sequence.md", old, new)
    checks = found(validated(copied, tmp_path), check)
    assert any(said in c.message for c in checks), checks


def test_a_tool_skill_has_no_environment_and_no_lab(copied, tmp_path):
    (copied / "environment.yaml").write_text("dependencies: [python=3.11]\n")
    assert found(validated(copied, tmp_path, tier=1), "environment-file")
    lab = Snapshot.model_construct(skill="sequence-analysis")
    assert "has no lab" in found(validated(copied, tmp_path, tier=1, snapshot=lab), "manifest")[0].message
    (tmp_path / "lab").mkdir()
    assert found(validated(copied, tmp_path, tier=1, artifacts=tmp_path / "lab"), "manifest")


def test_a_new_folder_is_found_and_a_broken_one_is_told_and_keeps_nobody_from_working(
    copied, tmp_path, capsys
):
    for name in ("base-counting", "broken"):
        shutil.copytree(copied, copied.parent / name)
        replace(copied.parent / name / "SKILL.md", "name: sequence-analysis", f"name: {name}")
    replace(copied.parent / "base-counting/SKILL.md", "routes: sequence", "routes: sequence mutation")
    replace(copied.parent / "broken/SKILL.md", "sequence.orfs", "sequence.genes")
    assert [m.skill for m in skills_for("sequence", tmp_path)] == ["base-counting", "sequence-analysis"]
    assert [m.skill for m in skills_for("mutation", tmp_path)] == ["base-counting"]
    assert main(["skills", "--root", str(tmp_path), "manifests", "--route", "mutation", "--json"]) == 1
    said = capsys.readouterr()
    assert [m["skill"] for m in json.loads(said.out)] == ["base-counting"]
    assert 'skills/broken: SKILL.md, line 12: metadata tools: there is no tool "sequence.genes"' in said.err


def test_examples_are_run_in_the_sandbox_and_say_what_is_otherwise(copied, tmp_path, capsys):
    wrong = [
        {"arguments": {"sequence": "GATTACA"}, "expect": {"records.0.length": 7}},
        {"arguments": {"sequence": "GATTACA"}, "expect": {"records.0.length": 8, "records.1.name": ""}},
    ]
    (copied / "assets/examples.jsonl").write_text("\n".join(map(json.dumps, wrong)))
    assert main(["skills", "--root", str(tmp_path), "examples", "sequence-analysis"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "example 1: holds",
        'example 2: records.0.length is 7, expected 8; records.1.name is not there, expected ""',
    ]


def test_only_tool_skills_have_examples(tmp_path, capsys):
    assert main(["skills", "--root", str(ROOT), "examples", "cobra"]) == 2
    assert "no tool skill" in capsys.readouterr().err
    assert main(["skills", "--root", str(tmp_path), "examples", "nothing"]) == 2
