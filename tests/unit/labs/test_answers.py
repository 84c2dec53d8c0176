"""The skills compute their answers: other ones on data that was changed.

That they are right on the labs' data, the main job's test says of all targets. Environments, staged data and
commands are those of the workflow, without an agent in between.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from labagent.inputs.load import Inputs
from labagent.models.answers import read_answer
from labagent.models.config import SandboxSettings
from labagent.models.tables import Reference, Target
from labagent.sandbox import Limits, Mount, open_sandbox
from labagent.skills.blocks import command_for
from labagent.skills.read import read_skill

SKILLS = ("causallib-nhefs", "cobra", "lifelines", "pydeseq2")

pytestmark = pytest.mark.slow
LIMITS = Limits(seconds=300, mem_mb=4000, processes=256, disk_mb=2000, cores=1)
FIFTH = 5
CHANGED = 0.01  # of the value: far above what solvers and number formats do


@dataclass(frozen=True)
class Bench:
    """Where things lie: staged data, skills and their environments, and room for runs."""

    staged: Path
    skills: dict[str, Path]
    environments: dict[str, Path]
    runs: Path

    def answers(self, target: Target, data: Path, name: str) -> dict[str, float]:
        """What the loci of the target's skill leave on ``data``; a failing one fails the test."""
        folder = self.runs / target.target / name
        (folder / "run").mkdir(parents=True)
        (folder / "protocol.json").write_text(json.dumps(yaml.safe_load(Path(target.protocol).read_text())))
        environment = self.environments[target.skill]
        sandbox = open_sandbox(
            SandboxSettings(kind="none"),
            mounts=[
                Mount(folder / "run", "/run", writable=True),
                Mount(data, "/data"),
                Mount(self.skills[target.skill], "/skill"),
                Mount(folder / "protocol.json", "/task/protocol.json"),
                Mount(environment, "/env/base"),
            ],
            variables={
                "PATH": "/env/base/bin",
                "LABAGENT_DATA": "/data",
                "LABAGENT_SKILL": "/skill",
                "LABAGENT_PROTOCOL": "/task/protocol.json",
            },
            cwd="/run",
            limits=LIMITS,
        )
        for index, (locus, command) in enumerate(commands(self.skills[target.skill]), 1):
            result = sandbox.run(command, output=folder / f"{index}.txt", seconds=LIMITS.seconds)
            assert result.status == 0, f"{target.target}, {locus}: {result.text}"
        sandbox.close()
        values = {q.name: read_answer(folder / "run", q) for q in target.answer}
        return {name: value for name, value in values.items() if isinstance(value, float)}


@pytest.fixture(scope="module")
def bench(
    staged: Path,
    skills: dict[str, Path],
    environments: dict[str, Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Bench:
    return Bench(staged, skills, environments, tmp_path_factory.mktemp("runs"))


def bundled(inputs: Inputs) -> list[Target]:
    """The targets of the bundled labs."""
    return [t for t in inputs.targets.values() if t.skill in SKILLS]


def on_changed_data(target: Target, bench: Bench, inputs: Inputs) -> list[str]:
    """Quantities that are as published although the data was changed; counts may well be."""
    files = bench.runs / target.target / "changed"
    shutil.copytree(bench.staged / "data" / target.target / "files", files)
    for path in sorted(files.iterdir()):
        change(path)
    theirs = bench.answers(target, files, "other")
    return [
        f"{target.target}: {name} stays {theirs[name]} on changed data"
        for name, reference in inputs.references[target.target].items()
        if not is_count(reference) and abs(theirs[name] - reference.value) < CHANGED * abs(reference.value)
    ]


def test_every_answer_changes_with_the_data(bench: Bench, inputs: Inputs) -> None:
    targets = bundled(inputs)
    assert len(targets) >= 15
    targets = [t for skill in SKILLS for t in ends([t for t in targets if t.skill == skill])]
    with ThreadPoolExecutor(2) as pool:
        faults = pool.map(lambda target: on_changed_data(target, bench, inputs), targets)
        assert [fault for each in faults for fault in each] == []


def ends(targets: list[Target]) -> list[Target]:
    """The first and the last: targets of a skill run the same code."""
    return targets if len(targets) < 3 else [targets[0], targets[-1]]


def is_count(reference: Reference) -> bool:
    """Whether a value is a whole number of things, which other data may share."""
    return reference.decimals == 0


def commands(folder: Path) -> Iterator[tuple[str, str]]:
    """The skill's blocks as the commands a run executes, with the names of their loci."""
    blocks = [(locus.name, block) for locus in read_skill(folder).loci for block in locus.blocks]
    for index, (name, block) in enumerate(blocks, 1):
        yield name, command_for(block, index, name)


def change(path: Path) -> None:
    """Alter a staged file in a way its kind allows."""
    for ending, alter in CHANGES.items():
        if path.name.endswith(ending):
            alter(path)
            return
    raise AssertionError(f"no way to change {path.name}")


def drop_samples(path: Path) -> None:
    """Leave out every fifth column of a table of counts, but the index."""
    rows = list(csv.reader(io.StringIO(path.read_text())))
    path.write_text("\n".join(",".join(c for i, c in enumerate(row) if not i or i % FIFTH) for row in rows))


def drop_rows(path: Path) -> None:
    """Leave out every fifth row."""
    lines = path.read_text().splitlines()
    path.write_text("\n".join(line for i, line in enumerate(lines) if not i or i % FIFTH) + "\n")


def change_stoichiometry(path: Path) -> None:
    """Let ATP synthase bring four protons into the cell for one ATP, not three."""
    text = gzip.decompress(path.read_bytes()).decode()
    start = text.index('id="R_ATPS4r"')
    head, tail = text[:start], text[start:]
    old = 'species="M_h_c" stoichiometry="3"'
    assert old in tail
    path.write_bytes(gzip.compress((head + tail.replace(old, old.replace("3", "4"), 1)).encode()))


CHANGES: dict[str, Callable[[Path], None]] = {
    "_counts.csv": drop_samples,
    ".csv": drop_rows,
    ".xml.gz": change_stoichiometry,
}
