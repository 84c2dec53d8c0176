"""A fix, written as a command for a run, as a change of a specification."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from labagent.environment.mapping import index_name
from labagent.environment.spec import CondaRequirement, EnvironmentSpec

_INSTALL = re.compile(
    r"(?:\S*/)?(?:(?:python[\d.]*|uv) (?:-m )?)?pip[\d.]* (?P<verb>install|uninstall|config)\b"
)
_CONDA = re.compile(r"(?:\S*/)?(?:conda|mamba|micromamba) install\b")
_CONDA_PART = re.compile(r"([A-Za-z0-9_][\w.-]*)((?:[=<>!~]=?[\w.*=<>!~,]+)?)")
_QUOTED = re.compile(r"'[^']*'|\"[^\"`$\\]*\"")
_SHELL = re.compile(r"[`$|<>&()\\]")
_NO_ISOLATION = "no-build-isolation"
_HARMLESS = frozenset(
    "-U --upgrade -q --quiet -y --yes -I --ignore-installed --force-reinstall --no-cache-dir "
    "--prefer-binary --no-input --no-build-isolation".split()
)


def change(
    spec: EnvironmentSpec, fix: str, distribution: str
) -> tuple[EnvironmentSpec, tuple[str, ...]] | None:
    """What a fix makes of a specification.

    Args:
        spec: the one that did not build.
        fix: shell commands; those of pip and conda that install, remove, or switch build isolation off can be
            said in a specification.
        distribution: the package whose build failed, empty where it is not known.

    Returns:
        The new specification and what changed, in words; ``None`` where the fix asks for anything else,
        names a file or an address, or changes nothing.
    """
    commands = [command.strip() for command in re.split(r"&&|;|\n", fix) if command.strip()]
    unisolated = any(_NO_ISOLATION in command for command in commands)
    if unisolated and not distribution:
        return None
    changed = spec
    for command in commands:
        words = _words(command)
        following = _apply(changed, command, words, distribution if unisolated else "")
        if following is None:
            return None
        changed = following
    said = tuple(_differences(spec, changed))
    return (changed, said) if said else None


def _words(command: str) -> list[str]:
    """The words of a command; none where the shell would do more than split it."""
    try:
        return [] if _SHELL.search(_QUOTED.sub("", command)) else shlex.split(command)
    except ValueError:
        return []


def _apply(spec: EnvironmentSpec, command: str, words: list[str], unisolated: str) -> EnvironmentSpec | None:
    """The specification after one command."""
    if not words:
        return None
    if found := _INSTALL.match(command):
        verb = found["verb"]
        given = words[words.index(verb) + 1 :]
        if verb == "config":
            return spec if any(_NO_ISOLATION in word for word in given) else None
        names = _arguments(given)
        if names is None:
            return None
        if verb == "uninstall":
            return _without(spec, names)
        return _unisolated(spec, names, unisolated) if unisolated else _with_index(spec, names)
    if _CONDA.match(command):
        names = _arguments(words[words.index("install") + 1 :])
        return None if names is None else _with_conda(spec, names)
    return None


def _arguments(words: Iterable[str]) -> list[str] | None:
    """The arguments that are no options; ``None`` where an option matters."""
    found = list(words)
    if any(word.startswith("-") and word not in _HARMLESS for word in found):
        return None
    return [word for word in found if not word.startswith("-")]


def _requirements(names: Iterable[str]) -> list[Requirement] | None:
    """Requirements by name; an address or a file is none."""
    try:
        found = [Requirement(name) for name in names]
    except InvalidRequirement:
        return None
    return None if any(requirement.url for requirement in found) else found


def _unisolated(spec: EnvironmentSpec, names: list[str], distribution: str) -> EnvironmentSpec | None:
    """``distribution`` built beside these requirements, which replace those of the same name."""
    wanted = _requirements(names)
    if wanted is None:
        return None
    named = {canonicalize_name(requirement.name) for requirement in wanted}
    kept = [text for text in spec.build if canonicalize_name(Requirement(text).name) not in named]
    return spec.model_copy(
        update={
            "unisolated": tuple(sorted({*spec.unisolated, distribution})),
            "build": tuple(sorted([*kept, *map(str, wanted)])),
        }
    )


def _with_index(spec: EnvironmentSpec, names: list[str]) -> EnvironmentSpec | None:
    """Requirements added, or put in the place of those of the same name."""
    wanted = _requirements(names)
    if wanted is None:
        return None
    for requirement in wanted:
        place = _conda_place(spec, requirement.name)
        if place and not requirement.extras:
            part = CondaRequirement(name=place, version=str(requirement.specifier))
            others = [other for other in spec.conda if other.name != place]
            spec = spec.model_copy(update={"conda": (*others, part)})
        else:
            spec = _without(spec, [requirement.name])
            spec = spec.model_copy(update={"pip": (*spec.pip, str(requirement))})
    return spec


def _with_conda(spec: EnvironmentSpec, names: list[str]) -> EnvironmentSpec | None:
    """Conda requirements put in, Python among them."""
    for name in names:
        found = _CONDA_PART.fullmatch(name)
        if found is None:
            return None
        if found[1].lower() == "python":
            spec = spec.model_copy(update={"python": found[2]})
            continue
        spec = _without(spec, [found[1]])
        part = CondaRequirement(name=found[1].lower(), version=found[2])
        spec = spec.model_copy(update={"conda": (*spec.conda, part)})
    return spec


def _without(spec: EnvironmentSpec, names: Iterable[str]) -> EnvironmentSpec:
    """The specification without some packages."""
    gone = {canonicalize_name(name) for name in names}
    return spec.model_copy(
        update={
            "conda": tuple(p for p in spec.conda if canonicalize_name(index_name(p.name)) not in gone),
            "pip": tuple(p for p in spec.pip if canonicalize_name(Requirement(p).name) not in gone),
        }
    )


def _conda_place(spec: EnvironmentSpec, name: str) -> str:
    """The conda name under which a distribution is asked for already, empty where it is not."""
    wanted = canonicalize_name(name)
    return next((p.name for p in spec.conda if canonicalize_name(index_name(p.name)) == wanted), "")


def _differences(old: EnvironmentSpec, new: EnvironmentSpec) -> Iterator[str]:
    """How two specifications differ, one line a package."""
    before, after = _table(old), _table(new)
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            yield f"{name}: {before.get(name, 'not asked for')} → {after.get(name, 'left out')}"
    if (old.unisolated, old.build) != (new.unisolated, new.build):
        yield f"{', '.join(new.unisolated)}: built without isolation, with {', '.join(new.build)}"


def _table(spec: EnvironmentSpec) -> dict[str, str]:
    """Name → version part of all that is asked for."""
    table = {part.name: part.version or "any" for part in spec.conda}
    for text in spec.pip:
        requirement = Requirement(text)
        table[requirement.name] = str(requirement.specifier) or requirement.url or "any"
    return {**table, "python": spec.python or "the default"}
