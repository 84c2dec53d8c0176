"""The messages of a run: append-only until they no longer fit, then older turns shrink to stubs.

Between two shrinkings every request starts with all of the one before, so that a provider's prompt cache
serves it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from labagent.llm import Message

KEEP_TURNS = 2
ROOM = 0.6
COMMAND_CHARACTERS = 160
MIN_CHARACTERS = 400
OVERFLOW_SHARE = 0.7


@dataclass(frozen=True)
class Exchange:
    """A reply and what came of it; ``stub`` is one line that stands for the answer."""

    reply: str
    answer: str
    stub: str


class Conversation:
    """A fixed beginning, then exchanges."""

    def __init__(self, beginning: list[Message], size: Callable[[list[Message]], int], limit: int) -> None:
        """Start a conversation.

        Args:
            beginning: the system prompt and the task; never shortened.
            size: upper estimate of the tokens of messages.
            limit: tokens the messages may take.
        """
        self._beginning = beginning
        self._size = size
        self._dropped = 0
        self._exchanges: list[Exchange] = []
        self._limit = limit
        self.shrunk = 0

    @property
    def answer_characters(self) -> int:
        """How long one answer may be: a fourth of the room for answers, at two characters a token."""
        return max((self._limit - self._size(self._beginning)) // 2, MIN_CHARACTERS)

    @property
    def _target(self) -> float:
        """The size to shrink to: the beginning and a part of the room for the rest."""
        fixed = self._size(self._beginning)
        return fixed + ROOM * max(self._limit - fixed, 0)

    def add(self, reply: str, answer: str, stub: str) -> None:
        """Append a reply and the answer to it."""
        self._exchanges.append(
            Exchange(reply or "(an empty reply)", _cut(answer, self.answer_characters), stub)
        )

    def messages(self) -> list[Message]:
        """All messages, shortened first where they do not fit."""
        if self._size(self._render()) > self._limit:
            self._shrink()
        return self._render()

    def overflowed(self) -> None:
        """The messages were too long for the service, whatever their estimated size."""
        self._limit = min(self._limit, int(OVERFLOW_SHARE * self._size(self._render())))
        self._shrink()

    def _shrink(self) -> None:
        """Make room: stubs for old answers and replies, old turns in one line, less of the last answer.

        Room is made for more than the next turn, so that the beginning stays the same for a while.
        """
        self.shrunk += 1
        fewer = partial(self._stub_answers, 1)
        for shorten in (self._stub_answers, fewer, self._stub_replies, self._drop, self._cut_last):
            if self._size(self._render()) <= self._target:
                return
            shorten()

    def _stub_answers(self, keep: int = KEEP_TURNS) -> None:
        """All answers but the last ones become their stubs."""
        old = max(len(self._exchanges) - keep, 0)
        self._exchanges[:old] = [replace(e, answer=e.stub) for e in self._exchanges[:old]]

    def _stub_replies(self) -> None:
        """Older replies become their beginning."""
        old = max(len(self._exchanges) - KEEP_TURNS, 0)
        self._exchanges[:old] = [replace(e, reply=_first(e.reply)) for e in self._exchanges[:old]]

    def _drop(self) -> None:
        """The oldest turns go, down to the last one."""
        while len(self._exchanges) > 1 and self._size(self._render()) > self._target:
            self._exchanges.pop(0)
            self._dropped += 1

    def _cut_last(self) -> None:
        """What is left is the last turn: its answer, and a long reply, lose their middle."""
        if not self._exchanges:
            return
        last = self._exchanges[-1]
        limit = max(len(last.answer), len(last.reply)) // 2
        while limit >= MIN_CHARACTERS and self._size(self._render()) > self._target:
            last = replace(last, answer=_cut(last.answer, limit), reply=_cut(last.reply, limit))
            self._exchanges[-1] = last
            limit //= 2

    def _render(self) -> list[Message]:
        """The messages as they are sent."""
        messages = [dict(message) for message in self._beginning]
        if self._dropped:
            note = f"(Turns 1 to {self._dropped} are left out here. Their outputs: $LABAGENT_OBSERVATIONS.)"
            messages[-1]["content"] += f"\n\n{note}"
        for exchange in self._exchanges:
            messages.append({"role": "assistant", "content": exchange.reply})
            messages.append({"role": "user", "content": exchange.answer})
        return messages


def _cut(text: str, limit: int) -> str:
    """Head and tail of a text; all of one that is as short."""
    if len(text) <= limit:
        return text
    head, tail = text[: limit // 2], text[-(limit // 2) :]
    return f"{head}\n[... {len(text) - len(head) - len(tail)} characters left out here ...]\n{tail}"


def _first(reply: str) -> str:
    """The beginning of a reply."""
    return reply if len(reply) <= COMMAND_CHARACTERS else reply[:COMMAND_CHARACTERS] + " [...]"
