import time

import pytest

from labagent.models.config import Budget
from labagent.models.run import Usage
from labagent.reproduce.caps import Caps
from labagent.reproduce.turns import WorstCase
from labagent.trace import Costs

CALL = WorstCase(tokens=1000, usd=0.02)


def caps(spent=None, **budget):
    return Caps(Budget(**budget), lambda: spent or Costs())


def test_no_cap_binds_at_the_start():
    assert caps().binding(0, CALL) is None


def test_turns_bind_when_all_are_taken():
    assert caps(turns=3).binding(2, CALL) is None
    assert caps(turns=3).binding(3, CALL).name == "turns"


def test_the_worst_case_of_the_next_call_is_reserved():
    spent = Costs(usd=0.985)
    assert caps(spent, usd=1.01).binding(1, CALL) is None
    cap = caps(spent, usd=1.0).binding(1, CALL)
    assert cap.name == "usd" and "0.9850" in cap.reason


def test_calls_without_a_whole_reply_count():
    assert caps(Costs(usd=0.5, possible_usd=0.49), usd=1.0).binding(1, CALL).name == "usd"


def test_an_action_that_costs_nothing_is_never_stopped_by_money():
    assert caps(usd=0).binding(1, WorstCase()) is None


def test_an_unknown_price_falls_back_to_tokens():
    unknown = WorstCase(tokens=1000, usd=None)
    spent = Costs(usd=None, usage=Usage(prompt_tokens=90_000, completion_tokens=9_000))
    assert caps(spent, usd=1.0).binding(1, unknown) is None
    more = Costs(usd=None, usage=Usage(prompt_tokens=90_000, completion_tokens=9_001))
    assert caps(more, usd=1.0).binding(1, unknown).name == "tokens"


def test_a_cap_on_tokens_binds_whatever_the_price():
    spent = Costs(usage=Usage(prompt_tokens=500))
    assert caps(spent, tokens=1400).binding(1, CALL).name == "tokens"


def test_the_wall_binds_and_bounds_a_command():
    limited = caps(wall_seconds=0.2, command_seconds=60)
    assert limited.command_seconds() <= 0.2
    time.sleep(0.25)
    assert limited.binding(0, CALL).name == "wall_seconds"
    assert caps(wall_seconds=100, command_seconds=3).command_seconds() == pytest.approx(3)
