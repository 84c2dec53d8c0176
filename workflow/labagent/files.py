"""Files: atomic writes, JSON and JSON lines, content hashes."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

CHUNK = 1 << 20


def write_text(path: Path, text: str, *, durable: bool = True) -> None:
    """Write ``text`` so that ``path`` holds either its old content or all of the new one.

    ``durable=False`` does not wait for the disk: for what costs nothing to make again, in many files.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
            if durable:
                stream.flush()
                os.fsync(stream.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def to_json(value: Any) -> str:
    """Readable JSON with stable key order and a final newline."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def write_json(path: Path, value: Any) -> None:
    """Write ``value`` as JSON, by rename."""
    write_text(path, to_json(value))


def read_json(path: Path) -> Any:
    """Parse a JSON file (UTF-8, a byte-order mark is allowed)."""
    return json.loads(path.read_text(encoding="utf-8-sig"))


def append_jsonl(path: Path, records: Iterable[Any]) -> None:
    """Append records as JSON lines in one write, on disk before the call returns."""
    lines = "".join(json.dumps(r, sort_keys=True, ensure_ascii=False) + "\n" for r in records)
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        left = memoryview(lines.encode("utf-8"))
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_jsonl(path: Path, *, torn_tail: bool = False) -> Iterator[Any]:
    """Yield the records of a JSON-lines file; a ``JSONDecodeError`` names the line in it.

    ``torn_tail=True`` skips a last line that does not parse: what a process killed while writing leaves.
    """
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    last = len(lines) - 1
    while last >= 0 and not lines[last].strip():
        last -= 1
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except json.JSONDecodeError as error:
            if torn_tail and number == last:
                return
            before = sum(len(earlier) + 1 for earlier in lines[:number])
            raise json.JSONDecodeError(error.msg, text, before + error.pos) from None


def sha256_text(text: str) -> str:
    """Hex digest of UTF-8 text."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def sha256_file(path: Path) -> str:
    """Hex digest of a file's bytes."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


LITTER = re.compile(r"^\.#|~$|\.sw[a-p]$|^\.DS_Store$|^Thumbs\.db$|^#.*#$")
"""Names of files that editors and file managers leave beside the real ones."""


def list_files(root: Path, *, ignore: frozenset[str] = frozenset()) -> list[Path]:
    """All regular files below ``root`` (symbolic links are not followed), sorted by relative path."""
    found = []
    for folder, names, files in os.walk(root):
        names[:] = sorted(n for n in names if n not in ignore)
        found += [Path(folder) / f for f in files if f not in ignore]
    regular = (p for p in found if p.is_file() and not p.is_symlink())
    return sorted(regular, key=lambda p: p.relative_to(root).as_posix())


def sha256_tree(root: Path, *, ignore: frozenset[str] = frozenset(), litter: bool = True) -> str:
    """Hex digest of a folder: relative paths and contents, nothing of times or owners.

    ``litter=False`` passes over what editors and file managers leave beside the real files.
    """
    digest = hashlib.sha256()
    for path in list_files(root, ignore=ignore):
        if litter or not LITTER.search(path.name):
            digest.update(f"{path.relative_to(root).as_posix()}\0{sha256_file(path)}\n".encode())
    return digest.hexdigest()


def sha256_json(value: Any) -> str:
    """Hex digest of a JSON value in canonical form."""
    return sha256_text(json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")))


def fresh_folder(path: Path) -> Path:
    """An empty folder at ``path``; what stood there is removed."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)
    path.mkdir(parents=True)
    return path
