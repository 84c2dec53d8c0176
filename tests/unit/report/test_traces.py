"""Pages of traces: readable, bounded, and dead whatever a run printed."""

import json
import re
from html import unescape

import pytest

from labagent.models.score import Audit, Evidence, ScoreRecord
from labagent.report import build_report
from labagent.report.study import read_study
from labagent.report.traces import chosen, trace_page
from labagent.trace import TraceWriter
from support.browser import CHROMIUM, measured

NASTY = (
    "<script>document.title='owned'</script></pre><img src=x onerror=alert(1)><style>*{display:none}</style>"
    "{{ 7*7 }}{% raw %}\" onmouseover='x' \x1b[31mred\x1b[0m \x00 \u202eesrever <!-- ]]> &lt;b&gt;"
)
SHOWN = (
    NASTY.replace("\x1b[31m", "").replace("\x1b[0m", "").replace("\x00", "\\x00").replace("\u202e", "\\u202e")
)


def write_trace(run, events, target="target-01", number=1, lessons=()):
    folder = run.run_folder("offline", target) / f"try-{number}"
    folder.mkdir(parents=True, exist_ok=True)
    with TraceWriter(folder / "trace.jsonl") as trace:
        for kind, fields in events:
            trace.event(kind, **fields)
    (folder / "memory.json").write_text(json.dumps({"schema_version": 1, "lessons": list(lessons)}))


def page_of(run, target="target-01"):
    study = read_study(run.inputs, run.results)
    entry = study.by_pair["offline", target]
    return trace_page(study, entry, entry.first)


def story(text):
    lesson = {"id": "L" + "0" * 16, "signature": text, "fix": f"pip install x # {text}"}
    events = [
        ("start", {"arm": "offline", "target": "target-01", "budget": {"turns": 20, "usd": 5.0}}),
        ("probe", {"facts": {"system": "Linux", "cores": 2}, "sandbox": {"kind": "bubblewrap"}}),
        ("lessons", {"at": "start", "turn": 0, "ids": []}),
        ("request", {"hash": "0", "model": "m", "parameters": {}}),
        ("usage", {"model": "m", "usage": {"prompt_tokens": 100, "completion_tokens": 7}, "cost_usd": 0.25,
                   "reported": True}),
        ("reply", {"hash": "0", "text": f"I think {text}", "finish_reason": "stop"}),
        ("command", {"turn": 1, "command": f"python x.py {text}", "step": "02-data", "lesson": ""}),
        ("observation", {"turn": 1, "file": "turn-0001.txt", "sha256": "0", "status": 1, "timed_out": True,
                         "signal": None, "limit": "", "seconds": 3.5, "bytes": 90000, "omitted": 65000,
                         "text": f"Traceback {text}"}),
        ("lessons", {"at": "failure", "turn": 1, "failure_class": "missing-module", "signature": text,
                     "ids": [lesson["id"], "L-unknown"]}),
        ("cap", {"name": "turns", "reason": f"20 turns {text}"}),
        ("end", {"status": "capped", "ended_by": "turns", "reason": text, "installed": ["x==1"]}),
    ]  # fmt: skip
    return events, [lesson]


