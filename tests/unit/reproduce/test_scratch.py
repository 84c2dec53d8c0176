"""Attempts on a machine's own disk, and GPUs that are asked for and missing."""

import json
from dataclasses import replace

import pytest

from labagent.errors import InfrastructureError
from labagent.models.config import Budget
from labagent.reproduce import reproduce
from labagent.reproduce.scratch import scratch_of
from labagent.trace import read_trace

LOOK = """\
# Load

```bash
mkfifo pipe
ln -s answer.json link
ln -s /nowhere gone
mkdir -p deep/er && echo kept > deep/er/file.txt
df --output=target /run | tail -1
```
"""


def test_what_a_run_leaves_in_scratch_comes_back(make, tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    load = LOOK + (
        '\n```python\nimport os\nrows = open(os.environ["LABAGENT_DATA"] + "/values.csv").read().split()\n'
        'open("rows.txt", "w").write("\\n".join(rows[1:]))\n```\n'
    )
    attempt = replace(make(load=load), scratch=scratch)
    record = reproduce(attempt)
    assert (record.status, record.ended_by) == ("completed", "success"), record.reason
    output = attempt.folder / "try-1/output"
    assert json.loads((output / "answer.json").read_text()) == {"mean": 2.5}
    assert (output / "deep/er/file.txt").read_text() == "kept\n"
    assert (output / "link").readlink().name == "answer.json" and (output / "gone").is_symlink()
    assert not (output / "pipe").exists()
    assert list(scratch.iterdir()) == [], "nothing stays on the node"
    assert read_trace(attempt.folder / "try-1/trace.jsonl")[-1]["event"] == "end"


def test_scratch_of_a_killed_job_is_not_seen_by_the_next(make, tmp_path):
    from labagent.reproduce.scratch import work_folder

    attempt = make()
    old = work_folder(tmp_path, attempt.folder / "try-1")
    (old / "output").mkdir()
    (old / "output/answer.json").write_text('{"mean": 99}')
    record = reproduce(replace(attempt, scratch=tmp_path))
    assert record.status == "completed"
    assert json.loads((attempt.folder / "try-1/output/answer.json").read_text()) == {"mean": 2.5}
    assert not old.exists()


@pytest.mark.parametrize("setting", ["$LABAGENT_NO_SUCH_VARIABLE/x", "/no/such/folder"])
def test_scratch_that_is_not_there_is_said(setting):
    with pytest.raises(InfrastructureError, match=r"cluster\.scratch is .*Name a folder that every node has"):
        scratch_of(setting)


def test_scratch_may_be_a_variable_of_the_job(tmp_path, monkeypatch):
    monkeypatch.setenv("LABAGENT_TEST_TMP", str(tmp_path))
    assert scratch_of("$LABAGENT_TEST_TMP") == tmp_path
    assert scratch_of("") is None


def test_a_machine_without_the_gpus_says_so_before_anything_runs(make):
    attempt = make()
    record = reproduce(replace(attempt, budget=Budget(gpus=64)))
    assert (record.status, record.ended_by, record.turns) == ("env_failed", "env_failed", 0)
    assert record.reason.startswith("gpu: the budget asks for 64 (gpus)")
    assert not (attempt.folder / "try-1").exists()
