"""Reading skills; the specification's own reader agrees on the frontmatter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from labagent.models.skill import Evidence
from labagent.skills.faults import SkillFault
from labagent.skills.frontmatter import parse_frontmatter
from labagent.skills.passages import Unresolved, missing_terms
from labagent.skills.read import read_skill, skill_sha256


def test_a_skill_is_read_in_the_order_of_its_table(skill):
    found = read_skill(skill)
    assert [locus.name for locus in found.loci] == ["environment", "data", "run", "report"]
    assert [locus.title for locus in found.loci] == ["Environment", "Data", "Run", "Report"]
    assert [e.id for e in found.evidence] == ["E1", "E2"]
    assert found.metadata == {"lab": "tinylab"}
    assert found.quickstart.protocol == {"floor": 0.5}


def test_the_hash_covers_every_file_but_the_verdict(skill):
    before = skill_sha256(skill)
    (skill / "verdict.json").write_text("{}")
    assert skill_sha256(skill) == before
    (skill / "scripts").mkdir()
    (skill / "scripts" / "x.py").write_text("")
    assert skill_sha256(skill) != before


def head(**fields):
    lines = [f"{key.replace('_', '-')}: {value}" for key, value in fields.items()]
    return "---\n" + "\n".join(lines) + "\n---\nbody\n"


GOOD = [
    head(name="a", description="d"),
    head(name="a", description="d", license="MIT", compatibility="Linux", allowed_tools="Bash"),
    head(name="a", description="'yes: it is'", metadata="\n  version: '1.10'"),
]
BAD = {
    "no frontmatter": "# a\n",
    "not closed": "---\nname: a\n",
    "no description": head(name="a"),
    "empty description": head(name="a", description="' '"),
    "name twice": "---\nname: a\nname: a\ndescription: d\n---\n",
    "two hyphens": head(name="a--b", description="d"),
    "hyphen at the end": head(name="a-", description="d"),
    "long name": head(name="a" * 65, description="d"),
    "unknown key": head(name="a", description="d", author="me"),
    "nested metadata": head(name="a", description="d", metadata="{x: {y: z}}"),
    "flow mapping": head(name="a", description="d", metadata="{x: y}"),
    "metadata list": head(name="a", description="d", metadata="[x]"),
    "description list": head(name="a", description="[x]"),
    "long compatibility": head(name="a", description="d", compatibility="x" * 501),
    "tab": "---\nname: a\ndescription:\td\n\tx: y\n---\n",
}


@pytest.mark.parametrize("text", GOOD)
def test_good_frontmatter(text):
    assert parse_frontmatter(text, "a").body == "body\n"


@pytest.mark.parametrize("name", BAD)
def test_bad_frontmatter(name):
    text = BAD[name]
    folder = text.partition("name: ")[2].partition("\n")[0]
    with pytest.raises(SkillFault) as caught:
        parse_frontmatter(text, folder)
    assert caught.value.file == "SKILL.md"
    assert caught.value.line


def test_metadata_stays_text():
    fields = parse_frontmatter(head(name="a", description="d", metadata="\n  v: 1.10\n  on: no"), "a")
    assert fields.metadata == {"v": "1.10", "on": "no"}


@pytest.mark.parametrize("text", GOOD + list(BAD.values()))
def test_what_is_accepted_here_passes_the_specification_s_reader(text, tmp_path):
    from skills_ref import validate

    folder = tmp_path / "a"
    folder.mkdir()
    (folder / "SKILL.md").write_text(text)
    if text in GOOD:
        assert validate(folder) == []
    else:
        with pytest.raises(SkillFault):
            parse_frontmatter(text, "a")


def test_a_link_out_of_the_skill_is_refused(skill):
    (skill / "evidence.jsonl").unlink()
    (skill / "evidence.jsonl").symlink_to("/etc/hostname")
    with pytest.raises(SkillFault, match="leads out"):
        read_skill(skill)


def evidence(terms, **source):
    return Evidence.model_validate({"id": "E1", "statement": "s", "source": source, "terms": terms})


RESOLVES = [
    evidence(["floor  is half"], kind="paper", path="paper.txt", page=2),
    evidence(["because of noise"], kind="issue", path="threads.json", issue=7, comment=1),
    evidence(["why"], kind="issue", path="threads.json", issue=7, comment=0),
    evidence(["class Mean"], kind="repository", path="tinylab/__init__.py", lines=[5, 5]),
]
DANGLES = [
    evidence(["x"], kind="paper", path="paper.txt", page=9),
    evidence(["x"], kind="issue", path="threads.json", issue=8),
    evidence(["x"], kind="issue", path="threads.json", issue=7, comment=2),
    evidence(["x"], kind="repository", path="tinylab/__init__.py"),
    evidence(["x"], kind="repository", path="tinylab", lines=[1, 1]),
    evidence(["x"], kind="repository", path="../papers/paper.txt", lines=[1, 1]),
    evidence(["x"], kind="tutorial", path="none.json", cell=1),
]


@pytest.mark.parametrize("item", RESOLVES)
def test_evidence_that_resolves(item, artifacts):
    assert missing_terms(item, artifacts) == ()


@pytest.mark.parametrize("item", DANGLES)
def test_evidence_that_leads_nowhere(item, artifacts):
    with pytest.raises(Unresolved):
        missing_terms(item, artifacts)


def test_a_notebook_is_cited_by_cell(tmp_path):
    cells = [
        {"cell": 1, "type": "markdown", "source": "intro"},
        {"cell": 2, "type": "code", "source": "fit(x)"},
    ]
    (tmp_path / "tutorials").mkdir()
    (tmp_path / "tutorials" / "a.json").write_text(json.dumps(cells))
    item = evidence(["fit(x)"], kind="tutorial", path="a.json", cell=2)
    assert missing_terms(item, Path(tmp_path)) == ()
    assert missing_terms(item.model_copy(update={"terms": ("fit(y)",)}), tmp_path) == ("fit(y)",)


def test_the_line_of_a_dependency_is_not_that_of_a_skill_of_its_name(tmp_path):
    from labagent.skills.checks._environment import build_faults

    text = "name: roman\nchannels: [roman]\n# roman\ndependencies:\n- roman-extra\n- pip:\n  - Roman==9\n"
    (tmp_path / "environment.yaml").write_text(text)
    for reason, line in (("there is no version of roman==9", 7), ("no network", 4)):
        assert [f.line for f in build_faults(tmp_path, "missing_distribution", reason)] == [line]
