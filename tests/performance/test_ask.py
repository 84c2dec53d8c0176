"""How long an answer takes without a model, and what it is made of."""

from __future__ import annotations

import statistics
import time

import pytest

from labagent.ask import answer
from labagent.ask.routing import route
from labagent.tools.calling import Caller
from labagent.tools.store import CallStore

pytestmark = pytest.mark.performance
QUESTIONS = (
    "P68871",
    "What is the function of BRCA1?",
    "Where in the cell is TP53 found?",
    "KRAS G12D",
    "TP53 R175H",
    "HBB E6V sickle",
    "rs121913529",
    "WT: MKTAYIAKQR\nMT: MKATAYIAKQR",
    "MKTAYIAKQRQISFVKSHFSRQ*",
    "Please translate ATGGCCAAATTAAGGGCCCAAATAG for me",
    "reverse complement of ATGGCCAAATTAAGGGCCCAAATAG",
    "α-synuclein aggregation papers",
    "BRCA1 的功能是什么?",
    "???",
)
ROUNDS = 5


def seconds(act) -> list[float]:
    """Seconds of each question, after one round that loads what is loaded once."""
    found = []
    for number in range(ROUNDS + 1):
        for question in QUESTIONS:
            begun = time.perf_counter()
            act(question)
            if number:
                found.append(time.perf_counter() - begun)
    return found


def spread(name: str, found: list[float]) -> float:
    """Print median and 95th percentile; gives the median."""
    median, high = statistics.median(found), statistics.quantiles(found, n=20)[-1]
    print(f"{name}: median {median * 1000:.1f} ms, p95 {high * 1000:.1f} ms, n={len(found)}")
    return median


def test_latency_of_offline_answers(tmp_path, capsys):
    """Routing alone is the baseline; then the answer, with its trace and store, and from a warm store."""
    with capsys.disabled():
        print()
        base = spread("route", seconds(route))
        plain = spread("answer, nothing kept", seconds(lambda q: answer(q, caller=Caller())))

        def kept(question: str) -> None:
            answer(question, caller=Caller(CallStore(tmp_path / "store", "auto")), folder=tmp_path / "a")

        whole = spread("answer with trace, calls from the store", seconds(kept))
        print(f"answer / route: {plain / base:.1f}; with trace and store / without: {whole / plain:.1f}")
