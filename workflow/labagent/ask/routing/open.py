"""What rules leave open, asked of a model: one label of those that fit, and which of the entities found are
meant.

The model sees no way to add or change anything: its reply is a label and numbers, both checked against the
question. Whatever
else comes back, or goes wrong, leaves what the rules say. The temperature is the model's settings' (0 by
default).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from labagent.ask.routing.reading import IDENTIFIERS, Read
from labagent.errors import ReplayMiss
from labagent.models.asking import Entity, RouteName, Routing

if TYPE_CHECKING:
    from jinja2 import Template

    from labagent.llm.interface import Model

SECONDS = 30.0
REPLY_TOKENS = 200
LONGEST_QUESTION = 2_000
LONGEST_VALUE = 60
LONGEST_REPLY = 4_000
NEEDED: dict[RouteName, tuple[str, ...]] = {
    "sequence": ("sequence",),
    "protein": ("gene", "name", *IDENTIFIERS),
    "mutation": ("variant", "dbsnp", "variant_class"),
}
"""What a route needs; one without it is not offered."""


@dataclass(frozen=True)
class Chosen:
    """The question with the entities that are meant, its route (``None``: the rules' stays), what
    happened."""

    read: Read
    route: RouteName | None
    reason: str


class Unusable(Exception):
    """A reply that cannot be taken; the message says why."""


def labels_for(read: Read) -> tuple[RouteName, ...]:
    """The routes that a question can have, by what was found in it."""
    fitting = [name for name, needed in NEEDED.items() if read.of(*needed)]
    topic: list[RouteName] = ["literature"] if read.query.text else []
    return (*fitting, *topic, "none")


def choose(read: Read, made: Routing, model: Model) -> Chosen:
    """Ask a model for the route.

    Args:
        read: the question.
        made: what the rules say; it stays where the model's reply cannot be used.
        model: any model.

    Raises:
        ReplayMiss: a recording is replayed that does not have this question.
    """
    labels = labels_for(read)
    if len(labels) < 2 or made.route not in labels:
        return Chosen(read, None, "a model was not asked: nothing to choose from")
    messages = [{"role": "user", "content": _prompt(read, labels)}]
    try:
        reply = model.complete(
            messages, max_tokens=REPLY_TOKENS, json_schema=schema(labels, len(read.all)), seconds=SECONDS
        )
        route, numbers = checked(reply.text, labels, read.all)
    except ReplayMiss:
        raise
    except Unusable as error:
        return Chosen(read, None, f"the model's reply is not used: {error}")
    except Exception as error:  # a service can fail in any way; the rules' result stands
        return Chosen(read, None, f"the model was not reached: {type(error).__name__}")
    chosen = [entity for number, entity in enumerate(read.all) if number in numbers]
    return Chosen(_only(read, chosen), route, f"a model chose {route} of {', '.join(labels)}")


def schema(labels: tuple[str, ...], count: int) -> dict[str, Any]:
    """The form of a reply."""
    number = {"type": "integer", "minimum": 0, "maximum": max(count - 1, 0)}
    return {
        "type": "object",
        "additionalProperties": False,
        "required": ["route", "entities"],
        "properties": {
            "route": {"type": "string", "enum": list(labels)},
            "entities": {"type": "array", "items": number, "maxItems": count},
        },
    }


def checked(
    text: str, labels: tuple[RouteName, ...], entities: tuple[Entity, ...]
) -> tuple[RouteName, set[int]]:
    """The label and numbers of a reply.

    Raises:
        Unusable: it is no such object, or names a label or number that was not offered, or a route without
            what it needs.
    """
    if len(text) > LONGEST_REPLY:
        raise Unusable("it is too long")
    try:
        value = json.loads(text[text.index("{") : text.rindex("}") + 1])
    except (ValueError, RecursionError):
        raise Unusable("it holds no JSON object") from None
    if not isinstance(value, dict) or set(value) != {"route", "entities"}:
        raise Unusable("it does not have the fields asked for")
    route, numbers = value["route"], value["entities"]
    if not isinstance(route, str) or route not in labels:
        raise Unusable("its label was not offered")
    if not isinstance(numbers, list) or any(
        type(n) is not int or not 0 <= n < len(entities) for n in numbers
    ):
        raise Unusable("it names an entity that was not found")
    needed = NEEDED.get(route)
    meant = [e for number, e in enumerate(entities) if number in numbers]
    if needed and not any(e.namespace in needed for e in meant):
        raise Unusable(f"it says {route} without an entity of that kind")
    return route, set(numbers)


def _only(read: Read, chosen: list[Entity]) -> Read:
    """The question with the entities that are meant; organisms belong to them."""

    def kept(entities: tuple[Entity, ...]) -> tuple[Entity, ...]:
        return tuple(e for e in entities if e.namespace == "organism" or e in chosen)

    return replace(
        read,
        sequences=kept(read.sequences),
        names=kept(read.names),
        changes=kept(read.changes),
        resolved=kept(read.resolved),
        _memo={},
    )


def _prompt(read: Read, labels: tuple[RouteName, ...]) -> str:
    """The question and what was found in it, marked as data."""
    shown = [e.model_copy(update={"value": _short(e.value)}) for e in read.all]
    return _template().render(labels=labels, question=_fenced(read.text), entities=shown)


def _short(value: str) -> str:
    """A value on one line, as long as needed to be told apart."""
    line = " ".join(value.split())
    return line if len(line) <= LONGEST_VALUE else f"{line[:LONGEST_VALUE]}…"


def _fenced(text: str) -> str:
    """Words that cannot close their own fence."""
    return re.sub("={4,}", "===", " ".join(text[:LONGEST_QUESTION].split()))


@cache
def _template() -> Template:
    """The prompt's file."""
    from jinja2 import Environment, StrictUndefined

    source = resources.files(__package__).joinpath("prompts/open.j2").read_text(encoding="utf-8")
    environment = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False
    )
    return environment.from_string(source)
