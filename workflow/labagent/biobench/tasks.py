"""Reading and writing task files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import ValidationError

from labagent.errors import InputError, InputFault
from labagent.files import write_text
from labagent.models.biobench import BiobenchTask


def read_tasks(path: Path) -> tuple[BiobenchTask, ...]:
    """The tasks of a file in our own format (JSON lines).

    Raises ``InputError`` with every wrong line, and with identifiers that stand twice.
    """
    return parse_tasks(path.read_text(encoding="utf-8-sig"), path.name)


def parse_tasks(text: str, name: str) -> tuple[BiobenchTask, ...]:
    """The tasks of ``text``; ``name`` is what faults call the file."""
    found: dict[str, BiobenchTask] = {}
    faults: list[InputFault] = []
    for row, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            task = BiobenchTask.model_validate_json(line)
        except ValidationError as error:
            faults.extend(_faults(name, row, error))
            continue
        if task.id in found:
            faults.append(InputFault(name, f"a second task is called {task.id}", row))
        found[task.id] = task
    if not found and not faults:
        faults.append(InputFault(name, "holds no task"))
    if faults:
        raise InputError(faults)
    return tuple(found.values())


def write_tasks(path: Path, tasks: Iterable[BiobenchTask]) -> None:
    """Write tasks as JSON lines, whole or not at all."""
    write_text(path, "".join(task.model_dump_json() + "\n" for task in tasks))


def _faults(name: str, row: int, error: ValidationError) -> Sequence[InputFault]:
    """One fault a field."""
    return [InputFault(name, f"{_field(e['loc'])}{e['msg']}", row) for e in error.errors(include_url=False)]


def _field(place: tuple[int | str, ...]) -> str:
    """``gold.0.value: `` or nothing."""
    return f"{'.'.join(str(p) for p in place)}: " if place else ""
