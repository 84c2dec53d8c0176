"""The schema files follow from the models."""

import json

from labagent.cli import main
from labagent.models.base import FileRecord
from labagent.schemas import drift, schema_files


def test_files_and_models_are_in_step():
    assert drift() == [], "run: labagent schemas"


def test_every_file_record_has_a_schema():
    names = set(schema_files())
    assert {f"{n}.schema.json" for n in ("config", "lab", "target", "reference", "family")} <= names
    assert {"board.schema.json", "published_row.schema.json"} <= names
    assert len(names) == 7 + len(FileRecord.__subclasses__())
    for text in schema_files().values():
        assert json.loads(text)["additionalProperties"] is False


def test_drift_is_seen_and_mended(tmp_path, capsys):
    assert main(["schemas", "--check", "--folder", str(tmp_path)]) == 1
    assert "config.schema.json" in capsys.readouterr().err
    assert main(["schemas", "--folder", str(tmp_path)]) == 0
    assert main(["schemas", "--check", "--folder", str(tmp_path)]) == 0
    (tmp_path / "gone.schema.json").write_text("{}")
    (tmp_path / "config.schema.json").write_text("{}")
    assert [path.name for path in drift(tmp_path)] == ["config.schema.json", "gone.schema.json"]
    assert main(["schemas", "--folder", str(tmp_path)]) == 0
    assert not (tmp_path / "gone.schema.json").exists()
    assert drift(tmp_path) == []
