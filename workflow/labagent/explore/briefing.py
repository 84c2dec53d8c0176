"""What a model is told of a lab at first: API, data files, examples, README, within a budget."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from labagent.explore.data_files import is_data
from labagent.explore.requirements import ON_INDEX, PYTHONS, needs
from labagent.explore.usage import ORIGINS
from labagent.explore.writing import render
from labagent.files import list_files
from labagent.models.snapshot import Callable_, Example, Snapshot

MAX_CALLABLES, MAX_DATA = 250, 80
CHARACTERS_A_TOKEN = 3
SMALLEST, LARGEST = 8_000, 120_000


def briefing(artifacts: Path, snapshot: Snapshot, origin: str, context_tokens: int) -> str:
    """A lab's package, API, data files and best examples as text; written by others, to be quoted as such.

    Args:
        artifacts: the lab's staged folder.
        snapshot: the lab's API.
        origin: of the staged repository.
        context_tokens: of the model; half of them are used for the lab's own text.
    """
    budget = min(max(context_tokens * CHARACTERS_A_TOKEN // 2, SMALLEST), LARGEST)
    match = ON_INDEX.match(origin)
    root = artifacts / "repository"
    data = [p for p in (f.relative_to(root).as_posix() for f in list_files(root)) if is_data(p)]
    values = {
        "snapshot": snapshot,
        "python": needs(snapshot, origin, ()).python or PYTHONS[0],
        "own": f"{match['name']}=={match['version']}" if match else "",
        "data_files": data[:MAX_DATA],
        "callables": _callables(snapshot),
        "passages": list(_passages(root, snapshot, budget)),
    }
    return render("lab.j2", values, "prompts")


def _callables(snapshot: Snapshot) -> list[str]:
    """Signatures; what examples mention comes first."""
    code = " ".join(example.code for example in snapshot.examples)
    ordered = sorted(snapshot.objects.items(), key=lambda item: (item[0].split(".")[-1] not in code, item[0]))
    return [_signature(name, entry) for name, entry in ordered[:MAX_CALLABLES]]


def _signature(name: str, entry: Callable_) -> str:
    """A callable as one line."""
    stars = {"var_positional": "*", "var_keyword": "**"}
    parts = [
        f"{stars.get(p.kind, '')}{p.name}{f'={p.default}' if p.default is not None else ''}"
        for p in entry.parameters
    ]
    return f"{name}({', '.join(parts)})  # {entry.kind}, {entry.file}:{entry.line}"


def _passages(root: Path, snapshot: Snapshot, budget: int) -> Iterator[dict[str, Any]]:
    """READMEs with line numbers, then examples, the best kinds first, until the budget is used up."""
    readmes = sorted(p for p in root.glob("*") if p.name.lower().startswith("readme") and p.is_file())
    whole = [_whole(root, path) for path in readmes[:2]]
    shown = {item["file"] for item in whole}
    ordered = sorted(snapshot.examples, key=lambda e: -ORIGINS[e.origin])
    for item in [*whole, *(_example(e) for e in ordered if e.file not in shown)]:
        text = item["text"][: budget // 2]
        budget -= len(text)
        if budget <= 0:
            return
        yield {**item, "text": text}


def _whole(root: Path, path: Path) -> dict[str, Any]:
    """A whole file, its lines numbered."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    text = "\n".join(f"{n}: {line}" for n, line in enumerate(lines, 1))
    return {"file": path.relative_to(root).as_posix(), "first": 1, "last": len(lines), "text": text}


def _example(example: Example) -> dict[str, Any]:
    """An example, its lines numbered as in its file (cells of notebooks are not)."""
    numbered = PurePosixPath(example.file).suffix != ".ipynb"
    rows = enumerate(example.code.split("\n"), example.first_line)
    text = "\n".join(f"{n}: {line}" if numbered else line for n, line in rows)
    return {"file": example.file, "first": example.first_line, "last": example.last_line, "text": text}
