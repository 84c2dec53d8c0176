"""A run is answered task by task: killed, it goes on; a cap ends it; no cost counts twice."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from labagent.biobench.kept import read_answers
from labagent.biobench.running import kept, run
from labagent.biobench.runs import faults, folder_of, places, plan
from labagent.biobench.tasks import write_tasks
from labagent.errors import InfrastructureError, InputError
from labagent.files import read_json
from labagent.inputs import Inputs
from labagent.models.biobench import BiobenchTask
from labagent.models.biobench_runs import BiobenchRun
from labagent.models.config import Config
from labagent.workflow import benching
from labagent.workflow.keys import Keys
from support.model_server import Fault, ModelServer, Say

PLACE = benching.place_of("own", "no_tool", "local", 1)
REPLY_USD = (100 * 1 + 20 * 2) / 1e6


def task(number, **fields):
    gold = [{"kind": "number", "name": "", "value": number}]
    base = {
        "category": "sequence",
        "split": "basic",
        "language": "en",
        "route": "sequence",
        "outcome": "answer",
    }
    return BiobenchTask.model_validate(
        {
            "id": f"t-{number}",
            **base,
            "question": f"Number {number}?",
            "derivation": "by hand",
            "gold": gold,
            **fields,
        }
    )


def project(root: Path, url: str, count=4, **bench) -> Config:
    """A workflow folder with a task file and a config."""
    write_tasks(root / "tasks.jsonl", [task(n) for n in range(1, count + 1)])
    model = {"model": "openai/scripted", "api_base": url, "retries": 0, "price": {"input": 1, "output": 2}}
    settings = {
        "sets": {"own": {"tasks": "tasks.jsonl"}},
        "models": ["local"],
        "conditions": ["no_tool"],
        **bench,
    }
    config = {"models": {"local": model}, "biobench": settings}
    (root / "config").mkdir(exist_ok=True)
    (root / "config/config.yaml").write_text(json.dumps(config))
    return Config.model_validate(config)


def said(number, **more):
    return Say(json.dumps({"answer": f"It is {number}."}), **more)


def lines(folder):
    return [json.loads(line)["answer"]["id"] for line in (folder / "answers.jsonl").read_text().splitlines()]


def asked_of(server):
    return [request["messages"][-1]["content"] for request in server.requests]


def test_a_killed_run_goes_on_with_the_task_it_was_at(tmp_path):
    script = [said(1), said(2), said(3, seconds=60), said(3), said(4)]
    with ModelServer(script) as server:
        config = project(tmp_path, server.url)
        folder = folder_of(tmp_path / "results", PLACE)
        words = ["biobench", "run", "--condition", "no_tool", "--model", "local"]
        killed = subprocess.Popen([sys.executable, "-c", benching.MAIN, *words], cwd=tmp_path)
        while len(server.requests) < 3:
            assert killed.poll() is None
            time.sleep(0.02)
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        assert lines(folder) == ["t-1", "t-2"] and not (folder / "run.json").exists()

        told = []
        done = run(
            plan(tmp_path, config, PLACE), lambda number, total, answer: told.append((number, answer.id))
        )
        assert told == [(3, "t-3"), (4, "t-4")]
        assert lines(folder) == ["t-1", "t-2", "t-3", "t-4"]
        assert [q[-2] for q in asked_of(server)] == ["1", "2", "3", "3", "4"] and server.over == 0
        assert done.status == "completed" and done.calls == 4
        assert done.cost_usd == pytest.approx(4 * REPLY_USD)
        assert done.possible_usd > REPLY_USD, "the reply that was lost may have cost its worst case"

        again = run(plan(tmp_path, config, PLACE))
        assert again.model_dump() == done.model_dump() == BiobenchRun.read(folder / "run.json").model_dump()
        assert len(server.requests) == 5


def test_what_a_torn_line_had_is_answered_again_and_paid_again(tmp_path):
    with ModelServer([said(1), said(2), said(2)]) as server:
        config = project(tmp_path, server.url, 2)
        first = run(plan(tmp_path, config, PLACE))
        answers = folder_of(tmp_path / "results", PLACE) / "answers.jsonl"
        answers.write_bytes(answers.read_bytes()[:-40])
        second = run(plan(tmp_path, config, PLACE))
        assert lines(answers.parent) == ["t-1", "t-2"] and len(server.requests) == 3
        assert (first.calls, second.calls) == (2, 3)
        assert second.cost_usd == pytest.approx(3 * REPLY_USD)


def test_only_what_changed_is_asked_again(tmp_path):
    with ModelServer([said(1), said(2), said(9)]) as server:
        config = project(tmp_path, server.url, 2)
        made = plan(tmp_path, config, PLACE)
        run(made)
        write_tasks(tmp_path / "tasks.jsonl", [task(1, gold=[], outcome="any"), task(2, question="Another?")])
        changed = plan(tmp_path, config, PLACE)
        assert changed.keys["t-1"] == made.keys["t-1"] and changed.key != made.key
        assert list(kept(changed)) == ["t-1"]
        run(changed)
        assert asked_of(server)[2:] == ["Another?"] and lines(changed.folder) == ["t-1", "t-2"]


def test_a_cap_ends_a_run_and_a_higher_one_lets_it_go_on(tmp_path):
    with ModelServer([said(n, completion_tokens=4000) for n in (1, 2, 3, 4)]) as server:
        config = project(tmp_path, server.url, usd=0.02)
        capped = run(plan(tmp_path, config, PLACE))
        assert capped.status == "capped" and capped.reason.startswith("usd: US$ 0.0162 spent")
        assert capped.answered == capped.calls == len(server.requests) == 2
        more = project(tmp_path, server.url, usd=1.0)
        done = run(plan(tmp_path, more, PLACE))
        assert done.status == "completed" and len(server.requests) == 4 and done.calls == 4
        assert done.key == capped.key, "a cap changes no answer"


def test_a_fault_of_the_service_is_no_answer(tmp_path):
    with ModelServer([said(1), Fault(status=503), said(2)]) as server:
        config = project(tmp_path, server.url, 2)
        with pytest.raises(InfrastructureError):
            run(plan(tmp_path, config, PLACE))
        folder = folder_of(tmp_path / "results", PLACE)
        assert lines(folder) == ["t-1"] and not (folder / "run.json").exists()
        assert run(plan(tmp_path, config, PLACE)).answered == 2


def test_the_budget_over_all_entries_binds_runs_too(tmp_path):
    with ModelServer([said(1), said(2)]) as server:
        config = project(tmp_path, server.url, 2)
        config = config.model_copy(
            update={"spending": config.spending.model_copy(update={"total_usd": 1e-4})}
        )
        with pytest.raises(InfrastructureError, match="total_usd"):
            benching.run(tmp_path, config, PLACE)
        assert server.requests == []
        config = config.model_copy(update={"spending": config.spending.model_copy(update={"total_usd": 1.0})})
        done = benching.run(tmp_path, config, PLACE)
        book = read_json(tmp_path / "results/spending.json")
        assert book["spent_usd"] == pytest.approx(done.cost_usd) and book["held"] == {}


def test_seeds_reach_the_service_and_are_runs_of_their_own(tmp_path):
    with ModelServer([said(1), said(1)]) as server:
        config = project(tmp_path, server.url, 1, seeds=[3, 5])
        found = list(places(config))
        assert [(p.condition, p.model, p.seed) for p in found] == [
            ("no_tool", "local", 3),
            ("no_tool", "local", 5),
        ]
        for place in found:
            run(plan(tmp_path, config, place))
        assert [request["seed"] for request in server.requests] == [3, 5]
        assert all(read_answers(folder_of(tmp_path / "results", place)) for place in found)


def test_runs_are_those_that_make_sense(tmp_path):
    config = project(
        tmp_path,
        "http://127.0.0.1:1/v1",
        conditions=["full", "react"],
        models=["offline", "local"],
        seeds=[1, 2],
    )
    assert [(p.condition, p.model, p.seed) for p in places(config)] == [
        ("full", "offline", 1), ("full", "local", 1), ("full", "local", 2),
        ("react", "local", 1), ("react", "local", 2),
    ]  # fmt: skip
    assert faults(tmp_path, config) == []


@pytest.mark.parametrize(
    ("bench", "message"),
    [
        ({"models": ["offline"], "conditions": ["react"]}, '"react" is a way of answering with a model'),
        ({"conditions": ["ful"]}, '"ful" is not there; allowed: full'),
        ({"models": ["gpt"]}, '"gpt" is not there; allowed: offline, local'),
        ({"sets": {"held": {"tasks": "held.jsonl"}}}, "held.jsonl: there is no such file"),
    ],
)
def test_what_is_wrong_in_the_section_is_named(bench, message, tmp_path):
    config = project(tmp_path, "http://127.0.0.1:1/v1", **bench)
    assert [message in str(fault) for fault in faults(tmp_path, config)] == [True]


def test_a_run_of_nothing_and_a_model_that_is_none_are_refused(tmp_path):
    config = project(tmp_path, "http://127.0.0.1:1/v1", categories=["mutation"])
    with pytest.raises(InputError, match="no task of it"):
        plan(tmp_path, config, PLACE)
    with pytest.raises(InputError, match='no "offlin"'):
        plan(tmp_path, config, PLACE.model_copy(update={"model": "offlin"}))
    with pytest.raises(InputError, match="with a model and there is none"):
        plan(tmp_path, config, PLACE.model_copy(update={"model": "offline"}))


def test_the_workflow_makes_a_run_again_only_where_its_key_changed(tmp_path):
    with ModelServer([said(1), said(2)]) as server:
        config = project(tmp_path, server.url, 2)
        inputs = Inputs(tmp_path, config, {}, {}, {}, {}, {})
        words = SimpleNamespace(bench="own", condition="no_tool", model="local", seed="1")
        record = benching.Bench(inputs).paths.biobench.format(**vars(words))
        key = benching.Bench(inputs).key_of(words)
        assert not Keys(inputs).is_current(record, key)
        benching.run(tmp_path, config, PLACE)
        assert Keys(inputs).is_current(record, key)
        write_tasks(tmp_path / "tasks.jsonl", [task(1, gold=[], outcome="any"), task(2, derivation="mended")])
        assert benching.Bench(inputs).key_of(words) == key, "gold that changes costs no answer"
        write_tasks(tmp_path / "tasks.jsonl", [task(1), task(2, question="Another?")])
        assert not Keys(inputs).is_current(record, benching.Bench(inputs).key_of(words))
        assert (
            benching.Bench(inputs).tasks(words) == ["tasks.jsonl"] and benching.Bench(inputs).scores() == []
        )
        bench = config.biobench.model_copy(update={"run": True})
        on = dataclasses.replace(inputs, config=config.model_copy(update={"biobench": bench}))
        assert benching.Bench(on).scores() == [record.replace("run.json", "scores.json")]
