"""A new skill's folder, to be filled in by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from labagent.errors import SkillError
from labagent.files import write_text
from labagent.skills.frontmatter import MAX_NAME, NAME

LOCI = (
    ("environment", "prints the versions installed"),
    ("data", "reads the staged files and prints their counts"),
    ("method", "derives the method's settings from data and protocol"),
    ("run", "runs the method and writes what it found"),
    ("quality-control", "checks what was found before it is reported"),
    ("report", "writes the answer file, each key in its unit"),
)


def new_skill(folder: Path, labs: Sequence[str], requirements: Sequence[str] = ()) -> list[Path]:
    """Write a skill's skeleton; it is refused by validation until it is filled in.

    Args:
        folder: the skill's folder, named like the skill; it must not exist.
        labs: names of the labs it is made from.
        requirements: their own packages, as :func:`labagent.skills.lab_package.lab_requirement` gives them.

    Returns:
        The files written.

    Raises:
        SkillError: the name is not allowed, or the folder exists.
    """
    name = folder.name
    if not NAME.fullmatch(name) or len(name) > MAX_NAME:
        message = (
            f'"{name}" must be lowercase letters, digits and single hyphens, at most {MAX_NAME} characters'
        )
        raise SkillError(message)
    if folder.exists():
        raise SkillError(f"{folder} exists; choose another name or remove it first")
    values: dict[str, object] = {
        "name": name,
        "labs": list(labs),
        "loci": LOCI,
        "pip": [item for item in requirements if "==" in item],
        "conda": [item for item in requirements if "==" not in item],
    }
    files = {
        "SKILL.md": _render("SKILL.md", values),
        "environment.yaml": _render("environment.yaml", values),
        "evidence.jsonl": _render("evidence.jsonl", values),
        "assets/quickstart.yaml": _render("quickstart.yaml", values),
    }
    for locus, does in LOCI:
        title = locus.replace("-", " ").capitalize()
        files[f"references/{locus}.md"] = _render("locus.md", {"title": title, "does": does})
    for path, text in files.items():
        write_text(folder / path, text)
    return [folder / path for path in files]


def _render(template: str, values: dict[str, object]) -> str:
    """A template of this package filled in."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("labagent.skills", "templates")
    environment = Environment(loader=loader, undefined=StrictUndefined, keep_trailing_newline=True)
    return environment.get_template(f"{template}.j2").render(**values)
