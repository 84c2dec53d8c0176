"""The templates of pages: everything that is filled in is escaped."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from labagent.report.inert import visible
from labagent.report.numbers import plain
from labagent.report.palette import TEMPLATES

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment() -> Environment:
    """The environment of all templates; ``.html.j2`` escape what is filled in, ``.md.j2`` use ``md``."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(["html.j2"], default_for_string=False),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
    )
    made.filters.update(md=markdown_cell, plain=plain)
    return made


def markdown_cell(text: object) -> str:
    """Text that keeps its place in a Markdown table."""
    line = " ".join(visible(str(text)).split())
    for mark in ("\\", "|", "<", "`", "*", "_", "["):
        line = line.replace(mark, f"\\{mark}")
    return line
