"""The page's colours and the styles of drawings, read from its style sheet: files and page share them."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"


@cache
def palettes() -> tuple[dict[str, str], dict[str, str]]:
    """The variables of the light and of the dark page, name → colour."""
    css = (TEMPLATES / "report.css").read_text(encoding="utf-8")
    light, dark = (_variables(block) for block in re.findall(r":root \{(.*?)\}", css, re.DOTALL)[:2])
    return light, {**light, **dark}


@cache
def drawing_styles() -> str:
    """Rules for the classes that drawings use, with variables."""
    return (TEMPLATES / "drawing.css").read_text(encoding="utf-8")


@cache
def file_styles() -> str:
    """The same rules for a file that stands alone: light colours, and dark ones where those are preferred."""
    light, dark = palettes()
    rules = f"text{{font:10px 'DejaVu Sans',Arial,sans-serif}}\n{drawing_styles()}"
    at_night = _filled(rules, dark).replace("\n", " ")
    return f"{_filled(rules, light)}\n@media (prefers-color-scheme: dark) {{ {at_night} }}"


def _variables(block: str) -> dict[str, str]:
    """``--name: value;`` pairs."""
    return dict(re.findall(r"--([\w-]+):\s*([^;]+);", block))


def _filled(rules: str, colours: dict[str, str]) -> str:
    """Rules with the variables' values."""
    return re.sub(r"var\(--([\w-]+)\)", lambda match: colours[match[1]], rules)
