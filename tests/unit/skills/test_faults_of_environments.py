"""Faults of environments that tier 2 catches: packages that contradict, dependencies by address."""

from __future__ import annotations

import json
import shutil

import pytest

from labagent.environment.outcome import failed
from labagent.models.config import EnvironmentSettings
from labagent.skills.checks._environment import build_faults
from labagent.skills.direct import Own, foreign, own_repository
from labagent.skills.validate import validate_skill
from support.skills import failures, replace

COMMIT = "0123456789abcdef0123456789abcdef01234567"
OWN = Own("example.org/lab/tool", COMMIT)
UNSOLVED = """error: No solution found when resolving dependencies
  cause: Because alpha==2.0 depends on shared>=3 and you require alpha==2.0, we can conclude that you
         require shared>=3.
         And because you require beta==1.0 and beta==1.0 depends on shared<3, we can conclude that your
         requirements are unsatisfiable.
"""


def write_environment(skill, *pip):
    items = "".join(f"      - {item}\n" for item in pip)
    (skill / "environment.yaml").write_text(f"dependencies:\n  - python=3.11\n  - pip\n  - pip:\n{items}")


def test_packages_that_contradict_each_other_are_named_with_their_lines(skill):
    write_environment(skill, "six", "beta==1.0", "alphabet", "alpha==2.0")
    failure = failed("resolving", UNSOLVED)
    found = list(build_faults(skill, failure.failure, failure.reason))
    assert [finding.line for finding in found] == [8, 6]
    assert all("alpha (line 8), beta (line 6) cannot be had together" in f.message for f in found)
    assert "depends on shared<3" in found[0].message  # the whole chain of reasons, not its first line


def test_the_resolver_finds_the_contradiction(skill, check):
    write_environment(skill, "six", "requests==2.31.0", "idna==3.7", "urllib3==1.20")
    hits = failures(check(skill, 2))
    assert [(c.id, c.line) for c in hits] == [("resolve", 6), ("resolve", 8)]
    assert "requests (line 6), urllib3 (line 8) cannot be had together" in hits[0].message


@pytest.mark.parametrize(
    ("item", "why"),
    [
        ("numpy==1.26", ""),
        (f"tool @ git+https://example.org/lab/tool.git@{COMMIT}", ""),
        (f"tool[x] @ git+https://EXAMPLE.org/Lab/Tool@{COMMIT[:12]}#subdirectory=python", ""),
        (f"tool @ https://example.org/lab/tool/archive/{COMMIT}.tar.gz", ""),
        ("other @ https://files.allowed.org/other-1.0-py3-none-any.whl", ""),
        ("tool @ git+https://example.org/lab/tool", "not at the staged commit"),
        ("tool @ git+https://example.org/lab/tool@main", "not at the staged commit"),
        ("tool @ git+https://example.org/lab/tool@01234", "not at the staged commit"),
        (f"tool @ git+https://example.org/lab/tool-2@{COMMIT}", "is taken from example.org"),
        (f"tool @ git+https://example.org/else/tool@{COMMIT}", "is taken from example.org"),
        ("tool @ https://example.org/lab/tool/raw/main/tool.tar.gz", "is taken from example.org"),
        (f"tool @ git+https://example.org:@evil.org/lab/tool@{COMMIT}", "is taken from evil.org"),
        ("other @ https://allowed.org/other.whl", "is taken from allowed.org"),
    ],
)
def test_an_address_is_the_labs_own_or_of_an_allowed_host(item, why):
    reasons = [reason for _, reason in foreign((item,), OWN, ("files.allowed.org",))]
    assert len(reasons) == bool(why)
    assert all(why in reason for reason in reasons)


def test_a_lab_without_a_repository_allows_none():
    url = f"tool @ git+https://example.org/lab/tool@{COMMIT}"
    assert len(list(foreign((url,), Own(), ()))) == 1


@pytest.mark.parametrize(
    ("origin", "commit", "own"),
    [
        (f"git https://example.org/lab/tool.git@{COMMIT}", COMMIT, OWN),
        (f"git https://example.org/lab/tool@{COMMIT}", COMMIT, OWN),
        ("pypi:tool==1.0 sha256:ab", "", Own()),
        (f"git /somewhere/tool@{COMMIT}", COMMIT, Own("", COMMIT)),
    ],
)
def test_the_manifest_says_which_repository_is_the_labs(tmp_path, origin, commit, own):
    (tmp_path / "manifest.json").write_text(json.dumps({"origin": origin, "commit": commit}))
    assert own_repository(tmp_path) == own
    assert own_repository(tmp_path / "none") == Own()


def test_an_address_is_refused_in_tier_2_and_nothing_is_fetched(skill, artifacts, api, tmp_path):
    staged = tmp_path / "staged"
    shutil.copytree(artifacts, staged)
    origin = f"git https://127.0.0.1:9/lab/tool@{COMMIT}"
    (staged / "manifest.json").write_text(json.dumps({"origin": origin, "commit": COMMIT}))
    write_environment(skill, "six", "evil @ https://127.0.0.1:9/evil-1.0.tar.gz")

    def verdict(**settings):
        return validate_skill(
            skill,
            origin="curated",
            snapshot=api,
            artifacts=staged,
            root=tmp_path,
            log=tmp_path / "log.txt",
            environment=EnvironmentSettings(**settings),
            tier=2,
        )

    refused = verdict()
    assert [(c.id, c.file, c.line) for c in failures(refused)] == [
        ("direct-references", "environment.yaml", 6)
    ]
    states = {c.id: c.status for tier in refused.tiers for c in tier.checks}
    assert states["resolve"] == "skipped"
    replace(
        skill / "environment.yaml", "https://127.0.0.1:9/evil-1.0.tar.gz", "https://localhost:9/e-1.tar.gz"
    )
    assert [c.id for c in failures(verdict(direct_hosts=["127.0.0.1"]))] == ["direct-references"]
