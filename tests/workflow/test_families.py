"""An open task with a withheld variable, through the whole workflow: a model arm without a skill."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from support.model_server import ModelServer, Say
from support.scripted import CONFIG, command, finish
from support.toy import snakemake, toy_project

FAMILY = Path(__file__).resolve().parents[2] / "benchmarks/genebench_pro"
PROBLEM = FAMILY / "problems/donor-effect"
NAME = "donor-effect-no-donor"
SCORE = f"results/scores/model/{NAME}/1.json"
NAMES = " -o ".join(f"-name {name}" for name in ("solution.py", f"{NAME}.yaml", "cells.csv"))
LOOK = f"""head -1 $LABAGENT_DATA/cells.csv
find / -path /proc -prune -o \\( {NAMES} \\) -print 2>/dev/null; true"""


@pytest.mark.slow
def test_a_withheld_variable_is_recovered_from_the_data_and_nowhere_else(tmp_path: Path) -> None:
    root = toy_project(tmp_path)
    shutil.copytree(FAMILY, root / "benchmarks/genebench_pro")
    parts = [
        f"cat > {name} <<'END'\n{(PROBLEM / place).read_text().replace('`', '')}END"
        for name, place in (("common.py", "common.py"), ("solve.py", "alternatives/from_genotypes.py"))
    ]
    work = "\n".join([*parts, 'python solve.py "$LABAGENT_DATA" answer.json'])
    with ModelServer([command(LOOK), command(work), Say(finish)], forever=Say("no")) as server:
        config = CONFIG.format(url=server.url).replace("{model: local}", "{model: local, skills: none}")
        selection = f"selection: {{targets: [{NAME}], arms: [model]}}\n"
        (root / "config/config.yaml").write_text(config + selection)
        snakemake(root, "--cores", "1", SCORE)
    score = json.loads((root / SCORE).read_text())
    assert (score["status"], score["within"], score["tainted"]) == ("scored", True, False), score["reason"]
    run = json.loads((root / f"results/runs/model/{NAME}/1/run.json").read_text())
    trace = (root / f"results/runs/model/{NAME}/1" / run["try_folder"] / "trace.jsonl").read_text()
    seen = next(e["text"] for line in trace.splitlines() if (e := json.loads(line))["event"] == "observation")
    assert seen.startswith("cell,condition,snp01") and "donor" not in seen.splitlines()[0]
    if run["sandbox"]["kind"] == "bubblewrap":
        assert "solution.py" not in seen and f"{NAME}.yaml" not in seen
        assert seen.count("/cells.csv") == 1
    assert [c["verdict"] for q in score["quantities"] for c in q["criteria"]] == ["met"] * 4
