"""Asking a snapshot whether a name can be used, without claiming to know what only a run can tell."""

from __future__ import annotations

import re

from labagent.models.snapshot import ConfigFile, Program, Snapshot

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


def programs_of(snapshot: Snapshot, name: str) -> tuple[Program, ...]:
    """The programs a command line means, with their subcommands.

    Args:
        snapshot: the lab's snapshot.
        name: a script's path or the end of one (``tools/run.py``, ``run.py``), a module that ``python -m``
            runs, or a command that the package installs.

    Returns:
        Nothing where no such program is known, or the name fits several scripts.
    """
    entry = next((e.target for e in snapshot.entry_points if e.name == name), "")
    module = entry.partition(":")[0]
    if module and "/" not in module:
        return tuple(p for p in snapshot.programs if p.module == module)
    wanted = (entry or name).removeprefix("./")
    inside = tuple(p for p in snapshot.programs if p.module and p.module in (wanted, f"{wanted}.__main__"))
    if inside:
        return inside
    files = {p.file for p in snapshot.programs if p.file == wanted or p.file.endswith(f"/{wanted}")}
    files = {wanted} if wanted in files else files
    return tuple(p for p in snapshot.programs if p.file in files) if len(files) == 1 else ()


def configuration_of(snapshot: Snapshot, key: str) -> tuple[tuple[ConfigFile, str], ...]:
    """The configuration files that have a dotted key, each with the value written there."""
    return tuple((c, c.values[key]) for c in snapshot.configuration if key in c.values)


def _holders(name: str) -> list[str]:
    """What would hold a name, the nearest first."""
    return [name[: match.start()] for match in reversed(list(SEPARATOR.finditer(name)))]
