"""Shell commands run scripts of the lab that exist, with options that exist."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from labagent.models.skill import Block
from labagent.skills.checks._python import parsed
from labagent.skills.command_lines import SCRIPT, faults, invoked, script_path
from labagent.skills.finding import Context, Finding, Skipped
from labagent.skills.shell import Command, commands, spawned
from labagent.snapshot.query import programs_of

ID, TIER, ORDER = "commands", 2, 34
OWN = ("LABAGENT_SKILL", "/skill/")


def check(context: Context) -> Iterator[Finding]:
    """Each command of a bash block, and those Python blocks give to ``subprocess`` as lists."""
    if context.snapshot is None:
        raise Skipped("the lab's API snapshot is not at hand")
    written = ""
    for locus in context.skill.loci:
        for block in locus.blocks:
            for command in _commands(block):
                found = invoked(command.words, context.snapshot)
                if found is None:
                    continue
                name, arguments = found
                missing = _missing(name, command, written + block.code, context)
                for fault in [missing] if missing else faults(_known(name), arguments, context.snapshot):
                    yield Finding(fault, locus.path, block.line + command.line - 1)
            written += block.code


def _commands(block: Block) -> list[Command]:
    """The commands of a block."""
    if block.language == "bash":
        return list(commands(block.code))
    tree = parsed(block)
    return list(spawned(tree)) if tree is not None else []


def _known(name: str) -> str:
    """A script by the path that a snapshot may know it by."""
    path = script_path(name) if SCRIPT.search(name) else None
    return name if path is None else path.as_posix()


def _missing(name: str, command: Command, written: str, context: Context) -> str:
    """Says that a script is neither in the repository, nor in the skill, nor made by a block."""
    path = script_path(name) if SCRIPT.search(name) else None
    if path is None or any(mark in name for mark in OWN) or context.snapshot is None:
        return ""
    others = written.count(path.name) > sum(word.count(path.name) for word in command.words)
    if others or programs_of(context.snapshot, path.as_posix()) or _is_there(path, context):
        return ""
    return f'there is no script "{path}" in the lab\'s repository'


def _is_there(path: PurePosixPath, context: Context) -> bool:
    """Whether the repository or the skill has a file of that path, or one that ends so."""
    if (context.folder / path).is_file():
        return True
    if context.artifacts is None:
        return True  # what the repository holds is not at hand
    repository = context.artifacts / "repository"
    return any(found.as_posix().endswith(f"/{path}") for found in repository.rglob(path.name))
