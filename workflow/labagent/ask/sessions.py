"""Conversations: the earlier questions of a session, in a file that no name leads out of its folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from json import JSONDecodeError
from pathlib import Path

from labagent.ask.keeping import kept_in
from labagent.errors import InputError, InputFault
from labagent.files import append_jsonl, read_jsonl, sha256_text
from labagent.locking import locked

KEPT = 20
"""Turns that a question is read with."""
LOCK_SECONDS = 120.0
NAME = re.compile(r"[^\x00-\x1f\x7f]{1,200}")


class Session:
    """A conversation that is held by one question at a time."""

    def __init__(self, path: Path) -> None:
        """Read what was asked; a last line that a killed process left half written is passed over.

        Raises:
            InputError: another line is damaged.
        """
        self._path = path
        try:
            lines = list(read_jsonl(path, torn_tail=True)) if path.is_file() else []
        except ValueError as error:
            row = error.lineno if isinstance(error, JSONDecodeError) else None
            message = "is no line of a conversation; remove it, or the file to begin anew"
            raise InputError([InputFault(str(path), message, row)]) from error
        self.history: tuple[str, ...] = tuple(
            str(line["question"]) for line in lines if isinstance(line, dict) and line.get("question")
        )[-KEPT:]

    def add(self, question: str, id: str, outcome: str) -> None:
        """Keep a question that was answered."""
        _end_line(self._path)
        append_jsonl(self._path, [{"question": question, "answer": id, "outcome": outcome}])


@contextmanager
def open_session(folder: Path, name: str) -> Iterator[Session]:
    """The session of a name, locked against others that would write to it.

    Args:
        folder: where sessions are; the file's name is a hash of ``name``, which is written nowhere.
        name: any text of 1 to 200 printable characters.

    Raises:
        InputError: the name is none.
        InfrastructureError: another question holds the session for two minutes, or the folder cannot be
            written.
    """
    if not NAME.fullmatch(name):
        message = "is no name of a session; allowed: 1 to 200 characters without control characters"
        raise InputError([InputFault("the session", message, column="--session")])
    path = folder / f"{sha256_text(name.encode('utf-8', 'replace').decode('utf-8'))[:32]}.jsonl"
    with kept_in(folder, "the session"):
        folder.mkdir(parents=True, exist_ok=True)
        with locked(path.with_suffix(".lock"), LOCK_SECONDS):
            yield Session(path)


def _end_line(path: Path) -> None:
    """End a line that a killed process left, so that the next one stands alone."""
    if path.is_file():
        content = path.read_bytes()
        if content and not content.endswith(b"\n"):
            path.write_bytes(content[: content.rfind(b"\n") + 1])
