"""The last lines of a run: how many entries landed, and which did not, so that exit 0 misleads nobody."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from labagent.files import read_json

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


def _entry(row: dict[str, str], results: Path) -> str:
    """An entry that is not within, with the reason its score gives."""
    try:
        reason = read_json(results / "scores" / row["arm"] / row["target"] / "1.json")["reason"]
    except (OSError, ValueError, KeyError):
        reason = ""
    what = "not within" if row["status"] == "scored" else row["status"]
    return f"{row['target']} ({row['arm']}): {what}{': ' + ' '.join(reason.split())[:200] if reason else ''}"
