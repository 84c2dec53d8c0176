"""Recorded calls of tools: one file a call, at the address of its tool, version and canonical arguments.

``<folder>/<tool>/<first two digits>/<key>.json``. A file is written whole or not at all (a rename), so that
neither a second writer nor a killed one leaves half of one; it holds the hash of what it says, so that
damage is noticed. Nothing in it is secret: arguments and results are redacted before they get here.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from labagent.errors import InfrastructureError, ToolError
from labagent.files import sha256_json, to_json
from labagent.models.asking import StoreMode
from labagent.models.base import Record, first_fault
from labagent.models.tools import ToolFailure

TOOL = re.compile(r"[a-z]+\.[a-z_]+")
KEY = re.compile(r"[0-9a-f]{64}")
TRANSIENT = frozenset({"unavailable", "result"})
"""Errors that asking again may mend: kept for replays, never taken for an answer otherwise."""


class Stored(Record):
    """A call as it is kept. ``sources`` are the identities of the backends that were asked; ``recorded_at``
    is when this was written (ISO 8601); ``sha256`` is the hash of all other fields.
    """

    schema_version: Literal[1] = 1
    key: str = Field(pattern=r"^[0-9a-f]{64}$")
    tool: str
    version: str
    arguments: dict[str, Any]
    status: Literal["ok", "error"]
    result: dict[str, Any] | None = None
    error: ToolFailure | None = None
    source: str = ""
    retrieved: str = ""
    sources: tuple[str, ...] = ()
    recorded_at: str = ""
    sha256: str = ""

    def sealed(self) -> Stored:
        """The same with its hash."""
        return self.model_copy(update={"sha256": self.content_hash()})

    def content_hash(self) -> str:
        """Hash of everything but the hash."""
        return sha256_json(self.model_dump(mode="json", exclude={"sha256"}))

    @property
    def transient(self) -> bool:
        """Whether asking again may give something else."""
        return self.error is not None and self.error.code in TRANSIENT


def call_key(tool: str, version: str, arguments: dict[str, Any]) -> str:
    """The address of a call: SHA-256 of tool, version and canonical JSON of its whole arguments."""
    return sha256_json({"tool": tool, "version": version, "arguments": arguments})


class CallStore:
    """A folder of recorded calls, and what is done with it.

    Args:
        folder: where the calls are; made when the first is kept.
        mode: ``live`` neither reads nor writes; ``record`` writes (a new call replaces an old one);
            ``replay`` reads only; ``auto`` reads, and writes what is not there.
    """

    def __init__(self, folder: Path, mode: StoreMode = "auto") -> None:
        self.folder, self.mode = Path(folder), mode

    def path(self, tool: str, key: str) -> Path:
        """Where a call is kept."""
        if not TOOL.fullmatch(tool) or not KEY.fullmatch(key):
            raise ToolError("input", f"no address of a call: {tool[:60]!r}, {key[:70]!r}")
        return self.folder / tool / key[:2] / f"{key}.json"

    def get(self, tool: str, key: str) -> Stored | None:
        """The call at an address, or ``None``.

        Raises:
            ToolError: ``unavailable``: the file is damaged; the message names it and what is wrong.
        """
        path = self.path(tool, key)
        try:
            text = path.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise _damaged(path, type(error).__name__) from error
        return _read(path, text, key)

    def keep(self, stored: Stored) -> Stored:
        """Keep a call and give back the one that is kept then.

        Mode ``record``: it replaces an older one, except that a failure to reach the source replaces no
        answer. ``auto``: of several writers the first wins and all get what it wrote; what is damaged,
        transient or from other sources is replaced.
        """
        sealed = stored.sealed()
        path = self.path(sealed.tool, sealed.key)
        there = path.exists()  # before it is read: what another writes meanwhile is not to be replaced
        kept = self._sound(sealed)
        answered = kept is not None and not kept.transient and kept.sources == sealed.sources
        if kept is not None and answered and (self.mode != "record" or sealed.transient):
            return kept
        replace = self.mode == "record" or there
        _write(path, to_json(sealed.model_dump(mode="json")), replace=replace)
        return sealed if replace else self._sound(sealed) or sealed

    def entries(self, tool: str) -> Iterator[Stored]:
        """The sound calls of a tool, by address; damaged ones are passed over."""
        folder = self.folder / tool
        for path in sorted(folder.glob("*/*.json")) if TOOL.fullmatch(tool) and folder.is_dir() else ():
            try:
                stored = self.get(tool, path.stem)
            except ToolError:
                continue
            if stored is not None:
                yield stored

    def damaged(self) -> Iterator[tuple[Path, str]]:
        """Files that are no sound calls, with what is wrong."""
        for path in sorted(self.folder.glob("*/*/*.json")):
            try:
                self.get(path.parent.parent.name, path.stem)
            except ToolError as error:
                yield path, error.message

    def _sound(self, like: Stored) -> Stored | None:
        """What is kept at the address of ``like``, if it is undamaged."""
        try:
            return self.get(like.tool, like.key)
        except ToolError:
            return None


def _read(path: Path, text: str, key: str) -> Stored:
    """A file's call, checked against its hash and its address."""
    try:
        stored = Stored.model_validate(json.loads(text))
    except ValidationError as error:
        raise _damaged(path, first_fault(error)) from error
    except (ValueError, RecursionError) as error:
        raise _damaged(path, f"no JSON: {error}") from error
    if stored.sha256 != stored.content_hash():
        raise _damaged(path, "its content does not have the hash it states")
    if not stored.key == key == call_key(stored.tool, stored.version, stored.arguments):
        raise _damaged(path, "it is not the call of this address")
    return stored


def _damaged(path: Path, why: str) -> ToolError:
    """A file that cannot be trusted."""
    return ToolError(
        "unavailable",
        f"stored call {path.parent.parent.name}/{path.parent.name}/{path.name} is damaged: {why}",
        hints=["delete the file and make the call again (mode auto or record)"],
    )


def _write(path: Path, text: str, *, replace: bool) -> None:
    """Write by rename, or by a link where an existing file stays.

    Raises:
        InfrastructureError: the folder cannot be written.
    """
    try:
        _written(path, text, replace)
    except OSError as error:
        raise InfrastructureError(
            f"{path.parents[2]}: a call cannot be kept there: {error.strerror}; make room, or choose another "
            "folder for the store"
        ) from error


def _written(path: Path, text: str, replace: bool) -> None:
    """The same, with the errors of the system."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-", suffix=".tmp")
    new = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        new.chmod(0o644)
        if replace:
            new.replace(path)
            return
        try:
            os.link(new, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without links
            new.replace(path)
    finally:
        new.unlink(missing_ok=True)
