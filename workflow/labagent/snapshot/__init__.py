"""Snapshot: what a repository offers, read from its files alone. Nothing in it is imported or run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from labagent.models.snapshot import Snapshot


def snapshot(repository: Path, skill: str, *, cache: Path | None = None) -> Snapshot:
    """The interface, examples, dependencies and metadata of a staged repository.

    Args:
        repository: a folder; symbolic links in it are not followed.
        skill: the lab's skill, as in ``labs.tsv``.
        cache: a file that keeps what was found and what it was read from; with it a snapshot of a
            repository of which one file changed takes a small part of the time. The result is the same.

    Returns:
        A record that depends on the files' contents only. Files that cannot be read as what their name
        says are in ``unreadable`` with the reason; everything else is there all the same.
    """
    from labagent.snapshot.build import build

    return build(repository, skill, cache)
