"""Blocks of a tool skill call tools of its manifest, with arguments that those tools have."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from labagent.skills.checks._python import python_blocks
from labagent.skills.finding import Context, Finding, Skipped
from labagent.skills.manifest import read_manifest
from labagent.skills.shell import commands
from labagent.tools import registry

ID, TIER, ORDER = "tool-calls", 2, 36
LINE = ("labagent", "tools", "call")


def check(context: Context) -> Iterator[Finding]:
    """Calls whose tool is written out; names of arguments where they are, too. Declared tools are used."""
    if not context.skill.is_tool_skill:
        raise Skipped("not a tool skill")
    declared = read_manifest(context.folder, context.skill).tools
    used: set[str] = set()
    for path, line, name, keys in _calls(context):
        used.add(name)
        if name not in declared:
            yield Finding(f"calls {name}, which the tools of the manifest do not name", path, line)
        elif keys is not None:
            allowed = registry()[name].arguments.model_fields
            for key in keys - set(allowed):
                yield Finding(f'{name} has no argument "{key}"; it has: {", ".join(allowed)}', path, line)
    for name in declared:
        if name not in used:
            yield Finding(f"no block calls {name}, which the manifest names", "SKILL.md", 1)


def _calls(context: Context) -> Iterator[tuple[str, int, str, set[str] | None]]:
    """File, line, tool, and the names of arguments (``None`` where they are not written out)."""
    for path, first, tree in python_blocks(context.skill):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and _is_call(node.func) and node.args:
                name = node.args[0]
                if isinstance(name, ast.Constant) and isinstance(name.value, str):
                    yield path, first + node.lineno - 1, name.value, _keys(node)
    for locus in context.skill.loci:
        for block in locus.blocks:
            if block.language == "bash":
                for command in commands(block.code):
                    if tuple(command.words[:3]) == LINE and len(command.words) > 3:
                        yield locus.path, block.line + command.line - 1, command.words[3], None


def _is_call(function: ast.expr) -> bool:
    """Whether something is called ``call``: a tool, through the registry or a caller."""
    return (function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")) == "call"


def _keys(node: ast.Call) -> set[str] | None:
    """Names of arguments that are given as an object written out."""
    given = node.args[1] if len(node.args) > 1 else None
    if not isinstance(given, ast.Dict):
        return None
    return {key.value for key in given.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)}
