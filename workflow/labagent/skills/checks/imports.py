"""What Python blocks import is declared in ``environment.yaml``."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import PurePosixPath

from labagent.skills.calls import lab_roots
from labagent.skills.checks._environment import declared_names, read_environment
from labagent.skills.checks._python import own_modules, python_blocks
from labagent.skills.finding import Context, Finding
from labagent.skills.imports import declares, distribution_of
from labagent.skills.own_environment import DISTRIBUTION

ID, TIER, ORDER = "imports", 2, 20


def check(context: Context) -> Iterator[Finding]:
    """Imports that are neither standard, nor brought by the skill or its data, nor declared."""
    declared = _declared(context)
    own = own_modules(context.folder) | _brought(context)
    lab = lab_roots(context.snapshot) if context.snapshot else frozenset()
    lab_name = context.snapshot.distribution if context.snapshot else ""
    for path, line, tree in python_blocks(context.skill):
        for module, offset in _modules(tree):
            root = module.split(".")[0]
            if root in sys.stdlib_module_names or root in own or declares(module, declared):
                continue
            if root in lab and lab_name and declares(lab_name, declared):
                continue
            wanted = lab_name if root in lab and lab_name else distribution_of(module)
            where = "a tool skill" if context.skill.is_tool_skill else "environment.yaml"
            message = f'imports "{root}", but {where} declares no {wanted}'
            if file := _file_of_lab(root, context):
                message += (
                    f", or name {file} in assets/quickstart.yaml data "
                    f"(and in the target's data as lab:{context.skill.name}/{file})"
                )
            yield Finding(message, path, line + offset - 1)


def _declared(context: Context) -> tuple[str, ...]:
    """Distributions whose imports are allowed: those of the environment; of a tool skill labagent alone."""
    if context.skill.is_tool_skill:
        return (DISTRIBUTION,)
    return declared_names(read_environment(context.folder))


def _brought(context: Context) -> frozenset[str]:
    """Modules that a run finds in its data: packages of the lab without an installer, staged as they are."""
    quickstart = context.skill.quickstart
    return frozenset(PurePosixPath(path).stem for path in quickstart.data) if quickstart else frozenset()


def _file_of_lab(root: str, context: Context) -> str:
    """The path of a module that is a single file of the lab's repository; empty where it is none."""
    if context.snapshot is None or root not in context.snapshot.modules:
        return ""
    files = {item.file for name, item in context.snapshot.objects.items() if name.startswith(f"{root}.")}
    own = sorted(path for path in files if PurePosixPath(path).stem == root)
    if own:
        return own[0]
    beside = context.artifacts / "repository" / f"{root}.py" if context.artifacts else None
    return f"{root}.py" if beside and beside.is_file() else ""


def _modules(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Modules imported, with their lines; imports that may fail by design are left out."""
    guarded = {id(n) for t in ast.walk(tree) if isinstance(t, ast.Try) for s in t.body for n in ast.walk(s)}
    for node in ast.walk(tree):
        if id(node) in guarded:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module, node.lineno
