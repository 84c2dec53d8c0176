"""What is counted of a call: what the service reports, what it cannot have meant, and shared beginnings."""

from types import SimpleNamespace

import pytest

from labagent.errors import ModelBudgetUp
from labagent.llm import LitellmModel, Recording, ReplayModel
from labagent.llm.recording import read_recording
from labagent.llm.usage import SharedPrefix, reported_usage
from labagent.models.config import ModelSettings, Price
from labagent.models.run import Usage
from labagent.trace import TraceWriter, lost_call, read_trace
from support.model_server import Fault, ModelServer, Say

ASK = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hello"}]


def says(**usage):
    """A response with such usage."""
    details = SimpleNamespace(cached_tokens=usage.pop("cached", 0))
    return SimpleNamespace(usage=SimpleNamespace(prompt_tokens_details=details, **usage))


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        (
            says(prompt_tokens=10, completion_tokens=2, cached=4),
            Usage(prompt_tokens=10, cached_tokens=4, completion_tokens=2),
        ),
        (
            says(prompt_tokens=10, completion_tokens=2, cached=40),
            Usage(prompt_tokens=10, cached_tokens=10, completion_tokens=2),
        ),
        (says(prompt_tokens=-5, completion_tokens="many"), Usage()),
        (says(prompt_tokens=-5, completion_tokens=7), Usage()),
        (says(prompt_tokens=float("inf"), completion_tokens=7), Usage()),
        (says(prompt_tokens=None, completion_tokens=float("nan")), Usage()),
        (SimpleNamespace(usage=None), Usage()),
        (object(), Usage()),
    ],
)
def test_usage_that_cannot_be_is_not_counted(response, expected):
    assert reported_usage(response) == expected


def test_the_shared_beginning_is_measured_by_bytes():
    prefix = SharedPrefix()
    user = {"role": "user", "content": "äbcd"}
    assert prefix.share([user]) == 0.0
    assert prefix.share([user, {"role": "assistant", "content": "xxxxx"}]) == pytest.approx(5 / 10)
    assert prefix.share([{"role": "user", "content": "äbXY"}]) == pytest.approx(3 / 5)
    assert prefix.share([{"role": "system", "content": "äbXY"}]) == 0.0


@pytest.fixture
def model(tmp_path):
    def model(server, **settings):
        known = {"price": Price(input=10, output=30), "retries": 4, "backoff_seconds": 0.0}
        chosen = ModelSettings(api_base=server.url, **{"model": "openai/local", **known, **settings})
        trace = TraceWriter(tmp_path / "trace.jsonl")
        return LitellmModel(chosen, trace, Recording(tmp_path / "calls.jsonl")), trace

    return model


def test_an_answer_without_usage_counts_its_text_too(model):
    with ModelServer([Say("x" * 1000, usage=False)]) as server:
        reply = model(server)[0].complete(ASK)
    assert reply.usage.completion_tokens >= 250 and reply.cost_usd is None


def test_half_a_surrogate_pair_in_an_answer_is_replaced_and_recorded(model, tmp_path):
    with ModelServer([Say("a\ud800b")]) as server:
        assert model(server)[0].complete(ASK).text == "a?b"
    assert read_recording(tmp_path / "calls.jsonl").calls[0].reply.text == "a?b"


def test_a_price_of_ones_own_is_used_for_cached_tokens_where_litellm_has_others(model):
    with ModelServer([Say("x", 1000, 100, cached_tokens=600)]) as server:
        own = Price(input=100, output=300, cached_input=10)
        reply = model(server, price=own, model="gpt-4o")[0].complete(ASK)
    assert reply.cost_usd == pytest.approx((400 * 100 + 600 * 10 + 100 * 300) / 1e6)


def test_usage_is_kept_where_litellm_cannot_count_its_cost(model, monkeypatch):
    def fails(**_):
        raise RuntimeError("no such tier")

    monkeypatch.setattr("litellm.completion_cost", fails)
    with ModelServer([Say("x", 1000, 100)]) as server:
        reply = model(server, price=None, model="gpt-4o")[0].complete(ASK)
    assert reply.cost_usd == pytest.approx((1000 * 2.5 + 100 * 10) / 1e6)


def test_between_retries_it_is_asked_whether_there_is_money_left(model, tmp_path):
    left = iter([True, False])
    with ModelServer([], forever=Fault(kind="truncated")) as server:
        asker, trace = model(server)
        with pytest.raises(ModelBudgetUp, match="failed 2 times"):
            asker.complete(ASK, affordable=lambda: next(left))
    assert len(server.requests) == 2
    (call,) = read_recording(tmp_path / "calls.jsonl").calls
    assert call.failed == "budget_up" and [r["tried"] for r in call.retries] == [1, 2]
    with TraceWriter(tmp_path / "again.jsonl") as again, pytest.raises(ModelBudgetUp):
        ReplayModel(tmp_path / "calls.jsonl", again).complete(ASK)
    assert [e["event"] for e in read_trace(tmp_path / "again.jsonl")] == ["request", "retry", "retry"]
    assert again.costs == trace.costs


def test_a_call_under_way_when_its_writer_was_killed_is_reserved(model):
    with ModelServer([Say("x", 1000, 100)]) as server:
        asker, trace = model(server)
        worst = asker.worst_case_usd(ASK)
        asker.complete(ASK)
    events = read_trace(trace.path)
    assert lost_call(events).possible_usd == 0.0
    assert lost_call(events[:1]).possible_usd == pytest.approx(worst)


def test_a_second_recording_in_the_same_file_is_the_one_that_counts(model, tmp_path):
    with ModelServer([Say("one"), Say("two")]) as server:
        model(server)[0].complete(ASK)
        model(server)[0].complete(ASK)
    (call,) = read_recording(tmp_path / "calls.jsonl").calls
    assert (call.reply.text, call.occurrence) == ("two", 1)
