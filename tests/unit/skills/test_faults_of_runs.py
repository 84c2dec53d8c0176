"""Seeded faults that tier 3 catches: the right check, file and line, and no other tier."""

from __future__ import annotations

import pytest

from support.skills import failures, replace

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


LINKING = """g++ -std=gnu++14 -shared -o fast.so a.o -llapack
/usr/bin/ld: cannot find -llapack: No such file or directory
collect2: error: ld returned 1 exit status
make: *** [shlib.mk:10: fast.so] Error 1
* removing \u2018/env/run/R/fast\u2019
g++ -std=gnu++14 -DDONT_PRINT_ERRORS -Werror=format-security -c a.cpp"""


def test_the_reason_is_the_line_that_tells_it(skill, check):
    replace(skill / "references/report.md", "cat answer.json", f"cat <<'END'\n{LINKING}\nEND\nfalse")
    verdict = check(skill)
    assert "exit status 1: /usr/bin/ld: cannot find -llapack: No such file or directory" in verdict.reason
    replace(skill / "references/report.md", "END\nfalse", "END\necho the end\nfalse")
    assert "exit status 1: the end" in check(skill).reason
