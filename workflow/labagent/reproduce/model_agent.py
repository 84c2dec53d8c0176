"""The agent with a model: prompts, replies, and a conversation that fits the context window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from labagent.errors import ContextOverflow, ModelConfigError
from labagent.llm import Message, Model, Reply
from labagent.models.config import Budget
from labagent.models.memory import Lesson
from labagent.models.run import Usage
from labagent.models.skill import Skill
from labagent.models.sources import StagedFile
from labagent.models.tables import Quantity
from labagent.reproduce.conversation import Conversation
from labagent.reproduce.prompting import machine_facts, render
from labagent.reproduce.reply import parse_reply
from labagent.reproduce.turns import Action, Turn, View, WorstCase

OVERFLOWS = 4


@dataclass(frozen=True)
class Assignment:
    """What a model is told at the start."""

    task: str
    answer: tuple[Quantity, ...]
    budget: Budget
    mark: str
    skill: Skill | None = None
    data: tuple[StagedFile, ...] = ()
    protocol: dict[str, Any] = field(default_factory=dict)
    probe: dict[str, Any] = field(default_factory=dict)
    lessons: tuple[Lesson, ...] = ()


class ModelAgent:
    """Asks a model for one command a turn."""

    def __init__(
        self, model: Model, assignment: Assignment, neutral: Callable[[str], str] = lambda text: text
    ) -> None:
        """Prepare the first prompt.

        Args:
            model: the model to ask.
            assignment: the task and all that goes with it.
            neutral: takes this machine's folders out of a text (where there is no sandbox to do so).
        """
        self._model = model
        self._mark = assignment.mark
        self._neutral = neutral
        self._taken = 0
        self._reply = Reply("", usage=Usage(), cost_usd=0.0)
        self._conversation = Conversation(
            [
                {"role": "system", "content": render("system")},
                {"role": "user", "content": neutral(_task(assignment))},
            ],
            model.worst_case_tokens,
            model.context_tokens,
        )

    def worst_case(self, view: View) -> WorstCase:
        """The most that asking with the messages as they stand now may cost."""
        self._take_in(view)
        return self._worst(self._conversation.messages())

    def act(self, view: View) -> Action:
        """The command of the model's next reply.

        Raises:
            InfrastructureError: the model service failed.
            ModelConfigError: it refuses the request for good.
            ModelTimeUp: the wall time ended first.
            ModelBudgetUp: calls failed, and no other is affordable.
        """
        self._take_in(view)
        self._reply = self._ask(view)
        return parse_reply(self._reply.text)

    def _ask(self, view: View) -> Reply:
        """A reply; where the service finds the messages too long, they are shortened first."""
        for _ in range(OVERFLOWS):
            messages = self._conversation.messages()
            affordable = partial(self._affordable, view, messages)
            try:
                return self._model.complete(messages, seconds=view.seconds_left, affordable=affordable)
            except ContextOverflow:
                self._conversation.overflowed()
        raise ModelConfigError(
            f'model "{self._model.name}": the task does not fit its context window; set context_tokens to '
            "what it really holds, or choose a model with a larger one"
        )

    def _worst(self, messages: list[Message]) -> WorstCase:
        """The most that one call may cost."""
        return WorstCase(self._model.worst_case_tokens(messages), self._model.worst_case_usd(messages))

    def _affordable(self, view: View, messages: list[Message]) -> bool:
        """Whether the caps allow to ask once more, after calls that failed."""
        return view.affordable(self._worst(messages))

    def _take_in(self, view: View) -> None:
        """Append what came of the last replies to the conversation."""
        for turn in map(self._neutralized, view.turns[self._taken :]):
            self._conversation.add(self._reply.text, self._answer(turn), render("stub", turn=turn))
        self._taken = len(view.turns)

    def _neutralized(self, turn: Turn) -> Turn:
        """A turn whose output, and its length, say nothing of this machine's folders."""
        if turn.result is None:
            return turn
        before, text = turn.result.text, self._neutral(turn.result.text)
        size = turn.result.bytes - len(before.encode(errors="replace")) + len(text.encode(errors="replace"))
        return replace(turn, result=replace(turn.result, text=text, bytes=size))

    def _answer(self, turn: Turn) -> str:
        """What the model is told after a turn."""
        parts = []
        if turn.result is not None:
            parts.append(self._observation(turn))
        if turn.notice == "unusable":
            cut = self._reply.finish_reason == "length"
            parts.append(render("unusable", mark=self._mark, cut=cut))
        if turn.notice == "missing":
            parts.append(render("missing", reason=turn.reason))
        return "\n\n".join(parts)

    def _observation(self, turn: Turn) -> str:
        """What a command printed, with lessons where it failed."""
        assert turn.result is not None
        text = render(
            "observation",
            result=turn.result,
            text=turn.result.text,
            file=turn.file,
            failure_class=turn.match.failure_class if turn.match else "",
            lessons=turn.match.lessons if turn.match else (),
        )
        return self._neutral(text)


def _task(assignment: Assignment) -> str:
    """The task prompt."""
    return render(
        "task",
        task=assignment.task.strip(),
        answer=assignment.answer,
        budget=assignment.budget,
        mark=assignment.mark,
        skill=assignment.skill,
        data=assignment.data,
        protocol=assignment.protocol,
        facts=list(machine_facts(assignment.probe)),
        lessons=assignment.lessons,
    )
