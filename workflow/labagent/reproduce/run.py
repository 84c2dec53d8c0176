"""One attempt, from its inputs to ``run.json``."""

from __future__ import annotations

import errno
from dataclasses import asdict
from pathlib import Path
from typing import Any

from labagent.errors import InfrastructureError, LabagentError, SkillError
from labagent.files import sha256_file
from labagent.llm.interface import Model
from labagent.llm.recording import CALLS
from labagent.models.run import RunRecord, SandboxRecord
from labagent.models.skill import Skill
from labagent.redaction import also_secret, redact
from labagent.reproduce.attempt import Attempt
from labagent.reproduce.caps import Caps
from labagent.reproduce.finish import sentinel
from labagent.reproduce.guard import guarded
from labagent.reproduce.harness.checks import fault, missing
from labagent.reproduce.harness.session import Session
from labagent.reproduce.knowledge import Knowledge
from labagent.reproduce.loci import LocusReads
from labagent.reproduce.loop import Ending, Loop
from labagent.reproduce.offline_agent import OfflineAgent
from labagent.reproduce.recorded import ReplayCaps
from labagent.reproduce.tries import INFRASTRUCTURE, TRACE, Tally, open_try, superseded, tally, unfinished
from labagent.reproduce.turns import Agent
from labagent.reproduce.workspace import Workspace, open_workspace
from labagent.sandbox.machine import too_few_gpus
from labagent.skills.read import read_skill
from labagent.trace import Costs, TraceWriter

RECORD = "run.json"


def reproduce(attempt: Attempt) -> RunRecord:
    """Attempt a target; ``run.json`` is written last, by rename.

    Args:
        attempt: all that the attempt is made from.

    Returns:
        The record, whatever the outcome: an environment that did not build, a refused skill, a cap, an
        agent that gave up.

    Raises:
        InfrastructureError: the machinery failed: no record is written, the try's folder stays, and the
            next call starts a new try that counts its costs. Or another process still makes the attempt.
        ModelConfigError: the model cannot be used at all.
    """
    secret = attempt.harness.env if attempt.harness else ()
    with guarded(attempt.folder), also_secret(secret):
        earlier = superseded(attempt.folder)
        ending, skill = _before(attempt)
        if ending is not None:
            record = _record(attempt, ending, tally(unfinished(attempt.folder)), skill=skill)
        else:
            record = _try(attempt, skill)
        paid = 0.0 if attempt.replay else earlier.costs.usd
        record = record.model_copy(update={"earlier_results": earlier.tries, "earlier_cost_usd": paid})
        record.write(attempt.folder / RECORD)
    return record


def _before(attempt: Attempt) -> tuple[Ending | None, Skill | None]:
    """Outcomes that are certain before anything runs; else the skill, read."""
    if attempt.selection.status == "refused":
        return Ending("failed", "skill_refused", attempt.selection.reason), None
    if attempt.data.status == "failed":
        return Ending("failed", "data_failed", attempt.data.reason), None
    if attempt.harness is not None and (reason := fault(attempt.harness) or missing(attempt.harness)):
        return Ending("failed", "harness_missing", f"{attempt.harness.adapter}: {reason}"), None
    if attempt.skill is None:
        return _environment(attempt), None
    try:
        skill = read_skill(attempt.skill)
    except SkillError as error:
        return Ending("failed", "skill_refused", str(error)), None
    empty = [locus.path for locus in skill.loci if not locus.text.strip()]
    if empty:
        return Ending("failed", "skill_refused", f"empty: {', '.join(empty)}"), skill
    return _environment(attempt), skill


def _environment(attempt: Attempt) -> Ending | None:
    """The outcome where the environment did not build, or the machine lacks what the budget asks for."""
    record = attempt.environment
    if record.status != "ready":
        return Ending("env_failed", "env_failed", f"{record.failure_class}: {record.reason}")
    lacking = too_few_gpus(attempt.budget.gpus) if attempt.replay is None else ""
    return Ending("env_failed", "env_failed", f"gpu: {lacking}") if lacking else None


def _try(attempt: Attempt, skill: Skill | None) -> RunRecord:
    """One try, with its trace; a fault of the machinery is written there before it is raised."""
    earlier = tally(unfinished(attempt.folder))
    folder = open_try(attempt.folder)
    with TraceWriter(folder / TRACE) as trace:
        try:
            return _run(attempt, skill, folder, trace, earlier)
        except (LabagentError, OSError) as error:
            if getattr(error, "errno", None) != errno.ENOSPC:
                trace.event("end", status=INFRASTRUCTURE, reason=str(error))
            if isinstance(error, OSError):
                raise InfrastructureError(f"{folder}: {error}") from error
            raise


