"""Keys of model services from a file that only its owner can read, for jobs that a cluster starts.

``~/.config/labagent/keys.env``, or the file that ``LABAGENT_KEYS`` names, holds lines ``NAME=value``. A
variable that is set already is left as it is. The process that calls a model reads the file; the workflow
does not hand the values on, so they are in no job script, command line or log.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from labagent.errors import ModelConfigError

VARIABLE = "LABAGENT_KEYS"
DEFAULT = "~/.config/labagent/keys.env"
LINE = re.compile(r"(?:export\s+)?([A-Z][A-Z0-9_]*(?:KEY|TOKEN|SECRET))\s*=\s*(.*)")


def read_keys() -> dict[str, str]:
    """What the file of keys sets; nothing where there is none.

    Raises:
        ModelConfigError: others may read the file, it is another user's, it cannot be read, or a line is no
            ``NAME=value`` with a name that ends in KEY, TOKEN or SECRET. No message shows a value.
    """
    named = os.environ.get(VARIABLE, "")
    path = Path(named or DEFAULT).expanduser()
    try:
        with path.open(encoding="utf-8") as stream:
            _check(path, os.fstat(stream.fileno()))
            lines = stream.read().splitlines()
    except FileNotFoundError:
        if named:
            raise ModelConfigError(f"{VARIABLE} names {path}, and there is no such file") from None
        return {}
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no text in UTF-8"
        raise ModelConfigError(f"the file of keys {path} cannot be read: {reason}") from None
    found = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = LINE.fullmatch(line.strip())
        if match is None:
            raise ModelConfigError(
                f"{path}, line {number}: no NAME=value with a name that ends in KEY, TOKEN or SECRET"
            )
        value = match[2].strip()
        found[match[1]] = value[1:-1] if len(value) > 1 and value[0] == value[-1] in "'\"" else value
    return found


def load_keys() -> None:
    """Set what the file holds and the environment does not, for the rest of this process.

    Raises:
        ModelConfigError: as :func:`read_keys`.
    """
    for name, value in read_keys().items():
        if not os.environ.get(name):
            os.environ[name] = value


@contextmanager
def keys_loaded() -> Iterator[None]:
    """The same for a while.

    Raises:
        ModelConfigError: as :func:`read_keys`.
    """
    before = {name: os.environ.get(name) for name in read_keys()}
    load_keys()
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _check(path: Path, status: os.stat_result) -> None:
    """The file must be this user's alone."""
    if status.st_uid != os.geteuid():
        raise ModelConfigError(f"the file of keys {path} belongs to another user; keep one of your own")
    if stat.S_IMODE(status.st_mode) & 0o077:
        raise ModelConfigError(f"others may read the file of keys {path}: run `chmod 600 {path}`")
