"""The public names of a repository's Python modules, as they can be imported."""

from __future__ import annotations

from dataclasses import dataclass, field

from labagent.models.snapshot import Callable_, Unreadable
from labagent.snapshot.kept import Kept
from labagent.snapshot.layout import Module, find_modules
from labagent.snapshot.python_load import Units
from labagent.snapshot.python_relink import fragments
from labagent.snapshot.python_signatures import forget_records
from labagent.snapshot.walk import Tree


@dataclass
class Api:
    """What a repository offers in one language."""

    modules: set[str] = field(default_factory=set)
    objects: dict[str, Callable_] = field(default_factory=dict)
    constants: set[str] = field(default_factory=set)
    dynamic: set[str] = field(default_factory=set)
    unreadable: list[Unreadable] = field(default_factory=list)


def python_api(tree: Tree, kept: Kept | None = None, modules: list[Module] | None = None) -> Api:
    """Public modules, functions, classes, methods and constants of the Python sources.

    A name counts under every path it can be imported from: where it is defined and where a module of the
    repository imports it. Names with a leading underscore count only where ``__all__`` lists them.
    ``Callable_.name`` is the path of the definition; parameters are those of a call, without ``self``.
    ``dynamic`` holds the modules and classes that can have further members, and the objects whose
    signature may differ from the written one.
    """
    kept = kept or Kept()
    units = Units(tree, find_modules(tree) if modules is None else modules, kept)
    api = Api(unreadable=units.unreadable)
    for fragment in fragments(units, kept):
        api.modules |= fragment.modules
        api.objects |= fragment.objects
        api.constants |= fragment.constants
        api.dynamic |= fragment.dynamic
    forget_records()
    return api
