"""Skills leave as other agents read them; two versions are compared by what they say and do."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from labagent.cli import main
from labagent.library.diff import diff_skills
from labagent.skills.frontmatter import parse_frontmatter
from labagent.skills.read import read_skill
from support.skills import replace
from support.toy import write_skill

ROOT = Path(__file__).parents[3]


def call(root: Path, *words: object) -> int:
    return main(["skills", "--root", str(root), *map(str, words)])


def test_the_library_is_exported_clean_for_other_agents(tmp_path, capsys):
    skills_ref = pytest.importorskip("skills_ref")
    assert call(ROOT, "export", tmp_path / "out", "--json") == 0
    folders = [Path(name) for name in json.loads(capsys.readouterr().out)]
    assert {"cobra", "lifelines", "pydeseq2"} <= {folder.name for folder in folders}
    for folder in folders:
        assert skills_ref.validate(folder) == []
        text = (folder / "SKILL.md").read_text()
        assert "LABAGENT_DATA" in text.split("outside its project")[1]
        assert parse_frontmatter(text, folder.name).name == folder.name
        assert (folder / "references").is_dir()
        # Tools run in labagent's own environment.
        assert (folder / "environment.yaml").is_file() != read_skill(folder).is_tool_skill
        assert not list(folder.rglob("verdict.json")) and not list(folder.rglob("__pycache__"))


BAD = {
    "name": ("name: toy", "name: Toy"),
    "long name": ("name: toy", "name: " + "t" * 65),
    "hyphens": ("name: toy", "name: to--y"),
    "description": ("Use for tests.", "x" * 2000),
    "key": ("license: MIT", "licence: MIT"),
    "list": ("name: toy\n", "- toy\n"),
    "no end": ("\n---\n\n#", "\n\n#"),
}


@pytest.mark.parametrize("name", BAD)
def test_our_parser_refuses_what_the_reference_refuses(name, tmp_path):
    skills_ref = pytest.importorskip("skills_ref")
    folder = write_skill(tmp_path / "toy")
    assert skills_ref.validate(folder) == []
    parse_frontmatter((folder / "SKILL.md").read_text(), "toy")
    replace(folder / "SKILL.md", *BAD[name])
    assert skills_ref.validate(folder) != []
    with pytest.raises(Exception, match=r"SKILL\.md"):
        parse_frontmatter((folder / "SKILL.md").read_text(), "toy")


def test_nothing_of_others_is_overwritten(tmp_path, capsys):
    (tmp_path / "out" / "cobra").mkdir(parents=True)
    assert call(ROOT, "export", tmp_path / "out", "cobra", "--replace") == 2
    assert "it holds no skill; choose another folder" in capsys.readouterr().err
    assert call(ROOT, "export", tmp_path / "out", "lifelines") == 0
    assert call(ROOT, "export", tmp_path / "out", "lifelines") == 2
    assert call(ROOT, "export", tmp_path / "out", "lifelines", "--replace") == 0
    assert call(ROOT, "export", tmp_path / "out", "none") == 2
    assert "library/cobra" in capsys.readouterr().err
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["cobra", "lifelines"]


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    first = write_skill(tmp_path / "a" / "toy")
    shutil.copytree(first, tmp_path / "b" / "toy")
    return first, tmp_path / "b" / "toy"


def test_equal_versions_do_not_differ(pair, capsys):
    replace(pair[1] / "evidence.jsonl", '"E1"', '"E7"')
    (pair[1] / "verdict.json").write_text("{}")
    assert diff_skills(*pair) == []
    assert call(pair[0], "diff", *pair) == 0
    assert "no difference" in capsys.readouterr().out


def test_each_aspect_is_told_apart(pair, capsys):
    second = pair[1]
    replace(second / "SKILL.md", "Use for tests.", "Use for trials.")
    replace(second / "references/compute.md", "`mean` divides", "`mean` then divides")
    replace(second / "references/compute.md", "print(numbers)", "print('numbers:', numbers)")
    replace(second / "environment.yaml", "python=3.11", "python=3.12")
    replace(second / "evidence.jsonl", "[4, 6]", "[4, 7]")
    replace(second / "assets/quickstart.yaml", "keys: [mean, median]", "keys: [mean]")
    (second / "scripts").mkdir()
    (second / "scripts/more.py").write_text("1\n")
    changes = diff_skills(*pair)
    assert [(c.aspect, c.file, c.sign) for c in changes] == [
        ("description", "SKILL.md", "-"), ("description", "SKILL.md", "+"),
        ("statements", "references/compute.md", "-"), ("statements", "references/compute.md", "+"),
        ("code", "references/compute.md", "-"), ("code", "references/compute.md", "+"),
        ("environment", "environment.yaml", "-"), ("environment", "environment.yaml", "+"),
        ("quick start", "assets/quickstart.yaml", "-"), ("quick start", "assets/quickstart.yaml", "+"),
        ("evidence", "evidence.jsonl", "-"), ("evidence", "evidence.jsonl", "+"),
        ("files", "", "+"),
    ]  # fmt: skip
    assert changes[5].text == "print('numbers:', numbers)"
    assert call(pair[0], "diff", *pair, "--json") == 1
    assert len(json.loads(capsys.readouterr().out)) == len(changes)
    assert call(pair[0], "diff", *pair) == 1
    assert (
        "code: references/compute.md\n  - print(numbers)\n  + print('numbers:', numbers)"
        in capsys.readouterr().out
    )
