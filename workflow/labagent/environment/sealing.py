"""Hides what was sealed in a lab's repository where its installed package carries it, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from labagent.sandbox import Mount


def sealed_mounts(prefix: Path, globs: Sequence[str], empty: Path) -> Iterator[Mount]:
    """Mounts that cover the sealed files of an environment with emptiness.

    Args:
        prefix: the environment's folder.
        globs: gitignore-like, relative to the lab's repository, as which a package's folder is taken.
        empty: a folder for the empty file and folder that are shown instead.
    """
    hidden = empty / "folder"
    hidden.mkdir(parents=True, exist_ok=True)
    (empty / "file").touch()
    for packages in sorted(prefix.glob("lib/python3*/site-packages")):
        for path in _covered(packages, globs):
            shown = hidden if path.is_dir() else empty / "file"
            inside = path.relative_to(prefix).as_posix()
            yield Mount(shown, f"/env/base/{inside}")
            yield Mount(shown, str(path))


def _covered(packages: Path, globs: Sequence[str]) -> Iterator[Path]:
    """Folders and files that globs with a folder in them take; a whole folder instead of all its files."""
    from pathspec import PathSpec

    bare = [glob.removeprefix("./") for glob in globs if "/" in glob.rstrip("/")]
    spec = PathSpec.from_lines("gitignore", bare)
    for top in sorted({glob.partition("/")[0] for glob in bare}):
        if not top or any(mark in top for mark in "*?["):
            continue
        files = [p for p in (packages / top).rglob("*") if p.is_file() and p.suffix != ".pyc"]
        taken = {p for p in files if spec.match_file(p.relative_to(packages).as_posix())}
        mixed = {folder for path in files if path not in taken for folder in path.parents}
        yield from sorted({_highest(path, mixed) for path in taken})


def _highest(path: Path, mixed: set[Path]) -> Path:
    """The highest folder around a sealed file that holds nothing else, or the file."""
    for folder in path.parents:
        if folder in mixed or folder.name == "site-packages":
            break
        path = folder
    return path
