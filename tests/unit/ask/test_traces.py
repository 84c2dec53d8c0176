"""Traces of answers: complete, chained, verified, and made again byte by byte."""

from __future__ import annotations

import json
import shutil
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from labagent.ask import answer
from labagent.ask.answering import answer_id, checked_id
from labagent.ask.replaying import replay_answer
from labagent.ask.verifying import is_answer, verify_answer
from labagent.cli import main
from labagent.errors import InputError
from labagent.files import read_json, sha256_text, to_json
from labagent.tools.calling import Caller
from labagent.tools.store import CallStore
from labagent.trace import read_trace
from labagent.trace.chain import link

QUESTION = "HBB E6V"


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A folder with an answer and, beside it, the store of its calls."""
    root = tmp_path_factory.mktemp("answers")
    answer(QUESTION, caller=Caller(CallStore(root / "store", "auto")), folder=root / "a")
    return root


@pytest.fixture
def copy(made, tmp_path) -> Path:
    """The answer, to be damaged."""
    return Path(shutil.copytree(made / "a", tmp_path / "a"))


def test_a_whole_trace_tells_all_of_the_answer(made):
    events = read_trace(made / "a/trace.jsonl")
    kinds = [e["event"] for e in events]
    assert kinds[:3] == ["start", "routing", "plan"] and kinds[-3:] == ["check", "answer", "end"]
    record = read_json(made / "a/answer.json")
    calls = [e for e in events if e["event"] == "call"]
    assert [c["call"] for c in calls] == [c["id"] for c in record["calls"]] == [f"c{n}" for n in range(1, 6)]
    assert all(c["seconds"] >= 0 and c["status"] == "ok" and len(c["result_sha256"]) == 64 for c in calls)
    assert record["trace_complete"] and verify_answer(made / "a").faults == ()
    assert events[0]["versions"]["labagent"] and events[0]["store"]["mode"] == "auto"
    assert (made / "a/answer.md").read_text() == record["text"]


def test_the_record_holds_no_time(made, tmp_path):
    for name in ("x", "y"):
        answer(QUESTION, caller=Caller(CallStore(tmp_path / name, "auto")), folder=tmp_path / f"a{name}")
    first, second = ((tmp_path / f"a{name}/answer.json").read_bytes() for name in ("x", "y"))
    assert first == second == (made / "a/answer.json").read_bytes()


def test_a_replay_is_the_same_byte_by_byte_and_asks_nobody(made, monkeypatch):
    monkeypatch.setattr("labagent.tools.calling.connect_all", None)
    found = replay_answer(made / "a", made)
    assert (found.calls, found.replies, found.differences) == (5, 0, ())


def events_of(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder / "trace.jsonl").read_text().splitlines()]


def rechained(folder: Path, events: list[dict]) -> None:
    """Write events with sound numbers and chain, as one who wants to deceive would."""
    before, lines = "", []
    for number, event in enumerate(events, start=1):
        event["seq"] = number
        event["chain"] = before = link(before, event)
        lines.append(json.dumps(event, ensure_ascii=False) + "\n")
    (folder / "trace.jsonl").write_text("".join(lines))


def drop(kind: str):
    """Take the first event of a kind out."""

    def damage(folder: Path) -> None:
        events = events_of(folder)
        rechained(folder, [e for e in events if e is not next(x for x in events if x["event"] == kind)])

    return damage


def edit_record(change):
    """Change the record, its hash in the trace and the chain."""

    def damage(folder: Path) -> None:
        record = read_json(folder / "answer.json")
        change(record)
        (folder / "answer.json").write_text(to_json(record))
        events = events_of(folder)
        events[-1]["files"]["answer.json"] = sha256_text(to_json(record))
        rechained(folder, events)

    return damage


def edit_line(folder: Path) -> None:
    text = (folder / "trace.jsonl").read_text()
    (folder / "trace.jsonl").write_text(text.replace('"variant.effect"', '"variant.parse"', 1))


DAMAGE = {
    "a missing call": drop("call"),
    "no routing": drop("routing"),
    "no plan": drop("plan"),
    "no answer event": drop("answer"),
    "no end": drop("end"),
    "no start": drop("start"),
    "an altered line": edit_line,
    "a blank in a line": lambda f: (f / "trace.jsonl").write_text(
        (f / "trace.jsonl").read_text().replace('", "', '",  "', 1)
    ),
    "an empty line": lambda f: (f / "trace.jsonl").write_text(
        (f / "trace.jsonl").read_text().replace("\n", "\n\n", 1)
    ),
    "a byte behind the end": lambda f: (f / "trace.jsonl").write_text((f / "trace.jsonl").read_text() + " "),
    "a line taken out": lambda f: (f / "trace.jsonl").write_text(
        "".join(x for n, x in enumerate((f / "trace.jsonl").read_text().splitlines(True)) if n != 4)
    ),
    "a torn trace": lambda f: (f / "trace.jsonl").write_text((f / "trace.jsonl").read_text()[:-300]),
    "no trace": lambda f: (f / "trace.jsonl").unlink(),
    "an edited text": lambda f: (f / "answer.md").write_text("HBB is fine."),
    "no text": lambda f: (f / "answer.md").unlink(),
    "no record": lambda f: (f / "answer.json").unlink(),
    "an edited record": lambda f: (f / "answer.json").write_text(
        (f / "answer.json").read_text().replace("147", "148")
    ),
    "no JSON": lambda f: (f / "answer.json").write_text("{"),
    "a changed result": edit_record(lambda r: r["calls"][1]["result"].update(length=148)),
    "a changed result with its hash": edit_record(
        lambda r: r["calls"][3].update(result={"hgvs": "p.Glu7Lys"}, result_sha256="0" * 64)
    ),
    "a changed statement": edit_record(lambda r: r["statements"][0].update(text="HBB has 148 residues.")),
    "a changed outcome": edit_record(lambda r: r.update(outcome="refuse")),
    "a changed question": edit_record(lambda r: r.update(question="HBB E7K")),
    "a call taken out of the record": edit_record(lambda r: r["calls"].pop()),
    "a citation of no call": edit_record(lambda r: r["statements"][0].update(cites=["c77"])),
    "another model": edit_record(lambda r: r.update(model="openai/other")),
    "a claim to be incomplete": edit_record(lambda r: r.update(trace_complete=False)),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_trace_with_a_hole_fails(copy, name):
    DAMAGE[name](copy)
    assert verify_answer(copy).faults


def test_a_call_that_is_damaged_in_the_store_is_named(made, tmp_path):
    folder = Path(shutil.copytree(made, tmp_path / "root")) / "a"
    text = (folder / "trace.jsonl").read_text().replace(str(made / "store"), str(tmp_path / "root/store"))
    events = [json.loads(line) for line in text.splitlines()]
    rechained(folder, events)
    assert verify_answer(folder, tmp_path).faults == ()
    call = next(e for e in events if e["event"] == "call" and e["tool"] == "uniprot.fetch")
    kept = CallStore(tmp_path / "root/store").path(call["tool"], call["key"])
    kept.write_text(kept.read_text().replace("147", "148"))
    (fault,) = verify_answer(folder, tmp_path).faults
    assert fault.startswith(f"call {call['call']}: stored call uniprot.fetch/") and "damaged" in fault


def test_a_replay_without_its_calls_says_which_are_missing(made, tmp_path):
    folder = shutil.copytree(made / "a", tmp_path / "a")
    store = shutil.copytree(made / "store", tmp_path / "store")
    shutil.rmtree(store / "variant.effect")
    found = replay_answer(folder, made, store=store)
    assert any("variant.effect" in d for d in found.differences)
    with pytest.raises(InputError, match="which is not there"):
        folder2 = shutil.copytree(made / "a", tmp_path / "elsewhere/a")
        text = (folder2 / "trace.jsonl").read_text().replace(str(made / "store"), "/nowhere/store")
        (folder2 / "trace.jsonl").write_text(text)
        replay_answer(folder2, tmp_path)


def test_an_answer_whose_calls_were_not_kept_cannot_be_replayed(tmp_path):
    answer(QUESTION, caller=Caller(), folder=tmp_path / "a")
    with pytest.raises(InputError, match="no call was kept"):
        replay_answer(tmp_path / "a", tmp_path)


def test_the_command_verifies_and_replays(made, copy, capsys, monkeypatch):
    monkeypatch.chdir(made)
    assert main(["trace", "verify", "a"]) == 0 and "whole" in capsys.readouterr().out
    assert main(["trace", "verify", "a/answer.json"]) == 0
    assert main(["trace", "replay", "a"]) == 0
    assert "equal, byte by byte" in capsys.readouterr().out
    (copy / "answer.md").write_text("no")
    assert main(["trace", "verify", str(copy), "--json"]) == 1
    assert "answer.md is not the one" in json.loads(capsys.readouterr().out)[0]["faults"][0]
    assert main(["trace", "show", "a"]) == 0 and "routing" in capsys.readouterr().out
    assert is_answer(made / "a") and not is_answer(made / "store")


def test_answering_again_into_a_folder_replaces_all_of_it(copy):
    answer("P01308", caller=Caller(), folder=copy)
    assert verify_answer(copy).faults == () and read_json(copy / "answer.json")["question"] == "P01308"


@pytest.mark.parametrize(
    "name", ["../x", "a/b", "", ".", "..", "a" * 65, "x\n", "-a", "a b", "Ä", "a\0b", ".hidden"]
)
def test_an_id_that_could_be_a_path_is_refused(name, tmp_path):
    with pytest.raises(InputError):
        checked_id(name)
    if name:
        with pytest.raises(InputError):
            answer(QUESTION, caller=Caller(), id=name)


def test_no_text_of_a_question_becomes_a_path(tmp_path, monkeypatch):
    project = tmp_path / "in" / "side"
    project.mkdir(parents=True)
    monkeypatch.chdir(project)
    for question in (
        "../../etc/passwd",
        "$(touch x) `touch y`; touch z",
        "P01308/../../x",
        "rs1\0/../x",
        "{a}%s",
    ):
        store = CallStore(project / "store", "auto")
        answer(question, caller=Caller(store), folder=project / "o" / answer_id(question))
    outside = [p for p in tmp_path.rglob("*") if p.is_file() and project not in p.parents]
    assert outside == [] and {p.name for p in project.iterdir()} <= {"store", "o"}


def test_secrets_in_a_question_are_nowhere(tmp_path, monkeypatch):
    monkeypatch.setenv("MY_API_KEY", "s3cret-value-1234567")
    made = answer("length of P68871 s3cret-value-1234567", caller=Caller(), folder=tmp_path)
    assert all("s3cret-value" not in p.read_text() for p in tmp_path.iterdir()) and "147" in made.text
    assert verify_answer(tmp_path).faults == ()


GENES = {"HBB": "P68871", "KRAS": "P01116", "TP53": "P04637", "BRCA1": "P38398", "CFTR": "P13569"}
LENGTHS = {"HBB": "147", "KRAS": "189", "TP53": "393", "BRCA1": "1,863", "CFTR": "1,480"}


def ask_many(numbers: list[int]) -> list[str]:
    """Questions on different proteins and sequences; those whose answer has another's entity or value."""
    wrong = []
    for number in numbers:
        gene = list(GENES)[number % len(GENES)]
        if number % 2:
            made = answer(f"length of {gene}", caller=Caller())
            others = {v for g, v in GENES.items() if g != gene}
            fine = GENES[gene] in made.text and f"{LENGTHS[gene]} residues" in made.text
            fine = fine and not any(o in made.text for o in others)
        else:
            made = answer("length of " + "ATGC" * (number + 10), caller=Caller())
            fine = f"{4 * (number + 10)} nt" in made.text and not any(v in made.text for v in GENES.values())
        if not fine or [c.id for c in made.calls] != [f"c{n + 1}" for n in range(len(made.calls))]:
            wrong.append(made.question)
    return wrong


def test_two_hundred_questions_at_once_never_mix():
    with ThreadPoolExecutor(16) as pool:
        assert not any(pool.map(ask_many, [[n] for n in range(150)]))
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as pool:
        assert not any(pool.map(ask_many, [list(range(150, 175)), list(range(175, 200))]))


def test_the_same_folder_is_answered_into_by_one_at_a_time(tmp_path):
    def once(number: int) -> None:
        answer(QUESTION, caller=Caller(CallStore(tmp_path / "s", "auto")), folder=tmp_path / "a")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(once, range(8)))
    assert verify_answer(tmp_path / "a").faults == ()
