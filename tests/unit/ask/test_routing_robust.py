"""Any text is read: no crash, no sequence out of words, nothing that is not in the text."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from labagent.ask.routing import route

LONG = 60_000
PIECES = st.sampled_from(
    [
        "P38398",
        "p.Gly12Asp",
        "KRAS",
        "G12D",
        "WT:",
        "MT:",
        "MKTAYIAKQR",
        "ATGGCCAAATTA",
        ">a\n",
        "\n",
        "papers",
        "this protein",
        "it",
        "2018",
        "年",
        "蛋白",
        "α",
        "not",
        "or",
        '"',
        "(",
        "[ti]",
        "and",
        "rs7412",
        "c.[",
        "V600E/K",
        "human",
        "mouse",
        "exon 19 deletion",
        "LOCUS       x 4 bp\n",
        "ORIGIN\n",
        "        1 atgc\n",
        "\x00",
        "\u202e",
        "CAT",
        "review",
        "by Smith",
        "?",
        "=",
        "table 2",
        "ATGJC4TTA",
        "translate",
        "function of",
        "Q99999X",
        "sequence A",
        "look up its UniProt entry",
        "影响",
    ]
)
QUESTIONS = st.lists(PIECES, max_size=12).map(" ".join) | st.text(max_size=300)


@settings(max_examples=80)
@given(QUESTIONS, st.lists(QUESTIONS, max_size=2))
def test_any_text_is_read(text, history):
    made = route(text, history)
    assert made.model_validate_json(made.model_dump_json()) == made
    assert bool(made.asks) is made.ambiguous and made.reason
    for entity in made.entities:
        if entity.start >= 0 and entity.namespace != "sequence":
            assert text[entity.start : entity.start + len(entity.written)] == entity.written
    assert route(text, history) == made


@settings(max_examples=40)
@given(st.text(alphabet=st.characters(categories=("Cs", "Cc", "Lo", "Lu", "Nd", "Zs")), max_size=80))
def test_surrogates_and_control_characters_are_read(text):
    made = route(text)
    made.model_dump_json().encode("utf-8")


@pytest.mark.parametrize(
    "text",
    [
        "-" * LONG,
        "A-" * (LONG // 2) + "a",
        " " * LONG,
        ">\n" * (LONG // 2),
        "G12D " * (LONG // 5),
        "p." * (LONG // 2),
        "[" * LONG,
        '"a" ' * (LONG // 4),
        "kinase " * (LONG // 7),
        "蛋白" * (LONG // 2),
        "\x00" * LONG,
        "\ud800" * LONG,
        "WT: " + "MKTAYIAKQR" * (LONG // 20) + "\nMT: " + "MKTAYIAKQR" * (LONG // 20),
        ">a\nACGTACGTACGTACGT\n" * (LONG // 20),
    ],
    ids=range(14),
)
def test_long_texts_are_read(text):
    assert route(text).reason


def test_the_longest_text_is_read():
    assert route("p53 and α, " * 18_000).reason.endswith("only the first 4,000 characters of words were read")


def test_a_long_sequence_before_its_question_is_whole():
    letters = "ATGGCCAAATTAGGC" * 10_000
    made = route(f"{letters}\n\nPlease translate it in frame 2, with table 11.")
    (sequence,) = [e for e in made.entities if e.namespace == "sequence"]
    assert made.route == "sequence" and sequence.facts["length"] == 150_000 and "translate" in made.aspects
    assert {e.value for e in made.entities if e.namespace == "parameter"} == {"frame=2", "table=11"}


@settings(max_examples=50)
@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz ", min_size=1, max_size=120))
def test_small_letters_with_spaces_are_no_variant(text):
    assert not [e for e in route(text).entities if e.namespace in ("variant", "dbsnp", "uniprot")]


WORDS = "IMMUNOGLOBULINS CHARACTERISTICS INTERNATIONALIZATION HYPERSENSITIVITY TRANSCRIPTASES".split()


@pytest.mark.parametrize("word", WORDS)
def test_long_words_in_capitals_are_no_sequences(word):
    assert route(f"TELL ME ABOUT {word} PLEASE").route != "sequence"
    assert route(f"Tell me about {word} please").route != "sequence"


def command(*words, **more):
    run = [
        sys.executable,
        "-c",
        "from labagent.cli import run_command; run_command(__import__('sys').argv[1:])",
        "route",
        *words,
    ]
    return subprocess.run(run, capture_output=True, text=True, check=True, encoding="utf-8", **more).stdout


def test_the_command_prints_the_record_or_a_table():
    made = json.loads(command("Where is it located?", "--history", "TP53", "P04637", "--json"))
    assert (made["route"], made["ambiguous"], made["entities"][0]["value"]) == ("protein", False, "P04637")
    assert "turn 2" in made["entities"][0]["resolved_from"]
    shown = command("-", input="α-synuclein [bold]papers[/bold] since 2020")
    assert "literature" in shown and "2020:3000[dp]" in shown and "alpha-synuclein" in shown
