"""Writing imported targets as a family's tables, in one move."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from labagent.errors import InputError, InputFault
from labagent.files import write_text
from labagent.inputs.withheld import IMPORTED
from labagent.models.config import SandboxSettings

TARGETS = ("target", "family", "skill", "task", "data", "answer", "protocol", "budget")
REFERENCES = (
    *("target", "quantity", "metric", "unit", "direction", "value", "tolerance", "tolerance_kind", "source"),
)


@dataclass(frozen=True)
class ImportOptions:
    """What the user allows: ``trust`` runs a problem's scripts where there is no sandbox to run them in."""

    sandbox: SandboxSettings = field(default_factory=SandboxSettings)
    trust: bool = False


@dataclass(frozen=True)
class ImportedTarget:
    """One target of a user's copy.

    ``data``: items as in a targets table. ``files``: what is written below ``imported/``, by path.
    ``rubric``: what is withheld. ``notes``: what the import found out, for the user.
    """

    target: str
    family: str
    task: str
    data: tuple[str, ...]
    answer: str
    references: tuple[Mapping[str, Any], ...]
    rubric: Mapping[str, Any] | None = None
    protocol: Mapping[str, Any] | None = None
    skill: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def write_imported(folder: Path, targets: Sequence[ImportedTarget]) -> None:
    """Write ``imported/`` of a family whole; an earlier import is replaced.

    Raises:
        InputError: there is no target, or a cell cannot stand in a table.
    """
    if not targets:
        raise InputError([InputFault(str(folder), "nothing was found to import")])
    fresh, place, old = (folder / name for name in (".imported.new", IMPORTED, ".imported.old"))
    for leftover in (fresh, old):
        shutil.rmtree(leftover, ignore_errors=True)
    fresh.mkdir(parents=True)
    for target in targets:
        write_text(fresh / "tasks" / f"{target.target}.md", target.task)
        for kind, value in (("rubrics", target.rubric), ("protocols", target.protocol)):
            if value is not None:
                text = yaml.safe_dump(dict(value), sort_keys=False, allow_unicode=True, width=110)
                write_text(fresh / kind / f"{target.target}.yaml", text)
        for name, content in target.files.items():
            (fresh / name).parent.mkdir(parents=True, exist_ok=True)
            (fresh / name).write_bytes(content)
    write_text(fresh / "targets.tsv", _table(TARGETS, map(_row, targets)))
    rows = [{"target": t.target, **row} for t in targets for row in t.references]
    write_text(fresh / "references.tsv", _table(REFERENCES, rows))
    if place.exists():
        place.rename(old)
    fresh.rename(place)
    shutil.rmtree(old, ignore_errors=True)


def _row(target: ImportedTarget) -> dict[str, Any]:
    """A row of the targets table."""
    return {
        "target": target.target,
        "family": target.family,
        "skill": target.skill,
        "task": f"tasks/{target.target}.md",
        "data": ";".join(target.data),
        "answer": target.answer,
        "protocol": f"protocols/{target.target}.yaml" if target.protocol is not None else "",
        "budget": "default",
    }


def _table(columns: Sequence[str], rows: Any) -> str:
    """A tab-separated table."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter="\t", lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        cells = ["" if row.get(name) is None else str(row[name]) for name in columns]
        wrong = next((cell for cell in cells if "\t" in cell or "\n" in cell), None)
        if wrong is not None:
            raise InputError([InputFault(str(row["target"]), f"cannot stand in a table: {wrong[:80]!r}")])
        writer.writerow(cells)
    return out.getvalue()
