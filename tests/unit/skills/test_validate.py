"""A good skill passes, and what validation leaves behind."""

from __future__ import annotations

import json
import shutil

import pytest

from labagent.models.skill import Block
from labagent.skills.checks.blocks_parse import PARSERS
from labagent.skills.freeze import freeze_skill, validate_and_freeze
from labagent.skills.read import skill_sha256
from labagent.skills.rubric import rubric
from labagent.skills.validate import validate_skill
from labagent.snapshot import snapshot
from support.skills import found, raised, replace


def test_a_good_skill_passes_all_tiers(skill, check):
    verdict = check(skill)
    assert verdict.status == "valid", verdict.reason
    assert [t.status for t in verdict.tiers] == ["passed"] * 3
    skipped = {c.id for t in verdict.tiers for c in t.checks if c.status == "skipped"}
    assert {c.status for t in verdict.tiers for c in t.checks} == {"passed", "skipped"}
    own = {"manifest", "tool-calls", "examples"}  # of tool skills
    assert skipped <= {r.id for r in rubric()} | {"published-values"} | own
    assert verdict.lock_sha256
    assert verdict.skill_sha256 == skill_sha256(skill)


def test_warnings_are_kept_without_values(skill, check):
    replace(
        skill / "references/run.md",
        "model = Mean",
        "import warnings; warnings.warn('off by 3.14159')\nmodel = Mean",
    )
    verdict = check(skill)
    assert verdict.status == "valid"
    kept = [c.message for c in verdict.tiers[2].checks if c.status == "warning"]
    assert kept == ["UserWarning: off by #"]
    assert "3.14159" not in verdict.model_dump_json()


def test_a_verdict_holds_no_computed_value(skill, check):
    assert "mean: 2.0" not in check(skill).model_dump_json()


def test_a_module_of_the_lab_can_be_staged(skill, artifacts, check, project, tmp_path):
    lab = tmp_path / "lab"
    shutil.copytree(artifacts, lab)
    (lab / "repository" / "maplight.py").write_text("def get_fingerprints(x):\n    return x\n")
    replace(skill / "references/environment.md", "import sys", "import sys\nimport maplight\nimport numpy")

    def imports():
        verdict = validate_skill(
            skill, origin="curated", snapshot=snapshot(lab / "repository", "tiny-mean"), artifacts=lab,
            root=project, log=tmp_path / "v.log", tier=2,
        )  # fmt: skip
        return [c.message for c in found(verdict, "imports")]

    said = imports()
    assert "or name maplight.py in assets/quickstart.yaml data" in said[0]
    assert "lab:tiny-mean/maplight.py" in said[0]
    assert "quickstart" not in said[1]
    replace(skill / "assets/quickstart.yaml", "data/values.txt", "data/values.txt, maplight.py")
    assert [message.split(",")[0] for message in imports()] == ['imports "numpy"']


BROKEN = [
    ("python", "x = 1\ny = (2\n", 2, "is not Python: '(' was never closed"),
    ("bash", "true\ndone\n", 2, "is not bash: syntax error near unexpected token `done'"),
    ("r", "x <- 1\ny <- )\n", 2, "is not R: unexpected ')'"),
]


@pytest.mark.parametrize(("language", "code", "line", "said"), BROKEN)
def test_a_block_that_does_not_parse_has_one_line_number(language, code, line, said):
    if language == "r" and shutil.which("Rscript") is None:
        pytest.skip("no R here")
    block = Block(language=language, code=code, line=1)
    assert PARSERS[language](block) == (said, line)


def test_prescriptions_need_evidence_or_a_rule_on_what_is_printed(skill, check):
    replace(
        skill / "references/run.md",
        "# Run\n",
        "# Run\n\nKeep values with p below 0.05.\n\nUse at least 10 [E2].\n\n"
        "Decision rule: with at least 3 values printed, go on.\n",
    )
    assert raised(check(skill, 1), "prescriptions") == [("references/run.md", 3), ("references/run.md", 5)]


def test_the_environment_decides_not_the_host(skill, check):
    replace(
        skill / "references/environment.md",
        "import sys",
        "import sys\ntry:\n    import pydantic\nexcept ImportError:\n    print('absent')",
    )
    replace(
        skill / "references/environment.md",
        "print(sys.version)",
        "print(sys.version)\nassert 'pydantic' not in sys.modules",
    )
    assert check(skill).status == "valid"


def test_validation_leaves_the_skill_as_it_was(skill, check):
    before = skill_sha256(skill)
    check(skill)
    assert skill_sha256(skill) == before
    assert not (skill / "verdict.json").exists()


@pytest.fixture
def freeze(artifacts, api, project, tmp_path):
    from labagent.models.config import EnvironmentSettings, SandboxSettings

    def run(source, **more):
        return validate_and_freeze(
            source,
            tmp_path / "frozen" / "tiny-mean",
            skill="tiny-mean",
            origin="curated",
            snapshot=api,
            artifacts=artifacts,
            environment=EnvironmentSettings(),
            sandbox=SandboxSettings(),
            root=project,
            log=tmp_path / "log.txt",
            **more,
        )

    return run


def test_freezing_keeps_what_was_validated(skill, freeze, tmp_path):
    (skill / "secret").symlink_to("/etc/hostname")
    verdict = freeze(skill)
    frozen = tmp_path / "frozen" / "tiny-mean"
    assert verdict.status == "valid", verdict.reason
    assert json.loads((frozen / "verdict.json").read_text())["skill_sha256"] == skill_sha256(frozen)
    assert not (frozen / "secret").exists()


def test_a_refused_skill_keeps_its_verdict(skill, freeze, tmp_path):
    (skill / "references/run.md").write_text("")
    verdict = freeze(skill)
    assert verdict.status == "refused"
    assert "references/run.md" in verdict.reason
    assert (tmp_path / "frozen" / "tiny-mean" / "verdict.json").exists()


def test_a_missing_draft_is_said(freeze, tmp_path):
    verdict = freeze(None, reason="no example can run")
    assert (verdict.status, verdict.reason) == ("missing", "no example can run")
    assert json.loads((tmp_path / "frozen/tiny-mean/verdict.json").read_text())["status"] == "missing"


def test_freezing_by_hand_refuses_a_changed_skill(skill, check, tmp_path):
    verdict = check(skill, 1)
    replace(skill / "SKILL.md", "Weighted means\n", "Weighted mean\n")
    with pytest.raises(ValueError, match="changed"):
        freeze_skill(skill, tmp_path / "frozen", verdict)
