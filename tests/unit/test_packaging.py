"""pyproject.toml, both locks and environment.yml say the same; what is imported is declared."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def locked(name: str) -> dict[str, str]:
    """Versions of a lock by distribution; every one has a hash."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert all("--hash=sha256:" in line for line in lines)
    found = (re.match(r"([A-Za-z0-9._-]+)==(\S+)", line) for line in lines)
    return {str(canonicalize_name(match[1])): match[2] for match in found if match}


def declared(*extras: str) -> list[Requirement]:
    """Requirements of the project and of some extras."""
    more = [line for extra in extras for line in PROJECT["optional-dependencies"][extra]]
    return [Requirement(line) for line in [*PROJECT["dependencies"], *more]]


def test_the_locks_satisfy_what_is_declared() -> None:
    for lock, requirements in (
        ("requirements.lock", declared("build")),
        ("requirements-dev.lock", declared("build", "dev")),
    ):
        versions = locked(lock)
        for requirement in requirements:
            version = versions.get(str(canonicalize_name(requirement.name)))
            assert version and requirement.specifier.contains(version, prereleases=True), (
                lock,
                str(requirement),
            )


def test_the_small_lock_is_part_of_the_large_one() -> None:
    large = locked("requirements-dev.lock")
    assert {name: large.get(name) for name in locked("requirements.lock")} == locked("requirements.lock")


def test_the_conda_environment_uses_the_lock() -> None:
    spec = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    pip = next(item["pip"] for item in spec["dependencies"] if isinstance(item, dict))
    assert pip == ["-r requirements-dev.lock"]
    python = next(d for d in spec["dependencies"] if isinstance(d, str) and d.startswith("python="))
    assert Requirement(f"python{PROJECT['requires-python']}").specifier.contains(python.partition("=")[2])


def test_what_the_package_imports_is_declared() -> None:
    names = {str(canonicalize_name(requirement.name)) for requirement in declared()}
    distributions = packages_distributions()
    missing = set()
    for path in (ROOT / "workflow" / "labagent").rglob("*.py"):
        if "resources" in path.parts or "templates" in path.parts:
            continue
        for module in imported(ast.parse(path.read_text(encoding="utf-8"))):
            givers = {str(canonicalize_name(d)) for d in distributions.get(module, [])}
            if module not in sys.stdlib_module_names and module != "labagent" and not givers & names:
                missing.add((module, path.name))
    assert missing == set()


def test_distributions_asked_for_by_name_are_declared() -> None:
    names = {str(canonicalize_name(requirement.name)) for requirement in declared()}
    asked = set()
    for path in (ROOT / "workflow" / "labagent").rglob("*.py"):
        asked |= set(
            re.findall(r"(?<![\w.])version\([\"']([\w.-]+)[\"']\)", path.read_text(encoding="utf-8"))
        )
    assert asked and {str(canonicalize_name(name)) for name in asked} <= names


def imported(tree: ast.Module) -> set[str]:
    """Top-level names of the modules that a module imports."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found
