"""Literal values given to the lab's parameters in code, and whether the lab itself gives them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from labagent.models.skill import Block, Locus, Skill
from labagent.models.snapshot import Snapshot
from labagent.skills.calls import call_sites, defined_as


@dataclass(frozen=True)
class GivenValue:
    """A keyword argument written out: whose it is, its default as source text, and where it stands."""

    callable: str
    keyword: ast.keyword
    value: ast.Constant
    default: str
    locus: Locus
    block: Block

    @property
    def text(self) -> str:
        """The argument as code."""
        return f"{self.keyword.arg}={ast.unparse(self.value)}"

    @property
    def line(self) -> int:
        """Its line in the locus."""
        return self.block.line + self.keyword.lineno - 1

    @property
    def is_default(self) -> bool:
        """Whether the value is the default."""
        try:
            return bool(ast.literal_eval(self.default) == self.value.value)
        except (ValueError, SyntaxError):
            return self.default == ast.unparse(self.value)


def given_values(skill: Skill, snapshot: Snapshot) -> Iterator[GivenValue]:
    """Literal keyword arguments of the lab's callables, for parameters that have a default."""
    for locus in skill.loci:
        for block in (b for b in locus.blocks if b.language == "python"):
            try:
                tree = ast.parse(block.code)
            except (SyntaxError, ValueError):
                continue
            for site in call_sites(tree, snapshot):
                for keyword in site.node.keywords if site.node else ():
                    default = _default(snapshot, site.name, keyword.arg)
                    value = _constant(keyword.value)
                    if default is not None and value is not None:
                        yield GivenValue(site.name, keyword, value, default, locus, block)


def released_code(snapshot: Snapshot) -> str:
    """The code of all the lab's examples."""
    return "\n".join(example.code for example in snapshot.examples)


def gives(text: str, where: str) -> bool:
    """Whether ``name=value`` stands somewhere, with any blanks and either kind of quotes."""
    name, _, value = text.partition("=")
    pattern = rf"\b{re.escape(name)}\s*=\s*{re.escape(value)}(?![\w.])"
    return re.search(pattern, where) is not None or re.search(pattern, where.replace('"', "'")) is not None


def _constant(node: ast.expr) -> ast.Constant | None:
    """A value written out."""
    return node if isinstance(node, ast.Constant) else None


def _default(snapshot: Snapshot, name: str, parameter: str | None) -> str | None:
    """The default of a parameter as source text; ``None`` where there is none or it is not known."""
    entry = snapshot.objects.get(name) or snapshot.objects.get(defined_as(name, snapshot))
    found = next((p for p in entry.parameters if p.name == parameter), None) if entry else None
    return found.default if found else None
