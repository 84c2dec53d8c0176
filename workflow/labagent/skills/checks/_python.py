"""Python blocks of a skill as syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from labagent.models.skill import Block, Skill


def python_blocks(skill: Skill) -> Iterator[tuple[str, int, ast.Module]]:
    """Path of the locus, line of the block's first line, and the tree; what does not parse is left out."""
    for locus in skill.loci:
        for block in locus.blocks:
            if block.language == "python":
                try:
                    yield locus.path, block.line, ast.parse(block.code)
                except (SyntaxError, ValueError):
                    continue


def parsed(block: Block) -> ast.Module | None:
    """A Python block as a syntax tree; ``None`` for another language and for what does not parse."""
    try:
        return ast.parse(block.code) if block.language == "python" else None
    except (SyntaxError, ValueError):
        return None


def own_modules(folder: Path) -> frozenset[str]:
    """Import names of the modules a skill brings along in ``scripts/`` and ``assets/source/``."""
    places = [folder / "scripts", folder / "assets" / "source"]
    return frozenset(
        path.stem
        for place in places
        if place.is_dir()
        for path in place.iterdir()
        if path.suffix == ".py" or path.is_dir()
    )
