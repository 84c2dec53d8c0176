"""66 targets × 6 arms × 3 attempts through score and report; counts equal those of the generator's truth."""

import csv
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from statistics import fmean

import pytest
from scipy import stats

from labagent.report import build_report
from support.synthetic import BOARD, LABS, Benchmark, generate

ARMS = {"offline": "offline", "a": "m", "b": "m", "c": "m", "d": "m", "e": "m"}
MODELS = ["a", "b", "c", "d", "e"]


def read(out: Path, table: str) -> list[dict[str, str]]:
    with (out / f"{table}.tsv").open(newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Benchmark, Path]:
    benchmark = generate(tmp_path_factory.mktemp("scale"), targets=66, arms=ARMS, attempts=3)
    benchmark.score()
    out = benchmark.results / "report"
    build_report(inputs=benchmark.inputs, results=benchmark.results, out=out)
    return benchmark, out


def within(benchmark, place) -> bool:
    truth, reference = benchmark.truth[place], benchmark.inputs.references[place[1]]["value"]
    if truth.status != "scored" or truth.tainted:
        return False
    limit = 0.05 * reference.value
    if reference.sd is not None:
        limit = max(reference.sd, 0.0005)
    elif reference.tolerance is not None:
        limit = 0.03 * reference.value
    return abs(truth.value - reference.value) <= limit


def firsts(benchmark, arm):
    return {t: benchmark.truth[arm, t, 1] for t in benchmark.inputs.targets}


def good(benchmark, target, value) -> float:
    reference = benchmark.inputs.references[target]["value"]
    better = {"higher": value, "lower": -value, "match": -abs(value - reference.value)}
    return better[reference.direction]


def complete(benchmark, arm, target) -> bool:
    truth = benchmark.truth[arm, target, 1]
    return truth.status == "scored" and not truth.tainted


def test_everything_that_can_become_of_an_attempt_is_there(made):
    benchmark, _ = made
    assert len(benchmark.truth) == 66 * 6 * 3
    seen = {truth.status for truth in benchmark.truth.values()}
    assert seen == {"scored", "capped", "failed", "env_failed", "unscorable", "infrastructure"}
    assert any(truth.tainted for truth in benchmark.truth.values())


@pytest.mark.parametrize("arm", ARMS)
def test_counts_are_those_of_the_truth(made, arm):
    benchmark, out = made
    row = next(r for r in read(out, "summary") if r["arm"] == arm)
    truths = firsts(benchmark, arm)
    for status in ("scored", "capped", "failed", "env_failed", "unscorable", "infrastructure"):
        assert int(row[status]) == sum(t.status == status for t in truths.values()), status
    assert int(row["entries"]) == 66
    assert int(row["within"]) == sum(within(benchmark, (arm, t, 1)) for t in truths)
    assert int(row["tainted"]) == sum(t.tainted for t in truths.values())
    assert int(row["departures"]) == sum(t.departs for t in truths.values())
    every = [t for (a, _, _), t in benchmark.truth.items() if a == arm and t.status != "infrastructure"]
    assert float(row["cost_usd"]) == pytest.approx(sum(t.cost or 0 for t in every))
    assert int(row["cost_unknown"]) == sum(t.cost is None for t in every)
    assert int(row["failing_turns"]) == sum(t.failing for t in every)
    walls = [t.wall for t in truths.values() if t.status != "infrastructure"]
    assert float(row["wall_s_per_entry"]) == pytest.approx(fmean(walls))


def test_places_are_those_of_the_truth(made):
    benchmark, out = made
    ranks = defaultdict(list)
    for target in benchmark.inputs.targets:
        if all(complete(benchmark, arm, target) for arm in MODELS):
            values = [-good(benchmark, target, benchmark.truth[arm, target, 1].value) for arm in MODELS]
            for arm, rank in zip(MODELS, stats.rankdata(values), strict=True):
                ranks[arm].append((rank, min(values) == values[MODELS.index(arm)]))
    assert any(rank % 1 for found in ranks.values() for rank, _ in found), "no tie was generated"
    for row in read(out, "summary"):
        if row["arm"] == "offline":
            assert (row["first_places"], row["mean_rank"]) == ("", "")
            assert "no other arm of its kind" in row["note"]
            continue
        mine = ranks[row["arm"]]
        assert int(row["ranked"]) == len(mine)
        assert float(row["mean_rank"]) == pytest.approx(fmean(rank for rank, _ in mine))
        assert int(row["first_places"]) == sum(first for _, first in mine)


