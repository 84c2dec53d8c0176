"""Parameters in code: a number given to the lab's parameter is its default, used so, or has evidence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from labagent.skills.blocks import prose
from labagent.skills.checks.citations import cited_in
from labagent.skills.figures import Figure, says
from labagent.skills.finding import Context, Finding, Skipped
from labagent.skills.parameters import GivenValue, given_values, gives, released_code
from labagent.skills.support import Support

ID, TIER, ORDER = "parameters", 1, 91
MACHINE = re.compile(
    r"n?_?(?:cpus?|jobs|threads|workers|cores|processes)|verbos\w*|.*seed|random_?state", re.I
)


def check(context: Context) -> Iterator[Finding]:
    """Numbers given by keyword; zero and one, seeds and numbers of processors say nothing."""
    if context.snapshot is None:
        raise Skipped("the lab's snapshot is not at hand")
    support, released = (
        Support(context.folder, context.skill, context.artifacts, context.snapshot),
        released_code(context.snapshot),
    )
    for given in given_values(context.skill, context.snapshot):
        value = given.value.value
        if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) in {0, 1}:
            continue
        if MACHINE.fullmatch(given.keyword.arg or "") or given.is_default or gives(given.text, released):
            continue
        if not _said(given, support):
            message = (
                f'"{given.text}" of {given.callable} has no evidence: the default is {given.default}, '
                "no example of the lab gives it, and nothing that is cited says it"
            )
            yield Finding(message, given.locus.path, given.line)


def _said(given: GivenValue, support: Support) -> bool:
    """Whether evidence cited in the locus, or next to it in a comment, holds the number."""
    cited = {name for _, text in prose(given.locus.text) for name in cited_in(text)}
    cited |= set(cited_in(given.block.code))
    figure = Figure(abs(float(ast.literal_eval(ast.unparse(given.value)))), 0, 0, False, 0, 0)
    return any(says(support.passages[name], figure) for name in cited if name in support.passages)
