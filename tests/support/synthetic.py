"""Benchmarks of any size as the stages leave them, with the truth of what every attempt was.

Values are drawn around the published ones; some are given to two arms, so that there are exact ties. Files
are written without waiting for the disk.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from pathlib import Path

from labagent.inputs import Inputs
from labagent.models.base import FileRecord
from labagent.models.config import Arm, Config
from labagent.models.family import Family
from labagent.models.run import EnvironmentRecord, RunRecord, SandboxRecord, SelectionRecord, Usage
from labagent.models.score import Audit
from labagent.models.tables import Lab, Reference, Target
from labagent.scoring.score import score_attempt

LABS = 11
STATUSES = {"scored": 70, "capped": 8, "failed": 6, "unscorable": 4, "infrastructure": 4}
METRICS = (("mae", "lower"), ("auroc", "higher"), ("growth", "match"), ("spearman", "higher"))
BOARD = (0.31, 0.42, 0.42, 0.55, 0.68, 0.81, 1.4, 2.2)
"""Values of other methods on every board."""
LOCK = tuple(f"package-{i}=={i % 7}.{i % 5}.1" for i in range(60))
Place = tuple[str, str, int]


@dataclass(frozen=True)
class Truth:
    """One attempt as it was made. ``departs``: it ran with fewer iterations than the protocol says."""

    status: str
    value: float | None
    tainted: bool
    cost: float | None
    wall: float
    failing: int
    departs: bool


@dataclass
class Benchmark:
    """Inputs, results, and the truth by (arm, target, attempt)."""

    inputs: Inputs
    results: Path
    truth: dict[Place, Truth] = field(default_factory=dict)

    def score(self) -> None:
        """Score every attempt that has a run, as the score stage does."""
        for (arm, target, attempt), truth in self.truth.items():
            if truth.status == "infrastructure":
                continue
            row = self.inputs.targets[target]
            environment = self.results / "environments" / arm / f"{target}.json"
            record = score_attempt(
                run_folder=self.results / "runs" / arm / target / str(attempt),
                target=row,
                references=self.inputs.references[target],
                labels=None,
                family=self.inputs.families[row.family],
                environment=EnvironmentRecord.model_validate_json(environment.read_bytes()),
            )
            if truth.tainted:
                record = record.model_copy(update={"tainted": True, "audit": Audit(verdict="tainted")})
            put(self.results / "scores" / arm / target / f"{attempt}.json", record)


def put(path: Path, record: FileRecord | str) -> None:
    """Write a record, or text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(record if isinstance(record, str) else record.model_dump_json())


def generate(
    root: Path, *, targets: int, arms: dict[str, str], attempts: int, seed: int = 1, turns: int = 3
) -> Benchmark:
    """Make the inputs and what selecting, building and running leave.

    Args:
        root: an empty folder.
        targets: how many targets.
        arms: the model (``offline`` or ``m``) by arm.
        attempts: attempts of each entry.
        seed: of the dice.
        turns: commands in each trace.
    """
    made = Benchmark(_inputs(root, targets, arms, attempts), root / "results")
    dice = random.Random(seed)
    for target in made.inputs.targets:
        before: dict[int, float] = {}
        for arm in arms:
            env_failed = dice.random() < 0.04
            _pair(made, dice, arm, target, env_failed)
            for attempt in range(1, attempts + 1):
                truth = _truth(made, dice, target, before.get(attempt), env_failed)
                if truth.value is not None:
                    before[attempt] = truth.value
                made.truth[arm, target, attempt] = truth
                _attempt(made, dice, (arm, target, attempt), truth, turns)
    return made


def _inputs(root: Path, targets: int, arms: dict[str, str], attempts: int) -> Inputs:
    """Targets of eleven labs in two families, one of which has leaderboards."""
    names = [f"target-{i:04d}" for i in range(targets)]
    for family in ("ranked", "plain"):
        (root / "benchmarks" / family).mkdir(parents=True)
    (root / "protocol.yaml").write_text("iterations: 1000\n")
    rows, references, boards = {}, {}, ["board\tmethod\tvalue"]
    for i, name in enumerate(names):
        metric, direction = METRICS[i % 4]
        family = "ranked" if i % 3 else "plain"
        rows[name] = Target(
            target=name, family=family, skill=f"lab-{i % LABS}", task="t.md",
            answer="value=answer.json:value",
            protocol=str(root / "protocol.yaml") if i % 3 == 0 else "",
        )  # fmt: skip
        boards += [f"board-{i}\tmethod-{k}\t{value}" for k, value in enumerate(BOARD)] * (family == "ranked")
        spread = ({"sd": "0.012", "sd_kind": "seeds"}, {"tolerance": "0.03", "tolerance_kind": "rel"}, {})[
            i % 3
        ]
        place = {"board": f"board-{i}", "method": "method-3"} if family == "ranked" else {}
        references[name] = {
            "value": Reference.model_validate(
                {"target": name, "quantity": "value", "metric": metric, "direction": direction, "source": "s",
                 "value": f"{0.3 + 0.01 * (i % 60):.3f}", **spread, **place}
            )
        }  # fmt: skip
    (root / "benchmarks/ranked/leaderboards.tsv").write_text("\n".join(boards) + "\n")
    families = {
        name: Family(name=name, folder=str(root / "benchmarks" / name), scorer="metric", title=name)
        for name in ("ranked", "plain")
    }
    config = Config.model_validate(
        {"attempts": attempts, "models": {"m": {"model": "openai/x"}},
         "arms": {name: Arm(model=model) for name, model in arms.items()}}
    )  # fmt: skip
    labs = {f"lab-{i}": Lab(skill=f"lab-{i}", source="explore", repository="x") for i in range(LABS)}
    return Inputs(root, config, labs, rows, references, families, {})


