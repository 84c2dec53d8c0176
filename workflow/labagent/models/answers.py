"""Reading an answer contract: what a run left for one quantity, or why it cannot be used.

The agent's loop asks this to decide whether a run may end as a success; the scorer asks it after the fact.
Everything in the output folder was written by an agent and is trusted in nothing: paths may be links out of
the folder, files may be pipes, huge, or not what their name says.
"""

from __future__ import annotations

import json
import math
import os
import stat
from pathlib import Path
from typing import Any

from labagent.errors import LabagentError
from labagent.models.tables import Quantity

MAX_JSON_BYTES = 16 << 20
SHOWN = 60
MAX_EXACT = 200
"""Characters of a value that is compared as it is."""


class AnswerError(LabagentError):
    """What a run left for a quantity cannot be used; ``reason`` says why, naming file and key."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def read_answer(folder: Path, quantity: Quantity) -> float | Path:
    """What a run left for ``quantity`` in its output ``folder``.

    Args:
        folder: the output folder of a try.
        quantity: the item of the answer contract.

    Returns:
        The finite number found under ``quantity.key``; without a key, or where the value is no number but
        compared as it is, the real path of the (non-empty, regular) file, from which a scorer has the value.

    Raises:
        AnswerError: missing file, no regular file, a link that leaves the folder, no JSON, key absent, or
            anything but a finite number.
    """
    path = answer_file(folder, quantity.file)
    if not quantity.key:
        return path
    value = find_key(read_answer_json(path, quantity.file), quantity.key, quantity.file)
    place = f'{quantity.file}: "{quantity.key}"'
    if not quantity.exact:
        return finite_number(value, place)
    if not isinstance(value, str | int) or len(str(value)) > MAX_EXACT:
        raise AnswerError(f"{place} is {_kind(value)}, not a short text, an integer, true or false")
    return path


def answer_file(folder: Path, name: str) -> Path:
    """The real path of a non-empty regular file of an output folder.

    Raises:
        AnswerError: it is missing, empty, no regular file, or leads out of the folder.
    """
    root = folder.resolve()
    try:
        path = (root / name).resolve(strict=True)
        status = path.stat()
    except (OSError, ValueError, RuntimeError) as error:
        raise AnswerError(f"{name}: no such file in the output folder") from error
    if not path.is_relative_to(root):
        raise AnswerError(f"{name}: leads out of the output folder; it must be a file of its own")
    if not stat.S_ISREG(status.st_mode):
        raise AnswerError(f"{name}: is not a regular file")
    if status.st_size == 0:
        raise AnswerError(f"{name}: is empty")
    return path


def read_bytes(path: Path, limit: int) -> bytes:
    """At most ``limit`` + 1 bytes of a regular file that is not replaced by a link or pipe meanwhile."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise AnswerError(f"{path.name}: is not a regular file")
        return stream.read(limit + 1)


def read_answer_json(path: Path, name: str) -> Any:
    """The JSON value of an answer file (UTF-8, a byte-order mark is allowed).

    Raises:
        AnswerError: unreadable, over 16 MiB, no UTF-8, no JSON, or a key given twice in one object.
    """
    try:
        content = read_bytes(path, MAX_JSON_BYTES)
    except OSError as error:
        raise AnswerError(f"{name}: cannot be read ({error.strerror})") from error
    if len(content) > MAX_JSON_BYTES:
        raise AnswerError(f"{name}: is larger than {MAX_JSON_BYTES >> 20} MiB; an answer file is small")
    try:
        return json.loads(content.decode("utf-8-sig"), object_pairs_hook=_unique)
    except UnicodeDecodeError as error:
        raise AnswerError(f"{name}: is not UTF-8 text (byte {error.start})") from error
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise AnswerError(f"{name}: is not JSON ({error.msg}, {place})") from error
    except (ValueError, RecursionError) as error:
        raise AnswerError(f"{name}: is not usable JSON ({_short(str(error))})") from error


def find_key(value: Any, key: str, name: str) -> Any:
    """The value under a dotted path: longest matching key first, lists by index.

    So ``a.b`` finds ``{"a.b": 1}`` before ``{"a": {"b": 1}}``.

    Raises:
        AnswerError: nothing is there; the message lists the keys that are.
    """
    found = _descend(value, key.split("."))
    if not found:
        there = f"its keys are {_short(', '.join(map(str, value)))}" if isinstance(value, dict) else ""
        there = there or f"it holds {_kind(value)}"
        raise AnswerError(f'{name}: has no "{key}"; {there}')
    return found[0]


def finite_number(value: Any, place: str) -> float:
    """``value`` as a float.

    Raises:
        AnswerError: it is not a number (strings, booleans, lists and null are none) or not finite.
    """
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise AnswerError(f"{place} is {_kind(value)}, not a number")
    try:
        number = float(value)
    except OverflowError as error:
        raise AnswerError(f"{place} is too large for a number") from error
    if not math.isfinite(number):
        raise AnswerError(f"{place} is {number}, not a finite number")
    return number


def _descend(value: Any, parts: list[str]) -> list[Any]:
    """The value found along ``parts`` in a list of one, or an empty list."""
    if not parts:
        return [value]
    if isinstance(value, list):
        index = parts[0]
        inside = index.isascii() and index.isdigit() and len(index) < 10 and int(index) < len(value)
        return _descend(value[int(index)], parts[1:]) if inside else []
    if isinstance(value, dict):
        for count in range(len(parts), 0, -1):
            joined = ".".join(parts[:count])
            found = _descend(value[joined], parts[count:]) if joined in value else []
            if found:
                return found
    return []


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's members; a key that stands twice makes the answer ambiguous."""
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f'key "{next(n for n in names if names.count(n) > 1)}" is given twice')
    return members


def _kind(value: Any) -> str:
    """What a JSON value is, for messages."""
    if isinstance(value, str):
        return f'the text "{_short(value)}"'
    if isinstance(value, bool):
        return str(value).lower()
    names = {dict: "an object", list: "a list", type(None): "null"}
    return names.get(type(value), f"the number {value!s:.20}")


def _short(text: str) -> str:
    """Text of at most ``SHOWN`` printable characters."""
    clean = "".join(c if c.isprintable() else " " for c in text)
    return clean if len(clean) <= SHOWN else clean[: SHOWN - 1] + "…"
