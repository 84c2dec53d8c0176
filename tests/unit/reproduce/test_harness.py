"""Adapters, costs, checks and attempts of agents of their own; the whole workflow: tests/workflow."""

from __future__ import annotations

import json
import os
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labagent.cli._findings import conclusions, facts
from labagent.errors import InputError, LabagentError
from labagent.inputs import load_config
from labagent.models.config import Arm, Budget, Harness, Price, SandboxSettings
from labagent.models.run import Usage
from labagent.redaction import also_secret, redact
from labagent.reproduce import reproduce
from labagent.reproduce.harness.adapters import adapter_names, load_adapter
from labagent.reproduce.harness.adapters.claude_code import as_command
from labagent.reproduce.harness.adapters.codex import unwrapped
from labagent.reproduce.harness.checks import fault, missing, missing_here
from labagent.reproduce.harness.command import shell_line
from labagent.reproduce.harness.events import Answered, Asked, Done, Event, Said, Total, Used
from labagent.reproduce.harness.meter import Meter
from labagent.reproduce.harness.places import wrong_mounts
from labagent.reproduce.harness.tail import MAX_LINE, Tail
from labagent.reproduce.harness.transcript import KEPT, keep
from labagent.reproduce.tries import TRACE, open_try, tally
from labagent.sandbox import find_on_host
from labagent.trace import TraceWriter, read_trace
from support.harnesses import write_tools
from support.project import small_project, write

LOGIN = "orchid-gazebo-lantern"


def events(adapter: str, *lines: dict[str, Any], beside: bool = False) -> list[Event]:
    """What an adapter makes of lines."""
    reader = load_adapter(adapter).Reader()
    return [event for line in lines for event in reader.read(line, beside=beside)]


# Adapters


def test_adapters_are_found_by_name() -> None:
    assert adapter_names() == ("claude-code", "codex", "plain")
    with pytest.raises(LabagentError, match='no adapter "claude"; allowed: claude-code, codex, plain'):
        load_adapter("claude")


def test_blocks_of_one_message_are_counted_once() -> None:
    usage = {"input_tokens": 10, "cache_read_input_tokens": 200, "cache_creation_input_tokens": 30}
    blocks = [{"type": "text", "text": "a" * 300}, {"type": "text", "text": "b" * 300}]
    found = events(
        "claude-code",
        *(
            {
                "type": "assistant",
                "message": {"id": "m", "usage": {**usage, "output_tokens": 1}, "content": [b]},
            }
            for b in blocks
        ),
    )
    used = [event for event in found if isinstance(event, Used)]
    assert [event.key for event in used] == ["m", "m"]
    assert used[-1].usage.prompt_tokens == 240 and used[-1].usage.cached_tokens == 200
    # The stream names the tokens of a message's beginning alone; what was written is estimated from its size.
    assert 200 < used[-1].usage.completion_tokens < 300


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ({"subtype": "error_max_turns", "is_error": True}, Done(False, "error_max_turns", "turns")),
        (
            {"subtype": "error_max_budget_usd", "errors": ["spent"]},
            Done(False, "error_max_budget_usd; spent", "usd"),
        ),
        ({"subtype": "success", "is_error": True, "result": "Not logged in"}, Done(False, "Not logged in")),
        ({"subtype": "success", "is_error": False, "result": "Done."}, Done(True, "Done.")),
    ],
)
def test_the_verdict_of_claude_code(line: dict[str, Any], expected: Done) -> None:
    assert events("claude-code", {"type": "result", **line}) == [expected]


@pytest.mark.parametrize(
    ("tool", "given_", "command"),
    [
        ("Bash", {"command": "ls -l", "description": "look"}, "ls -l"),
        ("Read", {"file_path": "/data/a b.csv"}, "cat '/data/a b.csv'"),
        ("Grep", {"pattern": "6.60", "path": "/"}, "grep -r 6.60 /"),
        ("Glob", {"pattern": "**/*.tsv"}, "find . -path '**/*.tsv'"),
        ("WebFetch", {"url": "https://a.org/?q=1", "prompt": "x"}, "curl 'https://a.org/?q=1'"),
        (
            "Edit",
            {"file_path": "a.py", "new_string": "x"},
            'Edit a.py {"file_path": "a.py", "new_string": "x"}',
        ),
        ("TodoWrite", {}, "TodoWrite"),
    ],
)
def test_tools_are_read_as_commands(tool: str, given_: dict[str, Any], command: str) -> None:
    assert as_command(tool, given_) == command


