"""Failures by class: environments that did not build, and failing commands that left a lesson."""

from collections import Counter
from collections.abc import Iterator

from pydantic import ValidationError

from labagent.files import read_jsonl
from labagent.models.memory import LessonEvent
from labagent.report.study import Attempt, Study
from labagent.report.tables import Row
from labagent.trace import scan_trace

TITLE = "Failures by class"
CAPTION = (
    "Failures met by runs, by class, with the lesson a run left where its next command cleared the failure."
)
ORDER = 60
SHOWN = True
COLUMNS = {
    "failure_class": "the class of the failure table",
    "stage": "environment or reproduce",
    "arm": "the arm",
    "target": "the target",
    "attempt": "the attempt, for reproduce",
    "signature": "the failure, normalized",
    "count": "how often it was met",
    "cleared_by": "the command that cleared it, where a lesson was written",
}
Key = tuple[str, str]


def rows(study: Study) -> Iterator[Row]:
    """Environments first, then runs, in the order of entries."""
    for entry in study.entries:
        record = entry.environment
        if record and record.status == "env_failed":
            yield record.failure_class, "environment", entry.arm, entry.target, None, record.reason, 1, None
    for entry, attempt in study.attempts():
        fixes = _fixes(attempt)
        met = _met(attempt)
        for key in sorted(fixes.keys() | met.keys()):
            count = max(met[key], 1)
            yield (
                key[0],
                "reproduce",
                entry.arm,
                entry.target,
                attempt.number,
                key[1],
                count,
                fixes.get(key),
            )


def _fixes(attempt: Attempt) -> dict[Key, str]:
    """The fix by (class, signature), from lessons the tries left."""
    found = {}
    for path in sorted(attempt.folder.glob("try-*/lessons.jsonl")):
        for value in read_jsonl(path, torn_tail=True):
            try:
                lesson = LessonEvent.model_validate(value)
            except ValidationError:
                continue  # outcomes stand in the same file
            found[lesson.failure_class, lesson.signature] = lesson.fix
    return found


def _met(attempt: Attempt) -> Counter[Key]:
    """How often each failure was met, from events that name its class."""
    met: Counter[Key] = Counter()
    if attempt.run is None or not attempt.run.failing_turns:
        return met
    for path in sorted(attempt.folder.glob("try-*/trace.jsonl")):
        for event in scan_trace(path, "failure_class"):
            if event["failure_class"]:
                met[str(event["failure_class"]), str(event.get("signature", ""))] += 1
    return met