def _run(
    attempt: Attempt, skill: Skill | None, folder: Path, trace: TraceWriter, earlier: Tally
) -> RunRecord:
    """Open the workspace, take turns, keep the lessons."""
    trace.event("start", **_start(attempt, skill, earlier))
    workspace = open_workspace(attempt, folder)
    try:
        knowledge = Knowledge(attempt, workspace)
        probe = _probe(attempt, workspace, trace)
        caps = _caps(attempt, earlier, trace)
        work: Loop | Session
        if attempt.harness is not None:
            work = _session(attempt, skill, workspace, knowledge, trace, caps, probe)
        else:
            work = Loop(
                agent=_agent(attempt, skill, workspace, knowledge, trace, probe),
                sandbox=workspace.sandbox,
                memory=knowledge,
                trace=trace,
                caps=caps,
                mark=_mark(attempt),
                answer=attempt.answer,
                output=workspace.output,
                observations=workspace.observations,
                loci=LocusReads(skill),
                **_as_recorded(attempt, folder),
            )
        try:
            ending = work.run()
        finally:
            kept = knowledge.keep(work.turns, trace)
        added = tuple(map(redact, workspace.layer.freeze()))
        trace.event(
            "end", status=ending.status, ended_by=ending.ended_by, reason=ending.reason, installed=added
        )
    finally:
        workspace.close()
    return _record(
        attempt,
        ending,
        earlier + tally([folder]),
        skill=skill,
        folder=folder,
        sandbox=_sandbox_record(attempt, workspace),
        probe=probe,
        model=work.model if isinstance(work, Session) and work.model else _model_name(attempt),
        installed=added,
        memory_sha256=knowledge.sha256,
        lessons_written=kept,
    )


def _session(
    attempt: Attempt,
    skill: Skill | None,
    workspace: Workspace,
    knowledge: Knowledge,
    trace: TraceWriter,
    caps: Caps,
    probe: dict[str, Any],
) -> Session:
    """The agent of its own that the arm asks for, told what it may know at the start."""
    lessons = knowledge.at_start()
    trace.event("lessons", at="start", turn=0, ids=[lesson.id for lesson in lessons])
    return Session(
        attempt,
        workspace,
        memory=knowledge,
        trace=trace,
        caps=caps,
        skill=skill,
        lessons=lessons,
        probe=probe,
    )


def _sandbox_record(attempt: Attempt, workspace: Workspace) -> SandboxRecord:
    """What isolation was achieved; an arm's harness may have more of the network than the rest."""
    record = workspace.sandbox.record
    asked = attempt.sandbox.network
    if attempt.harness is None or record.network == asked:
        return record
    note = f"the network is {record.network} for the harness of this arm; sandbox.network is {asked}"
    return record.model_copy(update={"warnings": (*record.warnings, note)})


def _agent(
    attempt: Attempt,
    skill: Skill | None,
    workspace: Workspace,
    knowledge: Knowledge,
    trace: TraceWriter,
    probe: dict[str, Any],
) -> Agent:
    """The agent the arm asks for, told what it may know at the start."""
    lessons = knowledge.at_start()
    trace.event("lessons", at="start", turn=0, ids=[lesson.id for lesson in lessons])
    if _agent_name(attempt) == "offline":
        return OfflineAgent(skill, _mark(attempt), lessons)
    from labagent.reproduce.model_agent import Assignment, ModelAgent

    model = _model(attempt, workspace, trace)
    assignment = Assignment(
        task=attempt.task.read_text("utf-8-sig"),
        answer=attempt.answer,
        budget=attempt.budget,
        mark=_mark(attempt),
        skill=skill,
        data=attempt.data.files,
        protocol=workspace.protocol,
        probe=probe,
        lessons=lessons,
    )
    return ModelAgent(model, assignment, workspace.neutral)


def _model(attempt: Attempt, workspace: Workspace, trace: TraceWriter) -> Model:
    """The model to ask: a recording of one, or the one itself, recorded."""
    from labagent.llm import LitellmModel, Recording, ReplayModel

    if attempt.replay is not None:
        return ReplayModel(attempt.replay.calls, trace)
    assert attempt.model is not None
    return LitellmModel(attempt.model, trace, Recording(workspace.folder / CALLS))


