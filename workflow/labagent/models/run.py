"""Records of selecting, building an environment and running an attempt."""

from __future__ import annotations

from typing import Any, Literal

from labagent.models.base import FileRecord, Record

RunStatus = Literal["completed", "capped", "failed", "env_failed"]
EndedBy = Literal[
    "success",
    "agent",
    "turns",
    "usd",
    "tokens",
    "wall_seconds",
    "no_answer",
    "nonsense",
    "env_failed",
    "skill_refused",
    "data_failed",
    "harness_missing",
    "harness",
]


class SelectionRecord(FileRecord):
    """``results/select/<arm>/<target>.json``: exactly one skill, or none, and why.

    ``key``, here and in the other records of costly stages, is the hash of what the result depends on
    (``labagent.workflow.keys``).
    """

    arm: str
    target: str
    skill: str | None
    origin: str | None
    status: Literal["selected", "none", "refused"]
    reason: str
    skill_sha256: str = ""
    cost_usd: float | None = 0.0
    key: str = ""


class EnvironmentRepair(Record):
    """A change of a specification that cleared a failure of its build.

    ``lesson`` is the id of the lesson it came from, empty for a general repair; ``changes`` says in words how
    the environment departs from what was asked for.
    """

    failure_class: str
    signature: str
    fix: str
    lesson: str = ""
    changes: tuple[str, ...] = ()


class EnvironmentRecord(FileRecord):
    """``results/environments/<arm>/<target>.json``.

    ``prefix`` is the environment's folder, named by ``lock_sha256``; ``lock`` the resolved packages, one
    ``name==version`` a line. ``mapped`` says which parts of ``environment.yaml`` the venv builder took from
    the machine (R, system tools), name → what was used. ``failure_class`` is an id of the failure table.
    ``repairs`` are the changes without which it would not have built, in order.
    """

    status: Literal["ready", "env_failed"]
    builder: Literal["conda", "venv"]
    prefix: str = ""
    python: str = ""
    lock: tuple[str, ...] = ()
    lock_sha256: str = ""
    mapped: dict[str, str] = {}
    repairs: tuple[EnvironmentRepair, ...] = ()
    failure_class: str = ""
    reason: str = ""
    log: str = ""
    seconds: float = 0.0
    reused: bool = False


class Usage(Record):
    """Tokens of model calls, as the service reported them.

    ``cached_tokens`` are those of the prompt that the service read from its cache; ``prefix_tokens`` those
    that a prefix cache could have served: what a prompt shares with the beginning of the one before, by its
    bytes.
    """

    prompt_tokens: int = 0
    cached_tokens: int = 0
    completion_tokens: int = 0
    prefix_tokens: int = 0


class SandboxRecord(Record):
    """What isolation was really achieved: ``kind`` used, what was asked, and what is missing.

    ``enforced`` says by what each limit holds (``cgroup``, ``rlimit``, ``watch``, ``variables``).
    """

    kind: Literal["bubblewrap", "none"]
    requested: Literal["auto", "bubblewrap", "none"]
    network: Literal["open", "setup", "off"]
    limits: dict[str, int] = {}
    enforced: dict[str, str] = {}
    warnings: tuple[str, ...] = ()


class RunRecord(FileRecord):
    """``results/runs/<arm>/<target>/<n>/run.json``, written last, by rename.

    ``cost_usd`` is ``None`` where the price is unknown. Costs, turns and tries count killed tries, too;
    ``possible_usd`` bounds what calls may have cost besides whose reply never arrived whole. ``replay_of`` is
    ``<arm>/<target>/<attempt>`` of the attempt that a replay took its replies from; a replay costs nothing,
    its ``usage`` is the recorded one. ``installed`` is what the run put on top of its environment:
    ``name==version``, R's ``r:name==version``. ``earlier_results`` counts results of this attempt that were
    made anew on purpose, with what they had cost (``None``: unknown); they are no part of the other figures.
    """

    arm: str
    target: str
    attempt: int
    status: RunStatus
    ended_by: EndedBy
    reason: str = ""
    agent: str
    model: str = ""
    skill: str | None = None
    skill_origin: str | None = None
    skill_sha256: str = ""
    task_sha256: str = ""
    data_sha256: str = ""
    memory_sha256: str = ""
    lock_sha256: str = ""
    try_folder: str = ""
    tries: int = 1
    turns: int = 0
    failing_turns: int = 0
    lessons_shown: int = 0
    lessons_written: int = 0
    cost_usd: float | None = 0.0
    possible_usd: float = 0.0
    usage: Usage = Usage()
    wall_seconds: float = 0.0
    sandbox: SandboxRecord
    probe: dict[str, Any] = {}
    installed: tuple[str, ...] = ()
    replay_of: str = ""
    earlier_results: int = 0
    earlier_cost_usd: float | None = 0.0
    key: str = ""
