"""One budget over all entries: real processes, real HTTP, kill -9."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from labagent.errors import InfrastructureError, MoneySpent
from labagent.llm import Book, LitellmModel, Recording, ReplayModel, paying
from labagent.llm.book import BOOK, read_book
from labagent.llm.purse import paid_session
from labagent.locking import process_mark
from labagent.models.config import ModelSettings, Price
from labagent.models.run import Usage
from labagent.models.spending import Held, Spending, SpendingRecord
from labagent.trace import TraceWriter, costs
from support import spenders
from support.model_server import Fault, ModelServer, Say
from support.toy import wait_for

ASK = [{"role": "user", "content": "hello"}]
PRICE = Price(input=1000, output=1000)
REPLY = 0.06
"""US$ of 40 prompt and 20 completion tokens."""
WORST = 0.2
"""More than any call of a spender may cost."""


def reply() -> Say:
    return Say("x", prompt_tokens=40, completion_tokens=20, seconds=0.02)


class Spenders:
    """The process that forks spenders."""

    def __init__(self) -> None:
        path = os.pathsep.join(p for p in sys.path if p)
        self.process = subprocess.Popen(
            [sys.executable, spenders.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )

    def start(self, server: ModelServer, results: Path, total: float, count: int) -> list[int]:
        assert self.process.stdin and self.process.stdout
        print(server.url, results, total, count, file=self.process.stdin, flush=True)
        return [int(word) for word in self.process.stdout.readline().split()]

    def wait(self) -> None:
        assert self.process.stdout and self.process.stdout.readline() == "done\n"


@pytest.fixture(scope="module")
def parent() -> Iterator[Spenders]:
    spenders = Spenders()
    yield spenders
    spenders.process.communicate(timeout=60)


def book(results: Path, total: float | None = 1.0, **fields: float) -> Book:
    return Book(results, Spending(total_usd=total, **fields), "reproduce/model/t/1")


def settings(server: ModelServer, **fields: object) -> ModelSettings:
    values = {"price": PRICE, "max_output_tokens": 100, "retries": 1, "backoff_seconds": 0.01, **fields}
    return ModelSettings.model_validate({"model": "openai/local", "api_base": server.url, **values})


def total_of(results: Path) -> float:
    return sum(costs(path).usd or 0.0 for path in results.glob("runs/*/*/*/try-*/trace.jsonl"))


def test_sixteen_processes_never_exceed_one_budget_by_more_than_a_call(
    tmp_path: Path, parent: Spenders
) -> None:
    total = 4.0
    with ModelServer([], forever=reply()) as server:
        parent.start(server, tmp_path, total, 16)
        parent.wait()
        served = len(server.requests) * REPLY
    kept = SpendingRecord.read(tmp_path / BOOK)
    assert served <= total + REPLY
    assert served == pytest.approx(kept.spent_usd) == pytest.approx(total_of(tmp_path))
    assert kept.held == {} and kept.possible_usd == 0
    assert total - served < WORST, "money was left that would have paid a call"
    ends = [path.read_text() for path in tmp_path.glob("runs/*/*/*/try-*/trace.jsonl")]
    assert len(ends) == 16 and all("spending.total_usd" in text for text in ends)


def test_killed_processes_free_no_money_that_may_have_been_spent(tmp_path: Path, parent: Spenders) -> None:
    dice = random.Random(7)
    with ModelServer([], forever=reply()) as server:
        children = parent.start(server, tmp_path, 1000.0, 6)
        wait_for(lambda: len(server.requests) >= 20)
        for child in children:
            time.sleep(dice.uniform(0, 0.03))
            os.kill(child, signal.SIGKILL)
        parent.wait()
        killed = SpendingRecord.read(tmp_path / BOOK)
        total = killed.certain_usd + killed.held_usd + 1.0
        parent.start(server, tmp_path, total, 3)  # the same runs, tried again
        parent.wait()
        served = len(server.requests) * REPLY
    kept = SpendingRecord.read(tmp_path / BOOK)
    assert kept.held == {}, "reservations of the dead were not booked"
    assert kept.spent_usd == pytest.approx(total_of(tmp_path))
    assert served <= kept.certain_usd + 1e-9, "the book forgot calls that were served"
    assert kept.certain_usd <= total + 1e-9 and served <= total + REPLY
    assert kept.certain_usd > killed.certain_usd + 0.5, "the second start could not spend what was left"


def dead(**fields: object) -> Held:
    values = {
        "usd": 0.5,
        "who": "reproduce/model/t/1",
        "host": os.uname().nodename,
        "pid": 4,
        "mark": "gone 1",
    }
    return Held.model_validate({**values, "until": time.time() + 100, "trace": "trace.jsonl", **fields})


USAGE = {"usage": {"prompt_tokens": 40, "completion_tokens": 20}, "cost_usd": 0.06}


@pytest.mark.parametrize(
    ("events", "spent", "possible"),
    [
        ([("request", {}), ("usage", USAGE)], 0.06, 0.0),
        ([("request", {}), ("usage", {**USAGE, "cost_usd": None})], 0.0006, 0.0),
        ([("request", {}), ("retry", {"possible_usd": 0.0})], 0.0, 0.0),
        ([("request", {}), ("retry", {"possible_usd": 0.11})], 0.0, 0.11),
        ([("request", {})], 0.0, 0.5),
        ([], 0.0, 0.5),
    ],
    ids=["replied", "unknown price", "refused", "reply lost", "under way", "no trace"],
)
def test_what_a_dead_process_had_reserved_is_booked_by_its_trace(
    tmp_path: Path, events: list[tuple[str, dict[str, object]]], spent: float, possible: float
) -> None:
    with TraceWriter(tmp_path / "trace.jsonl") as trace:
        for kind, fields in [("request", {}), ("usage", USAGE), *events]:
            trace.event(kind, **fields)
    SpendingRecord(held={"a": dead(seq=3)}).write(tmp_path / BOOK)
    book(tmp_path, 10.0).reserve(0.1, 0, seconds=1)
    kept = SpendingRecord.read(tmp_path / BOOK)
    assert (kept.spent_usd, kept.possible_usd) == (pytest.approx(spent), pytest.approx(possible))
    assert "a" not in kept.held


def test_a_reservation_of_another_machine_counts_until_it_must_be_over(tmp_path: Path) -> None:
    SpendingRecord(held={"a": dead(host="elsewhere")}).write(tmp_path / BOOK)
    with pytest.raises(MoneySpent, match=r"0\.5000 reserved"):
        book(tmp_path, 0.9).reserve(0.5, 0, seconds=1)
    SpendingRecord(held={"a": dead(host="elsewhere", until=time.time() - 3600)}).write(tmp_path / BOOK)
    with pytest.raises(MoneySpent, match=r"0\.5000 more may have been"):
        book(tmp_path, 0.9).reserve(0.5, 0, seconds=1)


def test_a_call_waits_for_reservations_that_may_become_less(tmp_path: Path) -> None:
    other, mine = book(tmp_path, 0.2), book(tmp_path, 0.2)
    ticket = other.reserve(0.15, 0, seconds=60)
    with pytest.raises(MoneySpent):
        mine.reserve(0.1, 0, seconds=1)
    threading.Timer(0.2, other.settle, (ticket, 0.06, Usage())).start()
    assert mine.reserve(0.1, 0, seconds=1, patience=60)
    with pytest.raises(MoneySpent):  # at once: what is gone does not come back
        mine.reserve(0.15, 0, seconds=1, patience=1e6)


def test_failed_requests_are_free_unless_they_may_have_been_billed(tmp_path: Path) -> None:
    with (
        TraceWriter(tmp_path / "trace.jsonl") as trace,
        ModelServer([Fault(status=500), Say("x", 40, 20), Fault(kind="cut"), Say("x", 40, 20)]) as server,
        paying(book(tmp_path, 10.0)),
    ):
        model = LitellmModel(settings(server), trace)
        model.complete(ASK)
        first = SpendingRecord.read(tmp_path / BOOK)
        model.complete(ASK)
    last = SpendingRecord.read(tmp_path / BOOK)
    assert (first.spent_usd, first.possible_usd, first.calls) == (pytest.approx(REPLY), 0.0, 1)
    assert (
        last.possible_usd == pytest.approx(costs(tmp_path / "trace.jsonl").possible_usd) and last.possible_usd
    )
    assert last.by == {"reproduce/model": pytest.approx(last.certain_usd)} and last.held == {}


def test_an_unknown_price_counts_at_the_configured_rate(tmp_path: Path) -> None:
    with (
        TraceWriter(tmp_path / "trace.jsonl") as trace,
        ModelServer([], forever=Say("x", 40, 20)) as server,
        paying(book(tmp_path, 0.25, usd_per_million_tokens=1000.0)),
    ):
        model = LitellmModel(settings(server, price=None), trace)
        with pytest.raises(MoneySpent, match=r"0\.1200 spent"):
            for _ in range(5):
                model.complete(ASK)
        assert len(server.requests) == 2
    kept = SpendingRecord.read(tmp_path / BOOK)
    assert kept.spent_usd == pytest.approx(kept.estimated_usd) == pytest.approx(0.12)


def test_a_book_begins_with_what_the_folder_has_cost(tmp_path: Path) -> None:
    for place, extra in {
        "runs/model/t/1/try-1/trace.jsonl": [("request", {"possible_usd": 0.2})],
        "runs/again/t/1/try-1/trace.jsonl": [],
        "select/model/t.trace.jsonl": [],
        "explore/m/lab/trace.jsonl": [("usage", {**USAGE, "lane": "round-01-user"})],
        "explore/m/lab/lanes/round-01-user.jsonl": [],
    }.items():
        with TraceWriter(tmp_path / place) as trace:
            trace.event("start", **({"replay_of": "model/t/1"} if "again" in place else {}))
            for kind, fields in [("usage", USAGE), *extra]:
                trace.event(kind, **fields)
    purse = book(tmp_path, 10.0)
    purse.failed(purse.reserve(1.0, 0, seconds=1), maybe_billed=False)
    kept = SpendingRecord.read(tmp_path / BOOK)
    assert (kept.calls, kept.spent_usd, kept.possible_usd) == (4, pytest.approx(0.24), pytest.approx(0.2))
    assert kept.by == {
        "reproduce/model": pytest.approx(0.26),
        "select/model": pytest.approx(0.06),
        "explore/m": pytest.approx(0.12),
    }


def test_a_session_reserves_all_it_may_spend_and_gives_back_what_it_did_not(tmp_path: Path) -> None:
    with TraceWriter(tmp_path / "trace.jsonl") as trace, paying(book(tmp_path, 1.0)):
        seq = trace.event("harness")["seq"]
        with paid_session(trace, seq, 0.8, 60.0):
            assert SpendingRecord.read(tmp_path / BOOK).held_usd == pytest.approx(0.8)
            trace.event("usage", **USAGE)
        with pytest.raises(MoneySpent), paid_session(trace, seq, 0.95, 60.0):
            pytest.fail("it began")
    kept = SpendingRecord.read(tmp_path / BOOK)
    assert (kept.spent_usd, kept.held) == (pytest.approx(0.06), {})

    held = dead(kind="session", seq=1, usd=0.8)
    SpendingRecord(held={"a": held}).write(tmp_path / BOOK)
    book(tmp_path, None).reserve(0.0, 0, seconds=1)
    kept = SpendingRecord.read(tmp_path / BOOK)
    assert (kept.spent_usd, kept.possible_usd) == (pytest.approx(0.06), pytest.approx(0.74))


def test_a_replay_costs_nothing(tmp_path: Path) -> None:
    with TraceWriter(tmp_path / "trace.jsonl") as trace, ModelServer([Say("x")]) as server:
        LitellmModel(settings(server), trace, Recording(tmp_path / "calls.jsonl")).complete(ASK)
    with TraceWriter(tmp_path / "again.jsonl") as trace, paying(book(tmp_path, 0.0)):
        assert ReplayModel(tmp_path / "calls.jsonl", trace).complete(ASK).text == "x"
    assert read_book(tmp_path / BOOK) is None


def test_a_book_that_cannot_be_read_stops_spending_and_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / BOOK).write_text(json.dumps({"spent_usd": "much"}))
    with pytest.raises(InfrastructureError, match=r"spending\.json.*spent_usd.*remove it"):
        book(tmp_path).reserve(0.1, 0, seconds=1)


def test_settling_twice_books_once(tmp_path: Path) -> None:
    purse = book(tmp_path)
    ticket = purse.reserve(0.5, 0, seconds=1)
    for _ in range(2):
        purse.settle(ticket, 0.1, Usage(prompt_tokens=5))
    assert SpendingRecord.read(tmp_path / BOOK).spent_usd == pytest.approx(0.1)


def test_marks_tell_processes_apart() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    here, there = process_mark(os.getpid()), process_mark(child.pid)
    child.kill()
    assert here and there and here != there
    child.wait()
    assert process_mark(child.pid) == ""
