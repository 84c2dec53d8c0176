"""Command lines held against the programs of a lab's snapshot."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from labagent.models.snapshot import Option, Program, Snapshot
from labagent.snapshot.query import programs_of

PYTHON = re.compile(r"^(.*/)?python(\d(\.\d+)?)?$")
SCRIPT = re.compile(r"\.(py|r|sh|pl)$", re.IGNORECASE)
RUNNERS = frozenset({"Rscript", "bash", "sh", "perl"})
VARIABLE = re.compile(r"\$\{?(\w+)\}?")
ALWAYS = frozenset({"-h", "--help"})
NUMBER = re.compile(r"^-\.?\d")


def invoked(words: tuple[str, ...], snapshot: Snapshot) -> tuple[str, tuple[str, ...]] | None:
    """The script, module or command of the lab that words run, and its arguments; ``None`` for others."""
    first, rest = words[0], words[1:]
    if PYTHON.match(first) or first in RUNNERS:
        while rest and rest[0].startswith("-") and rest[0] not in ("-m", "-c", "-e", "-"):
            rest = rest[2:] if rest[0] in ("-W", "-X") else rest[1:]
        if rest and rest[0] == "-m" and len(rest) > 1:
            top = rest[1].partition(".")[0]
            ours = any(module.partition(".")[0] == top for module in snapshot.modules)
            return (rest[1], rest[2:]) if ours else None
        return (rest[0], rest[1:]) if rest and SCRIPT.search(rest[0]) else None
    if any(entry.name == first for entry in snapshot.entry_points):
        return first, rest
    return (first, rest) if SCRIPT.search(first) and "/" in first else None


def faults(name: str, arguments: tuple[str, ...], snapshot: Snapshot) -> Iterator[str]:
    """What is wrong with the arguments of a known program."""
    programs = programs_of(snapshot, name)
    if not programs:
        return
    root = [p for p in programs if not p.command]
    by_command = {p.command: p for p in programs if p.command}
    chosen, before, after = _split(arguments, root, by_command)
    if by_command and chosen is not None and chosen not in by_command and all(p.complete for p in programs):
        near = difflib.get_close_matches(chosen, sorted(by_command), n=1)
        yield f'{name} has no command "{chosen}"; it has: {", ".join(sorted(by_command))}' + (
            f"; did you mean {near[0]}?" if near else ""
        )
        return
    reachable = [*root, *([by_command[chosen]] if chosen in by_command else by_command.values())]
    if all(program.complete for program in reachable):
        for word in (*before, *after):
            fault = _option_fault(name, word, reachable)
            if fault:
                yield fault


def _split(
    arguments: tuple[str, ...], root: list[Program], by_command: dict[str, Program]
) -> tuple[str | None, tuple[str, ...], tuple[str, ...]]:
    """The subcommand, and the words before and after it."""
    if not by_command:
        return None, arguments, ()
    options = [(n, o.takes_value) for p in root for o in p.options for n in o.names if n.startswith("-")]
    skip = False
    for at, word in enumerate(arguments):
        if skip:
            skip = False
        elif word.startswith("-"):
            meant = {
                value
                for name, value in options
                if name == word or (word[1:2] == "-" and name.startswith(word))
            }
            if not meant and "=" not in word:
                break  # whether the next word is its value is not known
            skip = meant == {True}
        elif "$" not in word:
            return word, arguments[:at], arguments[at + 1 :]
        else:
            break
    return None, arguments, ()


def _option_fault(name: str, word: str, programs: list[Program]) -> str:
    """What is wrong with a word that looks like an option; empty where nothing is."""
    hidden = "$" in word.partition("=")[0]
    if not word.startswith("-") or word in ("-", "--") or NUMBER.match(word) or hidden:
        return ""
    option = word.partition("=")[0]
    listed = [o for p in programs for o in p.options]
    names = {n for o in listed for n in o.names if n.startswith("-")}
    if option in names | ALWAYS or _is_short_for(option, names, listed, programs):
        return ""
    near = difflib.get_close_matches(option, sorted(names), n=1)
    shown = ", ".join(sorted(names)) or "none"
    return f'{name} has no option "{option}"; it has: {shown}' + (
        f"; did you mean {near[0]}?" if near else ""
    )


def _is_short_for(option: str, names: set[str], listed: list[Option], programs: list[Program]) -> bool:
    """Whether an option begins one (not with click), has a value written behind, or is several letters."""
    if option.startswith("--"):
        short = any(p.kind in ("argparse", "optparse", "docopt") for p in programs)
        return short and any(n.startswith(option) for n in names)
    if option[:2] in names:
        flags = {n for o in listed if not o.takes_value for n in o.names}
        rest = option[2:]
        return option[:2] not in flags or all(f"-{letter}" in names for letter in rest[:1])
    return False


def script_path(word: str) -> PurePosixPath | None:
    """The path of a script, without a variable in front; ``None`` where variables hide it."""
    bare = re.sub(r"^\$\{?\w+\}?/", "", word)
    return None if "$" in bare or bare.startswith(("/", "~")) else PurePosixPath(bare.removeprefix("./"))
