"""A real small model drives whole runs, through litellm over HTTP; what it says is up to it.

Opt-in: start any OpenAI-compatible server with a small model, then

    LABAGENT_TEST_MODEL_URL=http://127.0.0.1:8080/v1 LABAGENT_TEST_MODEL=openai/NAME \
        python -m pytest -n 0 -m local_model tests/unit/reproduce/test_small_model.py
"""

import os
import time
from dataclasses import replace

import pytest

from labagent.models.config import Budget, ModelSettings, Price
from labagent.reproduce import reproduce
from labagent.reproduce.compare import compare
from labagent.reproduce.recorded import read_recorded
from labagent.reproduce.verify import verify_record, verify_try

pytestmark = pytest.mark.local_model
WALL = 240.0


@pytest.fixture
def attempt(make):
    def attempt(**settings):
        model = ModelSettings(
            model=os.environ.get("LABAGENT_TEST_MODEL", "openai/local"),
            api_base=os.environ["LABAGENT_TEST_MODEL_URL"],
            max_output_tokens=200,
            timeout_seconds=WALL,
            retries=1,
            **settings,
        )
        made = make(budget=Budget(turns=6, usd=0.5, wall_seconds=WALL, command_seconds=20))
        return replace(made, arm="model", model=model, folder=made.folder.parents[2] / "model/toy/1")

    return attempt


@pytest.mark.parametrize(
    ("settings", "known"),
    [({"context_tokens": 4096}, False), ({"context_tokens": 2048, "price": Price(input=0, output=0)}, True)],
    ids=["unknown price", "free, and a window that is too small"],
)
def test_whatever_it_says_the_run_ends_within_its_caps_and_is_whole(attempt, tmp_path, settings, known):
    mine = attempt(**settings)
    started = time.monotonic()
    record = reproduce(mine)
    print(f"{record.status}, {record.ended_by} after {record.turns} turns, {record.failing_turns} failing: ")
    print(f"{record.reason}; {record.usage}, US$ {record.cost_usd}")
    assert time.monotonic() - started < WALL + 60
    assert record.turns <= 6 and record.usage.prompt_tokens > 0
    assert record.cost_usd == (0.0 if known else None)
    assert record.usage.prompt_tokens + record.usage.completion_tokens <= 50_000
    assert verify_try(mine.folder / "try-1/trace.jsonl").faults == ()
    assert verify_record(mine.folder / "run.json") == []
    recorded = read_recorded(mine.folder)
    folder = tmp_path / "replays/toy"
    again = replace(mine, folder=folder, model=None, replay=recorded, budget=recorded.budget)
    assert reproduce(again).ended_by == record.ended_by
    assert compare(recorded, read_recorded(folder), mine.answer).differences == ()
