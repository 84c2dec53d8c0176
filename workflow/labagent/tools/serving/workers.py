"""Threads in which tools run while the server goes on answering."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


class Workers:
    """A fixed number of threads.

    What runs cannot be stopped: a call that was given up keeps its thread until it is done, and one that had
    not begun never begins. The threads do not keep the process alive.
    """

    def __init__(self, count: int) -> None:
        """Start ``count`` threads."""
        self._jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        for number in range(count):
            Thread(target=self._work, name=f"tools-{number}", daemon=True).start()

    async def run(self, function: Callable[[], T]) -> T:
        """The value of ``function()``, called in one of the threads; raises what it raises."""
        future: Future[T] = Future()

        def job() -> None:
            """Run, unless it was given up before."""
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(function())
                except BaseException as error:
                    future.set_exception(error)

        self._jobs.put(job)
        return await asyncio.wrap_future(future)

    def _work(self) -> None:
        """One job after the other."""
        while True:
            self._jobs.get()()
