"""A recorded model, whose service may have failed after the last reply that was recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from labagent.errors import InfrastructureError, ReplayMiss
from labagent.llm import ReplayModel

if TYPE_CHECKING:
    from labagent.llm import Message, Reply, Trace


class RecordedModel(ReplayModel):
    """Answers what was recorded; where the service failed then, it fails now."""

    def __init__(self, recording: Path, trace: Trace, failure: str) -> None:
        """Read a recording.

        Args:
            recording: the ``calls.jsonl`` of an answer.
            trace: receives the same events.
            failure: why the service failed; empty where it did not.
        """
        super().__init__(recording, trace)
        self._failure = failure

    def complete(self, messages: list[Message], **how: Any) -> Reply:
        """The recorded reply; see :meth:`labagent.llm.ReplayModel.complete`."""
        try:
            return super().complete(messages, **how)
        except ReplayMiss:
            if self._failure:
                raise InfrastructureError(self._failure) from None
            raise
