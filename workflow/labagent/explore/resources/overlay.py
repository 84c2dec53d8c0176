"""A copy of an installed package in which staged files replace the package's own data files.

A released loader reads its data from inside the package. So that it reads what is staged for this run, the
package is copied to ``overlay/`` in the current folder, each staged file is laid over the file of the same
name, and the copy comes first on the import path of the steps that follow. The installed package itself
is never changed. Standard library only.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import re
import shutil
import sys
from pathlib import Path

FOLDER = Path("overlay")
IMPORTS_TESTS = re.compile(r"^[ \t]*(?:from|import)[ \t][\w. ]*?\btests\b", re.MULTILINE)
SOURCE = Path(os.environ.get("LABAGENT_SKILL", ".")) / "assets" / "source"


def make(package: str) -> None:
    """Copy ``package`` and lay the staged files over it; print what was replaced.

    Stops with a message when files are staged and none of them has a counterpart in the package.
    """
    use()
    spec = importlib.util.find_spec(package)
    places = list(spec.submodule_search_locations or []) if spec else []
    if not places:
        raise SystemExit(f"overlay: {package} is not an installed package")
    target = FOLDER / package
    shutil.rmtree(target, ignore_errors=True)
    left_out = {"__pycache__", "tests"} - imported_tests(Path(places[0]))
    shutil.copytree(places[0], target, ignore=shutil.ignore_patterns(*left_out))
    staged = staged_files()
    replaced = [name for name, path in staged.items() if lay_over(target, name, path)]
    print(f"overlay of {package}: {len(staged)} staged files, {len(replaced)} replace the package's own")
    for name in replaced:
        print(f"replaced {name}, sha256 {digest(staged[name])[:16]}")
    if staged and not replaced:
        raise SystemExit("overlay: no staged file has the name of a data file of the package")


def imported_tests(package: Path) -> set[str]:
    """``tests`` where another file of the package imports from there, and nothing elsewhere."""
    code = [path for path in package.rglob("*.py") if "tests" not in path.relative_to(package).parts]
    found = any(IMPORTS_TESTS.search(path.read_text("utf-8", "replace")) for path in code)
    return {"tests"} if found else set()


def staged_files() -> dict[str, Path]:
    """Names and paths of the staged files."""
    paths = (path for path in sorted(Path(os.environ["LABAGENT_DATA"]).rglob("*")) if path.is_file())
    return {path.name: path for path in paths}


def lay_over(target: Path, name: str, path: Path) -> bool:
    """Replace the package's files called ``name``; whether there was one."""
    hits = [hit for hit in target.rglob("*") if hit.name == name and hit.is_file()]
    for hit in hits:
        shutil.copyfile(path, hit)
    return bool(hits)


def installed_version(name: str) -> str:
    """The version of an installed distribution; empty where it is not there.

    The records that installations leave on the import path are read directly: Python 3.7 has nothing for it.
    """
    wanted = re.sub(r"[-_.]+", "-", name).lower()
    for folder in filter(os.path.isdir, sys.path):
        for record in sorted(Path(folder).glob("*.*-info")):
            stem, _, version = record.stem.partition("-")
            if re.sub(r"[-_.]+", "-", stem).lower() == wanted:
                return version.partition("-py")[0] or "unknown"
    return ""


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def use() -> None:
    """Put the skill's own copy of the lab's source, and then the overlay, first on the import path."""
    for folder in (SOURCE, FOLDER):
        if folder.is_dir():
            sys.path.insert(0, str(folder.resolve()))
