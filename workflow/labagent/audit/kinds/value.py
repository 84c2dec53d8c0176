"""A published value that stands in a command or a code file before any command computed it.

Computed is what a command printed that does not itself hold the value, read nothing sealed and fetched
nothing; it covers as many digits as were printed. What the task, the protocol or the staged data hold was
given, and is no leak.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from labagent.audit.facts import Facts
from labagent.audit.kinds import history, host, network, project, sealed
from labagent.audit.numbers import LEAST, Number, Value, numbers, value_of
from labagent.audit.story import MAX_BYTES, Sign, Story, excerpt, read_text
from labagent.files import list_files

GIVEN_DIGITS = 5
"""Digits that given data must share with a value: in a large table three agree by chance."""


def find(story: Story, facts: Facts) -> Iterator[Sign]:
    """Values by turn; each is reported once for each place it was written to."""
    values = [v for reference in facts.references.values() if (v := value_of(reference))]
    given = given_values(values, facts)
    wanted = [value for value in values if value not in given]
    computed: dict[Value, int] = {}
    unclean = _unclean(story, facts)
    for step in story.steps:
        held = dict(_held(step.text, wanted))
        for value, at in held.items():
            if _known(value, at) > computed.get(value, 0):
                yield Sign(step.turn, "command", f"{value.name}: {excerpt(step.text, at.start, at.end)}")
        for value, at in _held(step.output, [value for value in wanted if value not in held], printed=True):
            if computed.get(value, 0) >= _known(value, at):
                continue
            if step.turn in unclean or network.CLIENTS.search(step.text):
                yield Sign(step.turn, "output", f"{value.name}: {excerpt(step.output, at.start, at.end)}")
            else:
                computed[value] = _known(value, at)
    for name, turn, text in story.code:
        for value, at in _held(text, wanted):
            if _known(value, at) > computed.get(value, 0):
                yield Sign(turn, name, f"{value.name}: {excerpt(text, at.start, at.end)}")


def _known(value: Value, number: Number) -> int:
    """How many digits of a value a number tells: all, where it is the value itself."""
    return value.digits if number.size == value.size else min(value.digits, number.digits)


def given_values(values: list[Value], facts: Facts) -> set[Value]:
    """Values that stand in the task, the protocol or the staged data."""
    found: set[Value] = set()
    for path in (facts.task, facts.protocol):
        text = read_text(path) if path else ""
        found |= {value for value, _ in _held(text, values, printed=True)}
    if facts.data is not None and facts.data.is_dir():
        found |= _in_data(tuple(values), facts.data)
    return found


@lru_cache(maxsize=8)
def _in_data(values: tuple[Value, ...], data: Path) -> frozenset[Value]:
    """Values in staged text files of a size to read, packed ones included."""
    found: set[Value] = set()
    for path in list_files(data):
        found |= {value for value, _ in _held(_text(path), values, GIVEN_DIGITS)}
    return frozenset(found)


def _held(
    text: str, values: Sequence[Value], least: int = LEAST, *, printed: bool = False
) -> Iterator[tuple[Value, Number]]:
    """For each value the number of a text that tells most of it; what was ``printed`` may have lost zeros."""
    best: dict[Value, Number] = {}
    for number in numbers(text, 1 if printed else LEAST) if values else ():
        for value in values:
            if value.is_at(number, least):
                known = best.get(value)
                if known is None or _known(value, number) > _known(value, known):
                    best[value] = number
    yield from best.items()


def _unclean(story: Story, facts: Facts) -> set[int]:
    """Turns whose output is no computation: what they read was sealed or not theirs."""
    kinds = (sealed, project, host, history)
    return {sign.turn for kind in kinds for sign in kind.find(story, facts) if sign.taints}


def _text(path: Path) -> str:
    """A data file as text."""
    if path.suffix != ".gz":
        return read_text(path)
    try:
        with gzip.open(path) as stream:
            return stream.read(MAX_BYTES).decode("utf-8", "replace")
    except (OSError, EOFError):
        return ""
