"""The public names of an R package, or of a folder of R scripts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from labagent.models.snapshot import Callable_, Unreadable
from labagent.snapshot import rd
from labagent.snapshot.dcf import read_dcf, value
from labagent.snapshot.kept import Kept
from labagent.snapshot.python_api import Api
from labagent.snapshot.python_signatures import record
from labagent.snapshot.python_units import Written
from labagent.snapshot.r_namespace import Namespace, read_namespace
from labagent.snapshot.r_sources import Definition, definitions, formals_at
from labagent.snapshot.r_tokens import tokens
from labagent.snapshot.walk import Tree, is_api

R_SUFFIXES = (".r", ".s", ".q")


@dataclass(frozen=True)
class _Page:
    """What a help page says of a name: its title, its usage, the line of that."""

    title: str
    usage: Definition | None
    file: str


def r_api(tree: Tree, kept: Kept | None = None) -> Api:
    """Exported functions and classes of each R package as ``package::name``; else functions of scripts.

    S3 methods registered in NAMESPACE count as ``package::generic.class``, kind ``method``. An exported
    name that no source defines is taken from its help page's usage, else it is in ``dynamic``.
    """
    api, kept = Api(), kept or Kept()
    if not kept.part(tree, "any R", lambda: _is_any(tree)):
        return api
    roots = [p.parent for p in tree.files if p.name == "DESCRIPTION" and p.parent / "NAMESPACE" in tree.files]
    for root in roots:
        _add_package(tree, root, api, kept)
    inside = [p for p in tree.having(*R_SUFFIXES) if not any(p.is_relative_to(root) for root in roots)]
    for path in inside:
        if is_api(path):
            for definition in _read(tree, path, api, kept):
                if not definition.name.startswith("."):
                    _add(api, definition.name, definition, path.as_posix())
    return api


def _is_any(tree: Tree) -> bool:
    """Whether there are packages or sources of R."""
    return bool(tree.having(*R_SUFFIXES)) or any(p.name == "DESCRIPTION" for p in tree.files)


def _add_package(tree: Tree, root: PurePosixPath, api: Api, kept: Kept) -> None:
    """One package: exports matched with definitions, then with help pages."""
    name = value(read_dcf(tree.text(root / "DESCRIPTION")), "Package")
    if not name:
        return
    namespace = read_namespace(tree.text(root / "NAMESPACE"))
    api.modules.add(name)
    defined: dict[str, tuple[Definition, str]] = {}
    for path in tree.having(*R_SUFFIXES):
        if path.parent == root / "R" or path.parent.parent == root / "R":
            for definition in _read(tree, path, api, kept):
                defined[definition.name] = (definition, path.as_posix())
    pages = _pages(tree, root)
    for exported in sorted(namespace.exports | {n for n in defined if namespace.takes(n)}):
        _export(api, name, exported, defined, pages)
    _add_methods(api, name, namespace, defined, pages)


def _export(
    api: Api,
    package: str,
    name: str,
    defined: dict[str, tuple[Definition, str]],
    pages: dict[str, _Page],
) -> None:
    """One exported name."""
    page = pages.get(name)
    if name in defined:
        definition, file = defined[name]
        _add(api, f"{package}::{name}", definition, file, page.title if page else "")
    elif page is not None and page.usage is not None:
        _add(api, f"{package}::{name}", page.usage, page.file, page.title)
    else:
        api.dynamic.add(f"{package}::{name}")


def _add_methods(
    api: Api,
    package: str,
    namespace: Namespace,
    defined: dict[str, tuple[Definition, str]],
    pages: dict[str, _Page],
) -> None:
    """The registered S3 methods."""
    for generic, cls in namespace.methods:
        name = f"{generic}.{cls}"
        if name in defined and f"{package}::{name}" not in api.objects:
            definition, file = defined[name]
            method = Definition(name, "method", definition.parameters, definition.line)
            _add(api, f"{package}::{name}", method, file, pages[name].title if name in pages else "")


def _read(tree: Tree, path: PurePosixPath, api: Api, kept: Kept) -> list[Definition]:
    """The definitions of a file; one that is not R is listed as unreadable."""
    listed, reason = kept.of(tree, path, "r", lambda: _plain(tree.text(path)))
    if reason:
        api.unreadable.append(Unreadable(file=path.as_posix(), reason=reason))
    return [Definition(n, k, tuple(record(p) for p in formals), line) for n, k, formals, line in listed]


def _plain(text: str) -> tuple[tuple[tuple[str, str, tuple[Written, ...], int], ...], str]:
    """The definitions of a file as plain tuples, and why it cannot be read."""
    try:
        found = list(definitions(text))
    except ValueError as error:
        return (), str(error) or "not R"
    return tuple((d.name, d.kind, _written(d), d.line) for d in found), ""


def _written(definition: Definition) -> tuple[Written, ...]:
    """Formals as plain tuples."""
    return tuple((p.name, p.kind, p.default, p.annotation) for p in definition.parameters)


def _pages(tree: Tree, root: PurePosixPath) -> dict[str, _Page]:
    """Help pages by the names they document."""
    found: dict[str, _Page] = {}
    for path in tree.having(".rd"):
        if path.parent != root / "man":
            continue
        listed = rd.sections(tree.text(path))
        title = next((rd.plain(s.text) for s in listed if s.name == "title"), "")
        usages = {u.name: u for s in listed if s.name == "usage" for u in _usages(s)}
        for section in listed:
            if section.name == "alias":
                name = rd.plain(section.text)
                found.setdefault(name, _Page(title, usages.get(name), path.as_posix()))
    return found


def _usages(section: rd.Section) -> list[Definition]:
    """The calls of a usage section."""
    text = rd.ESCAPE.sub(r"\1", section.text)
    listed = tokens(text)
    found = []
    for at, token in enumerate(listed[:-1]):
        starts = at == 0 or listed[at - 1].kind == "newline"
        if starts and token.kind in ("name", "quoted") and listed[at + 1].text == "(":
            line = section.first_line + token.line - 1
            found.append(Definition(token.value, "function", formals_at(text, listed, at + 1), line))
    return found


def _add(api: Api, path: str, definition: Definition, file: str, summary: str = "") -> None:
    """Add one name."""
    kind = definition.kind
    api.objects[path] = Callable_(
        name=definition.name,
        kind="class" if kind == "class" else "method" if kind == "method" else "function",
        parameters=definition.parameters,
        file=file,
        line=definition.line,
        summary=summary[:200],
    )
