"""Strings of which every match of a regular expression contains one: looked for before it is run."""

from __future__ import annotations

import re
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

SHORTEST = 3


def needles(source: str) -> tuple[str, ...]:
    """The needles of a regular expression; none where no useful set follows from it.

    Those of an expression that ignores case are in lower case, to be looked for in lower-case text.
    """
    parsed = _parser.parse(source, re.MULTILINE)
    found = _of_sequence(parsed) or frozenset()
    return tuple(sorted(n.lower() if ignores_case(source) else n for n in found))


def ignores_case(source: str) -> bool:
    """Whether an expression says so at its start."""
    return source.startswith("(?i)")


def _of_sequence(sequence: Any) -> frozenset[str] | None:
    """The best set among the parts of a sequence: the one whose shortest needle is longest."""
    candidates: list[frozenset[str]] = []
    run = ""
    for operation, argument in sequence:
        if operation is _constants.LITERAL:
            run += chr(argument)
            continue
        candidates.append(frozenset({run}))
        run = ""
        if (part := _of_part(operation, argument)) is not None:
            candidates.append(part)
    candidates.append(frozenset({run}))
    best = max(candidates, key=lambda c: (min(map(len, c)), -len(c)))
    return best if min(map(len, best)) >= SHORTEST else None


def _of_part(operation: Any, argument: Any) -> frozenset[str] | None:
    """The set of a group, an alternative or a repetition that occurs at least once."""
    if operation is _constants.SUBPATTERN:
        return _of_sequence(argument[3])
    if operation in (_constants.MAX_REPEAT, _constants.MIN_REPEAT) and argument[0] >= 1:
        return _of_sequence(argument[2])
    if operation is _constants.BRANCH:
        parts = [_of_sequence(branch) for branch in argument[1]]
        return frozenset().union(*(p for p in parts if p)) if all(parts) else None
    return None
