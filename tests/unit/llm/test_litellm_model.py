"""The model through real litellm, over real HTTP, to a local server."""

import time

import pytest

from labagent.errors import ContextOverflow, InfrastructureError, ModelConfigError, ModelTimeUp, ReplayMiss
from labagent.llm import LitellmModel, Recording, ReplayModel
from labagent.models.config import ModelSettings, Price
from labagent.models.run import Usage
from labagent.trace import TraceWriter, costs, read_trace, verify_chain
from support.model_server import Fault, ModelServer, Say

ASK = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hello"}]
PRICE = Price(input=10, output=30, cached_input=1)


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def trace(tmp_path):
    with TraceWriter(tmp_path / "trace.jsonl") as trace:
        yield trace


def settings(server, **fields):
    defaults = {"price": PRICE, "backoff_seconds": 0.01, "retries": 3, "timeout_seconds": 5}
    return ModelSettings(model="openai/local", api_base=server.url, **{**defaults, **fields})


def kinds(trace):
    return [event["event"] for event in read_trace(trace.path)]


def test_a_reply_with_usage_cached_tokens_and_cost(trace):
    with ModelServer([Say("good day", 1000, 100, cached_tokens=400)]) as server:
        reply = LitellmModel(settings(server), trace).complete(ASK)
    assert reply.text == "good day"
    assert reply.usage == Usage(prompt_tokens=1000, cached_tokens=400, completion_tokens=100)
    assert reply.cost_usd == pytest.approx((600 * 10 + 400 * 1 + 100 * 30) / 1e6)
    assert kinds(trace) == ["request", "usage", "reply"]
    assert costs(trace.path).usd == pytest.approx(reply.cost_usd)
    assert server.requests[0]["messages"] == ASK
    assert server.requests[0]["temperature"] == 0.0


def test_an_unknown_price_is_unknown_not_zero(trace):
    with ModelServer([Say("x")]) as server:
        model = LitellmModel(settings(server, price=None), trace)
        assert model.worst_case_usd(ASK) is None
        assert model.complete(ASK).cost_usd is None
    assert costs(trace.path).usd is None


def test_a_service_without_usage_leaves_the_cost_unknown(trace):
    with ModelServer([Say("x", usage=False)]) as server:
        reply = LitellmModel(settings(server), trace).complete(ASK)
    assert reply.cost_usd is None and not reply.reported
    assert reply.usage.prompt_tokens > 0, "estimated, so that a cap on tokens holds"


def test_litellms_own_price_table_is_used_where_no_other_is_given(trace):
    with ModelServer([Say("x", 1000, 100)]) as server:
        known = settings(server, price=None).model_copy(update={"model": "gpt-4o"})
        reply = LitellmModel(known, trace).complete(ASK)
    assert reply.cost_usd == pytest.approx((1000 * 2.5 + 100 * 10) / 1e6)


@pytest.mark.parametrize(
    "fault",
    [
        Fault(status=429, retry_after=0.01),
        Fault(status=500),
        Fault(status=503),
        Fault(kind="drop"),
        Fault(kind="cut"),
        Fault(kind="truncated"),
    ],
    ids=lambda fault: str(fault.status or fault.kind),
)
def test_a_fault_is_retried_and_traced(trace, fault):
    with ModelServer([fault, fault, Say("at last")]) as server:
        reply = LitellmModel(settings(server), trace).complete(ASK)
    assert reply.text == "at last"
    assert kinds(trace) == ["request", "retry", "retry", "usage", "reply"]
    assert len(server.requests) == 3, "litellm's own retries must stay off"


def test_a_reply_that_never_arrived_whole_may_have_been_billed(trace):
    with ModelServer([Fault(status=429), Fault(kind="truncated"), Say("x")]) as server:
        model = LitellmModel(settings(server), trace)
        worst = model.worst_case_usd(ASK)
        model.complete(ASK)
    assert costs(trace.path).possible_usd == pytest.approx(worst)


def test_retry_after_is_honoured(trace):
    with ModelServer([Fault(status=429, retry_after=0.7), Say("x")]) as server:
        started = time.monotonic()
        LitellmModel(settings(server), trace).complete(ASK)
    assert time.monotonic() - started > 0.7


@pytest.mark.parametrize("kind", ["hang", "drip"])
def test_a_silent_or_dripping_service_is_cut_off_and_retried(trace, kind, monkeypatch):
    monkeypatch.setattr("labagent.llm.litellm_model.GRACE_SECONDS", 0.1)
    with ModelServer([Fault(kind=kind, seconds=20), Say("x")]) as server:
        started = time.monotonic()
        LitellmModel(settings(server, timeout_seconds=0.5), trace).complete(ASK)
    assert time.monotonic() - started < 5
    assert "retry" in kinds(trace)


def test_a_service_that_stays_down_is_an_infrastructure_error(trace, monkeypatch):
    monkeypatch.setenv("LOCAL_KEY", "sk-very-secret-value-0123456789")
    with ModelServer([], forever=Fault(status=500, message="overloaded")) as server:
        model = LitellmModel(settings(server, retries=2, api_key_env="LOCAL_KEY"), trace)
        with pytest.raises(InfrastructureError) as caught:
            model.complete(ASK)
    assert server.headers[0]["authorization"] == "Bearer sk-very-secret-value-0123456789"
    message = str(caught.value)
    assert "openai/local" in message and "3 times" in message and "overloaded" in message
    assert "very-secret" not in message + trace.path.read_text()
    assert kinds(trace) == ["request", "retry", "retry", "retry"]


