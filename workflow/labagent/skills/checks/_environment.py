"""``environment.yaml`` of a skill: its form, the names it asks for, and their lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from labagent.environment.spec import EnvironmentSpec, parse_spec
from labagent.errors import InputError
from labagent.skills.direct import foreign, own_repository
from labagent.skills.faults import SkillFault
from labagent.skills.finding import Context, Finding
from labagent.skills.imports import normal
from labagent.skills.read import ENVIRONMENT, read_text
from labagent.skills.strict_yaml import parse_mapping

NAME = re.compile(r"[A-Za-z0-9][\w.-]*")


def read_environment(folder: Path) -> EnvironmentSpec:
    """What a skill's environment should hold.

    Raises:
        SkillFault: the file is missing, no YAML, or not of the form that builders read.
    """
    text = read_text(folder, ENVIRONMENT)
    parse_mapping(text, ENVIRONMENT)
    try:
        return parse_spec(text, ENVIRONMENT)
    except InputError as error:
        fault = error.faults[0]
        quoted = re.search(r"'([^']+)'|\"([^\"]+)\"", fault.message)
        wanted = next((part for part in quoted.groups() if part), "") if quoted else ""
        line = fault.row or _line(text, wanted or fault.column or "dependencies")
        raise SkillFault(fault.message, ENVIRONMENT, line) from error


def declared_names(spec: EnvironmentSpec) -> tuple[str, ...]:
    """Names of all packages asked for."""
    pip = tuple(match.group() for item in spec.pip if (match := NAME.match(item)))
    return (*pip, *(item.name for item in spec.conda))


def foreign_references(context: Context) -> list[tuple[str, str]]:
    """Requirements by address that a skill may not have, each with the reason."""
    spec = read_environment(context.folder)
    own = own_repository(context.artifacts)
    return list(foreign(spec.pip, own, context.environment.direct_hosts))


def build_faults(folder: Path, failure: str, reason: str) -> Iterator[Finding]:
    """A failed resolution or build, at the lines of the packages that its reason names.

    Where packages contradict each other each of them has its finding, and all are named with their lines;
    elsewhere the first package counts.
    """
    text = read_text(folder, ENVIRONMENT)
    declared = {normal(name): name for name in declared_names(read_environment(folder))}
    words = (normal(word.strip(".")) for word in NAME.findall(reason))
    named = tuple(dict.fromkeys(declared[word] for word in words if word in declared))
    lines = {name: line for name in named if (line := line_of_item(text, name))}
    if failure != "resolver_conflict" or len(lines) < 2:
        line = next(iter(lines.values()), None) or _line(text, "dependencies")
        yield Finding(f"{failure}: {reason}", ENVIRONMENT, line)
        return
    said = ", ".join(f"{name} (line {line})" for name, line in lines.items())
    for line in dict.fromkeys(lines.values()):
        yield Finding(f"{failure}: {said} cannot be had together: {reason}", ENVIRONMENT, line)


def line_of_item(text: str, name: str) -> int | None:
    """The line of a dependency: below ``dependencies``, as a skill is often called like its package."""
    item = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w.-]*\w)", re.IGNORECASE)
    rows = [(n, row) for n, row in enumerate(text.split("\n"), 1) if not row.lstrip().startswith("#")]
    first = next((n for n, row in rows if row.startswith("dependencies")), 1)
    return next((n for n, row in rows if n >= first and item.search(row)), None)


def _line(text: str, wanted: str) -> int | None:
    """The line that holds a text."""
    return next((n for n, row in enumerate(text.split("\n"), 1) if wanted.lower() in row.lower()), None)
