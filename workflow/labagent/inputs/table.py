"""Tab-separated tables whose every fault is reported with its line and column."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import ValidationError

from labagent.errors import InputFault
from labagent.models.base import Record

R = TypeVar("R", bound=Record)


@dataclass(frozen=True)
class Row(Generic[R]):
    """A record and the line it stands on."""

    line: int
    record: R


def read_table(
    path: Path,
    shown: str,
    model: type[R],
    faults: list[InputFault],
    only: tuple[str, str] | None = None,
) -> list[Row[R]]:
    """Rows of a table as records of ``model``; what is wrong is added to ``faults``.

    Args:
        path: a UTF-8 file (byte-order mark and CRLF allowed); lines that start with ``#`` are comments.
        shown: how the file is named in messages.
        model: its fields are the columns; fields with a default may be left out.
        faults: where faults are added.
        only: a column and a value; other rows are passed over unread (for jobs that need one row of many).
    """
    text = _text(path, shown, faults)
    if text is None:
        return []
    lines = _cells(text, shown, faults)
    header = next(lines, None)
    if header is None:
        faults.append(InputFault(shown, f"is empty; its header must name {_columns(model)}"))
        return []
    names = [cell.strip() for cell in header[1]]
    if not _header_fits(names, model, shown, faults):
        return []
    if only:
        column = names.index(only[0])
        lines = ((n, c) for n, c in lines if len(c) > column and c[column].strip() == only[1])
    rows = (_row(line, cells, names, model, shown, faults) for line, cells in lines)
    return [row for row in rows if row is not None]


def table_lines(path: Path, shown: str, faults: list[InputFault]) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of a table whose columns no model lists; what is wrong is added to ``faults``."""
    text = _text(path, shown, faults)
    return _cells(text, shown, faults) if text is not None else iter(())


def _text(path: Path, shown: str, faults: list[InputFault]) -> str | None:
    """The file's text, or a fault."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        faults.append(InputFault(shown, "no such file"))
    except UnicodeDecodeError as error:
        faults.append(InputFault(shown, f"is not UTF-8 text (byte {error.start})"))
    except OSError as error:
        faults.append(InputFault(shown, f"cannot be read: {error.strerror}"))
    return None


def _cells(text: str, shown: str, faults: list[InputFault]) -> Iterator[tuple[int, list[str]]]:
    """Line number and cells of each line that is neither blank nor a comment.

    A row is one line: a quote that is not closed on its line is a fault, it swallows no rows.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            yield number, next(csv.reader([line], delimiter="\t", strict=True))
        except csv.Error as error:
            hint = "a quote is not closed on its line" if "unexpected end" in str(error) else str(error)
            faults.append(InputFault(shown, f"is no row of a table: {hint}", number))


def _columns(model: type[Record]) -> str:
    """The columns of a model, the optional ones in brackets."""
    fields = model.model_fields.items()
    return ", ".join(name if field.is_required() else f"[{name}]" for name, field in fields)


def _header_fits(names: list[str], model: type[Record], shown: str, faults: list[InputFault]) -> bool:
    """Whether all required columns are there, none twice and none unknown."""
    required = [n for n, f in model.model_fields.items() if f.is_required()]
    before = len(faults)
    for name in required:
        if name not in names:
            faults.append(InputFault(shown, f"column is missing; the columns are {_columns(model)}", 1, name))
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            faults.append(InputFault(shown, "column stands twice", 1, name))
        if name not in model.model_fields:
            hint = " (are the cells separated by tabs?)" if len(names) == 1 else ""
            text = f"unknown column; the columns are {_columns(model)}{hint}"
            faults.append(InputFault(shown, text, 1, name))
    return len(faults) == before


def _row(
    line: int, cells: list[str], names: list[str], model: type[R], shown: str, faults: list[InputFault]
) -> Row[R] | None:
    """One row as a record, or its faults."""
    if len(cells) > len(names) or (len(cells) == 1 and len(names) > 1):
        hint = "; are the cells separated by tabs?" if len(cells) == 1 else ""
        faults.append(InputFault(shown, f"has {len(cells)} cells, the header {len(names)}{hint}", line))
        return None
    values = {n: c.strip() for n, c in zip(names, cells, strict=False) if c.strip()}
    try:
        return Row(line, model.model_validate(values))
    except ValidationError as error:
        faults += [validation_fault(shown, line, e, values) for e in error.errors()]
        return None


def validation_fault(shown: str, line: int | None, error: object, values: object = None) -> InputFault:
    """A pydantic error as a fault: the place, what is allowed, and the value given."""
    assert isinstance(error, dict)
    where = [str(part) for part in error["loc"] if not str(part).startswith("function-")]
    message = str(error["msg"]).removeprefix("Value error, ")
    if error["type"] == "missing":
        message = "is missing; give a value"
    elif error["type"] == "extra_forbidden":
        message = "is not a known key"
    given = error.get("input")
    if isinstance(values, dict) and where and where[0] in values:
        given = values[where[0]]
    if error["type"] != "missing" and not isinstance(given, dict):
        message += f" (value: {str(given)[:80]!r})"
    return InputFault(shown, message, line, ".".join(where) or None)
