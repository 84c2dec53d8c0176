"""Recorded attempts made again: real HTTP for the recording, none for the replay, real commands in both."""

import json
import re
from dataclasses import replace

import pytest

from labagent.errors import InputError, ReplayMiss
from labagent.models.config import Budget, ModelSettings, Price, SandboxSettings
from labagent.reproduce import reproduce
from labagent.reproduce.compare import compare
from labagent.reproduce.recorded import read_recorded
from labagent.reproduce.verify import verify_record, verify_try
from labagent.trace import read_trace
from support.model_server import Fault, ModelServer, Say


def block(command):
    """A reply with one command."""
    return f"I go on.\n\n```bash\n{command}\n```"


def finish(body):
    """The two final lines, with the mark that the prompt gave."""
    mark = re.findall(r"LABAGENT-DONE-[0-9a-f]+", json.dumps(body["messages"]))[0]
    return block(f"printf '%s\\n' {mark} 'STATUS: SUCCESS'")


DONE = Say(finish, 1500, 40)
MEAN = "json.dump({'mean': toymean.mean([1, 4])}, open('answer.json', 'w'))"
COMPUTE = f'python -c "import json, toymean; {MEAN}"'
WORK = [
    Say(block("locus load"), 900, 40),
    Say(block("date +%T; date; date -Is; echo took 0.$RANDOM s; ls -l /run"), 1000, 40),
    Say(block(COMPUTE), 1100, 40),
    Say("I do not know what to do."),
    Fault(status=500),
    Fault(kind="truncated"),
    Say(block("python -m pip install toymean"), 1300, 40, cached_tokens=800),
    Say(block(COMPUTE), 1400, 40),
    DONE,
]


@pytest.fixture
def live(make):
    """Makes an attempt of the arm ``model`` on a server."""

    def live(server, *, settings=None, **fields):
        known = {
            "retries": 3,
            "backoff_seconds": 0.01,
            "timeout_seconds": 5,
            "price": Price(input=10, output=30),
        }
        model = ModelSettings(model="openai/local", api_base=server.url, **{**known, **(settings or {})})
        made = make()
        return replace(
            made, arm="model", model=model, folder=made.folder.parents[2] / "model/toy/1", **fields
        )

    return live


@pytest.fixture
def again(tmp_path):
    """Replays a recorded attempt into another folder, and compares."""

    def again(attempt, place=None, **fields):
        recorded = read_recorded(place or attempt.folder)
        memory = replace(attempt.memory, mode="frozen", events=tmp_path / "none.jsonl")
        folder = tmp_path / "replays/toy"
        mine = replace(
            attempt, folder=folder, replay=recorded, model=None, budget=recorded.budget, memory=memory
        )
        record = reproduce(replace(mine, **fields))
        return record, compare(recorded, read_recorded(folder), attempt.answer)

    return again


def test_a_recorded_run_replays_to_equal_commands_answer_and_trace(live, again):
    with ModelServer(WORK) as server:
        attempt = live(server)
        before = reproduce(attempt)
    assert before.status == "completed"
    record, found = again(attempt)
    assert found.differences == ()
    assert (found.commands, found.answers) == (6, 1)
    assert len(found.notes) == 1 and "differs in times" in found.notes[0]
    assert (record.status, record.turns, record.replay_of) == ("completed", before.turns, "model/toy/1")
    assert (record.cost_usd, record.usage) == (0.0, before.usage), "a replay spends nothing"
    for folder in (attempt.folder, attempt.folder.parents[4] / "replays/toy"):
        assert verify_try(folder / "try-1/trace.jsonl").faults == ()
        assert verify_record(folder / "run.json") == []


def test_the_probe_and_the_lessons_are_the_recorded_ones(live, again, make):
    with ModelServer([Say(block(COMPUTE)), Say(block("true"))], forever=DONE) as server:
        reproduce(make())  # leaves a lesson, which the recorded run is shown
        attempt = live(server, memory=make().memory)
        assert reproduce(attempt).lessons_shown > 0
    attempt.memory.events.unlink()
    trace = attempt.folder / "try-1/trace.jsonl"
    facts = next(event for event in read_trace(trace) if event["event"] == "probe")["facts"]
    record, found = again(attempt)
    assert found.differences == () and record.probe == facts
    assert not (attempt.folder.parents[4] / "none.jsonl").exists(), "a replay teaches nothing"


def test_another_character_in_a_prompt_is_a_miss_with_the_nearest_request_and_a_diff(live, again):
    with ModelServer(WORK) as server:
        attempt = live(server)
        reproduce(attempt)
    text = attempt.task.read_text()
    attempt.task.write_text(text.replace("mean of", "mean 0f"))
    with pytest.raises(ReplayMiss) as caught:
        again(attempt)
    message = str(caught.value)
    assert "call 1 of" in message
    assert f"-{text.strip()}" in message and f"+{text.strip().replace('mean of', 'mean 0f')}" in message
    assert "The machine" not in message, "only what differs is shown"


