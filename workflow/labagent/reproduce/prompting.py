"""Prompts from the files in ``prompts/``: the same inputs give the same text on every machine and day."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Template


def render(name: str, **values: Any) -> str:
    """The text of a prompt file.

    Args:
        name: the file without ``.j2``.
        values: what it names; a name that is missing is an error.
    """
    return _template(name).render(**values).strip()


def machine_facts(probe: dict[str, Any]) -> Iterable[tuple[str, str]]:
    """Facts of the machine as lines, without those that say nothing."""
    for name, value in probe.items():
        if isinstance(value, dict):
            text = ", ".join(f"{k} {v}".removesuffix(" present") for k, v in value.items())
        elif isinstance(value, list | tuple):
            text = ", ".join(map(str, value))
        else:
            text = str(value)
        if text:
            yield name.replace("_", " "), text


@cache
def _template(name: str) -> Template:
    """A prompt file, compiled."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("labagent.reproduce", "prompts"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,
    )
    return environment.get_template(f"{name}.j2")
