"""A prescriptive reporting template."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from labagent.skills.checks._rubric import all_code, applies, last_step
from labagent.skills.finding import Context, Finding

ID, TIER, ORDER = "rubric-template", 1, 106
REASON = "what is reported, and in which file, is fixed before anything is computed"
ADVICE = True


def check(context: Context) -> Iterator[Finding]:
    """The code writes each file that the quick start declares, by name."""
    start, last = context.skill.quickstart, last_step(context)
    applies(start is not None and last is not None, "no outputs are declared")
    assert start is not None and last is not None
    code = all_code(context)
    for output in start.outputs:
        name = PurePosixPath(output.file).name
        if name not in code and PurePosixPath(name).stem not in code:
            message = f'no block names "{name}", which the quick start declares: {REASON}'
            yield Finding(message, last.path, last.blocks[0].line if last.blocks else 1, warning=True)