def test_a_command_that_prints_something_else_is_a_miss_at_the_next_request(live, again, tmp_path):
    with ModelServer([Say(block("cat $LABAGENT_DATA/values.csv")), DONE], forever=DONE) as server:
        attempt = live(server)
        reproduce(attempt)
    (tmp_path / "data/values.csv").write_text("value\n1\n5\n")
    with pytest.raises(ReplayMiss) as caught:
        again(attempt)
    assert "\n-4\n+5" in str(caught.value) and "call 2 of 3" in str(caught.value)


@pytest.mark.parametrize(
    ("script", "fields", "ended_by"),
    [
        ([], {"budget": Budget(turns=3)}, "turns"),
        ([], {"budget": Budget(usd=0.15)}, "usd"),
        ([], {"budget": Budget(tokens=12_000)}, "tokens"),
        ([Say(block("sleep 30"))], {"budget": Budget(wall_seconds=3.0)}, "wall_seconds"),
        ([Fault(kind="hang", seconds=9)], {"budget": Budget(wall_seconds=2.0)}, "wall_seconds"),
        ([Say("hm")] * 5, {}, "nonsense"),
    ],
    ids=["turns", "usd", "tokens", "wall, in a command", "wall, in a call", "nonsense"],
)
def test_a_run_that_ended_otherwise_replays_to_the_same_end(live, again, script, fields, ended_by):
    with ModelServer(script, forever=Say(block("echo on"), 4000, 40)) as server:
        attempt = live(server, **fields)
        assert reproduce(attempt).ended_by == ended_by
    record, found = again(attempt)
    assert record.ended_by == ended_by and found.differences == ()


def test_what_was_spent_before_counts_in_the_replay_too(live, again):
    first = [Say(block("echo on"), 4000, 40), Fault(status=500)]
    with ModelServer(first, forever=Say(block("echo on"), 4000, 40)) as server:
        attempt = live(server, budget=Budget(usd=0.3), settings={"retries": 0})
        with pytest.raises(Exception, match="failed 1 times"):
            reproduce(attempt)
        record = reproduce(attempt)
    assert (record.ended_by, record.tries) == ("usd", 2)
    _, found = again(attempt)
    assert found.differences == ()


def test_shortened_conversations_and_refused_lengths_replay(live, again):
    overflow = Fault(
        status=400, code="context_length_exceeded", message="maximum context length is 8192 tokens"
    )
    script = [*[Say(block("seq 1 3000"), 3000, 20)] * 6, overflow]
    with ModelServer(script, forever=DONE) as server:
        attempt = live(server, settings={"context_tokens": 8192, "max_output_tokens": 512})
        reproduce(attempt)
        assert len(server.requests) == 9
    _, found = again(attempt)
    assert found.differences == ()


def test_without_a_sandbox_the_folders_are_others_and_nothing_differs(live, again):
    script = [Say(block("pwd; python -c 'import nothing'; env | grep LABAGENT | sort")), *WORK[2:]]
    with ModelServer(script) as server:
        attempt = live(server, sandbox=SandboxSettings(kind="none"))
        reproduce(attempt)
    prompts = json.dumps(server.requests)
    assert str(attempt.folder.parents[4]) not in prompts, "no folder of this machine in a prompt"
    _, found = again(attempt)
    assert found.differences == ()


def test_an_offline_run_replays(make, again):
    attempt = make()
    reproduce(attempt)
    (attempt.memory.events).unlink()
    record, found = again(attempt)
    assert record.agent == "offline" and found.differences == () and found.commands >= 5


def test_what_differs_is_told(make, again, tmp_path):
    attempt = make()
    reproduce(attempt)
    write = tmp_path / "skill/toy-mean/references/answer.md"
    write.write_text(write.read_text().replace("mean(rows)}", "mean(rows) + 1}"))
    _, found = again(attempt)
    text = "\n".join(found.differences)
    assert "output/answer.json" in text and "+Path(" in text and "skill_sha256" in text and "3.5" in text


def test_only_a_try_that_ended_can_be_replayed(live, tmp_path):
    with ModelServer([Fault(status=500)] * 9) as server:
        attempt = live(server, settings={"retries": 0})
        with pytest.raises(Exception, match="failed 1 times"):
            reproduce(attempt)
    with pytest.raises(InputError, match="only one that ended"):
        read_recorded(attempt.folder)
    with pytest.raises(InputError, match="no trace here"):
        read_recorded(tmp_path / "nowhere")
