"""Questions with what was expected of them before they were run (``routed*.jsonl``)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from labagent.ask.routing import route
from labagent.ask.routing.aspects import VOCABULARY
from labagent.ask.routing.rules import all_rules
from labagent.tools.literature.syntax import parse_query
from support.routed import faults

HERE = Path(__file__).parent
ROWS = [
    json.loads(line)
    for name in ("routed.jsonl", "routed_more.jsonl", "routed_third.jsonl", "routed_fourth.jsonl")
    for line in (HERE / name).read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
def test_a_question_is_read_as_expected(row):
    made = route(row["input"], row.get("history", ()))
    assert faults(row, made) == []
    assert made.reason and made.decided_by == "rules"
    assert set(made.aspects) <= set(VOCABULARY)
    if made.query:
        parse_query(made.query)
    for entity in made.entities:
        if entity.start >= 0 and entity.namespace != "sequence":
            assert row["input"][entity.start :].startswith(entity.written)


def test_the_rules_are_in_order_and_the_last_one_always_decides():
    orders = [rule.ORDER for _, rule in all_rules()]
    assert orders == sorted(orders) and len(orders) == len(set(orders))
    assert route("zzz qqq").reason.startswith("topic")


def test_a_checker_of_rows_sees_faults():
    row = {"id": "x", "input": "", "route": "protein", "expect": {"gene": "BRCA1", "ambiguous": True}}
    assert len(faults(row, route("KRAS G12D"))) == 3