@pytest.mark.parametrize(
    ("command", "inner"),
    [
        (shlex.join(["/bin/bash", "-lc", "python3 -c 'import a'; ls"]), "python3 -c 'import a'; ls"),
        ("bash -lc ls", "ls"),
        ("ls -l", "ls -l"),
        ("bash script.sh now", "bash script.sh now"),
        ("echo 'open", "echo 'open"),
    ],
)
def test_the_shell_around_a_command_of_codex_is_taken_off(command: str, inner: str) -> None:
    assert unwrapped(command) == inner


def test_codex_calls_and_their_ends() -> None:
    item = {"id": "i1", "type": "command_execution", "command": "bash -lc ls", "exit_code": None}
    assert events(
        "codex",
        {"type": "item.started", "item": item},
        {"type": "item.completed", "item": {**item, "exit_code": 2, "aggregated_output": "no"}},
        {"type": "item.completed", "item": {"id": "i2", "type": "web_search", "query": "a paper"}},
        {"type": "error", "message": "Reconnecting... 1/5"},
        {"type": "turn.completed", "usage": {}},
    ) == [
        Asked("i1", "ls"),
        Answered("i1", 2, "no"),
        Asked("i2", "web_search 'a paper'", "web_search"),
        Answered("i2", 0, ""),
        Done(False, "Reconnecting... 1/5"),
        Done(True),
    ]


def test_a_script_of_ones_own_may_say_what_it_did() -> None:
    lines = [
        {"command": "ls", "status": 1, "output": "no"},
        {"text": "Hm."},
        {"cost_usd": 0.5, "input_tokens": 9},
    ]
    assert events("plain", *lines) == [
        Asked("1", "ls"),
        Answered("1", 1, "no"),
        Said("Hm."),
        Used("all", Usage(prompt_tokens=9)),
        Total(0.5),
    ]


WORDS = st.sampled_from(
    (
        "type message content usage item id result payload info assistant user subtype tool_use tool_result "
        "input name item.completed token_count command_execution changes total_token_usage input_tokens "
        "output_tokens total_cost_usd modelUsage file_change error"
    ).split()
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(adapter_names()),
    st.lists(st.dictionaries(WORDS, JSON, max_size=5), max_size=4),
    st.booleans(),
)
def test_no_line_breaks_an_adapter(adapter: str, lines: list[dict[str, Any]], beside: bool) -> None:
    reader = load_adapter(adapter).Reader()
    for line in lines:
        try:
            found = list(reader.read(line, beside=beside))
        except (AttributeError, KeyError, TypeError, ValueError):
            continue  # the session passes over the line
        for event in found:
            if isinstance(event, Used):
                assert 0 <= event.usage.cached_tokens <= event.usage.prompt_tokens


# Reading


def test_lines_are_read_when_they_are_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    tail = Tail(path)
    assert list(tail.objects()) == []
    path.write_bytes(b'{"a": 1}\nnoise\n[1]\n{"b"')
    assert list(tail.objects()) == [{"a": 1}]
    with path.open("ab") as stream:
        stream.write(b": 2}\n" + b"[" * 100_000 + b"\n" + b"x" * (MAX_LINE + 10) + b'\n{"c": 3}')
    assert list(tail.objects()) == [{"b": 2}]
    assert list(tail.objects(to_end=True)) == [{"c": 3}]
    assert tail.unread == 4


def test_halves_of_characters_can_be_written(tmp_path: Path) -> None:
    path = write(tmp_path, "out.jsonl", '{"a": ["\\ud800x", {"b": "\\ud83d\\ude00"}]}\n')
    (found,) = Tail(path).objects()
    assert found == {"a": ["\\ud800x", {"b": "\U0001f600"}]}


