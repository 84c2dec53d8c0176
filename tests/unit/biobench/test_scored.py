"""A run whose truth is known, answered over HTTP with real tools: every metric, traces, missing records."""

import json
import re

import pytest

from labagent.ask.conditions import react
from labagent.biobench.kept import read_answers, task_folder
from labagent.biobench.running import run
from labagent.biobench.runs import folder_of, plan
from labagent.biobench.scored import roots, trace_faults
from labagent.biobench.tasks import write_tasks
from labagent.models.biobench import BiobenchTask
from labagent.models.config import Config
from labagent.workflow import benching
from support.model_server import ModelServer, Say

DNA = "ATGGTTCGTACCGGCGATCTGAAATAG"
PLACE = benching.place_of("own", "react", "local", 1)
ENTRY = {
    "accession": "P01308",
    "id": "INS_HUMAN",
    "name": "Insulin",
    "organism": "Homo sapiens",
    "length": 110,
}
RECORDED = {
    **{"tool": "uniprot.fetch", "arguments": {"accession": "P01308"}, "result": ENTRY},
    **{"origin": "recorded", "recorded_at": "2026-01-01T00:00:00+00:00"},
}


def task(name, question, gold=(), tools=("sequence.stats",), **more):
    fixed = {
        "category": "sequence",
        "split": "basic",
        "language": "en",
        "route": "sequence",
        "outcome": "answer",
    }
    return BiobenchTask.model_validate(
        {
            "id": name,
            **fixed,
            "question": question,
            "gold": list(gold),
            "tools": tools,
            "derivation": "x",
            **more,
        }
    )


LENGTH = {"kind": "number", "name": "length", "value": 27, "unit": "nt"}
LONG = {"kind": "number", "name": "length", "value": 110, "unit": "aa"}
PAPERS = {"category": "literature", "route": "literature"}
PAPER = {"kind": "set", "namespace": "pmid", "minimum": 1}
PROTEIN = {"category": "protein", "route": "protein", "tools": ("uniprot.fetch",)}
TASKS = (
    task("right", f"How long is {DNA}?", [LENGTH], published=True, keywords=["27", "dna"]),
    task("wrong-citation", f"How long is {DNA} ?", [LENGTH]),
    task("uncited", f"Length of {DNA}", [LENGTH]),
    task("wrong-value", f"Length of {DNA} please", [LENGTH]),
    task("no-tool", f"Length, {DNA}", [LENGTH]),
    task("fails", f"Say the length of {DNA}", [LENGTH], split="edge"),
    task("asks", "How long is it?", [], (), outcome="ask", split="edge", route="none"),
    task("follows", "And its length again?", [LENGTH], history=(f"How long is {DNA}?",), split="multistep"),
    task("echoes", "The length is 27 nt, is it not?", [LENGTH], ()),
    task("recorded", "How long is P01308?", [LONG], **PROTEIN),
    task("not-recorded", "How long is P01315?", [LONG], **PROTEIN),
    task("half", "How long are P01308 and P01315?", [LONG, {**LONG, "value": 108}], **PROTEIN),
    task(
        "not-asked",
        "Papers about P01315?",
        [LONG],
        **{**PROTEIN, "tools": ("uniprot.fetch", "pubmed.search")},
    ),
    task("by-number", "Papers on P01308?", [PAPER], ("pubmed.search",), **PAPERS),
    task("by-name", "Papers on insulin?", [PAPER], ("pubmed.search",), **PAPERS),
    task("astray", "How long is insulin?", [LONG], **{**PROTEIN, "route": "sequence"}),
)


def stats(sequence=DNA):
    return Say(json.dumps({"tool": "sequence.stats", "arguments": {"sequence": sequence}}))


def fetch(accession):
    return Say(json.dumps({"tool": "uniprot.fetch", "arguments": {"accession": accession}}))


def search(query):
    return Say(json.dumps({"tool": "pubmed.search", "arguments": {"query": query}}))


def final(text, outcome="answer"):
    return Say(json.dumps({"answer": text, "outcome": outcome}))


SCRIPT = [
    *(stats(), final("The DNA has 27 nt. [c1]")),
    *(stats(), stats("ATG"), final("The DNA has 27 nt. [c2]")),
    *(stats(), final("The DNA has 27 nt.")),
    *(stats(), final("The DNA has 28 nt. [c1]")),
    *(final("The DNA has 27 nt. [c1]"),),
    *([Say("la la")] * (react.HOPS + 1)),
    *(final("Which one do you mean?", "ask"),),
    *(stats(), final("It has 27 nt. [c1] Its GC content is 48.1 %. [c1]")),
    *(stats(), final("Yes, 27 nt. [c1]")),
    *(fetch("P01308"), final("P01308 has 110 aa. [c1]")),
    *(fetch("P01315"), final("There is no record of it.", "not_found")),
    *(fetch("P01308"), fetch("P01315"), final("P01308 has 110 aa. [c1] There is no record of the other.")),
    *(fetch("P01315"), final("There is no record of it.", "not_found")),
    *(search("P01308"), final("No paper was found.", "not_found")),
    *(search("insulin"), final("No paper was found.", "not_found")),
    *(fetch("P01316"), final("There is no record of it.", "not_found")),
]


@pytest.fixture(scope="module")
def scored(tmp_path_factory):
    root = tmp_path_factory.mktemp("bench")
    write_tasks(root / "tasks.jsonl", TASKS)
    (root / "calls.jsonl").write_text(json.dumps(RECORDED) + "\n")
    with ModelServer(SCRIPT) as server:
        model = {
            "model": "openai/scripted",
            "api_base": server.url,
            "retries": 0,
            "price": {"input": 1, "output": 2},
        }
        bench = {
            "sets": {"own": {"tasks": "tasks.jsonl", "backends": ["recorded:calls"]}},
            "conditions": ["react"], "models": ["local"],
        }  # fmt: skip
        config = Config.model_validate(
            {"models": {"local": model}, "ask": {"mirrors": {"calls": "calls.jsonl"}}, "biobench": bench}
        )
        done = run(plan(root, config, PLACE))
        assert server.over == 0 and len(server.requests) == len(SCRIPT) and done.answered == len(TASKS)
    return root, config, benching.score(root, config, PLACE)


