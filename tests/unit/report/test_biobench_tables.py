"""The report counts scored runs of BioBench; its tests agree with scipy."""

import csv
import dataclasses
import itertools
import random

import numpy as np
import pytest
from scipy import stats

from labagent.models.biobench import BiobenchSummary, Share, TaskScore
from labagent.models.biobench_runs import BiobenchScores, MissingRecord, RunPlace
from labagent.models.config import Config
from labagent.report import build_report

TASKS = 40
SEEDS = (1, 2, 3)
SYSTEMS = {("full", "offline"): (0.9, (1,)), ("full", "m"): (0.8, SEEDS), ("react", "m"): (0.5, SEEDS)}
MISSING = "t-39"
NOTHING = Share(hits=0, total=0)
EMPTY = BiobenchSummary.model_construct(**dict.fromkeys(BiobenchSummary.model_fields, NOTHING))


def score(dice, number, chance, fates):
    accurate = fates.setdefault(root(number), dice.random() < chance)
    factual = dice.randint(0, 3)
    cited = dice.randint(0, factual)
    return TaskScore(
        task=f"t-{number}",
        split=("basic", "edge", "multistep")[number % 3],
        category=("sequence", "protein", "literature", "mutation")[number % 4],
        outcome_right=accurate or dice.random() < 0.5,
        missing=() if accurate else ('{"kind":"string"}',),
        accurate=accurate,
        strict=dice.random() < chance if number < 20 else None,
        route_right=dice.random() < 0.9,
        tools_right=dice.random() < chance,
        factual=factual,
        cited=cited,
        valid=dice.randint(0, cited),
        trace_complete=dice.random() < 0.95,
        failed=not accurate and dice.random() < 0.2,
    )


def root(number):
    """Four tasks are one conversation, and share its fate."""
    return f"t-{number - number % 4}"


@pytest.fixture(scope="module")
def reported(tmp_path_factory, run_factory):
    run = run_factory(tmp_path_factory.mktemp("bench"), targets=4)
    dice = random.Random(7)
    made = {}
    for (condition, model), (chance, seeds) in SYSTEMS.items():
        for seed in seeds:
            fates = {}
            place = RunPlace(set="own", condition=condition, model=model, seed=seed)
            scores = BiobenchScores(
                place=place,
                scores=tuple(score(dice, n, chance, fates) for n in range(TASKS)),
                roots={f"t-{n}": root(n) for n in range(TASKS)},
                echo=("t-3", MISSING),
                echo_strict=("t-3", "t-4", "t-5"),
                missing_records=(MissingRecord(task=MISSING, reason="uniprot.fetch P0"),),
                unanswered=("t-30",) if (condition, seed) == ("react", 2) else (),
                summary=EMPTY,
                cost_usd=None if (condition, seed) == ("react", 3) else 0.25 * (model == "m"),
            )
            folder = run.results / "biobench" / "own" / condition / model / str(seed)
            scores.write(folder / "scores.json")
            made.setdefault((condition, model), []).append(scores)
    config = run.inputs.config
    on = Config.model_validate({**config.model_dump(mode="json"), "biobench": {"run": True}})
    inputs = dataclasses.replace(run.inputs, config=on)
    build_report(inputs=inputs, results=run.results, out=run.results / "report")
    return run.results / "report", made