def test_nobody_listens(trace):
    with ModelServer([]) as server:
        gone = settings(server, retries=1)
    with pytest.raises(InfrastructureError, match="2 times"):
        LitellmModel(gone, trace).complete(ASK)
    assert costs(trace.path).possible_usd == 0.0, "what was never sent was never billed"


def test_a_wait_of_hours_is_not_waited_for(trace):
    fault = Fault(status=429, retry_after=7200)
    with ModelServer([fault]) as server, pytest.raises(InfrastructureError, match="wait 7200 s"):
        LitellmModel(settings(server), trace).complete(ASK)


def test_refusals_that_no_retry_helps(trace):
    faults = [Fault(status=401), Fault(status=404), Fault(status=400)]
    with ModelServer(faults) as server:
        model = LitellmModel(settings(server), trace)
        for word in ("key", "no such model", "refused"):
            with pytest.raises(ModelConfigError, match=word):
                model.complete(ASK)
    assert len(server.requests) == 3


def test_a_context_that_is_too_long_has_an_error_of_its_own(trace):
    fault = Fault(
        status=400,
        code="context_length_exceeded",
        message="This model's maximum context length is 8192 tokens. Your messages resulted in 9000 tokens",
    )
    with ModelServer([fault]) as server, pytest.raises(ContextOverflow):
        LitellmModel(settings(server), trace).complete(ASK)


def test_the_callers_time_bounds_a_call(trace):
    with ModelServer([Fault(kind="hang", seconds=20)]) as server:
        started = time.monotonic()
        with pytest.raises(ModelTimeUp):
            LitellmModel(settings(server), trace).complete(ASK, seconds=0.5)
    assert time.monotonic() - started < 4


def test_time_that_went_by_in_retries_is_the_services_fault(trace):
    with ModelServer([], forever=Fault(status=503)) as server:
        slow = settings(server, retries=20, backoff_seconds=0.3)
        with pytest.raises(InfrastructureError, match="until its time was over"):
            LitellmModel(slow, trace).complete(ASK, seconds=1.0)


def test_the_worst_case_is_an_upper_bound_and_learns(trace):
    text = "some words of an ordinary observation, 3.14159, " * 200
    messages = [{"role": "user", "content": text}]
    with ModelServer([Say("x", len(text) // 4, 10)]) as server:
        model = LitellmModel(settings(server, max_output_tokens=100), trace)
        before = model.worst_case_tokens(messages)
        model.complete(messages)
        after = model.worst_case_tokens(messages)
    assert before > after > len(text) // 4 + 100


def test_a_json_schema_is_passed_on(trace):
    schema = {"type": "object", "properties": {"name": {"type": "string"}}}
    with ModelServer([Say('{"name": "x"}')]) as server:
        LitellmModel(settings(server), trace).complete(ASK, json_schema=schema, max_tokens=33)
    assert server.requests[0]["response_format"]["json_schema"]["schema"] == schema
    assert server.requests[0]["max_tokens"] == 33


def record(tmp_path, trace):
    """Two equal calls, answered differently, and a third that follows on."""
    longer = [*ASK, {"role": "assistant", "content": "one"}, {"role": "user", "content": "go on"}]
    with ModelServer([Say("one"), Say("two"), Say("three")]) as server:
        chosen = settings(server)
        model = LitellmModel(chosen, trace, Recording(tmp_path / "calls.jsonl"))
        replies = [model.complete(ASK), model.complete(ASK), model.complete(longer)]
    return longer, replies


def test_a_recording_replays_without_a_server(tmp_path, trace):
    longer, replies = record(tmp_path, trace)
    with TraceWriter(tmp_path / "again.jsonl") as again:
        replay = ReplayModel(tmp_path / "calls.jsonl", again)
        assert [replay.complete(ASK), replay.complete(ASK), replay.complete(longer)] == replies

    def body(path):
        return [{k: v for k, v in event.items() if k not in ("time", "chain")} for event in read_trace(path)]

    assert body(tmp_path / "again.jsonl") == body(trace.path)
    assert verify_chain(tmp_path / "again.jsonl") == []


def test_a_replay_miss_shows_the_nearest_request_and_a_diff(tmp_path, trace):
    longer, _ = record(tmp_path, trace)
    replay = ReplayModel(tmp_path / "calls.jsonl", trace)
    changed = [*longer[:-1], {"role": "user", "content": "go off"}]
    with pytest.raises(ReplayMiss) as caught:
        replay.complete(changed)
    assert "-go on" in str(caught.value) and "+go off" in str(caught.value)
    assert "hello" not in str(caught.value), "only what differs is shown"


def test_each_message_is_recorded_once(tmp_path, trace):
    record(tmp_path, trace)
    assert (tmp_path / "calls.jsonl").read_text().count("be brief") == 1
