"""Published values in commands and code, before any command computed them."""

import base64
from dataclasses import replace
from pathlib import Path

import pytest

from labagent.audit.numbers import numbers, value_of
from labagent.models.tables import Reference


@pytest.mark.parametrize(
    ("command", "leaks"),
    [
        ("echo -0.37942 > answer.json", True),
        ("echo '{\"coef\": -0.3794}' > answer.json", True),
        ("x = .379", True),
        ("x = -3.7942e-1", True),
        ("x = -37.942 / 100", True),
        ("coef is 37.94 %", True),
        ("x = 0.379422166", True),
        ("x = 0_0.37942", True),
        (f"echo {base64.b64encode(b'coef=-0.37942').decode()} | base64 -d", True),
        (f"echo {b'coef=-0.37942'.hex()} | xxd -r -p", True),
        ("x = 0.38", False),
        ("x = 1.37942", False),
        ("x = 37.942", False),
        ("pip install numpy==0.379", False),
        ("release 0.37942.1", False),
        ("x = 0.3790001", False),
    ],
)
def test_roundings_of_a_value_before_it_was_computed(case, command, leaks):
    case.reference("-0.37942").run(command)
    assert case.kinds() == (["value"] if leaks else [])


@pytest.mark.parametrize("value", ["0", "1", "0.5", "15", "100", "-0.05", "3.4", "1000"])
def test_a_short_value_says_nothing(case, value):
    case.reference(value).run(f"echo {value} > answer.json")
    assert case.audit().verdict == "clean"


def test_what_a_command_printed_may_be_written(case):
    case.reference("-0.37942").run("python fit.py", "coef -0.379422 se 0.19").run("echo -0.37942 > a.json")
    assert case.audit().verdict == "clean"


def test_an_echo_of_the_value_itself_computes_nothing(case):
    case.reference("-0.37942").run("echo -0.37942", "-0.37942\n").run("echo -0.37942 > a.json")
    assert case.kinds() == ["value", "value"]


def test_more_digits_than_were_printed_are_not_computed(case):
    case.reference("-0.37942").run("python fit.py", "coef -0.379").run("echo -0.379 -0.37942 > a.json")
    assert [row.turn for row in case.audit().evidence] == [2]


@pytest.mark.parametrize(
    ("published", "printed"), [("6.60", "6.6"), ("0.09150", "0.0915"), ("1566", "1566.0")]
)
def test_zeros_that_a_program_drops_count_as_printed(case, published, printed):
    case.reference(published).run("python fit.py", f"result {printed}\n").run(f"echo {published} > a.json")
    assert case.audit().verdict == "clean"


def test_what_a_page_of_the_network_says_is_not_computed(case):
    case.reference("-0.37942").run("curl -s https://example.org/paper", "The coefficient was -0.37942")
    case.run("echo -0.37942 > a.json")
    assert [(row.place, row.turn) for row in case.audit().evidence] == [("output", 1), ("command", 2)]


def test_a_value_of_the_task_or_the_data_was_given(case, tmp_path):
    case.reference("-0.37942").reference("16.79", "other")
    task, data = case.write("task.md", "Compare with -0.37942."), case.write("data/files/x.csv", "a\n16.79\n")
    case.facts = replace(case.facts, task=task, data=data.parent)
    case.run("echo -0.37942 16.79 > a.json")
    assert case.audit().verdict == "clean"


def test_code_that_no_command_shows_is_read_as_well(case):
    case.reference("-0.37942").run("python -c 'import zlib; ...'")
    case.write("try-1/output/solve.py", "print(-0.37942)\n")
    case.write("try-1/output/results.csv", "-0.37942\n")
    case.record()
    assert [(row.kind, row.place) for row in case.audit().evidence] == [("value", "solve.py")]


def test_a_notebook_is_read_by_its_sources(case):
    case.reference("-0.37942").run("jupyter execute a.ipynb")
    cells = '{"cells": [{"source": ["fit()"], "outputs": [{"text": "-0.37942"}]}]}'
    case.write("try-1/output/a.ipynb", cells)
    assert case.record().audit().verdict == "clean"


def test_killed_tries_are_audited_and_those_of_an_earlier_result_are_not(case):
    case.reference("-0.37942").run("echo -0.37942").record(status="completed")
    case.name = "try-2"
    case.run("echo -0.3794").record(status=None)
    case.name = "try-3"
    case.run("ls").record()
    audit = case.audit()
    assert (audit.verdict, audit.commands) == ("tainted", 2)
    assert [row.attempt_try for row in audit.evidence] == ["try-2"]


def test_a_lesson_or_a_skill_with_the_value_taints(case, tmp_path):
    case.reference("-0.37942").run("ls")
    case.write("skill/references/a.md", "The coefficient should be -0.37942.\n")
    case.facts = replace(case.facts, skill=tmp_path / "skill")
    assert [(r.kind, r.place) for r in case.audit().evidence] == [("given", "skill/references/a.md")]


def test_withheld_labels_in_a_command(case, tmp_path):
    rows = [(f"id{n}", f"{n * 0.731 + 1.037:.3f}") for n in range(8)]
    labels = case.write("labels.csv", "id,label\n" + "".join(f"{i},{v}\n" for i, v in rows))
    case.facts = replace(case.facts, labels=labels)
    case.run("cat > p.csv <<E\nid,prediction\n" + "\n".join(f"{i},{v}" for i, v in rows) + "\nE")
    case.run("cat > p.csv <<E\n" + "\n".join(f"{i},{float(v) + 0.2:.3f}" for i, v in rows) + "\nE")
    assert [(row.kind, row.turn) for row in case.audit().evidence] == [("labels", 1)]


def test_a_trace_that_was_changed_proves_nothing(case):
    path = case.run("cat notes").record().root / "try-1/trace.jsonl"
    path.write_text(path.read_text().replace("cat notes", "ls notes!"))
    assert set(case.kinds()) == {"trace"}


def test_hostile_text_takes_no_time(case, tmp_path: Path):
    case.reference("-0.37942")
    for word in ("/", "a/", "git ", "1", "A", "$", "../", "1_", "x:1,", "curl ", "http://", "'", "x/config"):
        text = word * (60_000 // len(word))
        case.run(text, text)
    case.facts = replace(case.facts, sealed=("lab/tests/**",), repositories=("pypi:lab==1",))
    assert case.audit().commands == 13


def test_every_published_value_of_four_digits_is_found_in_its_own_words():
    for value in ("0.632812315254828", "-1.267", "1566", "0.00005123", "16.79"):
        row = {
            "target": "t",
            "quantity": "q",
            "metric": "m",
            "direction": "match",
            "source": "s",
            "value": value,
        }
        found = value_of(Reference.model_validate(row))
        assert found and any(found.is_at(n) for n in numbers(f"x = {value};")), value
