"""The bundled labs' tables, tasks and protocols fit together."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from labagent.inputs.load import Inputs
from labagent.skills.read import read_skill

ROOT = Path(__file__).parents[3]
METRIC = ROOT / "benchmarks" / "metric"
PROTOCOLS = sorted((METRIC / "protocols").glob("*.yaml"))


def test_no_file_stands_unused(inputs: Inputs) -> None:
    targets = [t for t in inputs.targets.values() if t.family == "metric"]
    used = {Path(t.task) for t in targets} | {Path(t.protocol) for t in targets}
    assert used == {*(METRIC / "tasks").iterdir(), *PROTOCOLS}


def test_task_names_every_key_of_the_answer(inputs: Inputs) -> None:
    for target in inputs.targets.values():
        if target.family == "metric":
            task = Path(target.task).read_text()
            for quantity in target.answer:
                assert f"`{quantity.file}`" in task, target.target
                assert f"`{quantity.key}`" in task, (target.target, quantity.key)


def test_protocol_reports_what_the_answer_asks(inputs: Inputs) -> None:
    curated = {lab.skill for lab in inputs.labs.values() if lab.source == "curated"}
    for target in inputs.targets.values():
        if target.family == "metric" and target.skill in curated:
            report = yaml.safe_load(Path(target.protocol).read_text())["report"]
            asked = [q.name for q in target.answer]
            assert [item["quantity"] for item in report] == asked, target.target


def test_every_curated_lab_has_its_skill_and_targets(inputs: Inputs) -> None:
    used = {t.skill for t in inputs.targets.values()}
    for lab in inputs.labs.values():
        assert lab.skill in used
        if lab.source == "curated":
            skill = read_skill(ROOT / "skills" / lab.skill)
            assert 4 <= len(skill.loci) <= 7
            assert all(locus.blocks for locus in skill.loci)


@pytest.mark.parametrize("path", PROTOCOLS, ids=lambda p: p.stem)
def test_quickstart_is_no_target(path: Path) -> None:
    """The quick start asks for something that no target asks for."""
    protocol = yaml.safe_load(path.read_text())
    for folder in sorted((ROOT / "skills").iterdir()):
        skill = read_skill(folder) if (folder / "assets" / "quickstart.yaml").is_file() else None
        if skill is None or skill.quickstart is None:
            continue
        keys = ("design", "contrast", "scenarios", "table")
        ours = {k: skill.quickstart.protocol[k] for k in keys if k in skill.quickstart.protocol}
        assert not ours or ours != {k: protocol[k] for k in keys if k in protocol}
