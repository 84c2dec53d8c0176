"""Seeded faults that tier 1 catches: the right check, file and line, and no other tier."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.skills import failures, found, replace


def add_table_row(skill: Path, name: str) -> None:
    row = "| [report](references/report.md) | the answer |\n"
    replace(skill / "SKILL.md", row, row + f"| [{name}](references/{name}.md) | more |\n")
    (skill / "references" / f"{name}.md").write_text("# More\n\n```bash\necho 1\n```\n")


def long_root(skill):
    replace(skill / "SKILL.md", "# Weighted means\n", "# Weighted means\n" + "\nmore\n" * 100)


def linked_locus(skill):
    (skill / "references/run.md").rename(skill / "assets/run.md")
    (skill / "references/run.md").symlink_to("../assets/run.md")


def three_loci(skill):
    replace(skill / "SKILL.md", "| [environment](references/environment.md) | versions |\n", "")
    (skill / "references" / "environment.md").unlink()


def eight_loci(skill):
    for name in ("a", "b", "c", "d"):
        add_table_row(skill, name)


def cite(place: str):
    """Evidence E1 at another place."""
    return lambda s: replace(
        s / "evidence.jsonl", '{"kind": "repository", "path": "README.md", "lines": [3, 3]}', place
    )


NO_PLACE = {
    "page": '{"kind": "paper", "path": "paper.txt", "page": 3}',
    "page 0": '{"kind": "paper", "path": "paper.txt", "page": 0}',
    "line of a page": '{"kind": "paper", "path": "paper.txt", "page": 2, "lines": [2, 2]}',
    "cell": '{"kind": "tutorial", "path": "use.json", "cell": 2}',
    "notebook": '{"kind": "tutorial", "path": "other.json", "cell": 1}',
    "cell of a notebook": '{"kind": "repository", "path": "use.ipynb", "cell": 3}',
    "issue": '{"kind": "issue", "path": "threads.json", "issue": 8}',
    "comment": '{"kind": "issue", "path": "threads.json", "issue": 7, "comment": 2}',
}
PLACES = (
    '{"kind": "paper", "path": "paper.txt", "page": 2}',
    '{"kind": "tutorial", "path": "use.json", "cell": 1}',
    '{"kind": "repository", "path": "use.ipynb", "cell": 1}',
    '{"kind": "issue", "path": "threads.json", "issue": 7}',
)
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
    "root of 200 lines": (
        lambda s: replace(s / "SKILL.md", "# Weighted means\n", "# Weighted means\n" + "more\n" * 187),
        "sizes",
        "SKILL.md",
        68,
    ),
    "threshold without evidence": (
        lambda s: replace(
            s / "references/run.md", "# Run\n", "# Run\n\nTake 0.05 as the threshold: p < 0.05.\n"
        ),
        "prescriptions",
        "references/run.md",
        3,
    ),
    "version without evidence": (
        lambda s: replace(s / "references/run.md", "# Run\n", "# Run\n\nPin tinylab==1.4.\n"),
        "prescriptions",
        "references/run.md",
        3,
    ),
    "evidence of a sealed file": (
        lambda s: replace(s / "evidence.jsonl", "README.md", "expected/result.txt"),
        "evidence",
        "evidence.jsonl",
        1,
    ),
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
    "evidence with a blank term": (
        lambda s: replace(s / "evidence.jsonl", '"terms": [', '"terms": [" ", '),
        "evidence",
        "evidence.jsonl",
        1,
    ),
    "evidence at a path that cannot be": (
        lambda s: replace(s / "evidence.jsonl", "README.md", "a\\u0000b"),
        "evidence",
        "evidence.jsonl",
        1,
    ),
    "a key twice in evidence": (
        lambda s: replace(s / "evidence.jsonl", '{"id": "E2"', '{"id": "E2", "id": "E2"'),
        "readable",
        "evidence.jsonl",
        2,
    ),
    "link by reference": (
        lambda s: replace(s / "references/run.md", "# Run\n", "# Run\n\n[x][1]\n\n[1]: ../../x.md\n"),
        "links",
        "references/run.md",
        5,
    ),
    "link in HTML": (
        lambda s: replace(s / "references/run.md", "# Run\n", '# Run\n\n<a href="../../x.md">x</a>\n'),
        "links",
        "references/run.md",
        3,
    ),
    "locus through a link": (linked_locus, "readable", "references/run.md", None),
    "file that is a link": (
        lambda s: (s / "assets/more.csv").symlink_to("quickstart.yaml"),
        "plain-files",
        "assets/more.csv",
        None,
    ),
    "file that is a pipe": (
        lambda s: os.mkfifo(s / "assets/more.csv"),
        "plain-files",
        "assets/more.csv",
        None,
    ),
    "locus in Latin-1": (
        lambda s: (s / "references/run.md").write_bytes(b"# Run\n\ncaf\xe9\n"),
        "readable",
        "references/run.md",
        3,
    ),
    "environment under another name": (
        lambda s: replace(
            s / "references/data.md", "```python\n", "```python\nfrom os import environ as e\n"
        ),
        "environment-dump",
        "references/data.md",
        4,
    ),
    "environment of a program": (
        lambda s: replace(
            s / "references/data.md", "```python\n", "```python\nimport os\nos.system('printenv > o')\n"
        ),
        "environment-dump",
        "references/data.md",
        5,
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


@pytest.mark.parametrize("name", NO_PLACE)
def test_evidence_at_a_place_that_does_not_exist(name, skill, check):
    cite(NO_PLACE[name])(skill)
    [fault] = failures(check(skill, 1))
    assert (fault.id, fault.file, fault.line) == ("evidence", "evidence.jsonl", 1)
    assert any(said in fault.message for said in ("does not exist", "do not exist", "not among the staged"))


@pytest.mark.parametrize("place", PLACES)
def test_evidence_at_places_that_exist(place, skill, check):
    cite(place)(skill)
    assert failures(check(skill, 1)) == []
