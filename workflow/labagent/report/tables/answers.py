"""Answers to the questions of the table."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.models.asking import AnswerRecord
from labagent.report.study import Study, read_record
from labagent.report.tables import Row

TITLE = "Answers"
CAPTION = (
    "Questions of the questions table and what became of them. Every factual sentence cites a call whose "
    "result holds it; those of a model that no call holds are left out and counted. The text and its sources "
    "are in answer.md beside each record."
)
ORDER = 95
SHOWN = True
COLUMNS = {
    "question": "its name",
    "text": "what was asked",
    "outcome": "answered, asked back, refused, not found, failed",
    "route": "how it was read",
    "model": "by which model; offline: composed without one",
    "calls": "tool calls",
    "sentences": "factual sentences",
    "left_out": "sentences that no result holds",
    "trace": "whether the trace has no hole",
    "answer": "the first sentence",
}
SHOWN_TEXT = 200


def rows(study: Study) -> Iterator[Row]:
    """One row an answer, by name."""
    for path in sorted((study.results / "answers").glob("*/answer.json")):
        record = read_record(AnswerRecord, path)
        if record:
            yield _row(record)


def _row(record: AnswerRecord) -> Row:
    """One answer."""
    facts = [s for s in record.statements if s.factual]
    first = (facts or record.statements)[:1]
    return (
        record.id,
        record.question[:SHOWN_TEXT],
        record.outcome,
        record.route,
        record.model,
        len(record.calls),
        len(facts),
        len(record.dropped),
        record.trace_complete,
        first[0].text[:SHOWN_TEXT] if first else "",
    )
