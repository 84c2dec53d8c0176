"""Answering the tasks of one run, in order, each once; a killed run goes on where it stopped."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from labagent.biobench.kept import ANSWERS, RUN, task_folder
from labagent.biobench.paying import RunPurse
from labagent.biobench.runs import Plan
from labagent.errors import InfrastructureError, LabagentError, ModelConfigError
from labagent.files import append_jsonl, fresh_folder, read_jsonl, write_text
from labagent.llm.purse import open_purse, paying
from labagent.locking import locked
from labagent.models.asking import AnswerRecord, Routing
from labagent.models.biobench import BiobenchTask
from labagent.models.biobench_runs import AnswerLine, BiobenchRun

if TYPE_CHECKING:
    from labagent.tools.calling import Caller

LOCK_SECONDS = 5.0
Progress = Callable[[int, int, AnswerRecord], None]
"""Told the task's number, how many there are, and its answer."""


def run(plan: Plan, progress: Progress | None = None) -> BiobenchRun:
    """Answer every task that has no answer yet, and write the record.

    Args:
        plan: the run.
        progress: told of every new answer.

    Raises:
        InfrastructureError: the machinery failed, another process is at this run, or the budget over all
            entries is used up; answers so far are kept, and the next call goes on.
        ModelConfigError: the model cannot be used at all.
    """
    plan.folder.mkdir(parents=True, exist_ok=True)
    bench = plan.config.biobench
    with locked(plan.folder / ".lock", LOCK_SECONDS):
        (plan.folder / RUN).unlink(missing_ok=True)
        answered = kept(plan)
        with _purse(plan, bench.usd, bench.tokens, bench.wall_seconds) as purse:
            reached = _answer_all(plan, answered, purse, progress)
            record = _record(plan, len(answered), reached, purse)
        record.write(plan.folder / RUN)
    return record


def kept(plan: Plan) -> dict[str, AnswerRecord]:
    """Answers that were made from what the run is made from now, by task; all other lines are removed."""
    path = plan.folder / ANSWERS
    lines: dict[str, AnswerLine] = {}
    read = 0
    if path.is_file():
        _end_with_a_line(path)
        for value in read_jsonl(path):
            read += 1
            line = AnswerLine.model_validate(value)
            if plan.keys.get(line.answer.id) == line.key:
                lines.setdefault(line.answer.id, line)
    if len(lines) < read:
        write_text(path, "".join(line.model_dump_json() + "\n" for line in lines.values()))
    return {name: line.answer for name, line in lines.items()}


def _answer_all(
    plan: Plan, answered: dict[str, AnswerRecord], purse: RunPurse, progress: Progress | None
) -> str:
    """Answer what is left; which cap ended it, if one did."""
    for number, task in enumerate(plan.tasks, start=1):
        if task.id in answered:
            continue
        purse.check_time()
        if not purse.reached:
            record = _answer(plan, task)
            if purse.refused is not None:
                raise purse.refused
        if purse.reached:
            return purse.reached
        line = AnswerLine(key=plan.keys[task.id], answer=record)
        append_jsonl(plan.folder / ANSWERS, [line.model_dump(mode="json")])
        answered[task.id] = record
        if progress is not None:
            progress(number, len(plan.tasks), record)
    return ""


def _answer(plan: Plan, task: BiobenchTask) -> AnswerRecord:
    """One answer. A fault in answering is an answer that failed; one of the machinery is none."""
    from labagent.ask import answer

    folder = fresh_folder(task_folder(plan.folder, task.id))
    try:
        return answer(
            task.question,
            caller=_caller(plan),
            history=task.history,
            model=plan.model,
            condition=plan.place.condition,
            folder=folder,
            id=task.id,
            max_steps=plan.config.ask.max_steps,
        )
    except (InfrastructureError, ModelConfigError):
        raise
    except LabagentError as error:
        return _failed(plan, task, str(error))
    except Exception as error:  # a fault of any kind is what the failure rate counts
        write_text(folder / "error.txt", traceback.format_exc())
        return _failed(plan, task, f"{type(error).__name__}: {error}")


def _caller(plan: Plan) -> Caller:
    """A caller for one question, with the set's backends and store."""
    from labagent.tools.backends import Settings
    from labagent.tools.calling import Caller
    from labagent.tools.store import CallStore

    files = {name: plan.root / path for name, path in plan.config.ask.mirrors.items()}
    store = CallStore(plan.root / plan.chosen.store, plan.chosen.mode) if plan.chosen.store else None
    settings = Settings(files=files, email=plan.config.ask.email)
    return Caller(store, plan.chosen.backends, settings=settings)


def _failed(plan: Plan, task: BiobenchTask, reason: str) -> AnswerRecord:
    """The answer of a system that broke."""
    return AnswerRecord(
        id=task.id,
        question=task.question,
        history=task.history,
        condition=plan.place.condition,
        model=plan.model.model if plan.model else "offline",
        outcome="failed",
        routing=Routing(route="none", reason="it failed before anything was routed"),
        text=reason,
    )


def _record(plan: Plan, answered: int, reached: str, purse: RunPurse) -> BiobenchRun:
    """The run's record."""
    costs = purse.costs
    return BiobenchRun(
        place=plan.place,
        key=plan.key,
        status="capped" if reached else "completed",
        reason=reached,
        tasks=tuple(task.id for task in plan.tasks),
        answered=answered,
        calls=costs.calls,
        usage=costs.usage,
        cost_usd=costs.usd,
        possible_usd=costs.possible_usd,
        backends=plan.chosen.backends,
    )


@contextmanager
def _purse(plan: Plan, usd: float, tokens: int | None, seconds: float) -> Iterator[RunPurse]:
    """The run's purse, open while it lasts."""
    purse = RunPurse(plan.folder, usd, tokens, seconds, open_purse())
    try:
        with paying(purse):
            yield purse
    finally:
        purse.close()


def _end_with_a_line(path: Path) -> None:
    """Take off what a killed writer left of a line."""
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        with path.open("r+b") as stream:
            stream.truncate(whole)
