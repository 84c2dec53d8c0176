"""Asking a snapshot whether a name can be used, without claiming to know what only a run can tell."""

from __future__ import annotations

import re

from labagent.models.snapshot import Snapshot

SEPARATOR = re.compile(r"::|\.")


def is_known(snapshot: Snapshot, name: str) -> bool:
    """Whether ``name`` (``pkg.mod.f``, ``pkg::f``) is listed as a module, callable or constant."""
    return name in snapshot.objects or name in snapshot.modules or name in snapshot.constants


def may_exist(snapshot: Snapshot, name: str) -> bool:
    """Whether ``name`` is known, or the nearest known thing that would hold it can have further members.

    ``pkg.new`` may exist where ``pkg`` is dynamic; ``pkg.sub.new`` does not for that reason alone, when
    ``pkg.sub`` is a known module that is not. What a variable holds is not known.
    """
    if is_known(snapshot, name) or name in snapshot.dynamic:
        return True
    constants = snapshot.constants
    for holder in _holders(name):
        if holder in snapshot.dynamic or (holder in constants and holder not in snapshot.objects):
            return True
        if is_known(snapshot, holder):
            return False
    return False


def exported_names(snapshot: Snapshot, module: str) -> frozenset[str]:
    """Public callables and constants that ``from module import *`` brings, as far as they are listed."""
    if module not in snapshot.modules:
        return frozenset()
    head = f"{module}."
    names = (n.removeprefix(head) for n in (*snapshot.objects, *snapshot.constants) if n.startswith(head))
    return frozenset(name for name in names if "." not in name and not name.startswith("_"))


def has_certain_signature(snapshot: Snapshot, name: str) -> bool:
    """Whether the listed parameters of ``name`` are those a call meets."""
    return name in snapshot.objects and name not in snapshot.dynamic


def _holders(name: str) -> list[str]:
    """What would hold a name, the nearest first."""
    return [name[: match.start()] for match in reversed(list(SEPARATOR.finditer(name)))]
