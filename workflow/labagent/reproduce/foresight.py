"""Lessons shown at the start: which of them apply before anything has failed.

A fix applied without need may do harm (an older numpy breaks what was built for the newer one), so a lesson
is applied at the start only where the very failure is already there: a short Python check, in the run's own
environment, ends with an error of the lesson's signature. Failures that no short check can bring about
(files, formats, arguments) wait until they happen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources

from labagent.memory import classify
from labagent.memory.fixes import placeholders
from labagent.models.memory import Lesson
from labagent.models.skill import Skill

STEP = "check-lessons"
"""The step's name of a command that checks lessons."""

IDENTIFIER = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
FINDING = re.compile(r"^(?P<lesson>L[0-9a-f]{16}) (?P<error>.+)$", re.MULTILINE)
PROGRAM = """\
import io, json, sys
from contextlib import redirect_stdout, redirect_stderr
for lesson, code in json.loads(sys.argv[1]):
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            exec(code, {})
    except BaseException as error:
        print(lesson, f"{type(error).__name__}: {error}".splitlines()[0])
"""


@dataclass(frozen=True)
class Condition:
    """One row of ``conditions.yaml``: ``check`` fails as the class does, for names in ``needs``."""

    failure_class: str
    needs: tuple[str, ...]
    check: str


def checkable(lessons: Iterable[Lesson], skill: Skill) -> tuple[Lesson, ...]:
    """The lessons that a check can tell of, and that concern this skill.

    A lesson concerns a skill where it was learnt with it, or where a step names the module it is about.
    Recipes and judgments are no commands to be run without thought, and are left out.
    """
    code = "\n".join(block.code for locus in skill.loci for block in locus.blocks)
    return tuple(
        lesson
        for lesson in lessons
        if lesson.scope == "operational"
        and not placeholders(lesson.fix)
        and "\n" not in lesson.fix
        and check_for(lesson)
        and (_learnt_with(lesson, skill.name) or _names(code, lesson.groups["module"]))
    )


def check_for(lesson: Lesson) -> str:
    """Python code that fails now as the lesson's failure would later; empty where there is none."""
    for condition in _table():
        names = {name: lesson.groups.get(name, "") for name in condition.needs}
        if condition.failure_class == lesson.failure_class and all(map(IDENTIFIER.fullmatch, names.values())):
            return condition.check.format(**names)
    return ""


def check_command(lessons: Iterable[Lesson]) -> str:
    """One command that prints the error of each lesson's check, and nothing for a check that passes."""
    import shlex

    checks = json.dumps([[lesson.id, check_for(lesson)] for lesson in lessons])
    return f"python - {shlex.quote(checks)} <<'END'\n{PROGRAM}END"


def holding(text: str, lessons: Iterable[Lesson]) -> tuple[Lesson, ...]:
    """Lessons whose failure is there, by what :func:`check_command` printed."""
    errors = {found["lesson"]: found["error"] for found in FINDING.finditer(text)}
    return tuple(
        lesson
        for lesson in lessons
        if lesson.id in errors and classify(errors[lesson.id]).signature == lesson.signature
    )


def _learnt_with(lesson: Lesson, skill: str) -> bool:
    """Whether a run of this skill met the failure."""
    return any(origin.skill == skill for origin in lesson.provenance)


def _names(code: str, module: str) -> bool:
    """Whether code names a module, or the package it is in."""
    return re.search(rf"(?<![\w.]){re.escape(module.split('.')[0])}\b", code) is not None


@cache
def _table() -> tuple[Condition, ...]:
    """The rows of the table."""
    import yaml

    text = resources.files("labagent.reproduce").joinpath("conditions.yaml").read_text("utf-8")
    return tuple(Condition(row["class"], tuple(row["needs"]), row["check"]) for row in yaml.safe_load(text))
