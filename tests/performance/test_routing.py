"""Time to read a question, against finding names alone and, where its file is given, a reference's rules.

``LABAGENT_REFERENCE_ROUTER``: a Python file with ``detect_intent(text)`` (Open-Rosalind's orchestrator).
"""

from __future__ import annotations

import importlib.util
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from labagent.ask.routing import route
from labagent.tools.naming.finding import find_names

pytestmark = pytest.mark.performance
HERE = Path(__file__).resolve().parents[1] / "unit/ask"
QUESTIONS = [
    json.loads(line)["input"]
    for name in ("routed.jsonl", "routed_more.jsonl", "routed_third.jsonl", "routed_fourth.jsonl")
    for line in (HERE / name).read_text(encoding="utf-8").splitlines()
]
ROUNDS = 3


def milliseconds(act: Callable[[str], Any]) -> tuple[float, float]:
    """Median and 95th percentile of processor time over all questions, everything loaded."""
    for text in QUESTIONS:
        act(text)
    taken = []
    for _ in range(ROUNDS):
        for text in QUESTIONS:
            begun = time.process_time()
            act(text)
            taken.append(1_000 * (time.process_time() - begun))
    return statistics.median(taken), statistics.quantiles(taken, n=20)[-1]


def reference() -> Callable[[str], Any] | None:
    """The reference's rules."""
    path = os.environ.get("LABAGENT_REFERENCE_ROUTER")
    if not path:
        return None
    spec = importlib.util.spec_from_file_location("reference_router", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.detect_intent


def test_reading_a_question():
    median, high = milliseconds(route)
    names, names_high = milliseconds(find_names)
    print(f"\n{len(QUESTIONS)} questions: median {median:.2f} ms, p95 {high:.2f} ms")
    print(f"names alone: median {names:.2f} ms, p95 {names_high:.2f} ms; ratio {median / names:.1f}")
    other = reference()
    if other is not None:
        theirs, theirs_high = milliseconds(other)
        print(
            f"reference's rules: median {theirs:.4f} ms, p95 {theirs_high:.4f}; ratio {median / theirs:.0f}"
        )
    assert median > 0
