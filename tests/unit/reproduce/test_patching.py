"""Patches of skills: what cleared a failing step in a real run becomes a new version, beside the old one."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace

import pytest
import yaml

from labagent.cli import run_command
from labagent.errors import SkillError
from labagent.explore.patching.edits import apply_fixes, conda_requirements, pip_requirements
from labagent.explore.patching.propose import Lab, place_of, propose
from labagent.explore.patching.steps import failed_steps
from labagent.models.config import EnvironmentSettings, SandboxSettings
from labagent.models.exploration import PatchRecord
from labagent.models.skill import DraftRecord, Verdict
from labagent.reproduce import reproduce
from labagent.skills.read import read_skill, skill_sha256
from labagent.trace import read_trace
from support.toy import PACKAGE, write_skill


@pytest.fixture
def failing(make, tmp_path):
    """A run in which the toy skill's second step needs a folder that it does not make."""
    results = tmp_path / "results"
    skill = write_skill(results / "skills/curated/toy")
    for name in ("compute", "check-result", "report-answer"):
        path = skill / f"references/{name}.md"
        path.write_text(path.read_text().replace("numbers.json", "out/numbers.json"))
    text = (skill / "SKILL.md").read_text()
    (skill / "SKILL.md").write_text(text.replace("numbers.json", "out/numbers.json"))
    for name, content in (("toystats.py", PACKAGE), ("values.csv", "value\n4\n8\n9\n")):
        (tmp_path / "data").mkdir(exist_ok=True)
        (tmp_path / "data" / name).write_text(content)
    artifacts = results / "artifacts/toy/repository"
    (artifacts / "data").mkdir(parents=True)
    (artifacts / "toystats.py").write_text(PACKAGE)
    (artifacts / "data/values.csv").write_text("value\n4\n8\n9\n")
    (tmp_path / "protocol.yaml").write_text("column: value\n")
    attempt = make()
    selection = attempt.selection.model_copy(update={"skill": "toy", "skill_sha256": skill_sha256(skill)})
    attempt = replace(attempt, skill=skill, selection=selection, protocol=tmp_path / "protocol.yaml")
    (tmp_path / "data/values.csv").write_text("value\n1\n4\n")
    record = reproduce(attempt)
    assert (record.status, record.failing_turns) == ("completed", 1), record.reason
    return attempt.folder, results


def test_the_fix_of_a_run_becomes_a_version_that_validates(failing, tmp_path, capsys):
    run, results = failing
    (tmp_path / "config").mkdir()
    status = run_command(["skills", "--root", str(tmp_path), "patch", str(run), "--json"])
    made = PatchRecord.model_validate_json(capsys.readouterr().out)
    assert (status, made.status) == (0, "proposed"), made.reason
    edit = made.edits[0]
    assert (edit.file, edit.fix) == ("references/compute.md", "mkdir -p out")
    new = place_of(made, results / "skills")
    text = (new / "references/compute.md").read_text()
    assert text.index("mkdir -p out") < text.index("import json, os, sys")
    assert 'version: "1.1"' in (new / "SKILL.md").read_text()
    verdict = Verdict.read(new / "verdict.json")
    assert verdict.status == "valid" and [tier.status for tier in verdict.tiers] == ["passed"] * 3
    # The version of the run is as it was; what differs can be looked at.
    base = results / "skills/curated/toy"
    assert (
        skill_sha256(base) == made.base_sha256 and "mkdir" not in (base / "references/compute.md").read_text()
    )
    assert run_command(["skills", "--root", str(tmp_path), "diff", str(base), str(new)]) == 1
    assert "mkdir -p out" in capsys.readouterr().out


def test_a_patch_is_admitted_only_where_the_explorer_says_so(failing, tmp_path, capsys):
    run, results = failing
    record = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps({**record, "skill_origin": "mine"}))
    (results / "skills/curated").rename(results / "skills/mine")
    draft = results / "explore/mine/toy"
    shutil.copytree(results / "skills/mine/toy", draft / "skill/toy")
    DraftRecord(
        skill="toy", explorer="mine", status="drafted", skill_sha256=record["skill_sha256"], key="k"
    ).write(draft / "draft.json")
    config = tmp_path / "config/config.yaml"
    config.parent.mkdir()
    for name in ("labs", "targets", "references"):
        (config.parent / f"{name}.tsv").write_text("")
    text = "models:\n  m: {model: openai/x}\nexplorers:\n  mine: {model: m, admit_patches: ADMIT}\n"
    before = skill_sha256(draft / "skill/toy")
    for admitted in ("false", "true"):
        config.write_text(text.replace("ADMIT", admitted))
        from labagent.cli._patch import patch
        from labagent.inputs import load_config

        class Args:
            pass

        args = Args()
        args.root, args.attempt, args.tier, args.json = tmp_path, run, 3, True
        assert patch(args, load_config(tmp_path), None) == 0
        made = PatchRecord.model_validate_json(capsys.readouterr().out)
        changed = skill_sha256(draft / "skill/toy") != before
        assert (made.status, changed) == (("admitted", True) if admitted == "true" else ("proposed", False))
    assert DraftRecord.read(draft / "draft.json").skill_sha256 == made.skill_sha256
    assert DraftRecord.read(draft / "draft.json").key == "k"


