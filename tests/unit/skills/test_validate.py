"""A good skill passes; every seeded fault is caught, by the right tier and check, at the right line."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from labagent.models.skill import Block
from labagent.skills.checks.blocks_parse import PARSERS
from labagent.skills.freeze import freeze_skill, validate_and_freeze
from labagent.skills.read import skill_sha256
from labagent.skills.validate import validate_skill
from labagent.snapshot import snapshot


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def failures(verdict):
    return [c for t in verdict.tiers for c in t.checks if c.status == "failed"]


def found(verdict, name):
    return [c for c in failures(verdict) if c.id == name]


def test_a_good_skill_passes_all_tiers(skill, check):
    verdict = check(skill)
    assert verdict.status == "valid", verdict.reason
    assert [t.status for t in verdict.tiers] == ["passed"] * 3
    assert {c.status for t in verdict.tiers for c in t.checks} == {"passed"}
    assert verdict.lock_sha256
    assert verdict.skill_sha256 == skill_sha256(skill)


def add_table_row(skill: Path, name: str) -> None:
    row = "| [report](references/report.md) | the answer |\n"
    replace(skill / "SKILL.md", row, row + f"| [{name}](references/{name}.md) | more |\n")
    (skill / "references" / f"{name}.md").write_text("# More\n\n```bash\necho 1\n```\n")


def long_root(skill):
    replace(skill / "SKILL.md", "# Weighted means\n", "# Weighted means\n" + "\nmore\n" * 100)


def three_loci(skill):
    replace(skill / "SKILL.md", "| [environment](references/environment.md) | versions |\n", "")
    (skill / "references" / "environment.md").unlink()


def eight_loci(skill):
    for name in ("a", "b", "c", "d"):
        add_table_row(skill, name)


TIER_1 = {
    "bad name": (
        lambda s: replace(s / "SKILL.md", "name: tiny-mean", "name: Tiny_Mean"),
        "readable",
        "SKILL.md",
        2,
    ),
    "other name": (
        lambda s: replace(s / "SKILL.md", "name: tiny-mean", "name: tiny"),
        "readable",
        "SKILL.md",
        2,
    ),
    "long description": (
        lambda s: replace(s / "SKILL.md", "description: Weighted", "description: " + "x" * 2000),
        "readable",
        "SKILL.md",
        3,
    ),
    "unknown key": (
        lambda s: replace(s / "SKILL.md", "metadata:", "version: 1\nmetadata:"),
        "readable",
        "SKILL.md",
        4,
    ),
    "frontmatter is a list": (
        lambda s: replace(s / "SKILL.md", "name: tiny-mean\n", "- a\n- b\n---\n"),
        "readable",
        "SKILL.md",
        2,
    ),
    "no locus file": (lambda s: (s / "references/run.md").unlink(), "readable", "SKILL.md", 16),
    "empty locus": (
        lambda s: (s / "references/run.md").write_text("# Run\n\n"),
        "loci",
        "references/run.md",
        1,
    ),
    "three loci": (three_loci, "loci", "SKILL.md", 12),
    "eight loci": (eight_loci, "loci", "SKILL.md", 12),
    "unlisted locus": (
        lambda s: (s / "references/extra.md").write_text("text"),
        "loci",
        "references/extra.md",
        1,
    ),
    "long root": (long_root, "sizes", "SKILL.md", 68),
    "long locus": (
        lambda s: (s / "references/run.md").write_text("a\n" * 501),
        "sizes",
        "references/run.md",
        501,
    ),
    "link two levels deep": (
        lambda s: replace(s / "references/run.md", "# Run\n", "# Run\n\n[x](deep/er/file.md)\n"),
        "links",
        "references/run.md",
        3,
    ),
    "dead link": (
        lambda s: replace(s / "SKILL.md", "are left out [E1].", "are left out [E1]. [x](assets/none.csv)"),
        "links",
        "SKILL.md",
        10,
    ),
    "environment is a list": (
        lambda s: (s / "environment.yaml").write_text("- a\n- b\n"),
        "environment-file",
        "environment.yaml",
        1,
    ),
    "pip option": (
        lambda s: replace(s / "environment.yaml", "- pip\n", "- pip\n  - pip: [--index-url x]\n"),
        "environment-file",
        "environment.yaml",
        4,
    ),
    "no quick start": (
        lambda s: (s / "assets/quickstart.yaml").unlink(),
        "quick-start",
        "assets/quickstart.yaml",
        None,
    ),
    "quick start is a list": (
        lambda s: (s / "assets/quickstart.yaml").write_text("- a\n"),
        "readable",
        "assets/quickstart.yaml",
        1,
    ),
    "quick start leaves the lab": (
        lambda s: replace(s / "assets/quickstart.yaml", "data/values.txt", "../../secret"),
        "quick-start",
        "assets/quickstart.yaml",
        1,
    ),
    "sealed data": (
        lambda s: replace(s / "assets/quickstart.yaml", "data/values.txt", "data/sealed.txt"),
        "quick-start",
        "assets/quickstart.yaml",
        1,
    ),
    "evidence is no JSON": (
        lambda s: replace(s / "evidence.jsonl", '{"id": "E2"', '{"id" "E2"'),
        "readable",
        "evidence.jsonl",
        2,
    ),
    "evidence twice": (
        lambda s: replace(s / "evidence.jsonl", '"E2"', '"E1"'),
        "readable",
        "evidence.jsonl",
        2,
    ),
    "citation without evidence": (
        lambda s: replace(s / "references/run.md", "[E2]", "[E2, E9]"),
        "citations",
        "references/run.md",
        3,
    ),
    "evidence cited nowhere": (
        lambda s: replace(s / "references/run.md", " [E2]", ""),
        "citations",
        "evidence.jsonl",
        2,
    ),
    "wrong line": (
        lambda s: replace(s / "evidence.jsonl", "[5, 8]", "[500, 508]"),
        "evidence",
        "evidence.jsonl",
        2,
    ),
    "line that does not say it": (
        lambda s: replace(s / "evidence.jsonl", "[5, 8]", "[1, 2]"),
        "evidence",
        "evidence.jsonl",
        2,
    ),
    "path out of the lab": (
        lambda s: replace(s / "evidence.jsonl", "README.md", "../../../etc/passwd"),
        "evidence",
        "evidence.jsonl",
        1,
    ),
    "nothing printed": (
        lambda s: replace(s / "references/data.md", 'print("values:", len(values))', "pass"),
        "printing",
        "references/data.md",
        4,
    ),
    "block never closed": (
        lambda s: replace(s / "references/report.md", "cat answer.json\n```\n", "cat answer.json\n"),
        "readable",
        "references/report.md",
        3,
    ),
}


@pytest.mark.parametrize("name", TIER_1)
def test_tier_1_catches(name, skill, check):
    break_it, expected, file, line = TIER_1[name]
    break_it(skill)
    verdict = check(skill, 1)
    assert verdict.status == "refused"
    assert verdict.reason.startswith("tier 1, ")
    hits = found(verdict, expected)
    assert [(c.file, c.line) for c in hits][:1] == [(file, line)], failures(verdict)
    assert [t.status for t in verdict.tiers] == ["refused", "not_run", "not_run"]


TIER_2 = {
    "syntax error": (
        lambda s: replace(s / "references/run.md", "model.fit(values)", "model.fit(values"),
        "blocks-parse",
        "references/run.md",
        12,
    ),
    "bash syntax error": (
        lambda s: replace(s / "references/report.md", "cat answer.json", "if true"),
        "blocks-parse",
        "references/report.md",
        6,
    ),
    "function that does not exist": (
        lambda s: replace(s / "references/data.md", "import load", "import loads"),
        "api",
        "references/data.md",
        6,
    ),
    "renamed keyword": (
        lambda s: replace(s / "references/run.md", "Mean(floor=floor)", "Mean(bottom=floor)"),
        "api",
        "references/run.md",
        11,
    ),
    "method that does not exist": (
        lambda s: replace(s / "references/run.md", "model.fit(values)", "model.fitted(values)"),
        "api",
        "references/run.md",
        12,
    ),
    "too many positional": (
        lambda s: replace(s / "references/run.md", "model.fit(values)", "model.fit(values, None, 3)"),
        "api",
        "references/run.md",
        12,
    ),
    "missing argument": (
        lambda s: replace(s / "references/run.md", "model.fit(values)", "model.fit()"),
        "api",
        "references/run.md",
        12,
    ),
    "undeclared import": (
        lambda s: replace(s / "references/environment.md", "import sys", "import sys\nimport numpy"),
        "imports",
        "references/environment.md",
        5,
    ),
    "helper that is not there": (
        lambda s: replace(
            s / "references/report.md", "cp mean.json", 'sh "$LABAGENT_SKILL/scripts/x.sh"\ncp mean.json'
        ),
        "helper-files",
        "references/report.md",
        4,
    ),
    "version that cannot be had": (
        lambda s: replace(s / "environment.yaml", "- pip\n", "- pip\n  - pip: [six==99.0]\n"),
        "resolve",
        "environment.yaml",
        4,
    ),
}


@pytest.mark.parametrize("name", TIER_2)
def test_tier_2_catches(name, skill, check):
    break_it, expected, file, line = TIER_2[name]
    break_it(skill)
    verdict = check(skill, 2)
    assert [t.status for t in verdict.tiers] == ["passed", "refused", "not_run"], verdict.reason
    assert [(c.id, c.file, c.line) for c in failures(verdict)] == [(expected, file, line)]


TIER_3 = {
    "no output although exit 0": (
        lambda s: replace(
            s / "references/report.md", "cp mean.json answer.json\ncat answer.json", "cat mean.json"
        ),
        "outputs",
        "assets/quickstart.yaml",
        4,
    ),
    "key missing": (
        lambda s: replace(s / "assets/quickstart.yaml", "keys: [mean]", "keys: [median]"),
        "outputs",
        "assets/quickstart.yaml",
        4,
    ),
    "not finite": (
        lambda s: replace(s / "references/run.md", '"mean": model.mean', '"mean": float("inf")'),
        "outputs",
        "assets/quickstart.yaml",
        4,
    ),
    "block fails": (
        lambda s: replace(
            s / "references/run.md", "model.fit(values)", "model.fit(values)\nraise KeyError('x')"
        ),
        "run",
        "references/run.md",
        13,
    ),
    "too slow": (
        lambda s: (
            replace(s / "assets/quickstart.yaml", "seconds: 60", "seconds: 2"),
            replace(s / "references/report.md", "cat answer.json", "sleep 60"),
        ),
        "run",
        "references/report.md",
        4,
    ),
}


@pytest.mark.parametrize("name", TIER_3)
def test_tier_3_catches(name, skill, check):
    break_it, expected, file, line = TIER_3[name]
    break_it(skill)
    verdict = check(skill)
    assert [t.status for t in verdict.tiers] == ["passed", "passed", "refused"], verdict.reason
    assert [(c.id, c.file, c.line) for c in failures(verdict)] == [(expected, file, line)]


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


def test_prescriptions_without_evidence_warn(skill, check):
    replace(
        skill / "references/run.md",
        "# Run\n",
        "# Run\n\nKeep values with p below 0.05.\n\nUse at least 10 [E2].\n",
    )
    checks = check(skill, 1).tiers[0].checks
    assert [(c.file, c.line) for c in checks if c.status == "warning"] == [("references/run.md", 3)]


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
