"""Records as plain tuples that can be kept, and back.

What comes back was validated when it was first made and lay under a digest since; it is not validated again,
which for large interfaces would take longer than all else.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeVar

from labagent.models.base import Record
from labagent.models.snapshot import Callable_, Parameter

R = TypeVar("R", bound=Record)
Plain = tuple[Any, ...]
_NEW, _SET = object.__new__, object.__setattr__


def plain(record: Record) -> Plain:
    """The values of a record's fields, in the order of its model; none may be a record."""
    return tuple(record.__dict__.values())


def restored(cls: type[R], values: Iterable[Any]) -> R:
    """The record that :func:`plain` made plain."""
    return _made(cls, dict(zip(_fields(cls), values, strict=True)))


@cache
def _fields(cls: type[Record]) -> tuple[str, ...]:
    """The names of a record's fields."""
    return tuple(cls.model_fields)


@cache
def _field_set(cls: type[Record]) -> set[str]:
    """The names of a record's fields, one object for all records: they are frozen, so none is added."""
    return set(cls.model_fields)


def _made(cls: type[R], fields: dict[str, Any]) -> R:
    """A record of these fields, as pydantic lays it out."""
    made = _NEW(cls)
    _SET(made, "__dict__", fields)
    _SET(made, "__pydantic_fields_set__", _field_set(cls))
    _SET(made, "__pydantic_extra__", None)
    _SET(made, "__pydantic_private__", None)
    return made


def plain_callables(objects: dict[str, Callable_]) -> Plain:
    """Callables by path: the parameters that occur, lists of places among them, and one tuple a path."""
    places: dict[int, int] = {}
    lists: list[Plain] = []
    numbers: dict[Plain, int] = {}
    found = []
    for path, made in objects.items():
        name, kind, parameters, *rest = made.__dict__.values()
        if id(parameters) not in places:
            places[id(parameters)] = len(lists)
            lists.append(tuple(numbers.setdefault(plain(p), len(numbers)) for p in parameters))
        found.append((path, name, kind, places[id(parameters)], *rest))
    return tuple(numbers), lists, found


class Callables:
    """Makes callables of what :func:`plain_callables` gave; equal parameters are one object."""

    def __init__(self) -> None:
        self._parameters: dict[Plain, Parameter] = {}

    def restored(self, written: Plain, lists: list[Plain], found: list[Plain]) -> dict[str, Callable_]:
        """Callables by path."""
        occurring = [self._parameter(values) for values in written]
        parameters = [tuple([occurring[at] for at in listed]) for listed in lists]
        objects = {}
        for path, name, kind, at, file, line, inherited, summary, returns in found:
            fields = {
                "name": name,
                "kind": kind,
                "parameters": parameters[at],
                "file": file,
                "line": line,
                "inherited": inherited,
                "summary": summary,
                "returns": returns,
            }
            objects[path] = _made(Callable_, fields)
        return objects

    def _parameter(self, values: Plain) -> Parameter:
        """A parameter."""
        found = self._parameters.get(values)
        if found is None:
            found = self._parameters[values] = restored(Parameter, values)
        return found
