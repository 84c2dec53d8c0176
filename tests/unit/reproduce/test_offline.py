"""Whole attempts of the agent without a model, in the real sandbox."""

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from labagent.errors import InfrastructureError
from labagent.models.config import Budget
from labagent.models.run import RunRecord
from labagent.reproduce import reproduce
from labagent.trace import read_trace, verify_chain
from support.project import write


def events(attempt, kind, number=1):
    trace = read_trace(attempt.folder / f"try-{number}/trace.jsonl")
    return [event for event in trace if event["event"] == kind]


def test_a_skill_is_carried_out_and_a_missing_module_repaired(make):
    attempt = make()
    record = reproduce(attempt)
    assert (record.status, record.ended_by) == ("completed", "success"), record.reason
    assert json.loads((attempt.folder / "try-1/output/answer.json").read_text()) == {"mean": 2.5}
    assert RunRecord.read(attempt.folder / "run.json") == record
    commands = [event["command"] for event in events(attempt, "command")]
    assert [c.split("\n")[0] for c in commands[:2]] == [
        "cat > step-01-load.py <<'" + commands[0].split("'")[1] + "' && python step-01-load.py",
        "cat > step-02-answer.py <<'" + commands[1].split("'")[1] + "' && python step-02-answer.py",
    ]
    assert "python -m pip install toymean" in commands
    assert [line.partition("==")[0] for line in record.installed] == ["toymean"]
    assert (record.turns, record.failing_turns, record.tries) == (6, 1, 1)
    assert record.cost_usd == 0.0
    assert verify_chain(attempt.folder / "try-1/trace.jsonl") == []
    assert not (attempt.folder / "try-1/private").exists()


def test_the_answer_follows_the_data(make, tmp_path):
    attempt = make()
    write(tmp_path, "data/values.csv", "value\n10\n20\n")
    reproduce(attempt)
    assert json.loads((attempt.folder / "try-1/output/answer.json").read_text()) == {"mean": 15.0}


def test_a_step_that_nothing_repairs_ends_with_the_reason(make):
    record = reproduce(make(load="# Load\n\n```python\nraise ValueError('the moon is full')\n```\n"))
    assert (record.status, record.ended_by) == ("failed", "agent")
    assert "01-load" in record.reason and "the moon is full" in record.reason


def test_a_skill_that_leaves_no_answer(make):
    record = reproduce(make(answer="# Answer\n\n```bash\necho done\n```\n"))
    assert (record.status, record.ended_by) == ("failed", "no_answer")
    assert "answer.json" in record.reason


def test_without_a_skill_it_gives_up_at_once(make):
    attempt = make()
    none = attempt.selection.model_copy(update={"skill": None, "origin": None, "status": "none"})
    record = reproduce(replace(attempt, skill=None, selection=none))
    assert (record.status, record.ended_by) == ("failed", "agent")
    assert "no skill" in record.reason and record.failing_turns == 0


@pytest.mark.parametrize(
    ("stage", "status", "ended_by"),
    [
        ("selection", "refused", "skill_refused"),
        ("data", "failed", "data_failed"),
        ("environment", "env_failed", "env_failed"),
    ],
)
def test_what_failed_before_is_an_outcome_with_its_reason(make, stage, status, ended_by):
    attempt = make()
    failed = getattr(attempt, stage).model_copy(update={"status": status, "reason": "why"})
    record = reproduce(replace(attempt, **{stage: failed}))
    assert record.ended_by == ended_by and "why" in record.reason
    assert record.turns == 0 and record.tries == 0
    assert [p.name for p in attempt.folder.iterdir() if not p.name.startswith(".")] == ["run.json"]


def test_an_empty_locus_is_refused(make):
    record = reproduce(make(load=""))
    assert record.ended_by == "skill_refused" and "references/load.md" in record.reason


