"""A lab's own packages as a part of its skill, where they cannot be installed from the package index."""

from __future__ import annotations

import re
import shutil
from pathlib import Path, PurePosixPath

from labagent.files import write_text
from labagent.models.snapshot import Snapshot
from labagent.skills.calls import lab_roots

COMPILED = frozenset({".pyx", ".pxd", ".c", ".cc", ".cpp", ".cu", ".rs", ".f", ".f90"})
TESTS = frozenset({"tests", "test"})
NOT_COPIED = frozenset({"test", "tests", "docs", "doc", "examples", "setup", "conftest", "benchmarks"})
MAX_BYTES = 50 << 20
MUST_BE_COMPILED = "the lab's package must be compiled"
IMPORTS_TESTS = re.compile(r"^\s*(?:from|import)\s[\w. ]*?\b(tests?)\b", re.MULTILINE)


def package_places(snapshot: Snapshot) -> dict[str, str]:
    """Where each top-level import name of the lab lies: a folder, or a file of one module."""
    places: dict[str, str] = {}
    for name, entry in snapshot.objects.items():
        root = name.split(".")[0]
        parts = PurePosixPath(entry.file).parts
        if root in parts:
            places.setdefault(root, "/".join(parts[: parts.index(root) + 1]))
        elif parts[-1] == f"{root}.py":
            places.setdefault(root, entry.file)
    return {root: place for root, place in places.items() if root in lab_roots(snapshot)}


def copy_source(repository: Path, snapshot: Snapshot, folder: Path) -> str:
    """Copy the lab's packages to ``assets/source`` of a skill; the reason where that cannot serve.

    Args:
        repository: the staged repository.
        snapshot: its snapshot.
        folder: the skill's folder.
    """
    places = {r: p for r, p in package_places(snapshot).items() if r not in NOT_COPIED}
    files = [path for place in places.values() for path in _files(repository / place)]
    compiled = sorted(path.name for path in files if path.suffix in COMPILED)
    if compiled:
        return f"{MUST_BE_COMPILED} ({compiled[0]}) and is not on the package index as staged"
    if sum(path.stat().st_size for path in files) > MAX_BYTES:
        return f"the lab's package is larger than {MAX_BYTES >> 20} MiB and cannot be copied into a skill"
    left_out = TESTS - _imported_tests(files)
    for root, place in places.items():
        target = folder / "assets" / "source" / (root if (repository / place).is_dir() else f"{root}.py")
        _copy(repository / place, target, left_out)
    if snapshot.distribution and snapshot.version:
        _write_record(folder / "assets" / "source", snapshot)
    return ""


def _imported_tests(files: list[Path]) -> frozenset[str]:
    """Names of test folders that other files of the package import from."""
    code = (p.read_text("utf-8", "replace") for p in files if p.suffix == ".py" and not TESTS & set(p.parts))
    return frozenset(name for text in code for name in IMPORTS_TESTS.findall(text))


def _write_record(source: Path, snapshot: Snapshot) -> None:
    """What an installation would leave: some packages ask for their own version when they are imported."""
    stem = re.sub(r"[-_.]+", "_", snapshot.distribution)
    record = source / f"{stem}-{snapshot.version}.dist-info" / "METADATA"
    text = f"Metadata-Version: 2.1\nName: {snapshot.distribution}\nVersion: {snapshot.version}\n"
    write_text(record, text)


def _files(place: Path) -> list[Path]:
    """Regular files of a package."""
    every = [place] if place.is_file() else sorted(place.rglob("*"))
    return [path for path in every if path.is_file() and not path.is_symlink()]


def _copy(source: Path, target: Path, left: frozenset[str] = TESTS) -> None:
    """Copy a package or module; folders named in ``left`` and links stay behind."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_file():
        shutil.copyfile(source, target)
        return

    def left_out(folder: str, names: list[str]) -> list[str]:
        skipped = {"__pycache__", *left}
        return [n for n in names if n in skipped or (Path(folder) / n).is_symlink()]

    shutil.copytree(source, target, ignore=left_out)
