"""Asking sources in order: the first that has the answer gives it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from labagent.errors import ToolError

Found = TypeVar("Found")
Asked = tuple[str, Callable[[], Found]]
PASSED_ON = frozenset({"not_found", "not_recorded", "unavailable"})


def first(asked: Sequence[Asked[Found]], enough: Callable[[Found], bool]) -> tuple[Found, tuple[str, ...]]:
    """The first answer that is enough, else the first answer at all; with notes on sources that failed.

    Args:
        asked: name of each source and how to ask it, in order.
        enough: whether an answer needs no further source.

    Raises:
        ToolError: no source answers: what the only one said; of several, that of one that could not be
            reached (the entry may be there), else of one that knows more than "not here".
    """
    if not asked:
        raise ToolError(
            "unavailable",
            "none of the backends in use has this kind of entry",
            hints=["add one that has it to ask.backends, for example live"],
        )
    kept: Found | None = None
    errors: list[tuple[str, ToolError]] = []
    for answer in _answers(asked, errors):
        if enough(answer):
            return answer, _notes(errors)
        kept = answer if kept is None else kept
    if kept is not None:
        return kept, _notes(errors)
    raise _worst(errors, [name for name, _ in asked])


def _answers(asked: Sequence[Asked[Found]], errors: list[tuple[str, ToolError]]) -> Iterator[Found]:
    """What each source says; those that have nothing go to ``errors``."""
    for name, ask in asked:
        try:
            answer = ask()
        except ToolError as error:
            if error.code not in PASSED_ON:
                raise
            errors.append((name, error))
        else:
            yield answer


def _notes(errors: Sequence[tuple[str, ToolError]]) -> tuple[str, ...]:
    """What the asker should know of sources that came earlier in the order."""
    return tuple(f"{name} was asked first: {e.message}" for name, e in errors if e.code == "unavailable")


def _worst(errors: Sequence[tuple[str, ToolError]], names: Sequence[str]) -> ToolError:
    """The error that says most."""
    down = [e for _, e in errors if e.code == "unavailable"]
    telling = [e for _, e in errors if e.hints]
    chosen = (down or telling or [errors[0][1]])[0]
    if len(names) == 1:
        return chosen
    return ToolError(
        chosen.code,
        f"{chosen.message} (asked: {', '.join(names)})",
        field=chosen.field,
        value=chosen.value,
        allowed=chosen.allowed,
        hints=chosen.hints,
    )
