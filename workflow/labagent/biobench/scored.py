"""The scores of a run: every answer against its task, its trace verified, tasks without records set apart."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from labagent.ask.verifying import read_record, verify_answer
from labagent.biobench import wording
from labagent.biobench.answered import echo
from labagent.biobench.kept import read_answers, task_folder
from labagent.biobench.scoring import score
from labagent.biobench.summary import summarise
from labagent.models.asking import AnswerRecord, CallRecord, Routing
from labagent.models.biobench import BiobenchTask, TaskScore
from labagent.models.biobench_runs import BiobenchRun, BiobenchScores, MissingRecord

RECORDS = ("uniprot.", "pubmed.")
"""Tools that look something up."""
UNRECORDED = "not_recorded"


def score_run(
    run: BiobenchRun, folder: Path, tasks: Sequence[BiobenchTask], *, recorded: bool
) -> BiobenchScores:
    """Score the answers of a run.

    Args:
        run: its record.
        folder: where it lies.
        tasks: all tasks of its set; those the run was asked are scored.
        recorded: its backends hold recorded results alone, so that a task may lack what it needs.
    """
    asked = [task for task in tasks if task.id in set(run.tasks)]
    answers = read_answers(folder)
    scores = [_score(task, answers.get(task.id), folder) for task in asked]
    echoes = [score(task, echo(task.question)) for task in asked]
    missing = [
        MissingRecord(task=task.id, reason=reason)
        for task, scored in zip(asked, scores, strict=True)
        if recorded and (reason := without_record(task, scored, answers.get(task.id)))
    ]
    apart = {m.task for m in missing}
    counted = [task for task in asked if task.id not in apart]
    return BiobenchScores(
        place=run.place,
        scores=tuple(scores),
        roots=roots(tasks, asked),
        echo=tuple(e.task for e in echoes if e.accurate),
        echo_strict=tuple(e.task for e in echoes if e.strict),
        missing_records=tuple(missing),
        unanswered=tuple(task.id for task in asked if task.id not in answers),
        summary=summarise([s for s in scores if s.task not in apart], counted),
        cost_usd=run.cost_usd,
    )


def without_record(task: BiobenchTask, scored: TaskScore, answer: AnswerRecord | None) -> str:
    """Which look-ups of a wrong answer are not recorded, empty where the answer itself is at fault.

    The question was routed right, every expected tool was called, and one that looks up (where none is
    expected: one that was called) met nothing but calls that are not recorded. A look-up that was recorded
    and found nothing is no excuse, nor is a search for papers by an accession, which PubMed does not index.
    """
    if answer is None or scored.accurate or not (scored.route_right and scored.tools_right):
        return ""
    looked = [call for call in answer.calls if call.tool.startswith(RECORDS)]
    expected = {name for tool in task.tools for name in tool.split("|") if name.startswith(RECORDS)}
    wanted = {call.tool for call in looked if not expected or call.tool in expected}
    lost = [tool for tool in sorted(wanted) if all(_unrecorded(c) for c in looked if c.tool == tool)]
    return "; ".join(f"{c.tool} {_brief(c)}".strip() for c in looked if c.tool in lost)


def roots(tasks: Sequence[BiobenchTask], asked: Sequence[BiobenchTask]) -> dict[str, str]:
    """The first task of the conversation that each task belongs to.

    A follow-up belongs to the task that asks its first earlier turn; where none does, to the first task
    with the same earlier turn.
    """
    first: dict[str, str] = {}
    for task in tasks:
        if not task.history:
            first.setdefault(task.question, task.id)
    for task in tasks:
        if task.history:
            first.setdefault(task.history[0], task.id)
    return {task.id: first[task.history[0]] if task.history else task.id for task in asked}


def trace_faults(folder: Path, answer: AnswerRecord) -> list[str]:
    """What is wrong with the files of an answer (:func:`verify_answer`), or that they are of another one."""
    found = verify_answer(folder)
    if found.faults:
        return list(found.faults)
    return [] if read_record(folder) == answer else ["the answer that is scored is not the one it tells of"]


def _score(task: BiobenchTask, answer: AnswerRecord | None, folder: Path) -> TaskScore:
    """One answer's metrics; a task without an answer has failed."""
    if answer is None:
        routing = Routing(route="none", reason="not answered")
        answer = AnswerRecord(
            id=task.id, question=task.question, outcome="failed", routing=routing, text="not answered"
        )
    whole = not trace_faults(task_folder(folder, task.id), answer)
    return score(task, answer.model_copy(update={"trace_complete": whole}))


def _unrecorded(call: CallRecord) -> bool:
    """Whether a look-up is not recorded, and could have been."""
    if call.error is None or call.error.code != UNRECORDED:
        return False
    query = str(call.arguments.get("query", "")) if call.tool == "pubmed.search" else ""
    return not wording.identifiers(query, "uniprot")


def _brief(call: CallRecord) -> str:
    """The telling argument of a call."""
    named = (call.arguments.get(n) for n in ("accession", "query", "pmids"))
    return str(next((v for v in named if v), ""))[:80]
