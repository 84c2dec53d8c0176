"""A published value in what a run was shown: lessons of the memory, and the skill."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labagent.audit.facts import Facts
from labagent.audit.kinds.value import given_values
from labagent.audit.numbers import Value, numbers, value_of
from labagent.audit.story import Sign, Story, excerpt, read_text
from labagent.files import list_files, read_json


def find(story: Story, facts: Facts) -> Iterator[Sign]:
    """Values in lessons that were shown, and in the files of the skill."""
    values = [v for reference in facts.references.values() if (v := value_of(reference))]
    wanted = [value for value in values if value not in given_values(values, facts)]
    for text in _lessons(story):
        yield from _signs(text, "memory.json", wanted)
    if facts.skill is not None and facts.skill.is_dir():
        for path in list_files(facts.skill):
            yield from _signs(read_text(path), f"skill/{path.relative_to(facts.skill).as_posix()}", wanted)


def _signs(text: str, place: str, values: list[Value]) -> Iterator[Sign]:
    """Values in one text."""
    for number in numbers(text):
        for value in values:
            if value.is_at(number):
                yield Sign(0, place, f"{value.name}: {excerpt(text, number.start, number.end)}")


def _lessons(story: Story) -> Iterator[str]:
    """Texts of the lessons that the run was shown."""
    try:
        frozen: Any = read_json(story.folder / "memory.json")
    except (OSError, ValueError):
        return
    for lesson in frozen.get("lessons", []) if isinstance(frozen, dict) else frozen:
        if isinstance(lesson, dict) and str(lesson.get("id")) in story.lessons:
            yield "\n".join(_texts(lesson))


def _texts(value: Any) -> Iterator[str]:
    """The texts of a JSON value; numbers of records (counts, times) are none."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
