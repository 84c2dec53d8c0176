"""One question, one answer: opens the trace, has a condition answer, makes the record and its files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from labagent.ask.conditions import Asked, Composed, load_condition
from labagent.ask.keeping import kept_in
from labagent.ask.tracing import (
    ANSWER,
    CALLS,
    TEXT,
    TRACE,
    Journal,
    TracedCaller,
    Unwritten,
    content_of,
    holes,
    versions,
)
from labagent.errors import InputError, InputFault
from labagent.files import sha256_json, sha256_text, to_json, write_text
from labagent.locking import locked
from labagent.models.asking import AnswerRecord
from labagent.models.config import ModelSettings
from labagent.redaction import redact

if TYPE_CHECKING:
    from labagent.llm import Model
    from labagent.tools.calling import Caller

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
MOST = 200_000
"""Characters of a question that are read."""
OFFLINE = "offline"
LOCK = ".lock"
"""Held while an answer is made: two at once in one folder would mix their events."""


@dataclass(frozen=True)
class Replayed:
    """A model that answers from a recording; ``failure`` is why its service failed in the end, if it did."""

    recording: Path
    failure: str = ""


def answer(
    question: str,
    *,
    caller: Caller,
    history: Sequence[str] = (),
    model: Model | ModelSettings | Replayed | None = None,
    condition: str = "full",
    folder: Path | None = None,
    id: str = "",
    max_steps: int = 5,
    fallback: bool = False,
) -> AnswerRecord:
    """Answer a question from tool results alone.

    Args:
        question: the user's text; it is data, never an instruction and never evidence.
        caller: made anew for this question.
        history: the user's earlier turns, oldest first.
        model: settings of a model, which is then recorded beside the trace, or one that is ready; without
            one the answer is composed from templates.
        condition: a module of ``ask/conditions``.
        folder: where ``answer.json``, ``answer.md`` and ``trace.jsonl`` go; an answer there is replaced.
        id: name of the answer; from the question where it is empty.
        max_steps: most steps of a plan.
        fallback: whether the templates answer where the model's service fails.

    Raises:
        InputError: the id, the condition or the question's size is wrong.
        ModelConfigError: the model cannot be used at all.
        InfrastructureError: the machinery failed, or the folder cannot be written; there is no answer then.
    """
    text, earlier = clean(question), tuple(clean(turn) for turn in history)
    name = checked_id(id) if id else answer_id(question, history)
    how = load_condition(condition, model=model is not None)
    with _journal(folder) as journal:
        journal.event(
            "start",
            question=text,
            history=earlier,
            id=name,
            condition=condition,
            model=_name(model),
            parameters=_parameters(model),
            max_steps=max_steps,
            fallback=fallback,
            store=_store(caller),
            versions=versions(),
        )
        calls = TracedCaller(caller, journal)
        ready = _ready(model, journal, folder)
        asked = Asked(text, earlier, cast("Caller", calls), ready, journal, max_steps, fallback)
        done = how.answer(asked)
        record = _record(name, asked, condition, _name(model), done, calls)
        journal.event("answer", **content_of(record))
        whole = folder is not None and not holes(journal.events, record)
        record = record.model_copy(update={"trace_complete": whole})
        if folder is not None:
            _write(folder, record, journal)
    return record


def answer_id(question: str, history: Sequence[str] = ()) -> str:
    """The name of an answer that is given none: a hash of the question and the turns before it."""
    return "q-" + sha256_json([clean(question), *map(clean, history)])[:16]


def clean(text: str) -> str:
    """A question as it is kept: Unicode that can be written, without secrets.

    Raises:
        InputError: it is longer than a question can be.
    """
    if len(text) > MOST:
        message = f"is {len(text)} characters long; allowed: {MOST} (longer sequences: labagent tools call)"
        raise InputError([InputFault("the question", message)])
    return redact(text.encode("utf-8", "replace").decode("utf-8").replace("\0", " "))


def checked_id(id: str) -> str:
    """An answer's id, which is the name of a folder.

    Raises:
        InputError: it could be something else than a name.
    """
    if not ID.fullmatch(id):
        allowed = 'letters, digits, ".", "_", "-", at most 64, a letter or digit first'
        message = f'"{redact(id[:80])}" is no id; allowed: {allowed}'
        raise InputError([InputFault("the question", message, column="id")])
    return id


def _record(
    name: str, asked: Asked, condition: str, model: str, done: Composed, calls: TracedCaller
) -> AnswerRecord:
    """What came of it, as a record."""
    return AnswerRecord(
        id=name,
        question=asked.question,
        history=asked.history,
        condition=condition,
        model=model,
        outcome=done.outcome,
        routing=done.routing,
        steps=done.steps,
        calls=tuple(calls.calls),
        statements=done.statements,
        dropped=done.dropped,
        text=done.text,
    )


@contextmanager
def _journal(folder: Path | None) -> Iterator[Journal]:
    """The trace of one answer; what an earlier one left is removed, its record first."""
    if folder is None:
        yield Journal(Unwritten())
        return
    from labagent.trace import TraceWriter

    with kept_in(folder, "the answer"):
        folder.mkdir(parents=True, exist_ok=True)
        with locked(folder / LOCK):
            for old in (ANSWER, TEXT, TRACE, CALLS):
                (folder / old).unlink(missing_ok=True)
            with TraceWriter(folder / TRACE) as writer:
                yield Journal(writer)


def _write(folder: Path, record: AnswerRecord, journal: Journal) -> None:
    """Write the text, end the trace with the hashes of both files, then the record, by rename."""
    whole, text = to_json(record.to_json()), record.text.rstrip("\n") + "\n"
    write_text(folder / TEXT, text, durable=False)
    files = {ANSWER: sha256_text(whole), TEXT: sha256_text(text)}
    journal.event("end", status=record.outcome, files=files)
    write_text(folder / ANSWER, whole)


def _ready(
    model: Model | ModelSettings | Replayed | None, journal: Journal, folder: Path | None
) -> Model | None:
    """The model, with its calls in the trace."""
    if isinstance(model, Replayed):
        from labagent.ask.recorded_model import RecordedModel

        return RecordedModel(model.recording, journal, model.failure)
    if not isinstance(model, ModelSettings):
        return model
    from labagent.llm import LitellmModel, Recording

    return LitellmModel(model, journal, Recording(folder / CALLS) if folder else None)


def _name(model: Model | ModelSettings | Replayed | None) -> str:
    """A model as records name it."""
    if model is None:
        return OFFLINE
    if isinstance(model, Replayed):
        return _settings(model).model
    return model.model if isinstance(model, ModelSettings) else model.name


def _settings(model: Replayed) -> ModelSettings:
    """What a recorded model was set to."""
    from labagent.llm.recording import read_recording

    return read_recording(model.recording).settings


def _parameters(model: Model | ModelSettings | Replayed | None) -> dict[str, object]:
    """How the model is set, less its address and the name of its key."""
    if isinstance(model, Replayed):
        model = _settings(model)
    if not isinstance(model, ModelSettings):
        return {}
    return model.model_dump(mode="json", include={"temperature", "max_output_tokens", "context_tokens"})


def _store(caller: Caller) -> dict[str, object]:
    """Where results are kept, what answers where they are not, and which tools may run."""
    folder = caller.store.folder
    inside = folder.is_absolute() and folder.is_relative_to(Path.cwd())
    return {
        "folder": str(folder.relative_to(Path.cwd()) if inside else folder),
        "mode": caller.store.mode,
        "backends": list(caller.backends),
        "safety": sorted(caller.safety),
    }
