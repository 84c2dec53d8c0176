"""Taking the files that hold a published answer out of a staged repository."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from labagent.files import list_files, sha256_file, write_json

NOTEBOOK_OUTPUTS = "notebook-outputs"
SMALL = 32  # bytes: below this, equal files are empty or boilerplate and say nothing


def seal(root: Path, items: Sequence[str]) -> tuple[dict[str, int], list[str]]:
    """Remove the files that match ``items`` from ``root``, in place.

    Args:
        root: a staged repository that nothing else uses yet.
        items: gitignore-like globs, or ``notebook-outputs`` for the outputs stored in notebooks.

    Returns:
        How many files each item took, and warnings: an item that matched nothing, and files that are
        byte for byte the same as a sealed one but were not named.
    """
    every = _entries(root)
    counts: dict[str, int] = {}
    doomed: set[str] = set()
    for item in items:
        if item == NOTEBOOK_OUTPUTS:
            continue
        matched = _matches(item, every)
        counts[item] = len(matched)
        doomed |= matched
    digests = _remove(root, doomed)
    if NOTEBOOK_OUTPUTS in items:
        counts[NOTEBOOK_OUTPUTS] = _clean_notebooks(root)
    warnings = [f'sealed: "{item}" matches no file' for item in items if not counts[item]]
    return counts, warnings + _copies_left(root, digests)


def seal_tutorials(folder: Path) -> int:
    """Drop the outputs of notebooks that were staged as tutorials; counts those changed."""
    changed = 0
    for path in (p for p in list_files(folder) if p.suffix == ".json"):
        cells = json.loads(path.read_text(encoding="utf-8"))
        if any("outputs" in cell for cell in cells):
            write_json(path, [{k: v for k, v in cell.items() if k != "outputs"} for cell in cells])
            changed += 1
    return changed


def _entries(root: Path) -> list[str]:
    """Relative paths of files and links (a link to a sealed name is sealed as well)."""
    links = (p for p in root.rglob("*") if p.is_symlink())
    return sorted(p.relative_to(root).as_posix() for p in [*list_files(root), *links])


def _matches(glob: str, paths: list[str]) -> set[str]:
    """The paths a gitignore-like glob takes; a folder's glob takes its content."""
    from pathspec import PathSpec

    spec = PathSpec.from_lines("gitignore", [glob.removeprefix("./")])
    return {path for path in paths if spec.match_file(path)}


def _remove(root: Path, doomed: set[str]) -> dict[str, int]:
    """Delete the files and folders left empty; the hash and size of each file deleted."""
    digests: dict[str, int] = {}
    for name in sorted(doomed):
        path = root / name
        if not path.is_symlink():
            digests[sha256_file(path)] = path.stat().st_size
        path.unlink()
        parent = path.parent
        while parent != root and not any(parent.iterdir()):
            parent.rmdir()
            parent = parent.parent
    return digests


def _copies_left(root: Path, digests: dict[str, int]) -> list[str]:
    """A warning when a file's exact content was sealed under another name."""
    sizes = {size for size in digests.values() if size > SMALL}
    copies = [
        path.relative_to(root).as_posix()
        for path in list_files(root)
        if path.stat().st_size in sizes and sha256_file(path) in digests
    ]
    if not copies:
        return []
    return [f"not sealed, but the same bytes as a sealed file: {', '.join(copies)}"]


def _clean_notebooks(root: Path) -> int:
    """Drop the outputs of every notebook; one that cannot be parsed is removed. Counts those changed."""
    changed = 0
    for path in [p for p in list_files(root) if p.suffix == ".ipynb"]:
        try:
            notebook = json.loads(path.read_text(encoding="utf-8-sig"))
            cells = notebook_cells(notebook)
        except (ValueError, AttributeError, TypeError, KeyError):
            path.unlink()
            changed += 1
            continue
        if sum(_clear(cell) for cell in cells):
            write_json(path, notebook)
            changed += 1
    return changed


def notebook_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells of a notebook of format 4, or of format 3 with its worksheets."""
    if "cells" in notebook:
        return list(notebook["cells"])
    return [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]


def _clear(cell: dict[str, Any]) -> bool:
    """Empty a cell's outputs; whether there were any."""
    had = bool(cell.get("outputs")) or bool(cell.get("attachments"))
    if "outputs" in cell:
        cell["outputs"] = []
    cell.pop("attachments", None)
    return had
