"""Seeded faults that tier 2 catches: the right check, file and line, and no other tier."""

from __future__ import annotations

import pytest

from support.skills import failures, replace

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
