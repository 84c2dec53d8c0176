"""What every typed record has in common."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from labagent.files import read_json, write_json
from labagent.models.migrations import migrated

SCHEMA_VERSION = 1


def first_fault(error: ValueError) -> str:
    """What is wrong with a file that should hold a record, on one line: the first field, how many more."""
    if not isinstance(error, ValidationError):
        return str(error)
    first, *more = error.errors(include_url=False, include_input=False)
    place = ".".join(map(str, first["loc"])) or "the whole file"
    return f'"{place}": {first["msg"]}' + (f" (and {len(more)} more)" if more else "")


class Record(BaseModel):
    """Immutable; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class FileRecord(Record):
    """A record that is a file of ``results/``; it says which version of its schema it follows."""

    schema_version: int = SCHEMA_VERSION

    @model_validator(mode="before")
    @classmethod
    def _is_of_today(cls, value: Any) -> Any:
        """An old file is brought to the form of today, however it is read."""
        return migrated(cls.__name__, value, SCHEMA_VERSION) if isinstance(value, dict) else value

    def to_json(self) -> dict[str, Any]:
        """The record as JSON values."""
        return self.model_dump(mode="json")

    def write(self, path: Path) -> None:
        """Write the record by rename: the file is there whole or not at all."""
        write_json(path, self.to_json())

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a record written by :meth:`write`; a pydantic ``ValidationError`` names wrong fields."""
        return cls.model_validate(read_json(path))