def names(scores, **wanted):
    return {s.task for s in scores if all(getattr(s, k) == v for k, v in wanted.items())}


ALL = {t.id for t in TASKS}


def test_every_metric_is_the_known_one(scored):
    scores = scored[2].scores
    assert names(scores, accurate=False) == {
        "wrong-value",
        "by-number",
        "by-name",
        "fails",
        "not-recorded",
        "astray",
        "half",
        "not-asked",
    }
    assert names(scores, strict=True) == {"right"} and names(scores, strict=None) == ALL - {"right"}
    assert names(scores, tools_right=False) == {"no-tool", "fails", "not-asked"}
    assert names(scores, route_right=False) == {"no-tool", "fails", "astray"}
    assert names(scores, failed=True) == {"fails"}
    assert names(scores, trace_complete=False) == set()
    by_task = {s.task: (s.factual, s.cited, s.valid) for s in scores}
    assert by_task == {
        **dict.fromkeys(ALL, (1, 1, 1)),
        **{"wrong-citation": (1, 1, 0), "uncited": (1, 0, 0), "wrong-value": (1, 1, 0), "no-tool": (1, 1, 0)},
        **{
            "fails": (0, 0, 0),
            "asks": (0, 0, 0),
            "follows": (2, 2, 2),
            "not-recorded": (0, 0, 0),
            "astray": (0, 0, 0),
            "half": (2, 1, 1),
            "by-number": (0, 0, 0),
            "by-name": (0, 0, 0),
            "not-asked": (0, 0, 0),
        },
    }


def test_tasks_without_a_record_are_set_apart_and_not_counted(scored):
    root, config, scores = scored
    assert [(m.task, m.reason) for m in scores.missing_records] == [
        ("not-recorded", "uniprot.fetch P01315"),
        ("by-name", "pubmed.search insulin"),
    ]
    summary = scores.summary
    assert (summary.accuracy.hits, summary.accuracy.total) == (8, 14)
    assert (summary.tools.hits, summary.trace.hits, summary.failures.hits) == (11, 14, 1)
    assert (summary.cited.hits, summary.valid.hits, summary.valid.total) == (9, 6, 11)
    assert (summary.echo_accuracy.hits, summary.echo_strict.total) == (1, 1)
    assert scores.echo == ("echoes",) and scores.unanswered == ()
    everything = config.model_copy(update={"biobench": config.biobench.model_copy(update={"sets": {
        "own": config.biobench.sets["own"].model_copy(update={"backends": ("facts",)})}})})  # fmt: skip
    assert benching.score(root, everything, PLACE).missing_records == ()


def test_conversations_have_one_root(scored):
    assert scored[2].roots == {t.id: "right" if t.id == "follows" else t.id for t in TASKS}
    alone = [
        task("a", "Second?", [LENGTH], history=("First?",)),
        task("b", "Third?", [LENGTH], history=("First?",)),
    ]
    assert roots(alone, alone) == {"a": "a", "b": "a"}


def test_a_trace_with_a_hole_is_not_complete(scored):
    root, config, before = scored
    folder = task_folder(folder_of(root / "results", PLACE), "right")
    answer = next(s for s in before.scores if s.task == "right")
    assert answer.trace_complete
    trace = folder / "trace.jsonl"
    whole = trace.read_text()
    lines = whole.splitlines(keepends=True)
    call = next(i for i, line in enumerate(lines) if '"event": "call"' in line)
    later = re.sub(r'"time": (\d+)', r'"time": 1\1', lines[call])
    try:
        for damaged in (
            [*lines[:call], later, *lines[call + 1 :]],
            lines[:call] + lines[call + 1 :],
            lines[:-1],
            [line.replace("27", "28") for line in lines],
        ):
            trace.write_text("".join(damaged))
            after = benching.score(root, config, PLACE)
            assert names(after.scores, trace_complete=False) == {"right"}
            assert after.summary.trace.hits == before.summary.trace.hits - 1
    finally:
        trace.write_text(whole)
    assert benching.score(root, config, PLACE) == before


def test_a_trace_of_another_answer_is_not_complete(scored):
    folder = folder_of(scored[0] / "results", PLACE)
    answers = read_answers(folder)
    assert trace_faults(task_folder(folder, "right"), answers["right"]) == []
    assert trace_faults(task_folder(folder, "right"), answers["follows"]) != []
    altered = answers["right"].model_copy(update={"text": "The DNA has 26 nt."})
    faults = trace_faults(task_folder(folder, "right"), altered)
    assert faults == ["the answer that is scored is not the one it tells of"]
    assert "there is no trace" in trace_faults(folder / "tasks" / "none", answers["right"])


def test_what_was_not_answered_has_failed(scored, tmp_path):
    import shutil

    root, config, _ = scored
    shutil.copytree(root, tmp_path / "copy")
    folder = folder_of(tmp_path / "copy" / "results", PLACE)
    lines = (folder / "answers.jsonl").read_text().splitlines(keepends=True)
    (folder / "answers.jsonl").write_text("".join(lines[1:]))
    scores = benching.score(tmp_path / "copy", config, PLACE)
    assert scores.unanswered == ("right",)
    assert names(scores.scores, failed=True) == {"fails", "right"} and scores.summary.accuracy.hits == 7
