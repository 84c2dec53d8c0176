"""Tables of predictions and of withheld labels, joined by id.

Nothing is dropped or filled in: every id of the labels needs exactly one prediction (in every split), and
there may be no others. The order of rows never matters, to the last bit, since pairs are sorted by id.
"""

from __future__ import annotations

import csv
import gzip
import io
import math
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from labagent.errors import InfrastructureError
from labagent.models.answers import AnswerError, read_bytes
from labagent.scoring.attempt import Unscorable

MAX_TABLE_BYTES = 256 << 20
GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Label:
    """A withheld label: its text as written and, for survival times, whether the event was observed."""

    text: str
    event: bool = True


Key = tuple[str, str]
"""Split (empty where a table has none) and id."""

Pair = tuple[Label, str]
"""A label and the text of its prediction."""


def read_predictions(path: Path, shown: str) -> dict[Key, str]:
    """Predictions by (split, id) from a table ``id,prediction[,split]``.

    Separated by commas, tabs or semicolons; UTF-8 with or without byte-order mark, any line ends, gzip or
    not.

    Raises:
        Unscorable: the table is unreadable, lacks a column, or names an id twice.
    """
    found: dict[Key, str] = {}
    for line, row in _rows(_text(path, shown), ("id", "prediction"), shown):
        key = (row.get("split", ""), row["id"])
        if key in found:
            where = f' of split "{key[0]}"' if key[0] else ""
            raise Unscorable(f'{shown}, line {line}: id "{key[1]}"{where} is given twice')
        found[key] = row["prediction"]
    if not found:
        raise Unscorable(f"{shown}: holds no predictions")
    return found


def read_labels(path: Path) -> dict[Key, Label]:
    """Labels by (split, id) from a table ``id,label[,event][,split]``.

    Raises:
        InfrastructureError: the file of labels, which is ours, cannot be used.
    """
    found: dict[Key, Label] = {}
    try:
        for line, row in _rows(_text(path, path.name), ("id", "label"), path.name):
            key = (row.get("split", ""), row["id"])
            if key in found:
                raise Unscorable(f'line {line}: id "{key[1]}" is given twice')
            found[key] = Label(row["label"], row.get("event", "1").lower() in ("1", "1.0", "true"))
    except Unscorable as error:
        raise InfrastructureError(f"{path}: withheld labels cannot be used: {error}") from error
    if not found:
        raise InfrastructureError(f"{path}: holds no labels")
    return found


def join(predictions: dict[Key, str], labels: dict[Key, Label], shown: str) -> dict[str, list[Pair]]:
    """Pairs by split, sorted by id. Labels without splits hold for every split of the predictions.

    Raises:
        Unscorable: ids are missing or too many; the message counts them and shows the first.
    """
    splits = {split for split, _ in predictions}
    if splits != {""} and {split for split, _ in labels} == {""}:
        labels = {(split, name): label for split in splits for (_, name), label in labels.items()}
    if labels.keys() != predictions.keys():
        _refuse(labels.keys() - predictions.keys(), "without a prediction", shown)
        _refuse(predictions.keys() - labels.keys(), "that are not asked for", shown)
    joined: dict[str, list[Pair]] = {}
    for key in sorted(labels):
        joined.setdefault(key[0], []).append((labels[key], predictions[key]))
    return joined


def _refuse(keys: set[Key], fault: str, shown: str) -> None:
    """Say how many ids have a fault, and which is the first; nothing where there is none."""
    if keys:
        split, name = min(keys)
        where = f' of split "{split}"' if split else ""
        raise Unscorable(f'{shown}: {len(keys)} ids {fault}, the first is "{name:.60}"{where}')


def number(text: str, what: str) -> float:
    """The finite number written in ``text``.

    Raises:
        Unscorable: it is none.
    """
    try:
        value = float(text) if "_" not in text else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise Unscorable(f'{what} "{text:.40}" is not a finite number')
    return value


def _text(path: Path, shown: str) -> str:
    """The text of a table, decompressed where needed, up to a limit."""
    try:
        content = read_bytes(path, MAX_TABLE_BYTES)
        if content.startswith(GZIP_MAGIC):
            with gzip.open(io.BytesIO(content)) as stream:
                content = stream.read(MAX_TABLE_BYTES + 1)
        if len(content) > MAX_TABLE_BYTES:
            raise Unscorable(f"{shown}: is larger than {MAX_TABLE_BYTES >> 20} MiB")
        return content.decode("utf-8-sig")
    except AnswerError as error:
        raise Unscorable(str(error)) from error
    except UnicodeDecodeError as error:
        raise Unscorable(f"{shown}: is not UTF-8 text (byte {error.start})") from error
    except (OSError, EOFError, zlib.error) as error:
        raise Unscorable(f"{shown}: cannot be read ({error})") from error


def _rows(text: str, required: tuple[str, ...], shown: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Line number and fields of each row that is not blank."""
    first = text.partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(first), strict=True)
    try:
        header = _header(next(reader, []), required, shown)
        for row in reader:
            if not row:
                continue
            if len(row) != len(header):
                raise Unscorable(
                    f"{shown}, line {reader.line_num}: has {len(row)} fields, the header has {len(header)}"
                )
            yield reader.line_num, {name: field.strip() for name, field in zip(header, row, strict=True)}
    except csv.Error as error:
        raise Unscorable(f"{shown}, line {reader.line_num}: is no row of a table ({error})") from error


def _delimiter(header: str) -> str:
    """What separates the columns of a header: a comma, else a tab, else a semicolon."""
    return next((mark for mark in (",", "\t", ";") if mark in header), ",")


def _header(row: list[str], required: tuple[str, ...], shown: str) -> list[str]:
    """Column names in lower case."""
    header = [name.strip().lower() for name in row]
    missing = [name for name in required if name not in header]
    if missing:
        raise Unscorable(
            f"{shown}: has no column {', '.join(missing)}; it has {', '.join(header)[:80] or 'none'}"
        )
    twice = [name for name in ("split", "event", *required) if header.count(name) > 1]
    if twice:
        raise Unscorable(f"{shown}: column {twice[0]} is given twice")
    return header
