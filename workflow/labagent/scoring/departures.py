"""Departures: the protocol a target declares against what a run left. Shown beside the score, never in it.

A fact the run left no trace of is no departure: nothing is reported that was not seen. What the agent
itself says, in ``departures.json`` or in a line ``CHOICE: iterations=500``, is passed on, marked as such.
Severities are those of :mod:`labagent.scoring.protocol_checks`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from labagent.models.answers import AnswerError, answer_file, read_answer_json
from labagent.models.score import Departure
from labagent.scoring.protocol_checks import CHECKS, Facts, departure, one_line

__all__ = ["Facts", "find_departures"]

DECLARED = "departures.json"
MAX_DECLARED = 50


def find_departures(protocol: Mapping[str, Any], facts: Facts, output: Path) -> list[Departure]:
    """All departures: those by the protocol in the order of ``CHECKS``, then those the agent declares."""
    measured = [d for item, check in CHECKS.items() if item in protocol for d in check(protocol[item], facts)]
    return [*measured, *_declared(output)]


def _declared(output: Path) -> list[Departure]:
    """What ``departures.json`` in the output folder says, as far as it can be read."""
    try:
        rows = read_answer_json(answer_file(output, DECLARED), DECLARED)
    except AnswerError:
        if not (output / DECLARED).exists():
            return []
        rows = None
    if not isinstance(rows, list):
        return [departure(DECLARED, "a list", "unreadable", "note", "declared")]
    found = [_declared_row(row) for row in rows[:MAX_DECLARED]]
    if len(rows) > MAX_DECLARED:
        found.append(
            departure(DECLARED, "", f"{len(rows) - MAX_DECLARED} more are not shown", "note", "declared")
        )
    return found


def _declared_row(row: Any) -> Departure:
    """One declared departure; what is no such row is kept as its text."""
    if isinstance(row, dict):
        texts = {key: one_line(row.get(key, "")) for key in ("item", "published", "ours")}
        severity = row.get("severity", "minor")
        try:
            return Departure.model_validate({**texts, "severity": severity, "origin": "declared"})
        except ValidationError:
            return Departure(**texts, origin="declared")
    return departure("", "", row, "note", "declared")