def test_a_page_tells_what_happened(new_run):
    run = new_run(targets=2)
    events, lessons = story("plain words")
    write_trace(run, events, lessons=lessons)
    page = unescape(page_of(run))
    for said in ("python x.py plain words", "Traceback plain words", "I think plain words", "02-data",
                 "pip install x # plain words", "missing-module", "0.25 US$",
                 "20 turns plain words"):  # fmt: skip
        assert said in page, said
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "left out of what the agent saw 65000 bytes" in text
    assert "ended by its time limit" in text
    assert "exit status 1" in text
    assert "L-unknown" in text
    assert re.search(r"turns \d+ 20 ", text)


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
def test_hostile_text_is_dead(new_run, tmp_path):
    run = new_run(targets=2)
    events, lessons = story(NASTY)
    write_trace(run, events, lessons=lessons)
    path = run.score_file("offline", "target-01")
    seen = Evidence(kind="value", attempt_try="try-1", turn=1, place="command", seen=NASTY)
    audit = Audit(verdict="tainted", commands=1, evidence=(seen,))
    ScoreRecord.read(path).model_copy(update={"audit": audit, "status": "failed", "reason": NASTY}).write(
        path
    )
    build_report(inputs=run.inputs, results=run.results, out=run.results / "report")
    page = run.results / "report" / "traces" / "offline" / "target-01" / "1.html"
    (found,) = measured([(page, 390)], tmp_path, dark=False)
    assert found["active"] == 0
    assert found["requests"] == []
    assert found["overflow"] <= 0
    assert found["lost"] == []
    assert found["unreachable"] == []
    texts = found["texts"]
    for begin in ("I think ", "python x.py ", "Traceback ", "pip install x # "):
        assert f"{begin}{SHOWN}" in texts
    assert "\u202e" not in page.read_text()
    assert 'href="#try-1-turn-1"' in page.read_text()


def test_a_huge_trace_gives_a_page_of_bounded_size(new_run):
    run = new_run(targets=2)
    events = [
        ("command", {"turn": n, "command": f"echo {n}", "step": "", "lesson": ""}) for n in range(1, 1501)
    ]
    for n in (1, 1500):
        events[n - 1] = ("observation", {"turn": n, "status": 0, "seconds": 1.0, "bytes": 10**6, "omitted": 0,
                                         "text": f"begins {n} " + "x" * 10**6 + f" ends {n}"})  # fmt: skip
    write_trace(run, events)
    path = run.run_folder("offline", "target-01") / "try-1" / "trace.jsonl"
    with path.open("a") as stream:
        stream.write(
            '{"event": "reply", "text": "' + "y" * 5_000_000 + '"}\n[1, 2]\n{"event": "command", "tu'
        )
    page = page_of(run)
    assert len(page) < 1_500_000
    assert "1103 events are left out here" in page
    assert "echo 200<" in page
    assert "echo 201<" not in page
    for said in ("begins 1 ", " ends 1<", "begins 1500 ", " ends 1500<", "event too long to be shown",
                 "unreadable line", "torn last line"):  # fmt: skip
        assert said in page, said
    left_out = [int(n.replace(",", "")) for n in re.findall(r"([\d,]+) characters are left out", page)]
    assert len(left_out) == 2
    assert all(10**6 - 6000 < n < 10**6 for n in left_out)


def test_tries_before_the_last_are_shown_and_counted(new_run):
    run = new_run(targets=2)
    for number in range(1, 10):
        write_trace(run, [("command", {"turn": 1, "command": f"try no {number}", "step": ""})], number=number)
    page = page_of(run)
    assert "3 earlier tries are left out here" in page
    assert "try no 3" not in page
    assert all(f"try no {n}" in page for n in range(4, 10))


def test_nothing_ran(new_run):
    run = new_run(targets=40)
    (target, *_) = (t for (_, t, _), truth in run.truth.items() if truth[0] == "env_failed")
    page = page_of(run, target)
    assert "Nothing ran: no torch==0.1" in page


def test_the_most_telling_attempts_get_pages(new_run):
    run = new_run(targets=40, attempts=2)
    study = read_study(run.inputs, run.results)
    assert len(chosen(study)) == 80
    some = chosen(study, most=20)
    assert list(some) == [key for key in chosen(study) if key in some]
    assert len(chosen(study, everything=True, most=20)) == 80
    tainted = {(e.arm, e.target, a.number) for e, a in study.attempts() if a.tainted}
    failed = {(e.arm, e.target, 1) for e in study.entries if e.first.status != "scored"}
    assert tainted | failed <= set(some)
    rest = set(some) - tainted - failed
    assert rest
    assert all(not pair[1].within and pair[1].number == 1 for key, pair in some.items() if key in rest)
