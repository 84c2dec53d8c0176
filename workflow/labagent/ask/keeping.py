"""What the file system refuses, as one message: no room, no permission, a file where a folder should be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from labagent.errors import InfrastructureError


@contextmanager
def kept_in(folder: Path, what: str) -> Iterator[None]:
    """Write in ``folder``.

    Args:
        folder: named in the message.
        what: is written there, such as "the answer".

    Raises:
        InfrastructureError: it cannot be written.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InfrastructureError(
            f"{folder}: {what} cannot be kept there: {reason}; make room, or choose another folder"
        ) from error
