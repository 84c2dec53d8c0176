"""A plain yes or no, from what the entry says; that it is not known where the source does not say."""

from __future__ import annotations

import pytest

from labagent.ask import answer
from labagent.tools.calling import Caller


@pytest.mark.parametrize(
    ("question", "begins", "says"),
    [
        ("Is BRAF a kinase?", "Yes:", "Kinase (keyword)"),
        ("Is TP53 a kinase?", "No:", "P04637"),
        ("TP53 是激酶吗?", "否:", "P04637"),
        ("BRAF 是激酶吗?", "是:", "Kinase"),
        ("Is P01308 a hormone?", "Yes:", "Hormone"),
        ("Is EGFR an enzyme?", "Yes:", "EC 2.7.10.1"),
        ("Is P04637 located in the nucleus?", "Yes:", "Nucleus"),
        ("Is P69905 located in the nucleus?", "No:", "P69905"),
        ("BRCA1 是否位于细胞核?", "是:", "Nucleus"),
        ("Does P38398 have an isoform?", "Yes:", "8 isoforms"),
        ("P04637 有没有异构体?", "是:", "9 个异构体"),
        ("Does P69905 have isoforms?", "No:", "none"),
        ("Is P04637 reviewed?", "Yes:", "reviewed (Swiss-Prot)"),
        ("Is P04637 unreviewed?", "No:", "reviewed (Swiss-Prot)"),
    ],
)
def test_a_question_that_wants_yes_or_no_gets_it(question, begins, says):
    made = answer(question, caller=Caller())
    first = made.statements[0]
    assert first.text.startswith(begins) and says in first.text and first.factual and made.dropped == ()
    assert "PK3CA" not in made.text


@pytest.mark.parametrize(
    "question", ["What is the function of BRAF?", "Which isoforms does P38398 have?", "P04637"]
)
def test_other_questions_get_none(question):
    text = answer(question, caller=Caller()).text
    assert not any(word in text for word in ("Yes:", "No:", "Not known from"))


class Silent(Caller):
    """A source that holds neither places, functions, keywords nor whether an entry is reviewed."""

    def call(self, name, arguments):
        done = super().call(name, arguments)
        if name != "uniprot.fetch" or not done.result:
            return done
        nothing = {"locations": [], "go": [], "keywords": [], "ec": [], "isoforms": [], "reviewed": None}
        return done.model_copy(update={"result": {**done.result, **nothing, "missing": ["isoforms"]}})


@pytest.mark.parametrize(
    "question",
    [
        "Is P15056 a kinase?",
        "Is P04637 located in the nucleus?",
        "Does P38398 have an isoform?",
        "Is P04637 reviewed?",
    ],
)
def test_what_the_source_does_not_say_is_not_known(question):
    first = answer(question, caller=Silent()).statements[0]
    assert first.text.startswith("Not known from this source")
