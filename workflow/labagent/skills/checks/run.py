"""The quick start: every runnable block of every locus, in order, in the sandbox."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from labagent.sandbox import CommandResult
from labagent.skills.finding import Context, Finding, Skipped
from labagent.skills.quick_run import Step, opened, prepare, run_seconds, steps
from labagent.skills.watching import watched_roots

ID, TIER, ORDER = "run", 3, 20
TRACE_LINE = re.compile(r'File "[^"]*step-\d\d-[^"]*", line (\d+)')
BASH_LINE = re.compile(r"step-\d\d-[^:]*: line (\d+)")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d+\.\d+(?:[eE][-+]?\d+)?")
WARNING = re.compile(r"\b([A-Z]\w*Warning): (.*)")
WARNINGS = 10
BUILDING = re.compile(r"(?:gcc|g\+\+|cc|c\+\+|clang\S*|gfortran|ar)\s|make\b|\* removing|collect2|\*\* ")
TELLING = re.compile(r"\b(?:error|cannot find|undefined reference|no such file)\b", re.IGNORECASE)
LONGER = "ran longer than"


def check(context: Context) -> Iterator[Finding]:
    """Run the blocks until one fails; warnings they print are kept. What runs and is read is watched."""
    start = context.skill.quickstart
    if start is None or context.built is None:
        raise Skipped("there is no quick start or no environment")
    if start.data and context.artifacts is None:
        raise Skipped("the quick start reads data of the lab, whose artifacts are not at hand")
    folders = prepare(context, start, context.work / "first", watched_roots(context.snapshot))
    context.output, context.watch = folders.run, folders.watch
    seen: set[str] = set()
    too_long = f"{LONGER} {run_seconds(context, start):g} s, which is the most that a run may take"
    context.log.parent.mkdir(parents=True, exist_ok=True)
    context.log.write_text("", encoding="utf-8")
    with opened(context, start, folders) as sandbox:
        for step in steps(context, start, sandbox, folders.run.parent):
            if step.result is None:
                yield Finding(too_long, step.locus.path, step.block.line)
                return
            _keep(context.log, step, step.result)
            for warning in _warnings(step.text):
                if warning not in seen and len(seen) < WARNINGS:
                    seen.add(warning)
                    yield Finding(warning, step.locus.path, step.block.line, warning=True)
            if step.result.timed_out:
                yield Finding(too_long, step.locus.path, step.block.line)
                return
            if step.result.status != 0:
                yield failure(step, step.result)


def _keep(log: Path, step: Step, result: CommandResult) -> None:
    """Add a command's output to the log."""
    head = f"== step {step.index}, {step.locus.name}: status {result.status}, {result.seconds:.1f} s\n"
    with log.open("a", encoding="utf-8") as stream:
        stream.write(head + step.text + ("" if step.text.endswith("\n") else "\n"))


def failure(step: Step, result: CommandResult) -> Finding:
    """What failed: the last line, at the line of the block that raised.

    Where that is of a compiler or of an installer that cleans up, the last line that tells of an error.
    """
    lines = [line.strip() for line in step.text.splitlines() if line.strip()]
    reason = f"stopped at its limit of {result.limit}" if result.limit else ""
    if result.timed_out:
        reason = f"{LONGER} it may"
    reason = reason or f"exit status {result.status}: {_telling(lines)}"
    found = TRACE_LINE.findall(step.text) or BASH_LINE.findall(step.text)
    line = step.block.line + int(found[-1]) - 1 if found else step.block.line
    return Finding(without_values(reason), step.locus.path, line)


def _telling(lines: list[str]) -> str:
    """The line of an output that says why it failed."""
    if not lines:
        return "nothing was printed"
    told = next((line for line in reversed(lines) if TELLING.search(line) and not BUILDING.match(line)), "")
    return told if told and BUILDING.match(lines[-1]) else lines[-1]


def _warnings(text: str) -> Iterator[str]:
    """Warnings in an output, as class and message."""
    for match in WARNING.finditer(text):
        yield without_values(f"{match[1]}: {match[2].strip()}")[:200]


def without_values(text: str) -> str:
    """Text without decimal numbers: a verdict holds no value that was computed."""
    return NUMBER.sub("#", text)[:500]
