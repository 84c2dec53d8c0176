"""Work on results that no workflow may do at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from labagent.workflow import leftovers


@contextmanager
def alone(root: Path) -> Iterator[None]:
    """Keep workflows of ``root`` from starting while this lasts.

    Args:
        root: the workflow's folder.

    Raises:
        LabagentError: one is running; the message says which process, and what to do.
    """
    leftovers.clear(root)
    leftovers.begin(root)
    try:
        yield
    finally:
        leftovers.end(root)
