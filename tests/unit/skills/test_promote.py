"""Into the library only what was validated in all tiers, as it is, without a published value."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from labagent.cli import main
from labagent.library.index import make_index, read_index
from labagent.models.skill import TierVerdict, Verdict
from labagent.skills.read import skill_sha256
from support.skills import replace
from support.toy import toy_project

ROOT = Path(__file__).parents[3]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project whose toy skill was explored and frozen, and is not in the library."""
    root = toy_project(tmp_path / "p")
    frozen = root / "results/skills/offline/toy"
    frozen.parent.mkdir(parents=True)
    (root / "skills/toy").rename(frozen)
    labs = root / "config/labs.tsv"
    labs.write_text(labs.read_text().replace("toy\tcurated", "toy\texplore"))
    shutil.copytree(root / "lab", root / "results/artifacts/toy/repository")
    shutil.rmtree(root / "results/artifacts/toy/repository/expected")
    validated(frozen)
    return root


def validated(frozen: Path, **changes: object) -> None:
    """The verdict that validation leaves for this content."""
    tiers = tuple(TierVerdict(tier=n, status="passed", seconds=1.0) for n in (1, 2, 3))
    fields = {"status": "valid", "skill_sha256": skill_sha256(frozen), "lock_sha256": "ab", "tiers": tiers}
    fields |= changes
    Verdict(skill=frozen.name, origin=frozen.parent.name, **fields).write(frozen / "verdict.json")


def call(root: Path, *words: str) -> int:
    return main(["skills", "--root", str(root), *words])


def frozen(root: Path) -> Path:
    return root / "results/skills/offline/toy"


def test_a_validated_skill_is_copied_as_it_is(root, capsys):
    digest = skill_sha256(frozen(root))
    assert call(root, "promote", "toy") == 0
    assert digest[:12] in capsys.readouterr().out
    assert skill_sha256(root / "skills/toy") == digest
    assert not (root / "skills/toy/verdict.json").exists()
    assert sorted(p.name for p in (root / "skills").iterdir()) == ["index.json", "toy"]
    (entry,) = read_index(root).skills
    assert (entry.name, entry.sha256, entry.evidence) == ("toy", digest, 1)
    assert entry.loci == ("check-data", "compute", "check-result", "report-answer")
    assert entry.verdict.tiers == {"1": "passed", "2": "passed", "3": "passed"}
    assert entry.provenance.origin == "offline"
    assert call(root, "promote", "toy", "--json") == 0
    assert json.loads(capsys.readouterr().out)["replaced"] is True


def refused(root: Path, capsys, *words: str) -> str:
    """What is said when nothing gets in."""
    before = skill_sha256(root / "skills/toy") if (root / "skills/toy").exists() else ""
    assert call(root, "promote", "toy", *words) == 2
    assert (skill_sha256(root / "skills/toy") if (root / "skills/toy").exists() else "") == before
    return capsys.readouterr().err


def test_what_was_not_validated_stays_out(root, capsys):
    (frozen(root) / "verdict.json").unlink()
    assert "was not validated" in refused(root, capsys)


def test_what_was_refused_stays_out(root, capsys):
    validated(frozen(root), status="refused", reason="tier 2, api: no such function")
    assert "is refused: tier 2, api: no such function" in refused(root, capsys)


def test_two_tiers_are_not_enough(root, capsys):
    tiers = [TierVerdict(tier=n, status=s) for n, s in ((1, "passed"), (2, "passed"), (3, "not_run"))]
    validated(frozen(root), tiers=tuple(tiers))
    assert "was not validated in tier 3" in refused(root, capsys)


def test_a_changed_skill_stays_out(root, capsys):
    replace(frozen(root) / "references/compute.md", "# Compute", "# Compute it")
    assert "is changed since validated" in refused(root, capsys)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("references/compute.md", "# Compute", "# Compute\n\nThe published mean is 6.60.",
         'references/compute.md, line 3: holds the published value of "mean" of the target "toy-mean"'),
        ("evidence.jsonl", "The mean divides", "Of 3.00: the mean divides",
         'evidence.jsonl, line 1: holds the published value of "median" of the target "toy-median"'),
        ("assets/quickstart.yaml", "column: value", "column: value, expect: 6.604",
         'assets/quickstart.yaml, line 2: holds the published value of "mean"'),
    ],
)  # fmt: skip
def test_a_published_value_of_any_target_stays_out(root, capsys, file, old, new, said):
    replace(frozen(root) / file, old, new)
    validated(frozen(root))
    error = refused(root, capsys)
    assert f"published-values: {said}" in error
    assert "6.6" not in error and "3.00" not in error


def test_a_place_with_a_published_value_cannot_be_cited(root, capsys):
    source = root / "results/artifacts/toy/repository/toystats.py"
    source.write_text(source.read_text().replace("The arithmetic mean.", "For example 6.60."))
    assert 'E1 cites a place with the published value of "mean"' in refused(root, capsys)


def test_a_sealed_file_cannot_be_cited(root, capsys):
    replace(
        frozen(root) / "evidence.jsonl",
        '"toystats.py", "lines": [4, 6]',
        '"expected/result.txt", "lines": [1, 1]',
    )
    validated(frozen(root))
    assert '"expected/result.txt" is not among the staged files (absent or sealed)' in refused(root, capsys)


def test_evidence_that_cannot_be_looked_up_stays_out(root, capsys):
    shutil.rmtree(root / "results/artifacts/toy")
    assert "stage the lab" in refused(root, capsys)


def test_another_version_is_replaced_only_when_asked(root, capsys):
    assert call(root, "promote", "toy") == 0
    replace(frozen(root) / "SKILL.md", "# Mean and median", "# Median and mean")
    validated(frozen(root))
    assert "labagent skills diff toy offline/toy" in refused(root, capsys)
    assert call(root, "promote", "toy", "--replace") == 0
    assert "# Median and mean" in (root / "skills/toy/SKILL.md").read_text()
    assert [p.name for p in (root / "skills").glob(".*")] == []


def test_two_valid_versions_are_told_apart(root, capsys):
    shutil.copytree(frozen(root), root / "results/skills/gpt/toy")
    assert "valid from gpt, offline; name one with --origin" in refused(root, capsys)
    assert call(root, "promote", "toy", "--origin", "gpt") == 0
    assert "there is no frozen skill" in refused(root, capsys, "--origin", "none")


def test_the_index_keeps_a_verdict_for_its_content_only(root, capsys, tmp_path):
    assert call(root, "promote", "toy") == 0
    shutil.rmtree(root / "results")
    assert call(root, "index") == 0
    assert read_index(root).skills[0].verdict is not None
    replace(root / "skills/toy/SKILL.md", "# Mean and median", "# Median")
    assert call(root, "index", "--check") == 1
    assert call(root, "index") == 0
    assert call(root, "index", "--check") == 0
    assert read_index(root).skills[0].verdict is None
    given = tmp_path / "verdict.json"
    validated(root / "skills/toy")
    (root / "skills/toy/verdict.json").rename(given)
    assert call(root, "index", "--verdict", str(given)) == 0
    assert read_index(root).skills[0].verdict.status == "valid"
    replace(root / "skills/toy/SKILL.md", "# Median", "# Middle")
    assert call(root, "index", "--verdict", str(given)) == 2
    assert "is of no skill in skills/" in capsys.readouterr().err


def test_the_index_of_this_checkout_is_in_step():
    assert make_index(ROOT, results="none").skills == read_index(ROOT).skills
    for entry in read_index(ROOT).skills:
        assert entry.verdict is not None and set(entry.verdict.tiers.values()) == {"passed"}, entry.name
