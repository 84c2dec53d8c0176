"""Syncs a file to disk beside the work that goes on, and waits for it only where that matters."""

from __future__ import annotations

import os
import threading


class Syncer:
    """Syncs one open file in a thread of its own; requests that come while it syncs share the next sync.

    What was written before :meth:`request` survives the end of this process at once (the kernel holds it),
    and the end of the machine as soon as a sync that began later is over, some milliseconds after.
    """

    def __init__(self, descriptor: int) -> None:
        """Take over the syncing of an open file; nothing is started before the first request."""
        self._descriptor = descriptor
        self._state = threading.Condition()
        self._requested = 0
        self._done = 0
        self._closed = False
        self._error: OSError | None = None
        self._thread: threading.Thread | None = None

    def request(self) -> None:
        """Have what is written now synced soon.

        Raises:
            OSError: an earlier sync failed.
        """
        with self._state:
            self._raise()
            self._requested += 1
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="trace-sync", daemon=True)
                self._thread.start()
            self._state.notify_all()

    def wait(self) -> None:
        """Return when all that was requested is on disk.

        Raises:
            OSError: a sync failed.
        """
        with self._state:
            wanted = self._requested
            self._state.wait_for(lambda: self._done >= wanted or self._error is not None)
            self._raise()

    def close(self) -> None:
        """Sync what is requested, then end the thread; the file stays open.

        Raises:
            OSError: a sync failed.
        """
        with self._state:
            self._closed = True
            self._state.notify_all()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._raise()

    def _work(self) -> None:
        """Sync until there is nothing left and the file is closed."""
        while True:
            with self._state:
                self._state.wait_for(lambda: self._requested > self._done or self._closed)
                if self._requested == self._done:
                    return
                wanted = self._requested
            try:
                os.fsync(self._descriptor)
            except OSError as error:
                self._error = error
            with self._state:
                self._done = wanted
                self._state.notify_all()
                if self._error is not None:
                    return

    def _raise(self) -> None:
        """The fault of an earlier sync."""
        if self._error is not None:
            raise self._error
