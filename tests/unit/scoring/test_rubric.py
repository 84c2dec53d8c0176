"""The rubric scorer: what counts as saying what a wording says, and what does not."""

import copy
import random
import string

import pytest
import yaml

from labagent.errors import InfrastructureError
from labagent.models.family import Family
from labagent.models.run import RunRecord, SandboxRecord
from labagent.models.tables import Reference, Target
from labagent.scoring.rubric.words import same_number, statements, stem
from labagent.scoring.score import score_attempt
from labagent.scoring.scorers import load_scorer

DONOR = (
    "Adjusts the comparison of treated and untreated cells for the donor and reports that IL6 expression is "
    "increased by 0.42 log2 units, which is significant at an FDR below 5%."
)
FILTER = (
    "Removes the 37 low-quality samples with fewer than 500 detected genes before the normalization step."
)
RUBRIC = {
    "type": "differential-expression",
    "criteria": [
        {"id": "1", "title": "Adjustment", "levels": {
            "A": {"points": 60, "text": DONOR},
            "B": {"points": 25, "text": "Reports a change of IL6 without adjusting for the donor."},
            "C": {"points": 0, "text": "No comparison."}}},
        {"id": "2", "title": "Filtering", "levels": {
            "A": {"points": 40, "text": FILTER},
            "B": {"points": 20, "text": "Filters, but by another rule than the one that was asked for here."},
            "C": {"points": 0, "text": "Does not filter."}}},
        {"id": "3", "title": "Sources", "levels": {
            "A": {"points": 0, "text": "All names come from the data."},
            "B": {"points": -5, "text": "Some do not."},
            "C": {"points": -10, "text": "Invented names."}}},
    ],
}  # fmt: skip
TRACE = (
    "I loaded the counts and looked at how many genes each of the samples has. Samples of low quality, 37 "
    "with fewer than 500 genes detected, were removed before normalizing. Then I fitted a linear model for "
    "each gene with the donor as a factor.\n"
)
GOOD = (
    "After adjusting the comparison between treated and untreated cells for donor, the expression of IL6 "
    "increases by 0.42 log2 units (significant, FDR < 5%).\n"
)


