"""Built environments on disk, by the hash of their lock; parallel jobs share one."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from labagent.environment.outcome import BuildFailed
from labagent.errors import InfrastructureError
from labagent.files import read_json, write_json

_MARKER = ".labagent-complete.json"


def place(root: Path, prefix: str, lock_sha256: str) -> Path:
    """The folder of the environment with this lock."""
    return (root / prefix / lock_sha256[:16]).resolve()


def state_folder(root: Path, prefix: str) -> Path:
    """The folder beside the environments that holds locks and the cache of packages."""
    return (root / prefix).resolve().parent


def build_once(prefix: Path, lock_sha256: str, build: Callable[[], None], *, seconds: float) -> bool:
    """Build at ``prefix`` unless a complete environment stands there.

    One process builds, others wait; what a killed build left is removed and built anew.

    Returns:
        Whether it was there already.

    Raises:
        BuildFailed: what ``build`` raises; nothing is left at ``prefix`` then.
    """
    if _is_complete(prefix, lock_sha256):
        return True
    with exclusive(prefix.with_name(f"{prefix.name}.lock"), seconds=seconds):
        if _is_complete(prefix, lock_sha256):
            return True
        remove(prefix)
        try:
            build()
        except BaseException:
            remove(prefix)
            raise
        write_json(prefix / _MARKER, {"lock_sha256": lock_sha256})
    return False


@contextlib.contextmanager
def exclusive(path: Path, *, seconds: float) -> Iterator[None]:
    """Hold a file lock; the kernel frees it when its holder dies."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(path, timeout=seconds):
            yield
    except Timeout as error:
        raise BuildFailed(
            "timeout", f"another job builds the same environment for more than {seconds:g} s ({path.name})"
        ) from error
    except OSError as error:
        raise InfrastructureError(f"{path.parent}: {error}") from error


def remove(prefix: Path) -> None:
    """Remove an environment, its marker first, so that a half-removed one is never taken for complete."""
    (prefix / _MARKER).unlink(missing_ok=True)
    if prefix.exists():
        shutil.rmtree(prefix)


def _is_complete(prefix: Path, lock_sha256: str) -> bool:
    """Whether the marker of exactly this lock stands at ``prefix``."""
    try:
        return bool(read_json(prefix / _MARKER)["lock_sha256"] == lock_sha256)
    except (OSError, ValueError, KeyError, TypeError):
        return False
