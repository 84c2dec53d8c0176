"""``labagent doctor`` says what is here and never shows a key."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CALL = [sys.executable, "-c", "import sys; from labagent.cli import main; sys.exit(main())"]


def doctor(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")} | variables
    return subprocess.run([*CALL, "doctor", *words], capture_output=True, text=True, env=environment)


def follows(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {entry["topic"]: entry for entry in found["follows"]}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.yaml").write_text(
        "arms: {offline: {model: offline}}\nmodels: {big: {model: openai/x, api_key_env: MY_LAB_KEY}}\n"
    )
    return tmp_path


def test_what_is_said_is_what_is_here(root: Path) -> None:
    done = doctor("--json", "--root", str(root))
    found = json.loads(done.stdout)
    assert done.returncode == 0
    for name in ("git", "conda", "mamba", "micromamba", "Rscript", "sbatch", "sinfo"):
        assert found["programs"][name]["here"] == (shutil.which(name) is not None)
    assert found["machine"]["python"] == ".".join(map(str, sys.version_info[:3]))
    assert found["machine"]["litellm"][0].isdigit() and found["machine"]["disk_free_gb"] > 0
    assert follows(found)["arm offline"]["works"] and follows(found)["executor local"]["works"]


def test_keys_are_named_and_never_shown(root: Path) -> None:
    done = doctor("--json", "--root", str(root), MY_LAB_KEY="swordfish-7", OPENAI_API_KEY="abc-trout-9")
    keys = json.loads(done.stdout)["keys"]
    assert keys["MY_LAB_KEY"] == {"set": True, "models": ["big"]}
    assert keys["OPENAI_API_KEY"] == {"set": True, "models": []}
    assert keys["GEMINI_API_KEY"] == {"set": False, "models": []}
    everything = done.stdout + done.stderr + doctor("--root", str(root), MY_LAB_KEY="swordfish-7").stdout
    assert "swordfish" not in everything and "trout" not in everything


def test_a_model_without_its_key_is_said(root: Path) -> None:
    entry = follows(json.loads(doctor("--json", "--root", str(root)).stdout))["models"]
    assert not entry["works"] and "big" in entry["text"]


def test_on_a_bare_machine_it_says_what_to_install(root: Path, tmp_path: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    left_out = {"git", "conda", "mamba", "micromamba", "Rscript", "sbatch", "sinfo"}
    for program in Path("/usr/bin").iterdir():
        if program.name not in left_out:
            (bare / program.name).symlink_to(program)
    found = json.loads(doctor("--json", "--root", str(root), PATH=str(bare)).stdout)
    entries = follows(found)
    assert not entries["builder conda"]["works"] and "micromamba" in entries["builder conda"]["text"]
    assert not entries["sources from git"]["works"] and entries["sources from git"]["text"] == "install git"
    assert not entries["targets in R"]["works"] and "r-base-core" in entries["targets in R"]["text"]
    assert not entries["executor slurm"]["works"] and "sbatch" in entries["executor slurm"]["text"]


def test_a_program_that_fails_is_not_taken_at_its_word(root: Path, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("sinfo", "sbatch"):
        (programs / name).write_text("#!/bin/sh\nexit 1\n")
        (programs / name).chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    found = json.loads(doctor("--json", "--root", str(root), PATH=path).stdout)
    entry = follows(found)["executor slurm"]
    assert not entry["works"] and "no answer" in entry["text"]


def test_a_broken_config_is_reported_not_raised(root: Path) -> None:
    (root / "config" / "config.yaml").write_text("arms:\n\t- x\n")
    done = doctor("--root", str(root))
    assert done.returncode == 0 and "Traceback" not in done.stderr
    assert not follows(json.loads(doctor("--json", "--root", str(root)).stdout))["config"]["works"]


def test_faults_in_the_tables_are_shown(root: Path) -> None:
    (root / "config" / "labs.tsv").write_text("skill\tsource\trepository\nBad Name\tcurated\t.\n")
    (root / "config" / "targets.tsv").write_text("target\tfamily\ttask\tanswer\n")
    (root / "config" / "references.tsv").write_text("target\tquantity\tmetric\tvalue\n")
    found = json.loads(doctor("--json", "--root", str(root)).stdout)
    entry = follows(found)["config"]
    assert found["config"]["readable"] and not entry["works"]
    assert "config/labs.tsv, line 2" in entry["text"]
    assert "config/labs.tsv, line 2" in doctor("--root", str(root)).stdout


def test_a_sound_project_has_no_faults() -> None:
    project = Path(__file__).parents[3]
    assert follows(json.loads(doctor("--json", "--root", str(project)).stdout))["config"]["works"]
