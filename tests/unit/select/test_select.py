import pytest

from labagent.llm import LitellmModel
from labagent.models.config import Arm, ModelSettings, Price
from labagent.models.tables import Target
from labagent.select import Candidate, select_skill
from labagent.trace import TraceWriter
from support.model_server import ModelServer, Say

TASK = "Fit a Cox proportional hazards regression to the recidivism data and report the concordance."
COX = Candidate(
    "survival-regression", "Cox proportional hazards regression with a library", "curated", sha256="a"
)
FLUX = Candidate("flux-balance", "Flux balance analysis of metabolic networks", "curated", sha256="b")
DRAFT = Candidate("flux-balance", "Flux balance, drafted", "offline", sha256="c")
BROKEN = Candidate("count-models", "Counts", "curated", status="refused", reason="tier 2: no such function")


def target(skill=""):
    return Target(target="t1", family="metric", skill=skill, task="task.md", answer="x=answer.json:x")


def choose(candidates, *, skill="", skills="all", model=None, task=TASK):
    return select_skill(target(skill), "arm", Arm(skills=skills), candidates, task, model)


def test_a_named_skill_is_taken_curated_before_explored():
    record = choose([DRAFT, FLUX], skill="flux-balance")
    assert (record.status, record.skill, record.origin, record.skill_sha256) == (
        "selected",
        "flux-balance",
        "curated",
        "b",
    )


@pytest.mark.parametrize(
    ("skills", "origin"), [("curated", "curated"), ("explored:offline", "offline"), ("all", "curated")]
)
def test_the_arm_says_which_origin(skills, origin):
    assert choose([DRAFT, FLUX], skill="flux-balance", skills=skills).origin == origin


def test_an_arm_without_skills_selects_none():
    record = choose([FLUX], skill="flux-balance", skills="none")
    assert (record.status, record.skill) == ("none", None)


def test_a_refused_skill_is_refused_with_its_reason():
    record = choose([BROKEN], skill="count-models")
    assert record.status == "refused" and "no such function" in record.reason


def test_a_skill_that_is_not_there_is_refused():
    assert choose([FLUX], skill="unheard-of").status == "refused"
    assert choose([FLUX], skill="flux-balance", skills="explored:offline").status == "refused"


def test_an_open_target_is_chosen_by_words_the_same_way_each_time():
    records = [choose(order) for order in ([COX, FLUX, BROKEN], [BROKEN, FLUX, COX])]
    assert records[0] == records[1]
    assert records[0].skill == "survival-regression"
    assert "BM25" in records[0].reason


def test_an_open_target_that_nothing_fits_gets_none():
    record = choose([COX, FLUX], task="Align short reads against a genome and call variants.")
    assert (record.status, record.skill) == ("none", None)


def test_a_single_skill_that_fits_is_found():
    assert choose([COX]).skill == "survival-regression"


def test_a_refused_skill_is_never_chosen_for_an_open_target():
    broken = Candidate(COX.name, COX.description, "curated", status="refused")
    assert choose([broken]).status == "none"


@pytest.fixture
def ask(tmp_path):
    def ask(*replies, **fields):
        with ModelServer([Say(reply, 100, 10) for reply in replies]) as server:
            settings = ModelSettings(model="openai/local", api_base=server.url, retries=0, **fields)
            with TraceWriter(tmp_path / "trace.jsonl") as trace:
                record = choose([COX, FLUX], model=LitellmModel(settings, trace))
        return record, server.requests

    return ask


@pytest.mark.parametrize(
    "reply", ["survival-regression", " `survival-regression`\n", "**survival-regression**"]
)
def test_a_model_names_one_skill(ask, reply):
    record, (request,) = ask(reply)
    assert (record.status, record.skill) == ("selected", "survival-regression")
    assert request["temperature"] == 0.0
    assert TASK in request["messages"][0]["content"]


def test_a_model_may_say_none(ask):
    record, _ = ask("none")
    assert (record.status, record.skill) == ("none", None)
    assert record.cost_usd is None


@pytest.mark.parametrize(
    ("reply", "word"),
    [
        ("deep-survival", "deep-survival"),
        ("survival-regression or flux-balance", "several"),
        ("survival-regression, I think, since none other fits", "not one known name"),
        ("", "not one known name"),
    ],
)
def test_anything_else_is_asked_again_then_refused_and_names_the_answer(ask, reply, word):
    record, requests = ask(reply, reply, reply, price=Price(input=10, output=30))
    assert record.status == "refused" and record.skill is None
    assert word in record.reason and "allowed: flux-balance, survival-regression, none" in record.reason
    assert len(requests) == 3 and record.cost_usd == pytest.approx(3 * (100 * 10 + 10 * 30) / 1e6)
    assert [m["role"] for m in requests[1]["messages"]] == ["user", "assistant", "user"]
    assert "allowed: flux-balance" in requests[1]["messages"][-1]["content"]


def test_a_model_that_corrects_itself_is_taken_at_its_word(ask):
    record, requests = ask("deep-survival", "survival-regression")
    assert (record.status, record.skill, len(requests)) == ("selected", "survival-regression", 2)
