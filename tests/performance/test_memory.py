"""What it costs to match a large output against a large memory. Stated, never asserted.

The baseline is all patterns of the failure table as one compiled alternation, searched in the same output
in the same process: what a single pass over it would cost.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from statistics import median

import pytest

from labagent.memory import classify, fold, lesson_event, match, outcome_event
from labagent.memory.table import table
from labagent.models.memory import Lesson, Provenance

pytestmark = pytest.mark.performance

SIZE, LESSONS, ROUNDS = 1_000_000, 10_000, 7
FAILURES = (
    "ModuleNotFoundError: No module named 'package{n}'",
    "AttributeError: module 'library{n}' has no attribute 'removed{n}'",
    "TypeError: fit{n}() got an unexpected keyword argument 'option{n}'",
    "KeyError: 'column{n}'",
    "FileNotFoundError: [Errno 2] No such file or directory: 'table{n}.csv'",
)


def output() -> str:
    """A log of a megabyte with a failure in the middle of it."""
    generator = random.Random(1)
    lines = [
        "epoch {} loss {:.4f} accuracy {:.4f}",
        "INFO  read {} records, {:.3f} s, {:.3f} MB",
        "Requirement already satisfied: numpy>={} in a place ({:.2f}) ({:.2f})",
        "WARNING: value {} out of range {:.2f} {:.2f}, continuing",
        '  File "/home/anna/lib/module.py", line {}, in step ({:.2f}, {:.2f})',
    ]
    text, size = [], 0
    while size < SIZE:
        if len(text) == 8000:
            text.append("ModuleNotFoundError: No module named 'package77'")
        text.append(
            generator.choice(lines).format(generator.randrange(10**6), generator.random(), generator.random())
        )
        size += len(text[-1]) + 1
    return "\n".join(text)


def lessons() -> tuple[Lesson, ...]:
    """Ten thousand lessons of five classes, with outcomes."""
    events = []
    for number in range(LESSONS):
        found = classify(FAILURES[number % len(FAILURES)].format(n=number))
        where = Provenance(run=f"a/t/{number}", turn=1)
        events.append(lesson_event(found, f"pip install fix{number}", provenance=where, time=1.0))
        events.append(outcome_event(events[-1].id, number % 3 > 0, provenance=where, time=2.0))
    return fold([], events)


def seconds(call: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median processor time of a call."""
    spent = []
    for _ in range(rounds):
        began = time.process_time()
        call()
        spent.append(time.process_time() - began)
    return median(spent)


def test_a_megabyte_against_ten_thousand_lessons(capsys: pytest.CaptureFixture[str]) -> None:
    text, known = output(), lessons()
    assert match(text, known).key_line == "ModuleNotFoundError: No module named 'package77'"
    ours = seconds(lambda: match(text, known))
    naming = seconds(lambda: classify(text))
    sources = [row.pattern.pattern for row in table().rows if row.pattern.pattern]
    plain = [re.sub(r"\(\?P<\w+>", "(?:", source) for source in sources]
    folded = [f"(?i:{source[4:]})" if source.startswith("(?i)") else source for source in plain]
    alternation = re.compile("|".join(f"(?:{source})" for source in folded), re.MULTILINE)
    baseline = seconds(lambda: sum(1 for _ in alternation.finditer(text)), rounds=1)
    with capsys.disabled():
        print(
            f"\nmatching 1 MB against {LESSONS} lessons: {ours * 1000:.1f} ms of processor time, of which "
            f"{naming * 1000:.1f} ms naming the failure; all {len(sources)} patterns as one alternation: "
            f"{baseline * 1000:.0f} ms (ratio {ours / baseline:.3f})"
        )