def test_an_installed_package_becomes_a_pinned_requirement(make, tmp_path):
    record = reproduce(make())
    attempt = make()
    skill = attempt.skill
    (skill / "environment.yaml").write_text("dependencies: [python=3.11, toymean=0.9, {pip: [other]}]\n")
    events = read_trace(attempt.folder / record.try_folder / "trace.jsonl")
    cleared = failed_steps(read_skill(skill), events)
    assert [(item.step.path, item.failure_class, item.cleared) for item in cleared] == [
        ("references/answer.md", "missing_module", True)
    ]
    edits, left = apply_fixes(skill, cleared, {"toymean": "1.0"})
    assert left == []
    assert edits[0].change == "toymean==1.0 in place of toymean=0.9"
    content = yaml.safe_load((skill / "environment.yaml").read_text())
    assert content["dependencies"] == ["python=3.11", "pip", {"pip": ["other", "toymean==1.0"]}]


def test_a_run_without_a_failing_step_gives_no_patch(make, tmp_path):
    attempt = make(answer="# Answer\n\n```bash\necho '{\"mean\": 2.5}' > answer.json\n```\n")
    place = tmp_path / "results/skills/curated/toy-mean"
    shutil.copytree(attempt.skill, place)
    reproduce(attempt)
    lab = Lab(None, None, EnvironmentSettings(), SandboxSettings(), tmp_path)
    made = propose(attempt.folder, tmp_path / "results/skills", lab, tier=1)
    assert (made.status, made.reason) == ("nothing", "no step of the skill failed in this run")
    (place / "references/load.md").write_text("# Another\n")
    with pytest.raises(SkillError, match="is not the skill this run used"):
        propose(attempt.folder, tmp_path / "results/skills", lab, tier=1)


def events(*turns):
    """A trace of commands with status and output."""
    for number, (command, status, text) in enumerate(turns, 1):
        yield {"event": "command", "turn": number, "command": command, "step": "", "lesson": ""}
        yield {"event": "observation", "turn": number, "status": status, "text": text}


def test_a_models_changed_form_of_a_block_takes_its_place(make):
    attempt = make()
    skill = read_skill(attempt.skill)
    code = skill.loci[1].blocks[0].code
    changed = code.replace('"rows.txt"', '"rows.txt".strip()')
    turns = [
        (f"python - <<'EOF'\n{code}EOF", 1, "Traceback\nTypeError: bad rows"),
        ("ls -l", 0, "rows.txt"),
        (f"python - <<'EOF'\n{changed}EOF", 0, "2.5"),
    ]
    (cleared,) = failed_steps(skill, list(events(*turns)))
    assert (cleared.turn, cleared.code) == (1, changed)
    apply_fixes(attempt.skill, [replace(cleared, fixes=())], {})
    assert read_skill(attempt.skill).loci[1].blocks[0].code == changed


def test_commands_of_its_own_say_nothing_of_the_skill(make):
    skill = read_skill(make().skill)
    turns = [("python mine.py", 1, "KeyError: 'x'"), ("python mine.py", 0, "")]
    assert failed_steps(skill, list(events(*turns))) == []


def test_what_did_not_help_is_no_part_of_the_patch(make):
    skill = read_skill(make().skill)
    step = f"python - <<'EOF'\n{skill.loci[1].blocks[0].code}EOF"
    missing, other = "ModuleNotFoundError: No module named 'toymean'", "FileNotFoundError: rows.txt"
    turns = [
        (step, 1, missing),
        ("pip install wrong", 0, ""),
        (step, 1, missing),
        ("pip install toymean", 0, ""),
        (step, 1, other),
        ("touch rows.txt", 0, ""),
        (step, 0, ""),
    ]
    (cleared,) = failed_steps(skill, list(events(*turns)))
    assert cleared.fixes == ("pip install toymean", "touch rows.txt")


@pytest.mark.parametrize(
    ("command", "requirements"),
    [
        ("python -m pip install 'numpy<2'", ["numpy<2"]),
        ("pip install -q --index-url https://x.example/simple Foo_bar", ["Foo_bar==3.1"]),
        ("uv pip install a b", ["a", "b"]),
        ("pip install git+https://x.example/y", []),
        ("pip install . ", []),
        ("pip install a; rm -rf b", []),
        ("echo pip install a", []),
    ],
)
def test_requirements_of_a_pip_command(command, requirements):
    assert pip_requirements(command, {"foo-bar": "3.1"}) == requirements


def test_requirements_of_conda_and_r():
    assert conda_requirements("mamba install -y -c bioconda samtools=1.9") == ["samtools=1.9"]
    assert conda_requirements('Rscript -e \'install.packages(c("MASS", "lme4"))\'') == ["r-mass", "r-lme4"]
    assert conda_requirements("ls") == []
