"""The published BioBench, and held-out task sets, in our format.

The published files stay where they are: a user names a file, or a clone and a commit. Keywords stay as
published (the strict rule is reported with them); what a correction changes is the typed gold, the outcome,
the tools or the route, and the task says why.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from labagent.biobench.published import converted
from labagent.biobench.tasks import parse_tasks
from labagent.errors import InputError, InputFault, SourceError
from labagent.models.biobench import BiobenchTask, Correction, Corrections

PUBLISHED = ("biobench_v0.jsonl", "biobench_v1.jsonl", "biobench_v03.jsonl")
FOLDER = "benchmark"
"""Where the public repository keeps its task files."""


def import_tasks(source: Path, corrections: Path | None = None, commit: str = "") -> tuple[BiobenchTask, ...]:
    """The tasks of ``source`` in our format.

    ``source`` is a file in our format (a held-out set), a file in the published format, or a folder that
    holds the published files; with ``commit`` it is a git repository and they are read from that commit.
    ``corrections`` applies to published tasks only. Raises ``SourceError`` where files or commit are not
    there, ``InputError`` with every line that is wrong.
    """
    texts = _texts(source, commit)
    if len(texts) == 1:
        ((name, text),) = texts.items()
        if '"schema_version"' in text.lstrip().split("\n", 1)[0]:
            return parse_tasks(text, name)
    known = _corrections(corrections) if corrections else {}
    rows = list(_rows(texts))
    questions = {str(row["id"]): str(row["input"]) for row in rows}
    return tuple(_task(row, questions, known.get(str(row["id"]))) for row in rows)


def _texts(source: Path, commit: str) -> dict[str, str]:
    """Name and content of the files to read."""
    if source.is_file() and not commit:
        return {source.name: source.read_text(encoding="utf-8-sig")}
    if not source.is_dir():
        raise SourceError(f"{source}: no such file or folder; name a task file, or a clone with --commit")
    if commit:
        return {name: _committed(source, commit, name) for name in PUBLISHED}
    there = {name: source / FOLDER / name for name in PUBLISHED}
    missing = [str(path) for path in there.values() if not path.is_file()]
    if missing:
        raise SourceError(f"{source}: not the published benchmark, {', '.join(missing)} is not there")
    return {name: path.read_text(encoding="utf-8-sig") for name, path in there.items()}


def _committed(repository: Path, commit: str, name: str) -> str:
    """A task file as it stands in a commit."""
    if not commit.isalnum():
        raise SourceError(f"{commit!r} is not a commit; give its hash")
    command = ["git", "-C", str(repository), "show", f"{commit}:{FOLDER}/{name}"]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise SourceError(f"{repository}: {FOLDER}/{name} of {commit} cannot be read: {done.stderr.strip()}")
    return done.stdout


def _rows(texts: Mapping[str, str]) -> Iterable[dict[str, Any]]:
    """Published tasks, each once: versions repeat the tasks before them."""
    seen: dict[str, dict[str, Any]] = {}
    faults = []
    for name, text in texts.items():
        for number, line in enumerate(text.splitlines(), start=1):
            try:
                row = json.loads(line) if line.strip() else None
            except json.JSONDecodeError as error:
                faults.append(InputFault(name, f"not JSON: {error.msg}", number))
                continue
            if row is None:
                continue
            faults.extend(_missing(name, number, row))
            if not faults:
                seen.setdefault(str(row["id"]), row)
    if faults:
        raise InputError(faults)
    return seen.values()


def _missing(name: str, number: int, row: Any) -> Sequence[InputFault]:
    """Fields a published task cannot do without."""
    if not isinstance(row, dict):
        return [InputFault(name, "a task is a JSON object", number)]
    wanted = ("id", "category", "input", "checks")
    return [InputFault(name, f"no {field}", number, field) for field in wanted if field not in row]


def _task(row: dict[str, Any], questions: Mapping[str, str], correction: Correction | None) -> BiobenchTask:
    """A published task, corrected."""
    fields = converted(row, questions)
    if correction is not None:
        changed = correction.model_dump(exclude={"id", "reason"}, exclude_none=True)
        fields = {**fields, **changed, "correction": correction.reason}
    try:
        return BiobenchTask.model_validate(fields)
    except ValidationError as error:
        text = "; ".join(str(e["msg"]) for e in error.errors(include_url=False))
        raise InputError([InputFault("published tasks", f"{row['id']}: {text}")]) from None


def _corrections(path: Path) -> dict[str, Correction]:
    """Corrections by task."""
    try:
        read = Corrections.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        errors = error.errors(include_url=False)
        raise InputError(
            [InputFault(path.name, f"{'.'.join(map(str, e['loc']))}: {e['msg']}") for e in errors]
        ) from None
    return {c.id: c for c in read.corrections}