class Paper:
    """A task with a rubric and one attempt."""

    def __init__(self, root):
        self.root = root
        self.output = root / "runs" / "try-1" / "output"
        self.output.mkdir(parents=True)
        sandbox = SandboxRecord(kind="none", requested="auto", network="open")
        RunRecord(
            arm="a", target="da-1-1", attempt=1, status="completed", ended_by="success", agent="offline",
            try_folder="try-1", sandbox=sandbox,
        ).write(root / "runs" / "run.json")  # fmt: skip
        (root / "task.md").write_text("Which cytokines change in treated cells?\n")
        self.rubric = root / "da-1-1.yaml"
        self.rubric.write_text(yaml.safe_dump(RUBRIC, sort_keys=False))
        self.settings = {}

    def score(self, answer=GOOD, trace=TRACE):
        for name, text in (("answer.txt", answer), ("trace.md", trace)):
            if text is not None:
                (self.output / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        target = Target(
            target="da-1-1",
            family="f",
            task=str(self.root / "task.md"),
            answer="points=answer.txt;trace=trace.md",
        )
        common = {
            "target": "da-1-1",
            "direction": "higher",
            "value": "1",
            "tolerance_kind": "abs",
            "source": "s",
        }
        references = {
            "points": Reference(quantity="points", metric="share of points", tolerance=0.3, **common),
            "trace": Reference(quantity="trace", metric="trace written", tolerance=0, **common),
        }
        return score_attempt(
            run_folder=self.root / "runs", target=target, references=references, labels=self.rubric,
            family=Family(name="f", folder="f", scorer="rubric", title="F", settings=self.settings),
        )  # fmt: skip

    def verdicts(self, answer, trace=TRACE):
        criteria = self.score(answer, trace).quantities[0].criteria
        return {row.criterion: (row.level, row.verdict) for row in criteria}


@pytest.fixture
def paper(tmp_path):
    return Paper(tmp_path)


def test_a_right_answer_in_other_words_earns_all_points(paper):
    record = paper.score()
    points, trace = record.quantities
    assert [(r.criterion, r.level, r.earned, r.points, r.verdict) for r in points.criteria] == [
        ("1", "A", 60, 60, "met"),
        ("2", "A", 40, 40, "met"),
        ("3", "A", 0, 0, "undecided"),
    ]
    assert (points.value, points.within, points.group) == (1.0, True, "differential-expression")
    assert "IL6 increases by 0.42" in points.criteria[0].evidence
    assert (trace.value, trace.within, record.within) == (1.0, True, True)


def test_points_below_the_pass_mark_are_scored_and_not_within(paper):
    record = paper.score("We found no cytokine of interest in this data set.\n")
    assert (record.status, record.within, record.quantities[0].value) == ("scored", False, 0.4)


def test_the_pass_mark_itself_is_within(paper):
    rubric = copy.deepcopy(RUBRIC)
    for criterion, points in zip(rubric["criteria"], (70, 30, 0), strict=True):
        criterion["levels"]["A"]["points"] = points
    paper.rubric.write_text(yaml.safe_dump(rubric, sort_keys=False))
    record = paper.score(GOOD, "The rest of what was done is written here in quite other words. " * 4)
    assert (record.quantities[0].value, record.within) == (0.7, True)


@pytest.mark.parametrize(
    "denial",
    [
        GOOD.replace("increases", "does not increase"),
        GOOD.replace("increases", "decreases"),
        "It is not the case that IL6 expression increases by 0.42 log2 units after adjusting for donor in "
        "treated and untreated cells at an FDR of 5%.",
        "That IL6 expression is increased by 0.42 log2 units at FDR 5% in treated cells adjusted for donor "
        "is wrong.",
    ],
)
def test_a_denied_statement_earns_nothing(paper, denial):
    assert paper.verdicts(denial)["1"][0] == "C"


def test_saying_both_is_no_answer(paper):
    both = GOOD + GOOD.replace("increases", "does not increase")
    assert paper.verdicts(GOOD)["1"] == ("A", "met")
    assert paper.verdicts(both)["1"] == ("C", "contradicted")


def test_a_negation_of_a_negation_at_the_end_is_none(paper):
    twice = f"It is not wrong that {GOOD}"
    assert paper.verdicts(GOOD.replace(", FDR < 5%).", ", FDR < 5%), which is not wrong."))["1"] == (
        "A",
        "met",
    )
    assert paper.verdicts(twice)["1"] == ("C", "contradicted")


def test_keywords_are_no_statement(paper):
    terms = "IL6 expression increased 0.42 log2 units significant FDR 5% donor adjusted comparison treated"
    stuffed = (
        f"{terms} untreated cells samples genes normalization quality removed 37 500 detected fewer step\n"
    )
    assert paper.verdicts(stuffed)["1"][0] == "C"
    assert paper.verdicts("\n".join(stuffed.split()))["1"][0] == "C"


def test_terms_scattered_over_a_long_text_are_no_statement(paper):
    words = [
        "IL6",
        "expression",
        "increased",
        "0.42",
        "log2",
        "significant",
        "FDR",
        "5%",
        "donor",
        "adjusted",
    ]
    filler = "This is the part of the text in which nothing of that kind was said. " * 6
    assert paper.verdicts(filler.join(f"It is about {w}. " for w in words))["1"][0] == "C"


def test_repeating_the_task_earns_nothing(paper):
    task = (
        "Adjust the comparison of treated and untreated cells for the donor and report by how many log2 "
        "units the expression of IL6 is increased and whether that is significant at an FDR below 5%."
    )
    assert paper.verdicts(task)["1"] == ("A", "met")
    (paper.root / "task.md").write_text(task)
    assert paper.verdicts(task)["1"][0] == "C"
    assert paper.verdicts(f"{task} I was asked to say 0.41 or so.")["1"][0] == "C"
    assert paper.verdicts(GOOD)["1"] == ("A", "met")


def test_a_criterion_that_the_task_gives_away_counts_for_nobody(paper):
    (paper.root / "task.md").write_text(f"Do this: {FILTER}\n")
    first, second, _ = paper.score().quantities[0].criteria
    assert (second.verdict, second.points, second.earned) == ("undecided", 0, 0)
    assert (first.verdict, paper.score().quantities[0].value) == ("met", 1.0)


@pytest.mark.parametrize("number", ["0.41", "0.4", "4.2", "42", "-0.42"])
def test_a_wrong_number_is_not_fully_correct(paper, number):
    assert paper.verdicts(GOOD.replace("0.42", number).replace("5%", "20%"))["1"][0] != "A"


def test_the_rubric_copied_is_refused(paper):
    record = paper.score("\n".join(lv["text"] for c in RUBRIC["criteria"] for lv in c["levels"].values()))
    assert (record.status, record.within) == ("unscorable", False)
    assert "the rubric's own wording of 1, 2" in record.reason
    hidden = paper.score(GOOD, TRACE + f"\n> {DONOR}\n> {FILTER}\n")
    assert hidden.status == "unscorable"


def test_what_the_task_itself_says_may_be_repeated(paper):
    (paper.root / "task.md").write_text(f"Do this: {DONOR} {FILTER}\n")
    record = paper.score(f"{DONOR} {FILTER}")
    assert record.reason == "points: the task text holds every criterion's wording"
    assert [c.verdict for c in record.quantities[0].criteria] == ["undecided"] * 3


@pytest.mark.parametrize(
    ("answer", "trace", "reason"),
    [
        (GOOD, None, "trace.md: no such file"),
        (None, TRACE, "answer.txt: no such file"),
        ("", TRACE, "answer.txt: is empty"),
        (GOOD, "", "trace.md: is empty"),
        (GOOD, "done", "trace.md: has 1 words"),
        (b"\xff\xfe\x00caf\xe9", TRACE, "answer.txt: is not UTF-8 text (byte 0)"),
        (GOOD, b"x" * (513 << 10), "trace.md: is larger than 512 KiB"),
    ],
)
def test_both_files_are_required_and_read_with_care(paper, answer, trace, reason):
    record = paper.score(answer, trace)
    assert (record.status, record.within) == ("unscorable", False)
    assert reason in record.reason


def test_a_link_to_the_rubric_is_not_read(paper):
    (paper.output / "answer.txt").symlink_to(paper.rubric)
    assert "leads out" in paper.score(None).reason


def test_order_and_layout_change_nothing(paper):
    plain = [r.earned for r in paper.score().quantities[0].criteria]
    framed = "\ufeff# Answer\r\n\r\n" + GOOD.replace("0.42", "**0.42**").replace("\n", "\r\n")
    shuffled = "\n".join(reversed(TRACE.replace(". ", ".\n").splitlines()))
    assert [r.earned for r in paper.score(framed, shuffled).quantities[0].criteria] == plain


def test_no_text_breaks_the_scorer(paper):
    rng = random.Random(7)
    pieces = [
        *GOOD.split(),
        *TRACE.split(),
        "not",
        "1e99",
        "-1e-99",
        "9" * 40,
        "%",
        "\x00",
        "𝛼β",
        "n't",
        "|",
        "\u202e",
    ]
    for _ in range(60):
        text = " ".join(rng.choice(pieces) + rng.choice(string.punctuation + " ") for _ in range(300))
        value = paper.score(text, text).quantities[0].value
        assert value is not None and 0 <= value <= 1


def test_a_text_of_the_greatest_size_is_read(paper):
    text = (GOOD + TRACE) * 2000
    assert paper.score(text[: 64 << 10], text[: 500 << 10]).quantities[0].value == 1.0


@pytest.mark.parametrize(
    ("wanted", "given", "same"),
    [
        ("0.42", "0.42", True), ("0.42", "0.4211", True), ("0.4211", "0.42", True), ("0.42", "0.4", False),
        ("0.42", "0.43", False), ("42%", "0.42", True), ("1234", "1234.0", True), ("1234", "1235", False),
        ("1e-5", "0.00001", True), ("1.2e-5", "1.3e-5", False), ("-0.42", "0.42", False),
        ("1e99", "1e99", True), ("9" * 30 + "e99", "5", False),
    ],
)  # fmt: skip
def test_numbers_are_compared_to_the_digits_that_were_printed(wanted, given, same):
    assert same_number(wanted, given) is same


def test_words_are_compared_without_their_endings():
    for one, other in (("increases", "increased"), ("samples", "sample"), ("normalization", "normalizing")):
        assert stem(one) == stem(other), one
    assert stem("cluster") != stem("cell")
    (said,) = statements("TNF-alpha rose 1,234-fold, p = 3.1 × 10^-5")
    assert [t.key for t in said.terms if t.kind != "word"] == ["tnfalpha", "1234", "3.1e-5"]


def test_faults_are_found_before_anything_runs(paper, tmp_path):
    scorer = load_scorer("rubric")

    def faults(answer="points=answer.txt;trace=trace.md", labels=paper.rubric, **settings):
        family = Family(name="f", folder="f", scorer="rubric", title="F", settings=settings)
        return scorer.check(family, Target(target="t", family="f", task="t", answer=answer), {}, labels)

    assert faults() == []
    assert "must name answer.txt and trace.md" in faults("points=answer.txt")[0]
    assert "rubrics/t.yaml" in faults(labels=None)[0]
    assert 'type "differential-expression" is not known; allowed: x' in faults(types=["x"])[0]
    assert faults(thresholds={"a": 2})[0].startswith("settings.thresholds.a")
    for wrong in (
        "{", "[]", "criteria: []", "criteria: [{id: a, levels: {A: {points: 1}}}]",
        "criteria: [{id: a, levels: {A: {points: 1, text: x}, B: {points: 2}}}]",
        "criteria: [{id: a, levels: {A: {points: 0, text: x}, B: {points: -1}}}]",
    ):  # fmt: skip
        paper.rubric.write_text(wrong)
        assert faults(), wrong
    with pytest.raises(InfrastructureError):
        paper.score()
