"""Runs of any size, written as the stages leave them, with the truth of what was generated."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from labagent.inputs import Inputs
from labagent.models.config import Arm, Config
from labagent.models.family import Family
from labagent.models.run import EnvironmentRecord, RunRecord, SandboxRecord, Usage
from labagent.models.score import Departure, ScoreRecord
from labagent.models.skill import Check, TierVerdict, Verdict
from labagent.models.tables import Lab, Reference, Target
from labagent.scoring.attempt import Measurement
from labagent.scoring.judge import judge

METRICS = (
    ("mae", "lower", ""),
    ("auroc", "higher", ""),
    ("growth rate", "match", "1/h"),
    ("spearman", "higher", ""),
)


@dataclass
class Run:
    """A generated run: its inputs, its results, and what every attempt really was."""

    inputs: Inputs
    results: Path
    truth: dict[tuple[str, str, int], tuple[str, bool, float | None]] = field(default_factory=dict)

    def score_file(self, arm: str, target: str, attempt: int = 1) -> Path:
        return self.results / "scores" / arm / target / f"{attempt}.json"

    def run_folder(self, arm: str, target: str, attempt: int = 1) -> Path:
        return self.results / "runs" / arm / target / str(attempt)


def make_inputs(root: Path, targets: int, arms: dict[str, str], attempts: int) -> Inputs:
    names = [
        f"target-{i:02d}" if i % 5 else f"a-target-with-quite-a-long-name-number-{i:02d}"
        for i in range(targets)
    ]
    rows, references = {}, {}
    for i, name in enumerate(names):
        metric, direction, unit = METRICS[i % 4]
        value = round(0.2 + 0.037 * i, 3)
        spread = {"sd": "0.012", "sd_kind": "seeds", "n": 5} if i % 3 else {}
        rows[name] = Target(
            target=name,
            family="even" if i % 2 == 0 else "odd",
            task="t.md",
            answer="value=answer.json:value",
        )
        references[name] = {
            "value": Reference.model_validate(
                {
                    **{"target": name, "quantity": "value", "metric": metric, "direction": direction},
                    **{"unit": unit, "value": f"{value:.3f}", "source": "Table 1 of a <paper> & its data"},
                    **spread,
                }
            )
        }
    families = {
        name: Family(
            name=name, folder=str(root), scorer="metric", title=f"Family {name}", description="Synthetic."
        )
        for name in ("even", "odd")
    }
    config = Config.model_validate(
        {
            "attempts": attempts,
            "models": {"m": {"model": "openai/x"}},
            "arms": {name: Arm(model=model) for name, model in arms.items()},
        }
    )
    labs = {name: Lab(skill=name, source="explore", repository="x") for name in ("lab-a", "lab-b")}
    return Inputs(root, config, labs, rows, references, families, {})


def make_run(
    root: Path, targets: int = 6, arms: dict[str, str] | None = None, attempts: int = 1, seed: int = 1
) -> Run:
    arms = arms or {"offline": "offline"}
    run = Run(make_inputs(root, targets, arms, attempts), root / "results")
    dice = random.Random(seed)
    for arm, target, attempt in run.inputs.entries():
        write_attempt(run, dice, arm, target, attempt)
    for skill, status in (("lab-a", "valid"), ("lab-b", "refused")):
        write_verdict(run, skill, status)
    return run


def write_attempt(run: Run, dice: random.Random, arm: str, target: str, attempt: int) -> None:
    (reference,) = run.inputs.references[target].values()
    status = dice.choices(("scored", "capped", "failed", "env_failed", "unscorable"), (20, 2, 1, 1, 1))[0]
    value = reference.value * (1 + dice.gauss(0, 0.04)) if status in ("scored", "capped") else None
    measured = None if value is None else Measurement(value, "computed", abs(dice.gauss(0, 0.01)) or None)
    quantity = judge("value", measured, reference, "" if measured else "answer.json: no such file")
    departures = (
        (Departure(item="seeds", published="5", ours="3", severity="major"),) if dice.random() < 0.1 else ()
    )
    tainted = status == "scored" and dice.random() < 0.05
    ScoreRecord(
        arm=arm,
        target=target,
        attempt=attempt,
        family=run.inputs.targets[target].family,
        status=status,
        within=status == "scored" and quantity.within,
        reason="" if status == "scored" else f"why it was {status}",
        quantities=(quantity,),
        departures=departures,
        tainted=tainted,
    ).write(run.score_file(arm, target, attempt))
    write_run(run, dice, arm, target, attempt, status)
    run.truth[arm, target, attempt] = (
        status,
        status == "scored" and quantity.within and not tainted,
        value,
    )


def write_run(run: Run, dice: random.Random, arm: str, target: str, attempt: int, status: str) -> None:
    ran = "completed" if status in ("scored", "unscorable") else status
    ended = {"completed": "success", "capped": "turns", "failed": "agent", "env_failed": "env_failed"}[ran]
    RunRecord(
        arm=arm,
        target=target,
        attempt=attempt,
        status=ran,
        ended_by=ended,
        agent="offline",
        skill="lab-a",
        skill_origin="offline",
        try_folder="" if ran == "env_failed" else "try-1",
        turns=dice.randint(3, 30),
        failing_turns=dice.randint(0, 3),
        lessons_written=dice.randint(0, 1),
        cost_usd=None if dice.random() < 0.05 else round(dice.random(), 3),
        usage=Usage(prompt_tokens=1000, completion_tokens=100),
        wall_seconds=round(dice.uniform(5, 90), 1),
        sandbox=SandboxRecord(
            kind="bubblewrap",
            requested="auto",
            network="open",
            warnings=("no /proc",) if dice.random() < 0.1 else (),
        ),
    ).write(run.run_folder(arm, target, attempt) / "run.json")
    if ran == "env_failed":
        EnvironmentRecord(
            status="env_failed",
            builder="venv",
            failure_class="no-matching-distribution",
            reason="no torch==0.1",
        ).write(run.results / "environments" / arm / f"{target}.json")


def write_verdict(run: Run, skill: str, status: str) -> None:
    folder = run.results / "skills" / "offline" / skill
    for number in range(5):
        (folder / "references").mkdir(parents=True, exist_ok=True)
        (folder / "references" / f"{number}.md").write_text("x")
    failing = Check(
        id="call-exists", tier=2, status="failed", message="no such call", file="references/1.md", line=7
    )
    tiers = [TierVerdict(tier=1, status="passed")]
    tiers.append(
        TierVerdict(tier=2, status="passed")
        if status == "valid"
        else TierVerdict(tier=2, status="refused", checks=(failing,))
    )
    tiers.append(TierVerdict(tier=3, status="passed" if status == "valid" else "not_run"))
    Verdict(
        skill=skill, origin="offline", status=status, reason="a call is not there", tiers=tuple(tiers)
    ).write(folder / "verdict.json")


@pytest.fixture
def new_run(tmp_path: Path) -> Callable[..., Run]:
    return lambda **sizes: make_run(tmp_path, **sizes)


@pytest.fixture(scope="session")
def run_factory() -> Callable[..., Run]:
    return make_run
