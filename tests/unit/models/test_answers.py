"""The answer contract is read from files an agent wrote: every bad one is named, none crashes."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from labagent.models.answers import MAX_JSON_BYTES, AnswerError, find_key, finite_number, read_answer
from labagent.models.tables import Quantity


def contract(key: str = "score", file: str = "answer.json") -> Quantity:
    return Quantity(name="q", file=file, key=key)


def refused(folder: Path, key: str = "score", file: str = "answer.json") -> str:
    with pytest.raises(AnswerError) as caught:
        read_answer(folder, contract(key, file))
    return caught.value.reason


@pytest.mark.parametrize(
    ("content", "key", "value"),
    [
        ('{"score": 0.5}', "score", 0.5),
        ('{"score": 3}', "score", 3.0),
        ('\ufeff{"score": 1e-300}\r\n', "score", 1e-300),
        ('{"a": {"b": 2}}', "a.b", 2.0),
        ('{"a": {"b": 2}, "a.b": 3}', "a.b", 3.0),
        ('{"a.b": {"x": 1}, "a": {"b": {"c": 4}}}', "a.b.c", 4.0),
        ('{"q0.05": {"n": [5, 6]}}', "q0.05.n.1", 6.0),
        ('[1, {"x": 7}]', "1.x", 7.0),
    ],
)
def test_value_is_found(tmp_path, content, key, value):
    (tmp_path / "answer.json").write_text(content, encoding="utf-8")
    assert read_answer(tmp_path, contract(key)) == value


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "is empty"),
        ("{", "is not JSON"),
        ("{'score': 1}", "is not JSON"),
        ('{"score": NaN}', "is nan, not a finite"),
        ('{"score": -Infinity}', "is -inf, not a finite"),
        ('{"score": 1e999}', "not a finite"),
        ('{"score": "0.5"}', 'the text "0.5", not a number'),
        ('{"score": true}', "is true, not a number"),
        ('{"score": null}', "is null, not a number"),
        ('{"score": [0.5]}', "is a list, not a number"),
        ('{"score": 1, "score": 2}', "given twice"),
        ('{"other": 1, "more": 2}', "its keys are other, more"),
        ("0.5", "it holds the number 0.5"),
        ('{"score": 1' + "0" * 400 + "}", "too large"),
        ('{"score": 1' + "0" * 5000 + "}", "not usable JSON"),
        ("[" * 200_000, "not usable JSON"),
    ],
)
def test_bad_content_is_named(tmp_path, content, reason):
    (tmp_path / "answer.json").write_text(content)
    message = refused(tmp_path)
    assert reason in message
    assert message.startswith("answer.json")
    assert len(message) < 300


def test_bytes_that_are_no_text(tmp_path):
    (tmp_path / "answer.json").write_bytes(b'{"score": "\xff"}')
    assert "is not UTF-8" in refused(tmp_path)


def test_huge_file_is_not_read(tmp_path):
    with (tmp_path / "answer.json").open("wb") as stream:
        stream.truncate(MAX_JSON_BYTES * 100)
    assert "larger than 16 MiB" in refused(tmp_path)


def test_links_and_odd_files_are_refused(tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text('{"score": 0.9}')
    folder = tmp_path / "output"
    folder.mkdir()
    (folder / "answer.json").symlink_to(secret)
    assert "leads out of the output folder" in refused(folder)
    (folder / "up").symlink_to(tmp_path)
    assert "leads out" in refused(folder, file="up/secret.json")
    assert "leads out" in refused(folder, file="../secret.json")
    (folder / "loop.json").symlink_to(folder / "loop.json")
    assert "no such file" in refused(folder, file="loop.json")
    (folder / "gone.json").symlink_to(folder / "nothing")
    assert "no such file" in refused(folder, file="gone.json")
    os.mkfifo(folder / "pipe.json")
    assert "not a regular file" in refused(folder, file="pipe.json")
    assert "not a regular file" in refused(folder, key="", file=".")
    assert "no such file" in refused(folder, file="a\0b")


def test_link_inside_the_folder_is_followed(tmp_path):
    (tmp_path / "real.json").write_text('{"score": 2}')
    (tmp_path / "answer.json").symlink_to("real.json")
    assert read_answer(tmp_path, contract()) == 2.0


def test_without_a_key_the_file_is_the_answer(tmp_path):
    (tmp_path / "p.csv").write_text("id,prediction\n")
    assert read_answer(tmp_path, contract(key="", file="p.csv")) == (tmp_path / "p.csv").resolve()
    assert "no such file" in refused(tmp_path, key="", file="q.csv")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("ab.0", max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(JSON, st.text("ab.01", max_size=6))
def test_any_json_gives_a_number_or_a_reason(value, key):
    value = json.loads(json.dumps(value))
    try:
        number = finite_number(find_key(value, key, "f"), "f")
    except AnswerError as error:
        assert error.reason
    else:
        assert isinstance(number, float)