def table(out, name):
    with (out / f"{name}.tsv").open(newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def counted(runs):
    return [(r.place.seed, s) for r in runs for s in r.scores if s.task != MISSING]


def wilson(hits, total):
    interval = stats.binomtest(hits, total).proportion_ci(method="wilson")
    return pytest.approx((interval.low, interval.high), abs=1e-9)


def majority(runs, measure="accurate"):
    votes = {}
    for _, s in counted(runs):
        if getattr(s, measure) is not None:
            votes.setdefault(s.task, []).append(getattr(s, measure))
    return {task: sum(v) > len(v) / 2 for task, v in votes.items()}, votes


def test_accuracy_is_counted_over_tasks_and_seeds(reported):
    out, made = reported
    rows = {(r["condition"], r["model"]): r for r in table(out, "biobench")}
    assert set(rows) == set(made)
    for key, runs in made.items():
        row, answers = rows[key], counted(runs)
        assert (int(row["tasks"]), int(row["missing_records"]), int(row["seeds"])) == (39, 1, len(runs))
        assert int(row["answers"]) == len(answers) == 39 * len(runs)
        assert int(row["accurate"]) == sum(s.accurate for _, s in answers)
        votes = majority(runs)[0]
        assert (float(row["low"]), float(row["high"])) == wilson(sum(votes.values()), 39)
        by_seed = [np.mean([s.accurate for seed, s in answers if seed == r.place.seed]) for r in runs]
        assert float(row["floor"]) == pytest.approx(min(by_seed))
        assert (
            row["sd"] == "" if len(runs) == 1 else float(row["sd"]) == pytest.approx(np.std(by_seed, ddof=1))
        )
        assert int(row["echo"]) == 1, "the task without records does not count"
        assert int(row["strict"]) == sum(bool(s.strict) for _, s in answers)
        assert (int(row["strict_of"]), int(row["echo_strict"])) == (20 * len(runs), 3)
    react = rows["react", "m"]
    assert (
        react["unanswered"] == "1" and float(react["cost_usd"]) == 0.5 and "cost of 1 runs" in react["note"]
    )
    assert "one seed: no SD" in rows["full", "offline"]["note"]


def test_the_bootstrap_draws_whole_conversations(reported):
    out, made = reported
    runs = made["full", "m"]
    groups = {}
    for _, s in counted(runs):
        groups.setdefault(root(int(s.task[2:])), []).append(s.accurate)
    members = list(groups.values())
    draw = np.random.default_rng(1)
    means = [
        np.mean(list(itertools.chain(*(members[i] for i in draw.integers(len(members), size=len(members))))))
        for _ in range(4000)
    ]
    row = next(r for r in table(out, "biobench") if (r["condition"], r["model"]) == ("full", "m"))
    low, high = np.quantile(means, (0.025, 0.975))
    assert (float(row["boot_low"]), float(row["boot_high"])) == pytest.approx((low, high), abs=0.015)


def test_process_counts_sentences_and_answers(reported):
    out, made = reported
    for row in table(out, "biobench_process"):
        answers = [s for _, s in counted(made[row["condition"], row["model"]])]
        for name in ("factual", "cited", "valid"):
            assert int(row[name]) == sum(getattr(s, name) for s in answers)
        assert int(row["tools"]) == sum(s.tools_right for s in answers)
        assert int(row["trace"]) == sum(s.trace_complete for s in answers)
        assert int(row["failed"]) == sum(s.failed for s in answers)
        with_facts = [s for s in answers if s.factual]
        assert int(row["answers_factual"]) == len(with_facts)
        assert int(row["answers_valid"]) == sum(s.valid == s.factual for s in with_facts)


def test_parts_add_up(reported):
    out, _ = reported
    whole = {(r["condition"], r["model"]): r for r in table(out, "biobench")}
    for key, row in whole.items():
        for kind in ("split", "category"):
            parts = [
                r
                for r in table(out, "biobench_parts")
                if (r["condition"], r["model"], r["kind"]) == (*key, kind)
            ]
            assert len(parts) == {"split": 3, "category": 4}[kind]
            for name in ("answers", "accurate", "strict"):
                assert sum(int(r[name] or 0) for r in parts) == int(row[name])


def test_pairs_agree_with_scipy(reported):
    out, made = reported
    rows = table(out, "biobench_pairs")
    seen = {(r["a"], r["b"]) for r in rows}
    assert seen == {("full, m", "full, offline"), ("full, m", "react, m")}, "never both condition and model"
    row = next(r for r in rows if r["measure"] == "accurate" and r["b"] == "react, m")
    (first, votes_a), (second, votes_b) = majority(made["full", "m"]), majority(made["react", "m"])
    b = sum(first[t] and not second[t] for t in first)
    c = sum(second[t] and not first[t] for t in first)
    assert (int(row["only_a"]), int(row["only_b"]), int(row["tasks"])) == (b, c, 39)
    assert float(row["p_exact"]) == pytest.approx(stats.binomtest(b, b + c).pvalue)
    coin = stats.binom(b + c, 0.5)
    assert float(row["p_mid"]) == pytest.approx(2 * (coin.cdf(min(b, c)) - coin.pmf(min(b, c)) / 2))
    sums = {}
    for task in first:
        cluster = root(int(task[2:]))
        sums[cluster] = sums.get(cluster, 0) + np.mean(votes_a[task]) - np.mean(votes_b[task])
    assert int(row["clusters"]) == len(sums)
    reference = stats.permutation_test(
        (list(sums.values()), np.zeros(len(sums))), lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples", vectorized=True, n_resamples=20_000, rng=1,
    )  # fmt: skip
    assert float(row["p_label_swap"]) == pytest.approx(reference.pvalue, abs=0.01)
    assert float(row["difference"]) == pytest.approx(sum(sums.values()) / 39)
    for measure in ("accurate", "strict", "tools", "valid"):
        family = [r for r in rows if r["measure"] == measure]
        for test in ("p_exact", "p_mid", "p_label_swap"):
            low, high = sorted(float(r[test]) for r in family)
            corrected = sorted(float(r[f"{test}_holm"]) for r in family)
            assert corrected == pytest.approx([min(1, 2 * low), max(min(1, 2 * low), high)])


def test_missing_tasks_are_named_and_every_task_is_there(reported):
    out, _ = reported
    missing = table(out, "biobench_missing")
    assert len(missing) == 7 and {(r["task"], r["reason"]) for r in missing} == {
        (MISSING, "uniprot.fetch P0")
    }
    rows = table(out, "biobench_tasks")
    assert len(rows) == 7 * TASKS and sum(r["counted"] == "false" for r in rows) == 7
    assert {r["root"] for r in rows if r["task"] == "t-5"} == {"t-4"}


def test_the_page_has_a_section_and_a_figure(reported):
    out, _ = reported
    page, plain = (out / "report.html").read_text(), (out / "report.md").read_text()
    for title in ("BioBench: accuracy", "BioBench: pairs", "BioBench: tasks without recorded results"):
        assert title in page and f"## {title}" in plain
    drawing = (out / "figures/biobench.svg").read_text()
    assert drawing.count('class="rail"') == 3 and "own: react, m" in drawing


def test_a_run_without_biobench_has_empty_tables_and_no_section(new_run):
    run = new_run(targets=4)
    out = run.results / "report"
    build_report(inputs=run.inputs, results=run.results, out=out)
    assert table(out, "biobench") == [] and "## BioBench" not in (out / "report.md").read_text()
    assert not (out / "figures/biobench.svg").exists()
