"""Reads ``environment.yaml``: conda's format, of which a skill uses channels and dependencies."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml
from packaging.requirements import InvalidRequirement, Requirement

from labagent.errors import InputError, InputFault
from labagent.models.base import Record

_KEYS = {"name", "channels", "dependencies", "prefix", "variables", "platforms", "category"}
_SCHEMES = frozenset({"https", "git+https"})
_CONDA = re.compile(r"^(?:[\w.-]+::)?([A-Za-z0-9_][\w.-]*)\s*(.*)$")


class CondaRequirement(Record):
    """A conda package: its name and the version part as written (``=1.2``, ``>=1,<2``, ``1.2=py310_0``)."""

    name: str
    version: str = ""


class EnvironmentSpec(Record):
    """What an environment should hold.

    ``python`` is the version part of the dependency ``python``, empty where there is none. ``conda`` has
    the other conda packages, ``pip`` the requirements of the ``pip`` list. ``unisolated`` (set by repairs
    alone) names packages that are built without isolation, with ``build`` installed beside them; conda's pip
    builds in isolation, with ``build`` as constraints.
    """

    channels: tuple[str, ...] = ()
    python: str = ""
    conda: tuple[CondaRequirement, ...] = ()
    pip: tuple[str, ...] = ()
    unisolated: tuple[str, ...] = ()
    build: tuple[str, ...] = ()


def default_spec() -> EnvironmentSpec:
    """The environment of a target without a skill."""
    text = resources.files("labagent.environment").joinpath("default.yaml").read_text("utf-8")
    return parse_spec(text, "labagent/environment/default.yaml")


def read_spec(path: Path) -> EnvironmentSpec:
    """Read an ``environment.yaml``.

    Raises:
        InputError: the file is missing, is no YAML, or has another shape; lists all faults.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError([InputFault(str(path), f"cannot be read: {error}")]) from error
    return parse_spec(text, str(path))


def parse_spec(text: str, file: str) -> EnvironmentSpec:
    """As :func:`read_spec`, from text; ``file`` is named in faults."""
    try:
        content = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        row = mark.line + 1 if mark else None
        raise InputError(
            [InputFault(file, f"is no YAML: {getattr(error, 'problem', error)}", row)]
        ) from error
    reader = _Reader(file)
    spec = reader.read(content)
    if reader.faults:
        raise InputError(reader.faults)
    return spec


class _Reader:
    """Collects the parts of a specification and every fault on the way."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.faults: list[InputFault] = []

    def read(self, content: Any) -> EnvironmentSpec:
        """The specification; what is faulty is left out."""
        if not isinstance(content, dict):
            self._fault(f"must be a mapping with dependencies, is a {_kind(content)}")
            return EnvironmentSpec()
        for key in sorted(set(map(str, content)) - _KEYS):
            self._fault(f'key "{key}" is not known; allowed: {", ".join(sorted(_KEYS))}', str(key))
        found = self._list(content, "dependencies", required=True)
        pip = [item for part in found if isinstance(part, dict) for item in self._pip(part)]
        conda = [self._conda(part) for part in found if not isinstance(part, dict)]
        named = [part for part in conda if part]
        python = [part.version for part in named if part.name == "python"]
        return EnvironmentSpec(
            channels=tuple(c for c in self._list(content, "channels") if self._is_channel(c)),
            python=python[0] if python else "",
            conda=tuple(part for part in named if part.name not in {"python", "pip"}),
            pip=tuple(pip),
        )

    def _fault(self, message: str, column: str | None = None) -> None:
        self.faults.append(InputFault(self.file, message, None, column))

    def _list(self, content: dict[str, Any], key: str, *, required: bool = False) -> list[Any]:
        """A list under ``key``, empty where it is absent or faulty."""
        value = content.get(key)
        if value is None and not required:
            return []
        if not isinstance(value, list):
            self._fault(f"must be a list, is a {_kind(value)}", key)
            return []
        return value

    def _is_channel(self, item: Any) -> bool:
        """Whether a channel is a text; places of this machine are faults."""
        if isinstance(item, str) and (item.startswith(("/", ".", "~")) or item.lower().startswith("file:")):
            self._fault(f"{item!r} is not allowed: a channel is a name or an address https://…", "channels")
        return isinstance(item, str)

    def _conda(self, value: Any) -> CondaRequirement | None:
        """One dependency as conda writes it."""
        match = _CONDA.match(value.strip()) if isinstance(value, str) else None
        if not match:
            self._fault(f"{value!r} is no requirement such as numpy=1.26 or numpy>=1.26", "dependencies")
            return None
        return CondaRequirement(name=match[1].lower(), version=match[2].strip())

    def _pip(self, part: dict[str, Any]) -> list[str]:
        """The requirements of a ``pip`` entry; options and places of this machine are refused."""
        if set(part) != {"pip"} or not isinstance(part["pip"], list):
            self._fault("the only mapping among the dependencies is pip: [requirements]", "dependencies")
            return []
        return [item for item in part["pip"] if self._is_requirement(item)]

    def _is_requirement(self, item: Any) -> bool:
        try:
            requirement = Requirement(item) if isinstance(item, str) else None
        except InvalidRequirement:
            requirement = None
        if requirement is None or (requirement.url is not None and not _is_remote(requirement.url)):
            self._fault(
                f"{item!r} is not allowed: a requirement is NAME with versions or NAME @ https://… "
                "(no options, no local paths, no passwords)",
                "pip",
            )
            return False
        return True


def _is_remote(url: str) -> bool:
    """Whether a requirement's address is one of the network that anybody may read."""
    parts = urlsplit(url)
    return parts.scheme in _SCHEMES and bool(parts.hostname) and parts.password is None


def _kind(value: Any) -> str:
    """A YAML value's kind in plain words."""
    names = {dict: "mapping", list: "list", str: "text", type(None): "missing value"}
    return names.get(type(value), type(value).__name__)
