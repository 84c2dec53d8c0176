"""The transcript of a tool as it is kept: without secrets, and of a bounded size."""

from __future__ import annotations

import json
import os
from pathlib import Path

from labagent.reproduce.secrets import OVERLAP, redact_file

KEPT = 16 << 20
"""Bytes that are kept; of a longer transcript its beginning."""


def keep(path: Path) -> None:
    """Redact a transcript, and cut a long one at the end of a line; a last line then says what was left out.

    Secrets are taken out of more than is kept: half of one at the cut would not be known.

    Args:
        path: the file; one that is not there stays so.
    """
    if not path.is_file():
        return
    size = path.stat().st_size
    if size > KEPT:
        os.truncate(path, KEPT + OVERLAP)
    redact_file(path)
    if size > KEPT:
        with path.open("r+b") as stream:
            head = stream.read(KEPT)
            stream.truncate(head.rfind(b"\n") + 1)
            stream.seek(0, os.SEEK_END)
            note = {"labagent": "the rest is left out", "bytes": size}
            stream.write(json.dumps(note).encode() + b"\n")