def _caps(attempt: Attempt, earlier: Tally, trace: TraceWriter) -> Caps:
    """The caps of this try; a replay's count what the recorded one had spent before."""
    if attempt.replay is None:
        return Caps(attempt.budget, lambda: earlier.costs + trace.costs)
    before = attempt.replay.earlier
    return ReplayCaps(attempt.budget, lambda: before + trace.costs, recorded=attempt.replay)


def _mark(attempt: Attempt) -> str:
    """The line that ends the run: the recorded one in a replay."""
    if attempt.replay is not None:
        return attempt.replay.mark
    content = f"{attempt.key}{attempt.data.content_sha256}"
    return sentinel(attempt.arm, attempt.target, attempt.number, content)


def _as_recorded(attempt: Attempt, folder: Path) -> dict[str, Any]:
    """What a replay's loop shows of results; nothing special for others."""
    recorded = attempt.replay
    if recorded is None:
        return {}
    return {"shown": lambda turn, result: recorded.shown(turn, result, folder)}


def _probe(attempt: Attempt, workspace: Workspace, trace: TraceWriter) -> dict[str, Any]:
    """Facts of the machine as a command finds it, or as the replayed try found it."""
    from labagent.sandbox import probe

    facts = attempt.replay.facts if attempt.replay else probe(workspace.sandbox)
    trace.event("probe", facts=facts, sandbox=workspace.sandbox.record.model_dump(mode="json"))
    return facts


def _start(attempt: Attempt, skill: Skill | None, earlier: Tally) -> dict[str, Any]:
    """What an attempt started from; ``earlier`` is what counts against its caps of tries before."""
    costs = attempt.replay.earlier if attempt.replay else earlier.costs
    return {
        "arm": attempt.arm,
        "target": attempt.target,
        "attempt": attempt.number,
        "agent": _agent_name(attempt),
        "model": _model_name(attempt),
        "budget": attempt.budget.model_dump(mode="json"),
        "mark": _mark(attempt),
        **({"earlier": asdict(costs) | {"usage": costs.usage.model_dump()}} if costs != Costs() else {}),
        **({"replay_of": attempt.replay.name} if attempt.replay else {}),
        **_hashes(attempt, skill),
    }


def _agent_name(attempt: Attempt) -> str:
    """Which agent makes the attempt."""
    if attempt.replay is not None:
        return str(attempt.replay.start["agent"])
    if attempt.harness is not None:
        return attempt.harness.adapter
    return "offline" if attempt.model is None else "model"


def _model_name(attempt: Attempt) -> str:
    """The model that is asked, or was."""
    if attempt.replay is not None:
        return str(attempt.replay.start["model"])
    if attempt.harness is not None:
        return ""
    return attempt.model.model if attempt.model else ""


def _hashes(attempt: Attempt, skill: Skill | None) -> dict[str, str]:
    """Content hashes of all that an attempt depends on."""
    return {
        "skill_sha256": skill.sha256 if skill else "",
        "task_sha256": sha256_file(attempt.task),
        "data_sha256": attempt.data.content_sha256,
        "lock_sha256": attempt.environment.lock_sha256,
    }


def _record(
    attempt: Attempt,
    ending: Ending,
    total: Tally,
    *,
    skill: Skill | None,
    folder: Path | None = None,
    sandbox: SandboxRecord | None = None,
    model: str | None = None,
    **fields: Any,
) -> RunRecord:
    """The record of an attempt."""
    nothing_ran = SandboxRecord(
        kind="none",
        requested=attempt.sandbox.kind,
        network=attempt.sandbox.network,
        warnings=("no command was run",),
    )
    return RunRecord(
        arm=attempt.arm,
        target=attempt.target,
        attempt=attempt.number,
        status=ending.status,
        ended_by=ending.ended_by,
        reason=redact(ending.reason),
        agent=_agent_name(attempt),
        skill=attempt.selection.skill,
        skill_origin=attempt.selection.origin,
        try_folder=folder.name if folder else "",
        tries=total.tries,
        turns=total.turns,
        failing_turns=total.failing_turns,
        lessons_shown=total.lessons_shown,
        cost_usd=0.0 if attempt.replay else total.costs.usd,
        possible_usd=0.0 if attempt.replay else total.costs.possible_usd,
        usage=total.costs.usage,
        wall_seconds=round(total.wall_seconds, 3),
        sandbox=sandbox or nothing_ran,
        model=_model_name(attempt) if model is None else model,
        replay_of=attempt.replay.name if attempt.replay else "",
        key=attempt.key,
        **_hashes(attempt, skill),
        **fields,
    )
