"""The last lines of a run: how many entries landed, and which did not, so that exit 0 misleads nobody."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from labagent.files import read_json
from labagent.models.config import Config

SHOWN = 10


def summary(root: Path, results: str) -> str:
    """A few lines on the report there is; empty where there is none.

    Args:
        root: the workflow's folder.
        results: the folder of results below it.
    """
    table = root / results / "report" / "entries.tsv"
    if not table.is_file():
        return ""
    with table.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t"))
    within = sum(row["within"] == "true" for row in rows)
    counts = Counter(row["status"] for row in rows if row["status"] != "scored")
    others = "".join(f", {count} {status}" for status, count in sorted(counts.items()))
    missed = [row for row in rows if row["within"] != "true"]
    lines = [f"{len(rows)} entries: {within} within{others}"]
    lines += [f"  {_entry(row, root / results)}" for row in missed[:SHOWN]]
    lines += [f"  and {len(missed) - SHOWN} more that are not within"] if len(missed) > SHOWN else []
    return "\n".join([*lines, f"report: {results}/report/report.html"])


def money(root: Path, config: Config) -> str:
    """One line on the budget over all entries, where one is set and something was spent; else empty.

    Args:
        root: the workflow's folder.
        config: its configuration.
    """
    from labagent.errors import LabagentError
    from labagent.llm.book import ADVICE, BOOK, read_book, state_of

    total = config.spending.total_usd
    try:
        book = read_book(root / config.results / BOOK)
    except LabagentError as error:
        return f"{error}\n"
    if book is None or total is None:
        return ""
    return f"{state_of(book, config.spending)}. {ADVICE}\n"


def _entry(row: dict[str, str], results: Path) -> str:
    """An entry that is not within, with the reason its score gives."""
    try:
        reason = read_json(results / "scores" / row["arm"] / row["target"] / "1.json")["reason"]
    except (OSError, ValueError, KeyError):
        reason = ""
    what = "not within" if row["status"] == "scored" else row["status"]
    return f"{row['target']} ({row['arm']}): {what}{': ' + ' '.join(reason.split())[:200] if reason else ''}"
