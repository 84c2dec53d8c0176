"""What an answer itself shows of how it differs from the published figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from labagent.models.score import Departure
from labagent.scoring.figure.claims import Figure
from labagent.scoring.figure.table import Table

HALF = 0.5
MOST = 200


def figure_departures(figure: Figure, table: Table, stated: Mapping[str, Any] | None) -> Iterator[Departure]:
    """Replicates, enumeration and methods that are not the published ones, and rows that are no cells.

    Args:
        figure: the published one.
        table: the answer's values.
        stated: what the run says of its methods (``{method: {"implementation", "enumeration"}}``); ``None``
            where it left no such file.
    """
    yield from _replicates(figure, table)
    for method, published in figure.methods.items():
        said = _entry(stated, method)
        ours = str(said.get("implementation", "")).strip() if said else ""
        if not ours:
            yield Departure(item=f"method {method}", published=published, ours="not stated", severity="note")
        elif _plain(ours) != _plain(published):
            yield Departure(
                item=f"method {method}",
                published=published,
                ours=_short(ours),
                severity="major",
                origin="declared",
            )
        yield from _enumeration(figure, method, said)
    if table.extra:
        first, count = next(iter(table.extra.items())), sum(table.extra.values())
        yield Departure(
            item="rows of other cells", published="", ours=f"{count}, the first {first[0]}", severity="note"
        )


def _replicates(figure: Figure, table: Table) -> Iterator[Departure]:
    """Fewer or more replicates than published; the smallest number of any cell counts."""
    counts = [value.replicates for value in table.values.values()]
    if not figure.replicates or not counts:
        return
    least = min(counts)
    if least == 0:
        yield Departure(
            item="replicates", published=str(figure.replicates), ours="not stated", severity="note"
        )
    elif least < figure.replicates:
        severe = least <= HALF * figure.replicates
        yield Departure(
            item="replicates",
            published=str(figure.replicates),
            ours=str(least) if least == max(counts) else f"{least} to {max(counts)}",
            severity="major" if severe else "minor",
        )


def _enumeration(figure: Figure, method: str, said: Mapping[str, Any]) -> Iterator[Departure]:
    """A method that looked at fewer causal variants at a time than the published one."""
    ours = said.get("enumeration")
    if not figure.enumeration or not isinstance(ours, int) or isinstance(ours, bool):
        return
    if 0 < ours < figure.enumeration:
        yield Departure(
            item=f"enumeration of {method}",
            published=f"up to {figure.enumeration} causal variants",
            ours=f"up to {ours}",
            severity="major",
            origin="declared",
        )


def _entry(stated: Mapping[str, Any] | None, method: str) -> Mapping[str, Any]:
    """What is said of a method, empty for nothing of use."""
    found = [said for name, said in (stated or {}).items() if _plain(name) == _plain(method)]
    if len(found) == 1 and isinstance(found[0], str):
        return {"implementation": found[0]}
    return found[0] if len(found) == 1 and isinstance(found[0], dict) else {}


def _plain(text: str) -> str:
    """A name as it is compared."""
    return " ".join(text.casefold().split())


def _short(text: str) -> str:
    """Text of one line that a table can show."""
    line = " ".join(text.split())
    return line if len(line) <= MOST else line[: MOST - 1] + "…"
