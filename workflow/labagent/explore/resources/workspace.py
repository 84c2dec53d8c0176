"""A writable copy of a lab's released files in which its commands run, and the numbers they leave.

``source/`` in the current folder is made from the skill's copy; each staged file takes the place of files of
the same name. After the commands, numbers are read from what they printed and from files that are new or
changed. Standard library only; Parquet files need pandas.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import math
import os
import re
import shutil
from pathlib import Path
from typing import Any

FOLDER, BEFORE = Path("source"), Path("before.json")
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w])")
TIME = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d(:\d\d)?|\d+%\|")
TABLES = (".csv", ".tsv", ".txt", ".tab", ".dat", ".out", ".md")
MAX_LINES, MAX_CELLS, MAX_FILES, MAX_BYTES = 400, 20000, 40, 20 << 20


def make() -> int:
    """Copy the released files and lay the staged ones over them; print and count what was replaced."""
    skill, data = Path(os.environ["LABAGENT_SKILL"]), Path(os.environ["LABAGENT_DATA"])
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(skill / "assets" / "source", FOLDER)
    for path in FOLDER.rglob("*"):
        path.chmod(path.stat().st_mode | 0o200)
    staged = [path for path in sorted(data.rglob("*")) if path.is_file()]
    replaced = 0
    for path in staged:
        hits = [hit for hit in sorted(FOLDER.rglob(path.name)) if hit.is_file()]
        for hit in hits:
            shutil.copyfile(path, hit)
        replaced += len(hits)
        print(
            path.name,
            path.stat().st_size,
            "bytes,",
            "replaces",
            len(hits),
            "files, sha256",
            digest(path)[:16],
        )
    print("released files:", sum(path.is_file() for path in FOLDER.rglob("*")))
    print("staged files:", len(staged))
    if staged and not replaced:
        raise SystemExit("data: no staged file has the name of a released one")
    BEFORE.write_text(json.dumps(state()), encoding="utf-8")
    return replaced


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def state() -> dict[str, str]:
    """Hashes of all files of the copy."""
    files = (path for path in sorted(FOLDER.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(FOLDER).as_posix(): digest(path) for path in files}


def collect(printed: list[str]) -> dict[str, Any]:
    """The numbers of the commands: of what they printed, and of the files they left.

    Args:
        printed: names of the files with what each command printed.
    """
    found: dict[str, Any] = {}
    for name in printed:
        said = of_text(Path(name).read_text(encoding="utf-8", errors="replace"))
        print(name, "numbers printed:", len(said))
        if said:
            found[Path(name).stem] = said
    before = json.loads(BEFORE.read_text(encoding="utf-8"))
    left = [name for name, value in state().items() if before.get(name) != value]
    print("files new or changed:", len(left))
    for name in left[:MAX_FILES]:
        numbers = of_file(FOLDER / name)
        print(
            name, (FOLDER / name).stat().st_size, "bytes, numbers:", "none" if not numbers else count(numbers)
        )
        if numbers:
            found.setdefault("files", {})[name] = numbers
    return found


def of_text(text: str) -> dict[str, float]:
    """Numbers of printed lines, by the words before them; dates, times and progress bars are left out."""
    lines = [line.rsplit("\r", 1)[-1] for line in text.split("\n")]
    found: dict[str, float] = {}
    for line in [line for line in lines if not TIME.search(line)][-MAX_LINES:]:
        position = 0
        for at, match in enumerate(NUMBER.finditer(line)):
            words = re.sub(r"\W+", " ", line[position : match.start()]).strip()[-40:] or f"number {at + 1}"
            position = match.end()
            number = float(match[0])
            if math.isfinite(number):
                found[unused(words, found)] = number
    return found


def unused(name: str, found: dict[str, Any]) -> str:
    """A key not in use: the name, or the name with a count."""
    if name not in found:
        return name
    return next(f"{name} {n}" for n in range(2, 10**6) if f"{name} {n}" not in found)


def of_file(path: Path) -> dict[str, Any] | None:
    """The numbers of a file that a command left, where it is of a form that can be read here."""
    suffixes = path.suffixes
    packed = bool(suffixes) and suffixes[-1] == ".gz"
    if path.stat().st_size > MAX_BYTES:
        return None
    try:
        if path.suffix == ".parquet":
            import pandas

            frame = pandas.read_parquet(path)
            rows = [list(map(str, frame.columns)), *frame.astype(str).to_numpy().tolist()]
            return of_table(rows)
        text = gzip.decompress(path.read_bytes()).decode() if packed else path.read_text(encoding="utf-8")
    except (OSError, ValueError, ImportError):
        return None
    if path.suffix == ".json":
        return of_json(text)
    if packed or path.suffix in TABLES or not path.suffix:
        return of_table(split(text)) or of_text(text) or None
    return None


def of_json(text: str) -> dict[str, Any] | None:
    """The numbers of a JSON file."""
    try:
        found = members(json.loads(text))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def members(value: Any) -> Any:
    """The numbers below a JSON value."""
    if isinstance(value, dict):
        kept = {str(k): members(v) for k, v in value.items()}
    elif isinstance(value, list):
        kept = {str(n): members(v) for n, v in enumerate(value)}
    else:
        number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
        return value if number else None
    return {k: v for k, v in kept.items() if v is not None and v != {}} or None


def split(text: str) -> list[list[str]]:
    """The cells of a text, if all its lines have as many; else nothing."""
    lines = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    for mark in ("\t", ",", ";", None):
        rows = [line.split() for line in lines] if mark is None else list(csv.reader(lines, delimiter=mark))
        if len(rows) > 1 and len(rows[0]) > 1 and len({len(row) for row in rows}) == 1:
            return rows
    return []


def of_table(rows: list[list[str]]) -> dict[str, Any] | None:
    """A table with a heading: its size, means of columns, and the numbers where they are not too many."""
    if len(rows) < 2:
        return None
    heading, body = rows[0], rows[1:]
    found: dict[str, Any] = {"rows": len(body), "columns": len(heading)}
    for column, name in enumerate(heading):
        cells = {str(at): finite(row[column]) for at, row in enumerate(body)}
        numbers = {at: number for at, number in cells.items() if number is not None}
        if numbers:
            key = unused(name.strip() or f"column {column + 1}", found)
            found[key] = {"mean": sum(numbers.values()) / len(numbers)}
            if len(body) * len(heading) <= MAX_CELLS:
                found[key].update(numbers)
    return found if len(found) > 2 else None


def finite(cell: str) -> float | None:
    """A cell as a finite number."""
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def count(value: Any) -> int:
    """How many numbers a value holds."""
    return sum(count(item) for item in value.values()) if isinstance(value, dict) else 1
