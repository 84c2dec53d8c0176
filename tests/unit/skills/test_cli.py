"""``labagent skills`` as a user meets it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from labagent.cli import main
from labagent.models.skill import Verdict
from labagent.skills.read import skill_sha256

CALL = "import sys; from labagent.cli import main; sys.exit(main())"


def call(capsys, *words):
    status = main(["skills", *map(str, words)])
    return status, capsys.readouterr().out


def test_validate_says_where_and_exits_with_1(skill, artifacts, project, capsys):
    text = (skill / "references/run.md").read_text().replace("Mean(floor=floor)", "Mean(bottom=floor)")
    (skill / "references/run.md").write_text(text)
    words = ("--root", project, "validate", skill, "--artifacts", artifacts, "--tier", 2)
    status, out = call(capsys, *words)
    assert status == 1
    assert "references/run.md, line 11" in out.replace("\n", " ")
    assert "tier 3: not run" in out
    status, out = call(capsys, *words, "--json")
    verdict = Verdict.model_validate(json.loads(out))
    assert (status, verdict.status) == (1, "refused")


def test_validate_without_the_lab_skips_what_needs_it(skill, project, capsys):
    status, out = call(capsys, "--root", project, "validate", skill, "--tier", 2, "--json")
    checks = {c["id"]: c["status"] for t in json.loads(out)["tiers"] for c in t["checks"]}
    assert status == 0
    skipped = {name for name, state in checks.items() if state == "skipped"}
    assert {name for name in skipped if not name.startswith("rubric-")} == {
        *(
            "api",
            "commands",
            "evidence",
            "manifest",
            "parameters",
            "published-values",
            "r-api",
            "r-names",
            "tool-calls",
        ),
    }


def test_a_new_skill_is_refused_until_it_is_filled_in(tmp_path, capsys):
    status, out = call(capsys, "--root", tmp_path, "new", "my-skill", "--json")
    assert status == 0
    assert all(path.startswith(str(tmp_path / "skills" / "my-skill")) for path in json.loads(out))
    status, out = call(
        capsys, "--root", tmp_path, "validate", tmp_path / "skills/my-skill", "--tier", 1, "--json"
    )
    failed = {c["id"] for t in json.loads(out)["tiers"] for c in t["checks"] if c["status"] == "failed"}
    assert (status, failed) == (1, {"unfilled"})
    assert [c for t in json.loads(out)["tiers"] for c in t["checks"] if c["status"] == "warning"] == []
    assert main(["skills", "--root", str(tmp_path), "new", "my-skill"]) == 2
    assert main(["skills", "--root", str(tmp_path), "new", "My_Skill"]) == 2
    assert main(["skills", "--root", str(tmp_path), "new", "../elsewhere"]) == 2
    assert [path.name for path in (tmp_path / "skills").iterdir()] == ["my-skill"]
    assert not (tmp_path / "elsewhere").exists()


LABS = """skill\tsource\trepository\tcommit
on-index\tcurated\tpypi:lifelines==0.30.3\t
in-git\tcurated\thttps://example.org/o/r\t
"""


def packages(folder):
    import yaml

    listed = yaml.safe_load((folder / "environment.yaml").read_text())["dependencies"]
    return [item for item in listed if item not in ("pip", "python=3.11")]


def test_a_new_skill_pins_its_labs_own_packages(tmp_path, capsys):
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "labs.tsv").write_text(LABS)
    for name, file, text in (
        ("in-git", "pyproject.toml", '[project]\nname = "tiny"\nversion = "2.1"\n'),
        ("in-r", "DESCRIPTION", "Package: tinyR\nVersion: 0.3.1\nTitle: x\n"),
        ("scripts", "run.py", "print(1)\n"),
    ):
        path = tmp_path / "results" / "artifacts" / name / "repository" / file
        path.parent.mkdir(parents=True)
        path.write_text(text)
    code = tmp_path / "results/artifacts/in-r/repository/R/mean.R"
    code.parent.mkdir()
    code.write_text("middle <- function(x) mean(x)\n")
    words = ("--root", tmp_path, "new", "mine", "--from", "on-index", "in-git", "in-r", "--json")
    assert call(capsys, *words)[0] == 0
    folder = tmp_path / "skills" / "mine"
    assert packages(folder) == ["r-tinyr=0.3.1", {"pip": ["lifelines==0.30.3", "tiny==2.1"]}]
    assert "FILL" not in (folder / "environment.yaml").read_text()
    call(capsys, "--root", tmp_path, "new", "bare")
    assert packages(tmp_path / "skills" / "bare") == []
    assert "FILL IN" in (tmp_path / "skills" / "bare" / "environment.yaml").read_text()


def test_a_lab_whose_package_is_not_known_makes_no_skill(tmp_path, capsys):
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "labs.tsv").write_text(LABS)
    scripts = tmp_path / "results" / "artifacts" / "scripts" / "repository"
    scripts.mkdir(parents=True)
    (scripts / "run.py").write_text("print(1)\n")
    for lab, said in (
        ("in-git", "is not staged"),
        ("scripts", "state no package name and version"),
        ("unknown", "no row of config/labs.tsv"),
    ):
        assert main(["skills", "--root", str(tmp_path), "new", "mine", "--from", lab]) == 2
        error = capsys.readouterr().err
        assert said in error and "leave out --from" in error
    assert not (tmp_path / "skills").exists()


@pytest.fixture
def populated(tmp_path, skill, artifacts):
    """A project with the skill in its library, and frozen with a verdict."""
    import shutil

    shutil.copytree(skill, tmp_path / "p" / "skills" / "tiny-mean")
    frozen = tmp_path / "p" / "results" / "skills" / "offline" / "tiny-mean"
    shutil.copytree(skill, frozen)
    digest = skill_sha256(frozen)
    Verdict(skill="tiny-mean", origin="offline", status="valid", skill_sha256=digest).write(
        frozen / "verdict.json"
    )
    return tmp_path / "p"


def test_list_and_show(populated, capsys):
    rows = json.loads(call(capsys, "--root", populated, "list", "--json")[1])
    assert [(r["skill"], r["origin"], r["status"]) for r in rows] == [
        ("tiny-mean", "library", "not validated"),
        ("tiny-mean", "offline", "valid"),
    ]
    assert "# Weighted means" in call(capsys, "--root", populated, "show", "tiny-mean")[1]
    shown = json.loads(call(capsys, "--root", populated, "show", "tiny-mean", "run", "--json")[1])
    assert shown["text"].startswith("# Run")
    assert main(["skills", "--root", str(populated), "show", "tiny-mean", "none"]) == 2
    assert "environment, data, run, report" in capsys.readouterr().err
    assert main(["skills", "--root", str(populated), "show", "none"]) == 2


def frozen_verdict(project, name, **fields):
    folder = project / "results" / "skills" / "offline" / name
    folder.mkdir(parents=True, exist_ok=True)
    Verdict(skill=name, origin="offline", **fields).write(folder / "verdict.json")
    return folder


def test_show_says_why_there_is_no_draft(populated, capsys):
    folder = frozen_verdict(populated, "lost", status="missing", reason="no example of 3 can run")
    assert main(["skills", "--root", str(populated), "show", "lost"]) == 2
    said = capsys.readouterr().err
    assert "lost is missing (offline): no example of 3 can run" in said
    assert str(folder / "verdict.json") in said


def test_show_gives_a_refused_skill_with_its_refusal(populated, capsys):
    frozen_verdict(populated, "tiny-mean", status="refused", reason="run: no such column")
    words = ["skills", "--root", str(populated), "show", "tiny-mean"]
    assert main(words) == 0
    printed = capsys.readouterr()
    assert "# Weighted means" in printed.out
    assert "tiny-mean is refused (offline): run: no such column" in printed.err
    assert main([*words, "--json"]) == 0
    assert "no such column" in json.loads(capsys.readouterr().out)["refusal"]


def test_a_skill_of_the_library_is_shown_where_explore_left_none(populated, capsys):
    import shutil

    shutil.rmtree(populated / "results" / "skills" / "offline" / "tiny-mean")
    frozen_verdict(populated, "tiny-mean", status="missing", reason="no draft")
    assert main(["skills", "--root", str(populated), "show", "tiny-mean"]) == 0
    assert "# Weighted means" in capsys.readouterr().out


def test_validate_takes_a_name_of_the_library(populated, capsys):
    status, out = call(capsys, "--root", populated, "validate", "tiny-mean", "--tier", 1, "--json")
    assert (status, json.loads(out)["skill"]) == (0, "tiny-mean")
    assert main(["skills", "--root", str(populated), "validate", "tiny-maen"]) == 2
    assert "did you mean skills/tiny-mean?" in capsys.readouterr().err


def test_places_are_whole_in_a_pipe(populated):
    (populated / "skills/tiny-mean/references/environment.md").write_text(f"# E\n\n[x]({'long/' * 40})\n")
    words = ("-c", CALL, "skills", "--root", populated, "validate", "tiny-mean", "--tier", "1")
    environment = {**os.environ, "COLUMNS": "60"}
    done = subprocess.run(
        [sys.executable, *map(str, words)], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 1, done.stderr
    (line,) = (line for line in done.stdout.splitlines() if "references/environment.md:3" in line)
    assert "long/" * 40 in line


def test_a_verdict_of_other_content_is_not_shown_as_valid(populated, capsys):
    frozen = populated / "results" / "skills" / "offline" / "tiny-mean"
    (frozen / "references" / "run.md").write_text("# Run\n\nchanged\n")
    rows = json.loads(call(capsys, "--root", populated, "list", "--json")[1])
    assert rows[1]["status"] == "changed since validated"


def test_a_skill_that_cannot_be_read_is_listed_with_its_fault(populated, capsys):
    (populated / "skills" / "tiny-mean" / "SKILL.md").write_text("no frontmatter")
    rows = json.loads(call(capsys, "--root", populated, "list", "--json")[1])
    assert 'must begin with a line "---"' in rows[0]["text"]


def test_a_file_in_the_way_is_said(tmp_path, populated, capsys):
    junk = tmp_path / "junk.json"
    junk.write_text("[]")
    for words in (["export", junk], ["export", junk / "below"], ["index", "--verdict", junk]):
        assert main(["skills", "--root", str(populated), *map(str, words)]) == 2
        assert str(junk) in capsys.readouterr().err
    assert main(["skills", "--root", str(populated), "index", "--verdict", str(tmp_path / "none")]) == 2
    (populated / "skills" / "index.json").write_text("[]")
    assert main(["skills", "--root", str(populated), "index"]) == 2
    assert "no index can be read" in capsys.readouterr().err
