"""Questions in the workflow: faults of the table, keys, answers, the report's table."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from labagent.ask.verifying import verify_answer
from labagent.errors import InputError
from labagent.inputs import load_inputs
from labagent.models.asking import AnswerRecord
from labagent.report.study import Study
from labagent.report.tables import answers
from labagent.workflow.questions import Questions, answer_question, check_questions, models_of
from support.project import small_project, write

HEADER = "question\ttext\thistory\tkind\tmodel\n"
MODEL = "attempts: 1\nmodels:\n  gpt: {model: openai/x, api_base: 'http://127.0.0.1:1/v1'}\n"


def project(tmp_path, table, config="attempts: 1\n"):
    root = small_project(tmp_path)
    write(root, "config/config.yaml", config)
    if table is not None:
        (root / "config/questions.tsv").write_text(table, encoding="utf-8")
    return load_inputs(root, {})


@pytest.mark.parametrize("table", [None, "", "\n", HEADER, HEADER + "# later\n"])
def test_an_absent_or_empty_table_asks_nothing(tmp_path, table):
    inputs = project(tmp_path, table)
    check_questions(inputs)
    assert Questions(inputs).answers() == [] and models_of(inputs) == set()


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ("../x\tTP53\t\t\t\n", 'config/questions.tsv, line 2, "question"'),
        ("a b\tTP53\t\t\t\n", 'config/questions.tsv, line 2, "question"'),
        ("q\t\t\t\t\n", 'config/questions.tsv, line 2, "text": is missing'),
        ("q\tTP53\t\tguess\t\n", 'config/questions.tsv, line 2, "kind"'),
        ("q\tTP53\t\t\tgpt\n", 'line 2, "model": "gpt" is no name under models; allowed: offline'),
        ("q\tTP53\t\t\t\nq\tHBB\t\t\t\n", 'line 3, "question": "q" stands twice; first in line 2'),
    ],
)
def test_a_fault_names_file_row_and_column(tmp_path, row, fault):
    with pytest.raises(InputError) as error:
        check_questions(project(tmp_path, HEADER + row))
    assert fault in str(error.value) and len(error.value.faults) == 1


def test_a_question_is_answered_with_its_history_into_its_folder(tmp_path):
    row = "length\tHow long is this protein?\tTell me about P68871 || thanks\t\t\n"
    inputs = project(tmp_path, HEADER + row + "fasta\t>x\\nATGAAATTT\t\t\t\n")
    found = Questions(inputs)
    assert found.answers() == [f"results/answers/{n}/answer.json" for n in ("length", "fasta")]
    assert answer_question(inputs.root, inputs.config, "length") == "answer"
    assert answer_question(inputs.root, inputs.config, "fasta") == "answer"
    record = AnswerRecord.read(inputs.root / found.answers()[0])
    assert record.history == ("Tell me about P68871", "thanks") and "147 residues" in record.text
    assert verify_answer(inputs.root / "results/answers/length").faults == ()
    rows = [
        dict(zip(answers.COLUMNS, r, strict=True))
        for r in answers.rows(Study(inputs, inputs.root / "results", ()))
    ]
    assert [(r["question"], r["outcome"], r["route"], r["trace"]) for r in rows] == [
        ("fasta", "answer", "sequence", True),
        ("length", "answer", "protein", True),
    ]


def test_a_question_that_is_not_there_is_an_error(tmp_path):
    inputs = project(tmp_path, HEADER + "q\tTP53\t\t\t\n")
    with pytest.raises(InputError, match='has no row for "p"'):
        answer_question(inputs.root, inputs.config, "p")


def test_the_key_follows_the_question_and_where_it_looks(tmp_path):
    def key(table, config="attempts: 1\n", name="q"):
        return Questions(project(tmp_path, HEADER + table, config)).key_of(SimpleNamespace(question=name))

    first = key("q\tTP53\t\t\t\n")
    assert first == key("q\tTP53\t\task\t\nr\tHBB\t\t\t\n")
    others = {
        key("q\tHBB\t\t\t\n"),
        key("q\tTP53\tHBB\t\t\n"),
        key("q\tTP53\t\t\t\n", "ask: {backends: [live]}\n"),
        key("q\tTP53\t\t\tgpt\n", MODEL),
    }
    assert len(others | {first}) == 5 and key("q\tTP53\t\t\t\n", name="z") == ""


def test_only_questions_to_a_model_cost_money(tmp_path):
    inputs = project(tmp_path, HEADER + "a\tTP53\t\t\tgpt\nb\tTP53\t\t\t\n", MODEL)
    found = Questions(inputs)
    assert [found.costs(SimpleNamespace(question=n)) for n in ("a", "b", "c")] == [True, False, False]
    assert models_of(inputs) == {"gpt"}
