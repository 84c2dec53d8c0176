"""Putting the parts of a snapshot together."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from labagent.models.snapshot import Snapshot, Unreadable
from labagent.snapshot.configuration import find_configuration
from labagent.snapshot.data_files import data_files
from labagent.snapshot.dependencies import declared
from labagent.snapshot.examples import find_examples
from labagent.snapshot.kept import Damaged, Kept
from labagent.snapshot.layout import modules_of
from labagent.snapshot.metadata import read_metadata
from labagent.snapshot.programs import find_programs
from labagent.snapshot.python_api import Api, python_api
from labagent.snapshot.python_load import few_collections
from labagent.snapshot.r_api import r_api
from labagent.snapshot.walk import Tree
from labagent.stage.licence import detect_licence

Spoken = Literal["python", "r", "mixed", "none"]


def build(repository: Path, skill: str, cache: Path | None = None) -> Snapshot:
    """Read every part; see :func:`labagent.snapshot.snapshot`."""
    root, kept = repository.resolve(), Kept(cache)
    with few_collections():
        try:
            return _build(Tree(root), skill, kept)
        except Damaged:
            kept.discard()
            return _build(Tree(root), skill, Kept(cache))
        finally:
            kept.close()


def _build(tree: Tree, skill: str, kept: Kept) -> Snapshot:
    """Read every part of a repository.

    Raises:
        Damaged: what was kept cannot be read.
    """
    known = kept.get("tree", "digests") or {}
    tree.trust(known)
    modules = modules_of(tree, kept)
    python, r = python_api(tree, kept, modules), r_api(tree, kept)
    dependencies, broken_files = declared(tree, kept)
    examples, broken_examples = find_examples(tree, kept)
    metadata = read_metadata(tree, kept)
    objects = python.objects | r.objects
    found = Snapshot(
        skill=skill,
        language=_language(python, r),
        distribution=metadata.distribution,
        version=metadata.version,
        summary=metadata.summary,
        licence=_licence(tree, kept),
        requires_python=metadata.requires_python,
        modules=tuple(sorted(python.modules | r.modules)),
        objects={name: objects[name] for name in sorted(objects)},
        constants=tuple(sorted(python.constants - objects.keys())),
        dynamic=tuple(sorted(python.dynamic | r.dynamic)),
        unreadable=_unreadable(python.unreadable, r.unreadable, broken_files, broken_examples),
        dependencies=dependencies,
        entry_points=metadata.entry_points,
        programs=find_programs(tree, kept, modules),
        configuration=find_configuration(tree, kept),
        examples=examples,
        data_files=tuple(kept.part(tree, "data files", lambda: data_files(tree))),
        content_sha256=tree.content_sha256(),
    )
    if known != (trusted := tree.trusted()):
        kept.put("tree", "digests", trusted)
    kept.write()
    return found


def _licence(tree: Tree, kept: Kept) -> str:
    """The licence; it depends on the files at the top, and on what links at the top point to."""
    if any(path.is_symlink() for path in tree.root.iterdir()):
        return detect_licence(tree.root)
    found: str = kept.under("licence", "", tree.top(), lambda: detect_licence(tree.root))
    return found


def _unreadable(*parts: list[Unreadable] | tuple[Unreadable, ...]) -> tuple[Unreadable, ...]:
    """One record a file, sorted."""
    found = {u.file: u for part in reversed(parts) for u in part}
    return tuple(found[file] for file in sorted(found))


def _language(python: Api, r: Api) -> Spoken:
    """The language of the interface; one with under a tenth of the names does not count."""
    ours, theirs = len(python.objects), len(r.objects)
    if not ours and not theirs:
        return "python" if python.modules else "r" if r.modules else "none"
    if min(ours, theirs) * 10 >= max(ours, theirs):
        return "mixed"
    return "python" if ours > theirs else "r"
