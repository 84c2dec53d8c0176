"""Writing a draft skill's files from templates."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from labagent.files import fresh_folder, write_text
from labagent.models.skill import Evidence

RESOURCES = ("harvest.py", "overlay.py")


def render(template: str, values: Mapping[str, Any], folder: str = "templates") -> str:
    """A template or prompt of this package filled in; a name without value is an error."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("labagent.explore", folder),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )
    return environment.get_template(template).render(**values)


def write_skill(
    folder: Path,
    *,
    root: str,
    loci: Mapping[str, str],
    environment: Mapping[str, Any],
    evidence: Sequence[Evidence],
    quickstart: Mapping[str, Any],
    scripts: Sequence[str] = RESOURCES,
) -> None:
    """Write a skill's files into a fresh ``folder``, helper scripts included."""
    fresh_folder(folder)
    write_text(folder / "SKILL.md", root)
    for name, text in loci.items():
        write_text(folder / "references" / f"{name}.md", text)
    write_text(folder / "environment.yaml", yaml.safe_dump(dict(environment), sort_keys=False))
    lines = [json.dumps(e.model_dump(mode="json", exclude_none=True), ensure_ascii=False) for e in evidence]
    write_text(folder / "evidence.jsonl", "".join(f"{line}\n" for line in lines))
    write_text(folder / "assets" / "quickstart.yaml", yaml.safe_dump(dict(quickstart), sort_keys=False))
    for name in scripts:
        source = files("labagent.explore") / "resources" / name
        write_text(folder / "scripts" / name, source.read_text(encoding="utf-8"))
