"""A run folder as reproduce leaves it, with an answer in it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from labagent.models.family import Family
from labagent.models.run import EnvironmentRecord, RunRecord, SandboxRecord
from labagent.models.score import ScoreRecord
from labagent.models.tables import Reference, Target
from labagent.scoring.score import score_attempt


class Bench:
    """One target and one attempt on it; change the fields, write files, then ``score()``."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.run_folder = root / "runs" / "arm" / "t" / "1"
        self.output = self.run_folder / "try-1" / "output"
        self.output.mkdir(parents=True)
        self.answer = "q=answer.json:q"
        self.protocol = ""
        self.settings: dict[str, object] = {}
        self.reference: dict[str, object] = {"value": "0.276", "sd": "0.005", "sd_kind": "seeds"}
        self.metric, self.direction = "mae", "lower"
        self.labels: Path | None = None
        self.environment: EnvironmentRecord | None = None

    def run(self, **changes: object) -> None:
        fields = {
            "arm": "arm", "target": "t", "attempt": 1, "status": "completed", "ended_by": "success",
            "agent": "offline", "try_folder": "try-1",
            "sandbox": SandboxRecord(kind="none", requested="auto", network="open"),
        }  # fmt: skip
        RunRecord.model_validate({**fields, **changes}).write(self.run_folder / "run.json")

    def file(self, name: str, content: str | bytes) -> Path:
        path = self.output / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def withhold(self, content: str) -> None:
        self.labels = self.root / "labels.csv"
        self.labels.write_text(content)

    def score(self) -> ScoreRecord:
        if not (self.run_folder / "run.json").exists():
            self.run()
        target = Target(target="t", family="f", task="task.md", answer=self.answer, protocol=self.protocol)
        reference = Reference.model_validate(
            {
                "target": "t",
                "quantity": "q",
                "metric": self.metric,
                "direction": self.direction,
                "source": "a paper",
                **self.reference,
            }
        )
        return score_attempt(
            run_folder=self.run_folder,
            target=target,
            references={"q": reference},
            labels=self.labels,
            family=Family(name="f", folder="f", scorer="metric", title="F", settings=self.settings),
            environment=self.environment,
        )

    def value(self) -> float | None:
        return self.score().quantities[0].value


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def new_bench(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Bench]:
    return lambda: Bench(tmp_path_factory.mktemp("bench"))