def test_ranks_with_published_rows_are_those_of_the_truth(made):
    benchmark, out = made
    expected = {}
    others = [value for i, value in enumerate(BOARD) if i != 3]
    for arm in ARMS:
        for target, row in benchmark.inputs.targets.items():
            reference = benchmark.inputs.references[target]["value"]
            if row.family == "ranked" and complete(benchmark, arm, target) and reference.direction != "match":
                sign = -1 if reference.direction == "higher" else 1
                ours = round(benchmark.truth[arm, target, 1].value, 2)
                pool = [sign * value for value in [ours, *others]]
                expected[arm, target] = stats.rankdata(pool)[0]
    found = {
        (e["arm"], e["target"]): float(e["rank_with_published"])
        for e in read(out, "entries")
        if e["rank_with_published"]
    }
    assert found == pytest.approx(expected)
    assert len({*expected.values()}) > 3


def test_pairs_are_those_of_the_truth(made):
    benchmark, out = made
    rows = {(r["arm_a"], r["arm_b"], r["metric"]): r for r in read(out, "pairwise")}
    assert {(a, b) for a, b, _ in rows} == set(combinations(MODELS, 2))
    ties = 0
    for a, b in combinations(MODELS, 2):
        signs = []
        by_metric = defaultdict(list)
        for target in benchmark.inputs.targets:
            if complete(benchmark, a, target) and complete(benchmark, b, target):
                values = [benchmark.truth[arm, target, 1].value for arm in (a, b)]
                better, worse = (good(benchmark, target, value) for value in values)
                signs.append((better > worse) - (better < worse))
                by_metric[benchmark.inputs.references[target]["value"].metric].append(better - worse)
        row = rows[a, b, "all metrics"]
        counts = (signs.count(1), signs.count(0), signs.count(-1))
        assert (int(row["wins"]), int(row["ties"]), int(row["losses"])) == counts
        assert float(row["p_sign"]) == pytest.approx(
            stats.binomtest(counts[0], counts[0] + counts[2]).pvalue, abs=1e-9
        )
        ties += counts[1]
        for metric, differences in by_metric.items():
            row = rows[a, b, metric]
            t = stats.ttest_1samp(differences, 0)
            found = [float(row[name]) for name in ("mean_difference", "t", "p_t", "p_wilcoxon")]
            wilcoxon = stats.wilcoxon(differences).pvalue
            assert found == pytest.approx([fmean(differences), t.statistic, t.pvalue, wilcoxon], abs=1e-9)
            assert int(row["n"]) == len(differences)
            assert 2 <= int(row["clusters"]) <= LABS
            assert float(row["ci_low"]) <= fmean(differences) <= float(row["ci_high"])
        verdicts = [
            (within(benchmark, (a, t, 1)), within(benchmark, (b, t, 1))) for t in benchmark.inputs.targets
        ]
        row = rows[a, b, "within"]
        assert (int(row["n"]), int(row["wins"])) == (66, verdicts.count((True, False)))
        assert int(row["losses"]) == verdicts.count((False, True))
    assert ties


def test_holm_runs_over_all_pairs_of_one_test(made):
    _, out = made
    for metric in ("all metrics", "mae", "within"):
        rows = [r for r in read(out, "pairwise") if r["metric"] == metric]
        for test in ("p_sign", "p_t", "p_wilcoxon", "p_label_swap"):
            known = sorted((float(r[test]), float(r[f"{test}_holm"])) for r in rows if r[test])
            if known:
                smallest, corrected = known[0]
                assert corrected == pytest.approx(min(1, smallest * len(known)))
                assert all(after >= before for before, after in known)


def test_reruns_are_those_of_the_truth(made):
    benchmark, out = made
    for row in read(out, "summary"):
        chances = []
        for target in benchmark.inputs.targets:
            places = [(row["arm"], target, n) for n in (1, 2, 3)]
            verdicts = [
                within(benchmark, place)
                for place in places
                if benchmark.truth[place].status != "infrastructure"
            ]
            pairs = list(combinations(verdicts, 2))
            if pairs:
                chances.append(fmean(x == y for x, y in pairs))
        assert float(row["same_verdict"]) == pytest.approx(fmean(chances))
    stability = {(r["arm"], r["target"]): r for r in read(out, "stability")}
    for (arm, target), row in stability.items():
        values = [t.value for n in (1, 2, 3) if (t := benchmark.truth[arm, target, n]).value is not None]
        assert int(row["values"]) == len(values)
        if len(values) > 1:
            assert float(row["spread"]) == pytest.approx(stats.tstd(values))
        else:
            assert row["spread"] == "" and ("one value" in row["note"] or "no value" in row["note"])