def _truth(
    made: Benchmark, dice: random.Random, target: str, before: float | None, env_failed: bool
) -> Truth:
    """What an attempt is to be."""
    status = "env_failed" if env_failed else dice.choices(list(STATUSES), list(STATUSES.values()))[0]
    value = None
    if status in ("scored", "capped"):
        published = made.inputs.references[target]["value"].value
        value = before if before and dice.random() < 0.15 else published * (1 + dice.gauss(0, 0.04))
    ran = status not in ("env_failed", "infrastructure")
    return Truth(
        status=status,
        value=value,
        tainted=status == "scored" and dice.random() < 0.05,
        cost=None if dice.random() < 0.05 else round(dice.random(), 3) if ran else 0.0,
        wall=round(dice.uniform(5, 90), 1),
        failing=dice.randint(0, 3) if ran else 0,
        departs=ran and bool(made.inputs.targets[target].protocol) and dice.random() < 0.3,
    )


def _pair(made: Benchmark, dice: random.Random, arm: str, target: str, env_failed: bool) -> None:
    """The records of selecting a skill and building its environment."""
    skill = made.inputs.targets[target].skill
    put(
        made.results / "select" / arm / f"{target}.json",
        SelectionRecord(arm=arm, target=target, skill=skill, origin="offline", status="selected", reason="r"),
    )
    record = EnvironmentRecord(
        status="env_failed" if env_failed else "ready", builder="venv", lock=() if env_failed else LOCK,
        failure_class="no-matching-distribution" if env_failed else "", seconds=dice.uniform(1, 60),
    )  # fmt: skip
    put(made.results / "environments" / arm / f"{target}.json", record)


def _attempt(made: Benchmark, dice: random.Random, place: Place, truth: Truth, turns: int) -> None:
    """What a run leaves: its record, its answer and its trace."""
    arm, target, attempt = place
    folder = made.results / "runs" / arm / target / str(attempt)
    if truth.status != "env_failed":
        put(folder / "try-1" / "trace.jsonl", _trace(truth, turns))
    if truth.status == "infrastructure":
        return
    answer = {"scored": truth.value, "capped": truth.value, "unscorable": "no number"}.get(truth.status)
    if answer is not None:
        put(folder / "try-1" / "output" / "answer.json", json.dumps({"value": answer}))
    ran = "completed" if truth.status in ("scored", "unscorable") else truth.status
    ended = {"completed": "success", "capped": "turns", "failed": "agent", "env_failed": "env_failed"}[ran]
    warnings = ("no /proc",) if dice.random() < 0.1 else ()
    record = RunRecord.model_validate(
        {"arm": arm, "target": target, "attempt": attempt, "status": ran, "ended_by": ended,
         "agent": "offline",
         "skill": made.inputs.targets[target].skill, "skill_origin": "offline",
         "try_folder": "" if ran == "env_failed" else "try-1", "turns": turns, "failing_turns": truth.failing,
         "cost_usd": truth.cost, "usage": Usage(prompt_tokens=1000, completion_tokens=100),
         "wall_seconds": truth.wall,
         "sandbox": SandboxRecord(kind="bubblewrap", requested="auto", network="open", warnings=warnings)}
    )  # fmt: skip
    put(folder / "run.json", record)


def _trace(truth: Truth, turns: int) -> str:
    """Commands with what they printed; the first one says how many iterations there were."""
    events: list[dict[str, object]] = [{"event": "start", "time": 1.0}]
    for turn in range(1, turns + 1):
        count = 400 if truth.departs else 1000
        command = f"python fit.py --max-iter {count}" if turn == 1 else f"step {turn}"
        events += [
            {"event": "command", "turn": turn, "command": command},
            {"event": "observation", "turn": turn, "status": 0, "text": "loss 0.1234 at step 5\n" * 20},
        ]
    if truth.failing:
        events.append({"event": "lessons", "turn": 1, "failure_class": "missing-module", "signature": "no x"})
    events.append({"event": "end", "status": truth.status})
    lines = ({"seq": i, "time": float(i), **event} for i, event in enumerate(events, start=1))
    return "".join(json.dumps(line) + "\n" for line in lines)