def test_a_link_is_not_read(tmp_path: Path) -> None:
    write(tmp_path, "secret.jsonl", '{"a": 1}\n')
    (tmp_path / "link").symlink_to(tmp_path / "secret.jsonl")
    assert list(Tail(tmp_path / "link").objects(to_end=True)) == []


def test_a_long_transcript_is_cut_at_a_line_and_holds_no_half_of_a_secret(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_LOGIN", LOGIN)
    path = tmp_path / "transcript.jsonl"
    line = json.dumps({"text": f"say {LOGIN} {'x' * 500}"}).encode() + b"\n"
    path.write_bytes(line * (KEPT // len(line) + 500))
    size = path.stat().st_size
    with also_secret(["LAB_LOGIN"]):
        keep(path)
    content = path.read_bytes()
    assert len(content) <= KEPT + 100
    assert LOGIN[:10].encode() not in content
    lines = content.splitlines()
    assert json.loads(lines[-1]) == {"labagent": "the rest is left out", "bytes": size}
    assert all(json.loads(line)["text"].startswith("say [redacted:LAB_LOGIN]") for line in lines[-5:-1])


# Costs


def usage(prompt: int, completion: int = 0) -> Usage:
    return Usage(prompt_tokens=prompt, completion_tokens=completion)


def test_costs_are_differences_that_the_total_corrects(tmp_path: Path) -> None:
    with TraceWriter(tmp_path / TRACE) as trace:
        meter = Meter(trace, lambda model: Price(input=10, output=10))
        meter.used(Used("a", usage(1000)))
        meter.flush()
        assert trace.costs.usd == pytest.approx(0.01)
        meter.used(Used("a", usage(500)))  # an older figure
        meter.used(Used("b", usage(3000, 1000), "m"))
        meter.flush()
        meter.flush()
        assert trace.costs.usd == pytest.approx(0.05) and trace.costs.tokens == 5000
        meter.total(Total(0.02, usage(4000, 700)))
        meter.close()
        assert trace.costs.usd == pytest.approx(0.02) and trace.costs.tokens == 4700
        assert meter.model == "m"
    assert [event["event"] for event in read_trace(tmp_path / TRACE)] == ["usage"] * 3


def test_a_total_said_too_early_does_not_stop_the_count(tmp_path: Path) -> None:
    with TraceWriter(tmp_path / TRACE) as trace:
        meter = Meter(trace, lambda model: Price(input=10, output=10))
        meter.total(Total(0.0))
        meter.used(Used("a", usage(1000)))
        meter.flush()
        assert trace.costs.usd == pytest.approx(0.01)


@pytest.mark.parametrize("said", [float("nan"), float("inf"), -1.0, "0.1", None, True])
def test_a_total_that_cannot_be_is_none(tmp_path: Path, said: Any) -> None:
    with TraceWriter(tmp_path / TRACE) as trace:
        meter = Meter(trace, lambda model: Price(input=10, output=10))
        meter.used(Used("a", usage(1000)))
        meter.total(Total(said))
        meter.close()
        assert trace.costs.usd == pytest.approx(0.01)


def test_without_a_price_tokens_count_at_the_fallback_until_the_tool_says(tmp_path: Path) -> None:
    for name, says in (("silent", False), ("says", True)):
        with TraceWriter(tmp_path / name / TRACE) as trace:
            meter = Meter(trace, lambda model: None)
            meter.used(Used("a", usage(100_000), "unknown-model"))
            meter.flush()
            assert trace.costs.usd == pytest.approx(1.0)
            if says:
                meter.total(Total(0.25))
            meter.close()
            assert trace.costs.usd == (0.25 if says else None)
            assert trace.costs.tokens == 100_000


def test_a_tool_that_says_nothing_has_an_unknown_cost(tmp_path: Path) -> None:
    with TraceWriter(tmp_path / TRACE) as trace:
        Meter(trace, lambda model: Price(input=1, output=1)).close()
        assert trace.costs.usd is None


# Command, places, configuration

VALUES = {name: f"<{name}>" for name in ("prompt", "prompt_file", "task_file", "protocol_file", "skill")}
VALUES |= {"usd": "1.5", "turns": "9", "seconds": "60"}


def test_places_of_a_command_are_filled_once() -> None:
    line = shell_line(["x", "{usd}", "--json={a: {turns}}"], {**VALUES, "prompt": "{usd}"})
    assert line.startswith("exec x 1.5 '--json={a: 9}' < '<prompt_file>' 2> ")
    line = shell_line(["x", "{prompt}"], {**VALUES, "prompt": "do $(it) {usd}"})
    assert line.startswith("exec x 'do $(it) {usd}' < /dev/null 2> ")


def test_mounts_that_would_show_too_much_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, home = tmp_path / "work/project", tmp_path / "home/someone"
    for folder in (project / "tools", home / ".tool"):
        folder.mkdir(parents=True)
    (tmp_path / "link").symlink_to(project)
    monkeypatch.chdir(project)
    monkeypatch.setenv("HOME", str(home))
    for mount in (project, project / "tools", project.parent, tmp_path / "link"):
        assert "the project itself" in next(wrong_mounts(Harness(mounts=(str(mount),)))), mount
    for mount in (home, home.parent):
        assert "a whole home folder" in next(wrong_mounts(Harness(mounts=(str(mount),)))), mount
    assert "is not there" in next(wrong_mounts(Harness(mounts=("~/.other",))))
    assert "a place of the sandbox" in next(wrong_mounts(Harness(mounts=("/etc/ssl",))))
    assert list(wrong_mounts(Harness(mounts=("~/.tool",)))) == []


@pytest.mark.parametrize(
    ("harness", "said"),
    [
        ("{adapter: codex, env: [HOME]}", "HOME is set by the sandbox"),
        ("{adapter: codex, variables: {LD_PRELOAD: x}}", "LD_PRELOAD is set by the sandbox"),
        ("{adapter: codex, mounts: [tools]}", "pattern"),
        ("{adapter: codex, mounts: [/opt/../root]}", "without .."),
        ("{adapter: codex, comand: [x]}", "comand"),
    ],
)
def test_faults_of_a_configuration(tmp_path: Path, harness: str, said: str) -> None:
    root = small_project(tmp_path)
    write(root, "config/config.yaml", f"arms:\n  tool: {{harness: {harness}}}\n")
    with pytest.raises(InputError, match=said):
        load_config(root)


def test_builtin_is_no_harness_and_a_replay_has_none() -> None:
    assert Arm.model_validate({"harness": "builtin"}) == Arm()
    with pytest.raises(ValueError, match="has no harness"):
        Arm.model_validate({"model": "replay", "replay": "a", "harness": {"adapter": "codex"}})


def test_what_is_missing() -> None:
    assert "has no usual command" in fault(Harness())
    assert 'no adapter "other"' in fault(Harness(adapter="other"))
    assert fault(Harness(adapter="codex")) == ""
    assert "NO_SUCH_VARIABLE" in missing(Harness(adapter="codex", env=("NO_SUCH_VARIABLE",)))
    assert "neither on PATH" in missing_here(Harness(command=("no-such-program",)))
    assert missing_here(Harness(command=("bash",))) == ""


def test_programs_of_npm_are_found(tmp_path: Path) -> None:
    program = write(tmp_path, "node_modules/.bin/some-agent", "#!/bin/sh\n")
    program.chmod(0o755)
    assert missing_here(Harness(command=("some-agent",), mounts=(str(tmp_path),))) == ""
    assert find_on_host("some-agent") is None


def test_doctor_names_arms_whose_harness_is_missing(tmp_path: Path) -> None:
    root = small_project(tmp_path)
    write(
        root,
        "config/config.yaml",
        "arms:\n  here: {harness: {command: [bash]}}\n  gone: {harness: {command: [no-such-program]}}\n",
    )
    rows = {row["topic"]: row for row in conclusions(facts(root))}
    assert rows["arm here"]["works"]
    assert not rows["arm gone"]["works"] and "no-such-program" in rows["arm gone"]["text"]
    assert not rows["arm gone"]["needed"]


# Attempts


def script(folder: Path, text: str) -> Path:
    """A program of one's own, in a folder to mount."""
    path = write(folder, "bin/agent", f"#!/usr/bin/env python3\n{text}")
    path.chmod(0o755)
    return folder


WORK = """\
import json, os, sys
assert "mean of values.csv" in open(sys.argv[1]).read()
print(json.dumps({"command": "cat values.csv", "status": 0, "output": os.environ["LAB_LOGIN"]}))
print("no JSON at all")
json.dump({"mean": 2.5}, open("answer.json", "w"))
"""


@pytest.mark.parametrize("kind", ["bubblewrap", "none"])
def test_a_program_of_ones_own(make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    monkeypatch.setenv("LAB_LOGIN", LOGIN)
    tools = script(tmp_path / "tools", WORK)
    harness = Harness(
        command=("agent", "{prompt_file}"), env=("LAB_LOGIN",), mounts=(str(tools),), network="off"
    )
    attempt = make(harness=harness, sandbox=SandboxSettings(kind=kind))  # type: ignore[arg-type]
    run = reproduce(attempt)
    assert (run.status, run.reason, run.agent, run.turns) == ("completed", "", "plain", 1)
    assert run.cost_usd is None
    assert run.sandbox.network == ("off" if kind == "bubblewrap" else "open")
    folder = attempt.folder / run.try_folder
    transcript = (folder / "transcript.jsonl").read_text()
    assert "no JSON at all" in transcript and "[redacted:LAB_LOGIN]" in transcript
    assert LOGIN not in "".join(
        p.read_text("utf-8", "replace") for p in attempt.folder.rglob("*") if p.is_file()
    )
    assert redact(LOGIN) == LOGIN, "a variable stays secret after the run"


def test_an_answer_that_is_missing_is_no_success(make: Any, tmp_path: Path) -> None:
    tools = script(tmp_path / "tools", "print('STATUS: SUCCESS')")
    run = reproduce(make(harness=Harness(command=("agent",), mounts=(str(tools),))))
    assert (run.status, run.ended_by) == ("failed", "no_answer")


def test_turns_are_capped(make: Any, tmp_path: Path) -> None:
    text = 'import time\nfor n in range(99):\n    print(\'{"command": "ls"}\', flush=True)\ntime.sleep(60)\n'
    tools = script(tmp_path / "tools", text)
    budget = Budget(turns=5, wall_seconds=50)
    run = reproduce(make(harness=Harness(command=("agent",), mounts=(str(tools),)), budget=budget))
    assert (run.status, run.ended_by, run.turns) == ("capped", "turns", 5)


def test_a_program_that_the_sandbox_does_not_show(
    make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = script(tmp_path / "tools", "")
    monkeypatch.setenv("PATH", f"{tools}/bin{os.pathsep}{os.environ['PATH']}")
    run = reproduce(make(harness=Harness(command=("agent",))))
    assert (run.status, run.ended_by) == ("failed", "harness_missing")
    assert f"add {tools}/bin to mounts" in run.reason


def test_money_that_a_killed_try_spent_is_gone(
    make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAB_LOGIN", LOGIN)
    attempt = make(budget=Budget(usd=0.05, wall_seconds=50))
    killed = open_try(attempt.folder)
    with TraceWriter(killed / TRACE) as trace:
        trace.event("start")
        trace.event("usage", usage=usage(1000).model_dump(), cost_usd=0.05)
    write(killed, "transcript.jsonl", f"{LOGIN}\n")
    tools = script(tmp_path / "tools", "open('started', 'w')")
    harness = Harness(command=("agent",), env=("LAB_LOGIN",), mounts=(str(tools),))
    run = reproduce(replace(attempt, harness=harness))
    assert (run.status, run.ended_by, run.tries, run.cost_usd) == ("capped", "usd", 2, 0.05)
    assert not (attempt.folder / run.try_folder / "output/started").exists()
    assert (killed / "transcript.jsonl").read_text() == "[redacted:LAB_LOGIN]\n"
    assert tally([killed]).costs.usd == 0.05


def test_the_tools_of_the_tests_are_programs(tmp_path: Path) -> None:
    tools = write_tools(tmp_path)
    assert sorted(path.name for path in (tools / "bin").iterdir()) == ["claude", "codex"]
