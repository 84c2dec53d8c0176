"""The question points to something that no earlier turn names: it is asked back, on the route of what is
missing."""

from __future__ import annotations

from labagent.ask.routing.reading import Read
from labagent.ask.routing.rules import Decision
from labagent.models.asking import RouteName

ORDER = 95
ROUTES: dict[str, RouteName] = {
    "protein": "protein",
    "sequence": "sequence",
    "mutation": "mutation",
    "literature": "literature",
}


def decide(read: Read) -> Decision | None:
    """The route of the kind that the words name."""
    if read.problem and read.reference is not None:
        words = read.reference.written
        kind = read.reference.kinds[0]
        if kind == "protein" and read.aspects("s") and not read.aspects("p"):
            kind = "sequence"
        return Decision(ROUTES[kind], f"{words!r} points to something that was not named")
    if read.problem:
        return Decision("protein", "it goes on with an earlier turn that named more than one")
    return None
