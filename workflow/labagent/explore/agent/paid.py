"""Replies that were paid for: recorded as they come, given again when a killed exploration is started again.

Each line of work records into a file of its own for each start (``calls/<lane>.<start>.jsonl``), so that
scouts share no file and a torn end is never written behind.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass, field
from pathlib import Path

from labagent.errors import InputError
from labagent.llm import Recording
from labagent.llm.recording import read_recording

FOLDER = "calls"


@dataclass
class PaidReplies:
    """The recording of one line of work; ``earlier`` are replies of killed starts by request, each once."""

    recording: Recording
    earlier: dict[str, deque[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, folder: Path, lane: str, start: int) -> PaidReplies:
        """The recording of a lane in this start, with what earlier ones left.

        Args:
            folder: the exploration's folder.
            lane: the line of work.
            start: how manieth start of the exploration this is, from 1.
        """
        found: dict[str, deque[str]] = defaultdict(deque)
        for number in range(1, start):
            for request, text in _replies(_path(folder, lane, number)):
                found[request].append(text)
        return cls(Recording(_path(folder, lane, start)), dict(found))

    def take(self, request: str) -> str | None:
        """The reply that was paid for this very request, if any is left."""
        replies = self.earlier.get(request)
        return replies.popleft() if replies else None


def _path(folder: Path, lane: str, start: int) -> Path:
    """The file of a lane in a start."""
    return folder / FOLDER / f"{lane}.{start}.jsonl"


def _replies(path: Path) -> list[tuple[str, str]]:
    """Request and reply of each answered call; none where nothing whole was recorded."""
    if not path.exists():
        return []
    try:
        calls = read_recording(path).calls
    except InputError:
        return []
    return [(call.request, call.reply.text) for call in calls if call.reply is not None]
