"""Every rule of the acceptance rubric: where it speaks, at which line, and when it does not apply."""

from __future__ import annotations

from pathlib import Path

import pytest

from labagent.skills.rubric import rubric
from support.skills import raised, replace


def after_values(text):
    """More lines at the end of the data step's block, which holds ``values``."""
    return lambda s: replace(s / "references/data.md", "len(values))\n", f"len(values))\n{text}\n")


def drop_evidence(skill):
    replace(skill / "SKILL.md", " [E1]", "")
    replace(skill / "references/run.md", " [E2]", "")
    (skill / "evidence.jsonl").write_text("")


def no_reason(skill):
    replace(skill / "references/run.md", "The class is `Mean` [E2].", "The class is `Mean`.")
    replace(skill / "SKILL.md", "[E1]", "[E1, E2]")


DATA, RUN, REPORT = "references/data.md", "references/run.md", "references/report.md"
GROUPS = "import pandas as pd\ngroups = pd.qcut(values, 2)\nprint('groups:', groups)"
FAULTS = {
    "only texts are printed": (
        lambda s: replace(s / DATA, '"values:", len(values)', '"values were read"'),
        "rubric-counts", DATA, 4,
    ),
    "a number without a name": (after_values("print(len(values))"), "rubric-entities", DATA, 9),
    "no reason for the method": (no_reason, "rubric-method", "references/environment.md", 1),
    "no sources": (drop_evidence, "rubric-sources", "SKILL.md", 8),
    "no limits": (
        lambda s: replace(s / "SKILL.md", " Not for weights that are negative.", ""),
        "rubric-limits", "SKILL.md", 8,
    ),
    "the paper is looked up": (
        lambda s: replace(s / DATA, "# Data\n", "# Data\n\nRead the paper for the published value.\n"),
        "rubric-source-paper", DATA, 3,
    ),
    "the paper is fetched": (
        lambda s: replace(s / REPORT, "cat answer", "curl https://doi.org/10.1/x\ncat answer"),
        "rubric-source-paper", REPORT, 5,
    ),
    "no file is named": (
        lambda s: replace(s / "assets/quickstart.yaml", "answer.json", "table.csv"),
        "rubric-template", REPORT, 4,
    ),
    "no check list": (
        lambda s: replace(s / REPORT, "- [ ] the floor is the protocol's\n", ""),
        "rubric-self-check", REPORT, 1,
    ),
    "a tool to be thought of": (after_values("open('path/to/your_data')"), "rubric-tools", DATA, 9),
    "a block that does nothing": (
        lambda s: replace(s / REPORT, "# Report\n", "# Report\n\n```python\n# fit it here\n...\n```\n"),
        "rubric-runnable", REPORT, 4,
    ),
    "groups with the outcome in them": (after_values(GROUPS), "rubric-groupings", DATA, 10),
    "a cut-off of no source": (
        after_values("high = values[values > 2.5]\nprint('n:', high)"),
        "rubric-cutoffs", DATA, 9,
    ),
    "a mask of no source": (
        after_values("x = (a > 2) & (a < 9)\nprint('n:', x)"),
        "rubric-cutoffs", DATA, 9,
    ),
    "a forecast without its distance": (
        after_values("ahead = model.forecast(12)\nprint('ahead:', ahead)"), "rubric-extrapolation", DATA, 9,
    ),
    "estimates are averaged": (
        lambda s: replace(s / DATA, "# Data\n", "# Data\n\nWhen in doubt average both estimators.\n"),
        "rubric-estimators", DATA, 3,
    ),
    "keys of anything": (
        lambda s: replace(s / REPORT, "The mean is in the unit of the values.\n\n", ""),
        "rubric-answer-keys", REPORT, 1,
    ),
    "keys that nothing holds together": (
        lambda s: replace(s / "assets/quickstart.yaml", "[mean]", "[mean, total]"),
        "rubric-relations", REPORT, 4,
    ),
    "a join that is not counted": (
        after_values("both = frame.merge(other, on='id')"), "rubric-joins", DATA, 9,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_rule_speaks_of_its_line(name, skill, check):
    break_it, rule, file, line = FAULTS[name]
    assert raised(check(skill, 1), rule) == []
    break_it(skill)
    verdict = check(skill, 1)
    assert raised(verdict, rule)[:1] == [(file, line)]
    advice = {r.id: r.advice for r in rubric()}
    refusing = {c.id for c in verdict.tiers[0].checks if c.status == "failed"}
    assert (rule in refusing) is not advice[rule]


def test_nothing_is_held_against_a_unit(skill, check):
    replace(skill / REPORT, "The mean is in the unit of the values.\n\n", "")
    replace(skill / REPORT, "- [ ] the count printed is that of the file\n", "- [ ] all was read\n")
    replace(skill / "SKILL.md", "| counts |", "| reads |")
    assert raised(check(skill, 1), "rubric-units") == [(REPORT, 1)]


HEEDED = {
    "groups": after_values(GROUPS + "\n# the outcome is left out; correlation gives each feature's sign"),
    "cut-off": after_values("gaps = np.diff(sorted(values))\nhigh = values[values > 2.5]\nprint('n:', high)"),
    "guard": after_values("if max(values) > 100:\n    print('large:', max(values))"),
    "join": after_values("both = frame.merge(other, on='id')\nprint('joined:', len(both))"),
    "text join": after_values("print('names:', ', '.join(names))"),
    "refusal": lambda s: replace(
        s / DATA, "# Data\n", "# Data\n\nNever read the paper for the published value.\n"
    ),
    "forecast": after_values(
        "ahead = model.forecast(12)\nprint('observed edge:', values[-1], 'how far beyond:', 12)"
    ),
    "estimators": lambda s: replace(
        s / DATA, "# Data\n",
        "# Data\n\nThe estimators disagree where the assumption of normal errors fails; check the residuals\n"
        "which do not assume it, and do not average.\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", HEEDED)
def test_a_rule_that_is_heeded_is_quiet(name, skill, check):
    HEEDED[name](skill)
    checks = check(skill, 1).tiers[0].checks
    assert [c for c in checks if c.id.startswith("rubric-") and c.status in {"failed", "warning"}] == []


def test_code_of_the_lab_that_is_cited_only_warns(skill, check):
    after_values("print(sum(values))")(skill)
    assert check(skill, 1).status == "refused"
    replace(skill / DATA, "# Data\n", "# Data\n\nAs released [E1].\n")
    assert check(skill, 1).status == "refused"
    replace(skill / "evidence.jsonl", "[3, 3]", "[3, 10]")
    verdict = check(skill, 1)
    assert (verdict.status, raised(verdict, "rubric-entities")) == ("valid", [(DATA, 11)])


def test_rules_that_do_not_apply_say_so(skill, check):
    checks = check(skill, 1).tiers[0].checks
    said = {c.id: c.message for c in checks if c.status == "skipped" and c.id.startswith("rubric-")}
    assert said["rubric-joins"] == "not applicable: nothing is joined"
    assert set(said) == {
        "rubric-groupings", "rubric-cutoffs", "rubric-extrapolation", "rubric-estimators", "rubric-relations",
        "rubric-joins",
    }  # fmt: skip


def test_every_rule_is_listed_with_its_reason_and_tested():
    rules = rubric()
    assert len(rules) == 18
    assert all(rule.asks and rule.reason and rule.reason[0].islower() for rule in rules)
    assert {rule.id for rule in rules} == {fault[1] for fault in FAULTS.values()} | {"rubric-units"}


@pytest.mark.parametrize("name", ["cobra", "lifelines", "pydeseq2"])
def test_the_skills_of_the_library_heed_all_rules(name, check):
    verdict = check(Path(__file__).parents[3] / "skills" / name, 1)
    checks = verdict.tiers[0].checks
    assert [c for c in checks if c.id.startswith("rubric-") and c.status in {"failed", "warning"}] == []
