"""When a run is over: the sentinel, the status line, and the answer contract."""

from __future__ import annotations

import csv
import gzip
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from labagent.files import sha256_text
from labagent.models.answers import AnswerError, read_answer
from labagent.models.tables import Quantity

HEADER_BYTES = 1 << 16
STATUS = re.compile(r"^STATUS: (?P<word>SUCCESS|FAILURE)\b[:\s]*(?P<reason>.*)$")


@dataclass(frozen=True)
class Final:
    """A final status, as the agent gave it."""

    word: Literal["SUCCESS", "FAILURE"]
    reason: str


def sentinel(arm: str, target: str, attempt: int, content: str = "") -> str:
    """The line that ends a run: the same in every try and replay.

    ``content`` is the hash of what a run is shown. With it no file of that can hold the line: it would have
    to know its own hash.
    """
    return f"LABAGENT-DONE-{sha256_text(f'{arm}/{target}/{attempt}/{content}')[:16]}"


def find_final(text: str, mark: str) -> Final | None:
    """The last final status in ``text``: the sentinel on a line of its own, the status on the next."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for place in range(len(lines) - 2, -1, -1):
        status = STATUS.match(lines[place + 1]) if lines[place] == mark else None
        if status:
            return Final("SUCCESS" if status["word"] == "SUCCESS" else "FAILURE", status["reason"].strip())
    return None


def missing_answers(output: Path, contract: tuple[Quantity, ...]) -> list[str]:
    """What the output folder lacks of the answer contract.

    Args:
        output: the run's output folder.
        contract: the quantities a run must leave.

    Returns:
        One sentence an item that is missing or cannot be used; empty when the contract is kept.
    """
    faults = []
    for quantity in contract:
        try:
            found = read_answer(output, quantity)
            if isinstance(found, Path):
                _check_table(found, quantity.file)
        except AnswerError as error:
            faults.append(error.reason)
    return list(dict.fromkeys(faults))


def _check_table(path: Path, name: str) -> None:
    """A file of predictions must be a table: a header of two columns or more, and a row."""
    if not name.removesuffix(".gz").endswith((".csv", ".tsv")):
        return
    try:
        with path.open("rb") as raw, gzip.open(raw) if name.endswith(".gz") else raw as stream:
            head = stream.read(HEADER_BYTES)
    except (OSError, EOFError) as error:
        raise AnswerError(f"{name}: cannot be read ({error})") from error
    delimiter = "\t" if ".tsv" in name else ","
    text = head.decode("utf-8-sig", errors="replace")
    rows = [row for row in csv.reader(text.splitlines(), delimiter=delimiter) if row]
    if not rows or len(rows[0]) < 2:
        raise AnswerError(f"{name}: has no header line of two columns or more")
    if len(rows) < 2:
        raise AnswerError(f"{name}: has a header and no row")