def test_a_command_at_its_limit_does_not_end_the_run(make):
    attempt = make(load="# Load\n\n```bash\nsleep 30\n```\n")
    record = reproduce(replace(attempt, budget=attempt.budget.model_copy(update={"command_seconds": 1.0})))
    assert record.ended_by == "agent"
    assert events(attempt, "observation")[0]["timed_out"] is True


def test_the_wall_ends_a_run_and_the_command_in_it(make):
    attempt = make(load="# Load\n\n```bash\nsleep 60\n```\n")
    started = time.monotonic()
    record = reproduce(replace(attempt, budget=Budget(wall_seconds=2.0)))
    assert (record.status, record.ended_by) == ("capped", "wall_seconds")
    assert time.monotonic() - started < 20


def test_turns_end_a_run(make):
    attempt = make()
    record = reproduce(replace(attempt, budget=attempt.budget.model_copy(update={"turns": 3})))
    assert (record.status, record.ended_by, record.turns) == ("capped", "turns", 3)


def test_a_lost_environment_is_a_fault_of_the_machinery(make, base):
    attempt = make(environment=base.model_copy(update={"prefix": "/nowhere/at/all"}))
    with pytest.raises(InfrastructureError, match="/nowhere/at/all"):
        reproduce(attempt)
    assert not (attempt.folder / "run.json").exists()
    assert events(attempt, "end")[0]["status"] == "infrastructure"


def test_a_killed_try_is_kept_and_the_next_call_starts_another(make, tmp_path):
    attempt = make(load="# Load\n\n```bash\necho started; sleep 30\n```\n")
    (tmp_path / "attempt").write_bytes(pickle.dumps(attempt))
    code = (
        "import pickle, sys; from labagent.reproduce import reproduce; "
        "reproduce(pickle.load(open(sys.argv[1], 'rb')))"
    )
    child = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "attempt")], start_new_session=True)
    trace = attempt.folder / "try-1/trace.jsonl"
    deadline = time.monotonic() + 30
    while not (trace.exists() and '"command"' in trace.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    before = trace.read_bytes()
    assert not (attempt.folder / "run.json").exists()
    record = reproduce(make())
    assert record.status == "completed"
    assert (record.tries, record.try_folder) == (2, "try-2")
    assert record.turns == 1 + 6, "the killed try's turn counts"
    assert trace.read_bytes() == before
    again = reproduce(make())
    assert (again.try_folder, again.tries, again.turns) == ("try-3", 1, 6), "a finished result is paid for"


def test_what_a_command_sees(make, tmp_path):
    probing = """\
    # Load

    ```bash
    ls "$LABAGENT_DATA" "$LABAGENT_SKILL"
    cat "$LABAGENT_TASK" "$LABAGENT_PROTOCOL"
    locus answer | head -n 1
    locus nothing || echo refused
    locus ../SKILL || echo refused
    touch "$LABAGENT_DATA/x" 2>/dev/null || echo read-only
    ```
    """
    attempt = make(load=probing, protocol=write(tmp_path, "p.yaml", "seeds: [1, 2]\n"))
    reproduce(attempt)
    text = events(attempt, "observation")[0]["text"]
    assert "values.csv" in text and "SKILL.md" in text and "Write answer.json" in text
    assert '"seeds"' in text and "# Answer" in text and text.count("refused") == 2
    assert "read-only" in text or events(attempt, "probe")[0]["sandbox"]["kind"] == "none"


def test_an_offline_run_starts_light():
    code = (
        "import sys, labagent.reproduce.run\n"
        "print([m for m in ('litellm', 'pandas', 'jinja2', 'scipy', 'rich') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_secrets_stay_out_of_what_is_written(make, monkeypatch):
    secret = "tok-5up3r-s3cret-value-42"
    monkeypatch.setenv("SOME_API_TOKEN", secret)
    attempt = make(load=f"# Load\n\n```bash\necho the token is {secret}\nenv\n```\n")
    reproduce(attempt)
    written = b"".join(p.read_bytes() for p in Path(attempt.folder).rglob("*") if p.is_file())
    assert secret.encode() not in written
