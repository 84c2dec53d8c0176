"""Write the task set with its gold: ``python tasks.py [FILE]``.

Gold comes from Biopython and from the store of facts; nothing here imports the package that is measured.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import _literature
import _mutation
import _protein
import _sequence
from _task import Task

FILE = Path(__file__).resolve().parents[1] / "tasks.jsonl"


def tasks() -> list[Task]:
    """All tasks, in the order of the file; identifiers are unique."""
    found = [t for module in (_sequence, _protein, _literature, _mutation) for t in module.tasks()]
    names = [t["id"] for t in found]
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise SystemExit(f"two tasks are called {', '.join(twice)}")
    return found


def text() -> str:
    """The file's content."""
    return "".join(json.dumps(t, ensure_ascii=False, sort_keys=True) + "\n" for t in tasks())


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else FILE
    target.write_text(text(), encoding="utf-8")
    print(len(tasks()), "tasks")
