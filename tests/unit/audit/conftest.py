"""A try's folder as a run leaves it, written with the real trace writer, and its audit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from labagent.audit import Facts, audit_attempt
from labagent.models.run import RunRecord, SandboxRecord
from labagent.models.score import Audit
from labagent.models.tables import Reference
from labagent.trace import TraceWriter


class Case:
    """Commands with what they print, and the facts they are held against."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.facts = Facts(root=Path("/srv/project"))
        self.network = "open"
        self.turns: list[tuple[str, str]] = []
        self.name = "try-1"

    @property
    def output(self) -> Path:
        return self.root / self.name / "output"

    def reference(self, value: str, name: str = "coef") -> Case:
        row = Reference.model_validate(
            {
                "target": "t",
                "quantity": name,
                "metric": "m",
                "direction": "match",
                "value": value,
                "source": "a",
            }
        )
        self.facts = replace(self.facts, references={**self.facts.references, name: row})
        return self

    def run(self, command: str, printed: str = "") -> Case:
        self.turns.append((command, printed))
        return self

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def record(self, *, status: str | None = "completed") -> Case:
        """Write the try; without a status it was killed."""
        self.output.mkdir(parents=True, exist_ok=True)
        with TraceWriter(self.root / self.name / "trace.jsonl") as trace:
            trace.event("start", arm="a")
            trace.event("probe", facts={}, sandbox={"kind": "bubblewrap", "network": self.network})
            for turn, (command, printed) in enumerate(self.turns, start=1):
                trace.event("command", turn=turn, command=command, step="", lesson="")
                trace.event("observation", turn=turn, file="f", status=0, text=printed, omitted=0)
            if status:
                trace.event("end", status=status)
        self.turns = []
        return self

    def audit(self) -> Audit:
        if not (self.root / self.name).exists():
            self.record()
        sandbox = SandboxRecord(kind="bubblewrap", requested="auto", network="open")
        record = RunRecord(
            arm="a",
            target="t",
            attempt=1,
            status="completed",
            ended_by="success",
            agent="model",
            sandbox=sandbox,
            try_folder=self.name,
        )
        return audit_attempt(self.root, record, self.facts)

    def kinds(self, *, taints: bool = True) -> list[str]:
        return [row.kind for row in self.audit().evidence if row.taints is taints]


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return Case(tmp_path)


@pytest.fixture
def new_case(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Case]:
    return lambda: Case(tmp_path_factory.mktemp("case"))
