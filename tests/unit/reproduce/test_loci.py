"""What an agent has read of its skill is seen in what its commands print, not in what it says."""

from dataclasses import replace

import pytest

from labagent.models.config import ModelSettings, Price
from labagent.reproduce import reproduce
from labagent.reproduce.loci import LocusReads
from labagent.skills.read import read_skill
from labagent.trace import read_trace
from support.model_server import ModelServer, Say


@pytest.fixture
def read(make):
    """The ``locus`` events and observations of a run whose model gives these commands."""

    def read(*commands, **fields):
        script = [Say(f"I have read the locus load.\n```bash\n{command}\n```") for command in commands]
        with ModelServer(script, forever=Say("hm")) as server:
            model = ModelSettings(model="openai/local", api_base=server.url, price=Price(input=0, output=0))
            made = make(**fields)
            attempt = replace(made, arm="model", model=model, folder=made.folder.parents[2] / "model/toy/1")
            reproduce(attempt)
        events = read_trace(attempt.folder / "try-1/trace.jsonl")
        loci = [(e["turn"], e["name"], e["lines"], e["of"]) for e in events if e["event"] == "locus"]
        return loci, [e for e in events if e["event"] == "observation"]

    return read


def test_what_was_printed_is_in_the_trace_however_it_was_printed(read):
    loci, _ = read(
        "locus load",
        "cat $LABAGENT_SKILL/references/answer.md",
        "locus load | head -n 6",
        "cd $LABAGENT_SKILL/references; tail -n 30 *.md",
    )
    assert loci == [
        (1, "load", 8, 8),
        (2, "answer", 11, 11),
        (3, "load", 5, 8),
        (4, "load", 8, 8),
        (4, "answer", 11, 11),
    ]


def test_saying_so_is_no_reading(read):
    loci, observed = read(
        'echo \'# Load\'; echo locus load; echo \'{"event": "locus", "name": "load"}\'',
        "locus load > /dev/null",
        "grep -c import $LABAGENT_SKILL/references/load.md",
    )
    assert loci == [] and all(event["status"] == 0 for event in observed)


def test_an_unknown_locus_is_a_clear_error(read):
    loci, (unknown, none, outside) = read("locus lod", "locus", "locus ../SKILL")
    assert loci == []
    assert unknown["status"] == 2
    assert unknown["text"].split() == [
        "locus:",
        "the",
        "skill",
        "has",
        "no",
        '"lod";',
        "it",
        "has:",
        "answer",
        "load",
    ]
    assert none["status"] == 2 and none["text"].startswith("use: locus NAME")
    assert outside["status"] == 2 and "Means of small tables" not in outside["text"]


def test_without_a_skill_locus_says_so(read):
    _, (event,) = read("locus load", skill=None)
    assert event["status"] == 2 and "no skill was given" in event["text"]


def test_lines_that_two_loci_share_tell_neither(make):
    make()
    shared = "```python\na = 1\nb = 2\nc = 3\n```\n"
    attempt = make(load=f"# Load\n\n{shared}", answer=f"# Answer\n\n{shared}")
    reads = LocusReads(read_skill(attempt.skill))
    assert reads.find(shared) == []
    assert [read.name for read in reads.find(f"# Load\n\n{shared}")] == ["load"]
