"""Questions in the workflow: the table, its faults, what answers depend on, the job itself."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Any

from labagent.errors import InputError, InputFault
from labagent.fingerprint import content_hash
from labagent.inputs import Inputs
from labagent.inputs.table import Row, read_table
from labagent.models.config import Config
from labagent.models.questions import Question
from labagent.workflow.keys import short
from labagent.workflow.paths import Paths

OFFLINE = "offline"


class Questions:
    """Input functions and params of the rule of answers; an absent table asks nothing."""

    def __init__(self, inputs: Inputs) -> None:
        self.root, self.config = inputs.root, inputs.config
        self.paths = Paths(inputs.config.results)

    @cached_property
    def rows(self) -> dict[str, Question]:
        """All questions by name, in the order of the table."""
        faults: list[InputFault] = []
        return {row.record.question: row.record for row in _rows(self.root, self.config, faults)}

    def answers(self) -> list[str]:
        """The records of all answers."""
        return [self.paths.answer.format(question=name) for name in self.rows]

    def key_of(self, wildcards: Any) -> str:
        """What an answer depends on: the row, where it looks things up, of a model its settings, too."""
        question = self.rows.get(wildcards.question)
        if question is None:
            return ""
        ask = self.config.ask.model_dump(mode="json", include={"backends", "mirrors", "max_steps"})
        settings = self.config.models.get(model_of(self.config, question))
        if settings is None:
            return short(question.model_dump(mode="json"), ask)
        included = {"model", "temperature", "max_output_tokens", "context_tokens"}
        model = settings.model_dump(mode="json", include=included)
        return short(question.model_dump(mode="json"), ask, model, content_hash("ask", "*.j2"))

    def costs(self, wildcards: Any) -> bool:
        """Whether an answer costs money, so that code alone does not make it anew."""
        question = self.rows.get(wildcards.question)
        return question is not None and model_of(self.config, question) != OFFLINE


def model_of(config: Config, question: Question) -> str:
    """The name of the model that answers a question."""
    return question.model or config.ask.model


def check_questions(inputs: Inputs) -> None:
    """Check the table of questions; one that is absent is none.

    Raises:
        InputError: with every fault found.
    """
    faults: list[InputFault] = []
    first: dict[str, int] = {}
    shown = inputs.config.questions
    for row in _rows(inputs.root, inputs.config, faults):
        name, model = row.record.question, model_of(inputs.config, row.record)
        if name in first:
            message = f'"{name}" stands twice; first in line {first[name]}'
            faults.append(InputFault(shown, message, row.line, "question"))
        first.setdefault(name, row.line)
        if model != OFFLINE and model not in inputs.config.models:
            allowed = ", ".join([OFFLINE, *inputs.config.models])
            message = f'"{model}" is no name under models; allowed: {allowed}'
            faults.append(InputFault(shown, message, row.line, "model"))
    if faults:
        raise InputError(faults)


def models_of(inputs: Inputs) -> set[str]:
    """Names of the models that questions are answered with."""
    faults: list[InputFault] = []
    rows = _rows(inputs.root, inputs.config, faults)
    return {model_of(inputs.config, row.record) for row in rows} - {OFFLINE}


def answer_question(root: Path, config: Config, name: str) -> str:
    """Answer one question of the table into its folder; what became of it.

    Raises:
        InputError: the table has no such question.
        ModelConfigError: its model cannot be used.
        InfrastructureError: the machinery failed; there is no answer then.
    """
    from labagent.ask import answer
    from labagent.tools.configured import make_caller
    from labagent.workflow.jobs import paid_by

    faults: list[InputFault] = []
    found = [row.record for row in _rows(root, config, faults, name) if row.record.question == name]
    if len(found) != 1 or faults:
        raise InputError(faults or [InputFault(config.questions, f'has no row for "{name}"')])
    question = found[0]
    model = model_of(config, question)
    with paid_by(root, config, f"ask/{model}/{name}"):
        record = answer(
            question.text,
            caller=make_caller(config.ask, root),
            history=question.history,
            model=config.models.get(model),
            folder=(root / Paths(config.results).answer.format(question=name)).parent,
            id=name,
            max_steps=config.ask.max_steps,
        )
    return record.outcome


def _rows(
    root: Path, config: Config, faults: list[InputFault], only: str | None = None
) -> list[Row[Question]]:
    """The rows of the table; none where there is no table."""
    path = root / config.questions
    if not path.is_file() or not path.read_bytes().strip():
        return []
    return read_table(path, config.questions, Question, faults, ("question", only) if only else None)
