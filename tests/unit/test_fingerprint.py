"""The fingerprint follows meaning: code and data files, not comments, docstrings, formatting or times."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import labagent
from labagent.fingerprint import fingerprint

PACKAGE = Path(labagent.__file__).parent


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package that a test may edit."""
    return Path(shutil.copytree(PACKAGE, tmp_path / "labagent", ignore=shutil.ignore_patterns("__pycache__")))


def of(copy: Path, module: str) -> str:
    """The fingerprint as a fresh process sees the copy."""
    code = f"from labagent.fingerprint import fingerprint; print(fingerprint({module!r}))"
    environment = {**os.environ, "PYTHONPATH": str(copy.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    return done.stdout.strip()


def test_comments_docstrings_and_times_do_not_count(copy: Path) -> None:
    before = of(copy, "labagent.inputs")
    for path in copy.rglob("*.py"):
        path.touch()
    file = copy / "inputs/load.py"
    file.write_text(file.read_text().replace('"""Load and', '"""Changed: load and', 1) + "\n\n# a comment\n")
    assert of(copy, "labagent.inputs") == before


def test_code_of_the_module_and_of_what_it_imports_counts(copy: Path) -> None:
    before = of(copy, "labagent.inputs"), of(copy, "labagent.files")
    file = copy / "models/tables.py"
    file.write_text(file.read_text() + "\nEXTRA = 1\n")
    assert of(copy, "labagent.inputs") != before[0]
    assert of(copy, "labagent.files") == before[1]


def test_discovered_submodules_count(copy: Path) -> None:
    before = of(copy, "labagent.inputs")
    (copy / "inputs/new_check.py").write_text("X = 1\n")
    assert of(copy, "labagent.inputs") != before


def test_data_files_of_a_subpackage_count(copy: Path) -> None:
    before = of(copy, "labagent.inputs")
    (copy / "inputs/table.yaml").write_text("a: 1\n")
    assert of(copy, "labagent.inputs") != before


def test_an_unknown_module_is_an_error() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"labagent\.nothing"):
        fingerprint("labagent.nothing")


def remembered(package: Path, memo: Path, module: str = "labagent.inputs") -> str:
    """The fingerprint from a fresh process that keeps and uses a memo."""
    code = (
        "from pathlib import Path; from labagent import fingerprint as f; "
        f"f.remember_in(Path({str(memo)!r})); print(f.fingerprint({module!r})); f.write_memo()"
    )
    environment = {**os.environ, "PYTHONPATH": str(package.parent)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    return done.stdout.strip()


def test_a_memo_changes_nothing_and_sees_every_edit(copy: Path, tmp_path: Path) -> None:
    memo = tmp_path / "code.json"
    first = of(copy, "labagent.inputs")
    assert remembered(copy, memo) == first == remembered(copy, memo)
    file = copy / "models/tables.py"
    status = file.stat()
    file.write_text(file.read_text().replace("min_length=1", "min_length=2", 1))
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert file.stat().st_size == status.st_size
    assert remembered(copy, memo) == of(copy, "labagent.inputs") != first


def test_a_memo_is_really_used_and_a_broken_one_is_not(copy: Path, tmp_path: Path) -> None:
    memo = tmp_path / "code.json"
    first = remembered(copy, memo)
    known = json.loads(memo.read_text())
    known[str(copy / "inputs/load.py")][1] = "0" * 64
    memo.write_text(json.dumps(known))
    assert remembered(copy, memo) != first
    memo.write_text('{"torn')
    assert remembered(copy, memo) == first
