import gzip
import json

import pytest

from labagent.models.tables import Quantity
from labagent.reproduce.finish import find_final, missing_answers, sentinel

MARK = sentinel("arm", "target", 1)


def test_the_sentinel_is_stable_and_differs_between_attempts():
    assert sentinel("arm", "target", 1) == MARK
    others = {
        sentinel("arm", "target", 2),
        sentinel("arm", "target", 1, "of other files"),
        sentinel("arm", "other", 1),
        sentinel("b", "target", 1),
    }
    assert MARK not in others and len(others) == 4
    assert MARK.startswith("LABAGENT-DONE-") and len(MARK) == 30


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("{m}\nSTATUS: SUCCESS", "SUCCESS"),
        ("noise\n  {m}\n\nSTATUS: SUCCESS\n", "SUCCESS"),
        ("{m}\nSTATUS: FAILURE no data", "FAILURE"),
        ("{m}\nSTATUS: FAILURE\n{m}\nSTATUS: SUCCESS", "SUCCESS"),
        ("I will print {m} and STATUS: SUCCESS later", None),
        ("STATUS: SUCCESS\n{m}", None),
        ("LABAGENT-DONE-00000000\nSTATUS: SUCCESS", None),
        ("{m}\nSTATUS: SUCCESSFUL?", None),
        ("{m}", None),
        ("", None),
    ],
)
def test_a_final_status_is_the_sentinel_line_and_the_status_line(text, word):
    final = find_final(text.format(m=MARK), MARK)
    assert (final.word if final else None) == word


def test_the_reason_of_a_failure_is_kept():
    assert (
        find_final(f"{MARK}\nSTATUS: FAILURE: the data has no labels", MARK).reason
        == "the data has no labels"
    )


def contract(*items):
    return tuple(Quantity.parse(item) for item in items)


def test_a_kept_contract_lacks_nothing(tmp_path):
    (tmp_path / "answer.json").write_text(json.dumps({"a": {"b": 1.5}}))
    (tmp_path / "p.csv").write_text("id,prediction\n1,0.5\n")
    with gzip.open(tmp_path / "q.csv.gz", "wt") as stream:
        stream.write("id,prediction\n1,0.5\n")
    items = contract("x=answer.json:a.b", "y=p.csv", "z=q.csv.gz")
    assert missing_answers(tmp_path, items) == []


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (None, "no such file"),
        ("", "empty"),
        ("{'a': 1}", "not JSON"),
        ('{"b": 1}', 'no "a"'),
        ('{"a": "1"}', "not a number"),
        ('{"a": NaN}', "finite"),
    ],
)
def test_what_an_answer_lacks_is_said(tmp_path, content, word):
    if content is not None:
        (tmp_path / "answer.json").write_text(content)
    (fault,) = missing_answers(tmp_path, contract("x=answer.json:a"))
    assert "answer.json" in fault and word in fault


@pytest.mark.parametrize("content", ["just text\n", "id,prediction\n", "\n\n"])
def test_a_file_of_predictions_needs_a_header_and_a_row(tmp_path, content):
    (tmp_path / "p.csv").write_text(content)
    (fault,) = missing_answers(tmp_path, contract("x=p.csv"))
    assert fault.startswith("p.csv:")


def test_one_missing_file_is_named_once(tmp_path):
    assert len(missing_answers(tmp_path, contract("x=a.json:x", "y=a.json:y"))) == 1
