"""A skill holds plain files and folders: links and special files are not kept when it is frozen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "plain-files", 1, 15


def check(context: Context) -> Iterator[Finding]:
    """Every entry below the skill's folder; links are not followed."""
    for folder, names, files in os.walk(context.folder):
        for path in sorted(Path(folder) / name for name in (*names, *files)):
            name = path.relative_to(context.folder).as_posix()
            if path.is_symlink():
                yield Finding("is a link; put the file itself here, or leave it out", name)
            elif not path.is_file() and not path.is_dir():
                yield Finding("is neither a file nor a folder", name)
