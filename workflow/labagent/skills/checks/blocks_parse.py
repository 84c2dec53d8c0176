"""Every runnable block is code of the language it is tagged with."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
from collections.abc import Iterator

from labagent.models.skill import Block
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "blocks-parse", 2, 10
SECONDS = 30
BASH_FAULT = re.compile(r"\S*bash: line (\d+): (.*)")
R_FAULT = re.compile(r" (\d+):\d+: ([^:]+?)(?: \d+:|$)")


def check(context: Context) -> Iterator[Finding]:
    """Python by its own parser, bash by ``bash -n``, R by ``parse`` where R is there."""
    for locus in context.skill.loci:
        for block in locus.blocks:
            fault = PARSERS[block.language](block)
            if fault:
                message, line = fault
                yield Finding(message, locus.path, block.line + line - 1)


def _python(block: Block) -> tuple[str, int] | None:
    """The first syntax error of a Python block."""
    try:
        ast.parse(block.code)
    except (SyntaxError, ValueError) as error:
        return f"is not Python: {getattr(error, 'msg', error)}", getattr(error, "lineno", 1) or 1
    return None


def _bash(block: Block) -> tuple[str, int] | None:
    """The first syntax error of a bash block; nothing of it is run."""
    command = [shutil.which("bash") or "bash", "--noprofile", "--norc", "-n"]
    done = subprocess.run(
        command, input=block.code, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if not done.returncode:
        return None
    first = done.stderr.strip().splitlines()[0]
    match = BASH_FAULT.match(first)
    return (f"is not bash: {match[2]}", int(match[1])) if match else (f"is not bash: {first}", 1)


def _r(block: Block) -> tuple[str, int] | None:
    """The first syntax error of an R block, where R is there; nothing of it is run."""
    program = shutil.which("Rscript")
    if program is None:
        return None
    command = [program, "--vanilla", "-e", 'invisible(parse(file("stdin")))']
    done = subprocess.run(
        command, input=block.code, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    if not done.returncode:
        return None
    said = " ".join(done.stderr.split())
    match = R_FAULT.search(said)
    return (f"is not R: {match[2]}", int(match[1])) if match else (f"is not R: {said}", 1)


PARSERS = {"python": _python, "bash": _bash, "r": _r}
