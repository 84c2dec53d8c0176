"""The threat model names its tests; each of them exists. What has no better place is tested here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from labagent.reproduce.scratch import work_folder
from support.toy import CHECKOUT

NOTE = CHECKOUT / "docs/design/threat-model.md"


def test_every_claim_names_a_test_that_exists() -> None:
    rows = [line for line in NOTE.read_text("utf-8").splitlines() if line.startswith("| ")]
    claims = [row.strip("| ").split(" | ") for row in rows if not row.startswith("| claim")]
    assert len(claims) >= 20
    for claim, named in claims:
        tests = re.findall(r"`((?:unit|workflow|faults)/[\w/]+\.py)(?:::(\w+))?`", named)
        assert tests, f"no test is named for: {claim}"
        for file, function in tests:
            text = (CHECKOUT / "tests" / file).read_text("utf-8")
            assert not function or f"def {function}(" in text, f"{file} has no {function}"


@pytest.mark.parametrize("kind", ["link", "file"])
def test_scratch_that_another_planted_is_not_used(tmp_path: Path, kind: str) -> None:
    folder, victim = tmp_path / "try-1", tmp_path / "victim"
    victim.mkdir()
    (victim / "kept").touch()
    place = work_folder(tmp_path, folder)
    place.rmdir()
    if kind == "link":
        place.symlink_to(victim)
    else:
        place.touch()
    with pytest.raises(FileExistsError):
        work_folder(tmp_path, folder)
    assert (victim / "kept").exists()


def test_scratch_is_closed_to_others(tmp_path: Path) -> None:
    assert work_folder(tmp_path, tmp_path / "try-1").stat().st_mode & 0o777 == 0o700
