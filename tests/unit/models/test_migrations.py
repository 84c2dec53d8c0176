"""Records of older versions are read by this one: every record of version 1, and synthetic later steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from labagent.models import base, migrations
from labagent.models.run import EnvironmentRecord, SelectionRecord

FIRST: dict[str, dict[str, Any]] = {
    "select": {
        "schema_version": 1,
        "arm": "offline",
        "target": "t",
        "skill": "s",
        "origin": "curated",
        "status": "selected",
        "reason": "named by the target",
    },
    "environment": {"schema_version": 1, "status": "ready", "builder": "venv", "lock": ["a==1"]},
}
"""As the first version wrote them, with nothing that came later."""
STEP = """
def migrate(record, value):
    if record == "SelectionRecord":
        value["reason"] = value.pop("why")
    return value
"""


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A labagent two versions later: from 1 to 2 a field got another name, from 2 to 3 nothing happened."""
    (tmp_path / "from_1.py").write_text(STEP)
    (tmp_path / "notes.py").write_text("raise RuntimeError('no step')\n")
    monkeypatch.setattr(migrations, "__path__", [str(tmp_path)])
    monkeypatch.setattr(base, "SCHEMA_VERSION", 3)
    return tmp_path


def test_records_of_the_first_version_are_read() -> None:
    record = SelectionRecord.model_validate(FIRST["select"])
    assert (record.skill, record.key, record.schema_version) == ("s", "", 1)
    assert EnvironmentRecord.model_validate(FIRST["environment"]).lock == ("a==1",)


def test_an_old_record_goes_through_every_step_however_it_is_read(later: Path, tmp_path: Path) -> None:
    old = {k: v for k, v in FIRST["select"].items() if k != "reason"} | {"why": "since"}
    file = tmp_path / "old.json"
    file.write_text(json.dumps(old))
    for record in (
        SelectionRecord.read(file),
        SelectionRecord.model_validate_json(file.read_bytes()),
        SelectionRecord.model_validate(old),
    ):
        assert (record.reason, record.schema_version) == ("since", 3)
    assert "why" in old and json.loads(file.read_text())["schema_version"] == 1, "reading changes nothing"
    assert EnvironmentRecord.model_validate(FIRST["environment"]).schema_version == 3, (
        "a step may not concern it"
    )


def test_a_record_of_today_goes_through_none(later: Path) -> None:
    today = {**FIRST["select"], "schema_version": 3}
    assert SelectionRecord.model_validate(today).reason == "named by the target"


def test_a_record_of_a_newer_version_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "new.json"
    file.write_text(json.dumps({**FIRST["select"], "schema_version": 9}))
    with pytest.raises(ValueError, match=r"schema_version 9 is of a newer labagent .* update labagent"):
        SelectionRecord.read(file)
