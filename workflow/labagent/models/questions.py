"""A row of ``config/questions.tsv``: a question that the workflow answers."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, field_validator

from labagent.models.base import Record

QuestionName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$", max_length=64)]
TURNS = "||"
"""What stands between two earlier turns."""


class Question(Record):
    """A question. ``history`` are earlier turns, divided by ``||``; ``\\n`` in a text is a line break.

    ``kind``: how the answer is made (``ask``: tools, with citations). ``model``: ``offline``, a name under
    ``models``, or empty for ``ask.model``.
    """

    question: QuestionName
    text: Annotated[str, Field(min_length=1)]
    history: tuple[str, ...] = ()
    kind: Literal["ask"] = "ask"
    model: str = ""

    @field_validator("kind", mode="before")
    @classmethod
    def _usual_kind(cls, kind: object) -> object:
        return kind or "ask"

    @field_validator("text")
    @classmethod
    def _lines(cls, text: str) -> str:
        return text.replace("\\n", "\n")

    @field_validator("history", mode="before")
    @classmethod
    def _turns(cls, history: object) -> object:
        if not isinstance(history, str):
            return history
        parts = (part.strip().replace("\\n", "\n") for part in history.split(TURNS))
        return tuple(part for part in parts if part)
