"""Watches a quick start from inside its Python processes: files that are read, functions of the lab that run.

Python imports this module by itself when its folder is on ``PYTHONPATH``. What is seen is appended to
``seen.tsv`` beside ``roots.txt``, which lists the lab's top-level import names: ``read`` with a path,
``called`` with the outermost function of the lab on the stack and the function itself. Standard library only.
"""

from __future__ import annotations

import atexit
import importlib
import os
import sys
import threading
import time
from types import CodeType, FrameType
from typing import Any, Callable  # noqa: UP035 (old Pythons run this, too)

CODE = (".py", ".pyc", ".so", ".pth", ".pyi", ".pyd")
HELPERS = ("/scripts/workspace.py", "/scripts/overlay.py")
ENOUGH, FEW, MOST = 12, 4, 2000
SECONDS, SHORT = 120.0, 10.0
COMPREHENSIONS = {"<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>"}


class Watch:
    """What was seen in this process, each thing once."""

    def __init__(self, place: str) -> None:
        with open(os.path.join(place, "roots.txt"), encoding="utf-8") as stream:
            self.roots = frozenset(stream.read().split())
        self.out = os.open(os.path.join(place, "seen.tsv"), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        self.known: dict[int, CodeType] = {}
        self.told: set[str] = set()
        self.outermost: set[str] = set()
        self.called = self.events = 0
        self.began = time.monotonic()
        source = os.path.join(os.environ.get("LABAGENT_SKILL", "/skill"), "assets", "source")
        copy = os.environ.get("LABAGENT_WATCH_SOURCE", "/run/source")
        self.sources = (os.path.realpath(source) + os.sep, os.path.realpath(copy) + os.sep)

    def tell(self, *parts: str) -> None:
        """Append a line, once."""
        line = "\t".join(part.replace("\t", " ").replace("\n", " ") for part in parts) + "\n"
        if line not in self.told:
            self.told.add(line)
            os.write(self.out, line.encode("utf-8", "replace"))

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """A file that is opened to be read."""
        if event != "open":
            return
        path, mode, flags = (*arguments, None, None, None)[:3]
        if not isinstance(path, (str, bytes)) or path.__class__ is bytes or not _reads(mode, flags):
            return
        text = os.path.abspath(path) if isinstance(path, str) else ""
        if text.endswith(CODE) or text.startswith(("/proc/", "/sys/", "/dev/")) or not os.path.isfile(text):
            return
        if not any(_copies(above.f_code.co_filename) for above in _stack(sys._getframe())):
            self.tell("read", os.path.realpath(text))

    def profile(self, frame: FrameType, event: str, argument: Any) -> None:
        """A call; only the first of each function is looked at."""
        self.events += 1
        if self.events % 100_000 == 0:
            seconds = time.monotonic() - self.began
            if seconds > SECONDS or (seconds > SHORT and len(self.outermost) >= FEW):
                self._stop()
        if event == "call":
            code = frame.f_code
            if id(code) not in self.known:
                self.known[id(code)] = code
                self._first(frame)
        elif event == "c_call" and self._is_lab(getattr(argument, "__module__", None) or ""):
            name = f"{argument.__module__}.{argument.__name__}"
            if not any(self._imports(f) for f in _stack(frame)):
                self._say(self._outermost(frame) or name, name)

    def _first(self, frame: FrameType) -> None:
        """The first call of a function; one that runs while its module is imported says nothing."""
        if not self._owns(frame) or frame.f_code.co_name in COMPREHENSIONS:
            return
        if frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__":
            return
        if any(self._imports(above) for above in _stack(frame)):
            self.known.pop(id(frame.f_code), None)
            return
        self._say(self._outermost(frame), _name(frame))

    def _say(self, outermost: str, name: str) -> None:
        """Tell of a call; with enough of them the watch of calls ends, since it costs time.

        One loader can call hundreds of functions: what counts is how many the code itself called.
        """
        self.tell("called", outermost, name)
        self.outermost.add(outermost)
        self.called += 1
        if len(self.outermost) >= ENOUGH or self.called >= MOST:
            self._stop()

    def _stop(self) -> None:
        """No more calls are watched in this thread and in new ones."""
        sys.setprofile(None)
        threading.setprofile(None)

    def _outermost(self, frame: FrameType) -> str:
        """The first function of the lab on the stack."""
        own = [above for above in _stack(frame) if self._owns(above)]
        return _name(own[-1]) if own else ""

    def _imports(self, frame: FrameType) -> bool:
        """Whether a frame is a module that is being imported."""
        return frame.f_code.co_name == "<module>" and frame.f_globals.get("__name__") != "__main__"

    def _owns(self, frame: FrameType) -> bool:
        """Whether a frame runs code of the lab."""
        if self._is_lab(str(frame.f_globals.get("__name__", ""))):
            return True
        name = frame.f_code.co_filename
        return not name.startswith("<") and os.path.abspath(name).startswith(self.sources)

    def _is_lab(self, module: str) -> bool:
        """Whether a module belongs to the lab."""
        return module.partition(".")[0] in self.roots


def _copies(code: str) -> bool:
    """Whether a source file is one that copies or hashes whole folders, which says nothing of a method."""
    return code.endswith((f"{os.sep}shutil.py", *HELPERS))


def _reads(mode: Any, flags: Any) -> bool:
    """Whether a file is opened only to be read."""
    if isinstance(mode, str):
        return not set("wax+") & set(mode)
    return not isinstance(flags, int) or flags & (os.O_WRONLY | os.O_RDWR) == 0


def _stack(frame: FrameType | None) -> list[FrameType]:
    """A frame and those above it."""
    found = []
    while frame is not None:
        found.append(frame)
        frame = frame.f_back
    return found


def _name(frame: FrameType) -> str:
    """Module and function of a frame."""
    module = str(frame.f_globals.get("__name__", ""))
    if module == "__main__":
        module = os.path.basename(frame.f_code.co_filename)
    return f"{module}.{getattr(frame.f_code, 'co_qualname', frame.f_code.co_name)}"


def begin() -> None:
    """Start watching; a process that cannot be watched runs all the same."""
    place = os.environ.get("LABAGENT_WATCH", "")
    try:
        watch = Watch(place) if place else None
    except OSError:
        return
    if watch is None:
        return
    guarded: Callable[..., None] = watch.audit

    def audit(event: str, arguments: tuple[Any, ...]) -> None:
        """Never let a fault of the watch reach the program."""
        try:
            guarded(event, arguments)
        except Exception:
            return

    if hasattr(sys, "addaudithook"):  # Python 3.8 and later
        sys.addaudithook(audit)

    def profile(frame: FrameType, event: str, argument: Any) -> None:
        """As above; when an interpreter ends, modules may be gone already."""
        try:
            watched(frame, event, argument)
        except Exception:
            sys.setprofile(None)

    watched: Callable[..., None] = watch.profile
    atexit.register(sys.setprofile, None)
    sys.setprofile(profile)
    threading.setprofile(profile)


def seeded() -> None:
    """Let random numbers be the same in every run; see ``_labagent_seeds``, which lies beside this file."""
    try:
        importlib.import_module("_labagent_seeds").begin()
    except ImportError:
        return


seeded()
begin()
