"""Writing a trace: every event is in the file before the run goes on.

Written, so that it survives the end of this process at any moment; and synced, so that it survives the end of
the machine: at once for events that speak of money or end a run, beside the work for the others.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from labagent.redaction import redact
from labagent.trace.chain import link
from labagent.trace.costs import Costs, sum_costs
from labagent.trace.reader import read_trace, whole_length
from labagent.trace.syncing import Syncer

SYNCED_AT_ONCE = frozenset({"start", "request", "usage", "retry", "end"})
"""Events after which a run waits for the disk: what calls cost, and that a try began or ended."""


class TraceWriter:
    """Appends events to a ``trace.jsonl``, redacted, chained and written one by one.

    ``costs`` are those of all events so far.
    """

    def __init__(self, path: Path) -> None:
        """Open ``path`` for appending; an existing trace is continued, its torn last line dropped."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        self._syncer = Syncer(self._descriptor)
        os.ftruncate(self._descriptor, whole_length(path.read_bytes()))
        events = read_trace(path)
        self._seq = len(events)
        self._chain = str(events[-1]["chain"]) if events else ""
        self.costs: Costs = sum_costs(events)

    def event(self, kind: str, /, **fields: Any) -> dict[str, Any]:
        """Append one event; those of ``SYNCED_AT_ONCE`` are on disk when this returns.

        Args:
            kind: the event's name, such as ``command``.
            fields: JSON values; every text in them passes redaction.

        Returns:
            The event as written.

        Raises:
            OSError: the disk is full, or the file cannot be written or (this event or one before) synced.
        """
        body = {"seq": self._seq + 1, "time": round(time.time(), 3), "event": kind, **_redacted(fields)}
        body["chain"] = link(self._chain, body)
        self._append(json.dumps(body, ensure_ascii=False) + "\n")
        self._seq, self._chain = body["seq"], body["chain"]
        self._syncer.request()
        if kind in SYNCED_AT_ONCE:
            self._syncer.wait()
        self.costs += sum_costs([body])
        return body

    def close(self) -> None:
        """Sync and close the file; closing twice does no harm.

        Raises:
            OSError: it could not be synced.
        """
        if self._descriptor >= 0:
            try:
                self._syncer.close()
            finally:
                os.close(self._descriptor)
                self._descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _append(self, line: str) -> None:
        """Write the whole line."""
        left = memoryview(line.encode("utf-8", errors="backslashreplace"))
        while left:
            left = left[os.write(self._descriptor, left) :]


def _redacted(value: Any) -> Any:
    """``value`` with every text in it, keys included, redacted."""
    if isinstance(value, str):
        return redact(value.encode("utf-8", errors="backslashreplace").decode("utf-8"))
    if isinstance(value, dict):
        return {_redacted(str(key)): _redacted(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_redacted(item) for item in value]
    return value
