"""Conversations and the command: earlier turns are known, no name leads anywhere, writers do not mix."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from labagent.ask.sessions import open_session
from labagent.cli import main
from labagent.errors import InputError


def test_a_conversation_knows_its_earlier_turns(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["ask", "Tell me about P68871", "--session", "one"]) == 0
    assert main(["ask", "How long is this protein?", "--session", "one"]) == 0
    assert "147 residues" in capsys.readouterr().out
    assert main(["ask", "How long is this protein?", "--session", "other"]) == 0
    assert "147" not in capsys.readouterr().out
    names = [p.name for p in (tmp_path / "results/sessions").iterdir() if p.suffix == ".jsonl"]
    assert len(names) == 2 and all(len(n) == len("0" * 32 + ".jsonl") for n in names)


@pytest.mark.parametrize("name", ["../../x", "a/b", "..", "/etc/passwd", "ü 漢", "x" * 200, "a.lock"])
def test_any_name_of_a_session_stays_in_its_folder(tmp_path, name):
    folder = tmp_path / "deep" / "sessions"
    with open_session(folder, name) as session:
        session.add("KRAS", "q-1", "answer")
    with open_session(folder, name) as session:
        assert session.history == ("KRAS",)
    assert [p for p in tmp_path.rglob("*") if p.is_file() and p.parent != folder] == []
    assert all(name not in p.read_text() for p in folder.glob("*.jsonl"))


@pytest.mark.parametrize("name", ["", "a\nb", "a\0", "x" * 201])
def test_what_is_no_name_is_refused(tmp_path, name):
    with pytest.raises(InputError, match="--session"), open_session(tmp_path, name):
        pass


def test_writers_of_one_session_lose_nothing(tmp_path):
    def write(number: int) -> None:
        with open_session(tmp_path, "s") as session:
            session.add(f"turn {number}", "q", "answer")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(20)))
    with open_session(tmp_path, "s") as session:
        assert sorted(session.history) == sorted(f"turn {n}" for n in range(20))


def test_one_question_at_a_time_holds_a_session(tmp_path):
    inside, most = [], []

    def hold(number: int) -> None:
        with open_session(tmp_path, "s"):
            inside.append(number)
            most.append(len(inside))
            time.sleep(0.01)
            inside.remove(number)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(hold, range(16)))
    assert set(most) == {1}


def test_a_half_written_line_is_passed_over_and_ended(tmp_path):
    with open_session(tmp_path, "s") as session:
        session.add("one", "q", "answer")
    (path,) = tmp_path.glob("*.jsonl")
    path.write_text(path.read_text() + '{"question": "tw')
    with open_session(tmp_path, "s") as session:
        assert session.history == ("one",)
        session.add("three", "q", "answer")
    with open_session(tmp_path, "s") as session:
        assert session.history == ("one", "three")


@pytest.mark.parametrize("damage", [b"no JSON\n", b"\xff\xfe\n"])
def test_a_damaged_line_is_one_message_with_its_place(tmp_path, damage):
    with open_session(tmp_path, "s") as session:
        session.add("one", "q", "answer")
    (path,) = tmp_path.glob("*.jsonl")
    path.write_bytes(path.read_bytes() + damage + path.read_bytes())
    with (
        pytest.raises(InputError, match="is no line of a conversation") as caught,
        open_session(tmp_path, "s"),
    ):
        pass
    (fault,) = caught.value.faults
    assert str(path) in str(caught.value) and fault.row == (2 if damage.isascii() else None)


def test_the_record_and_its_facts_as_json(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["ask", "--json", "--out", "o", "WT: MKTAYIAKQR\nMT: MKATAYIAKQR"]) == 0
    value = json.loads(capsys.readouterr().out)
    assert (
        value["facts"]["variant"] == "p.Lys2_Thr3insAla"
        and value["trace_complete"]
        and value["folder"] == "o"
    )
    assert json.loads((tmp_path / "o/answer.json").read_text())["calls"] == value["calls"]


def test_an_answer_of_a_project_has_its_folder_and_its_calls(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.yaml").write_text("attempts: 1\n")
    assert main(["ask", "translate", "ATGGCCAAATTAAGGGCCCAAATAG"]) == 0
    (folder,) = (tmp_path / "results/asked").iterdir()
    assert main(["trace", "replay", str(folder)]) == 0
    assert (tmp_path / ".labagent/calls/sequence.translate").is_dir()
    capsys.readouterr()
    assert main(["ask", "x", "--model", "gpt"]) == 2
    assert '"gpt" is no name under models' in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "status"), [(["KRAS A12D"], 1), (["???"], 0), (["PMID: 123"], 1), (["P68871"], 0)]
)
def test_the_exit_status_says_whether_there_is_an_answer(tmp_path, monkeypatch, words, status):
    monkeypatch.chdir(tmp_path)
    assert main(["ask", *words]) == status
