"""Statistics agree with scipy to 1e-9; what has no answer says so."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from labagent.report import statistics as own

RANDOM = np.random.default_rng(3)
SAMPLES = {
    "plain": RANDOM.normal(0.2, 1, 40),
    "ties": RANDOM.normal(0.2, 1, 40).round(1),
    "zeros": np.array([0, 0, 0.5, -0.2, 0.3, 0.3, 0]),
    "two": np.array([1.0, 2.0]),
    "many": RANDOM.normal(0, 1, 200),
    "ties, few": np.array([1, 2, -2, 3, 3, 3, -1, 4, 5, 5.0]),
    "small": RANDOM.normal(0, 1, 30) * 1e-100,
    "ties and zeros, many": RANDOM.integers(-3, 4, 90) / 8,
}


@pytest.mark.parametrize("differences", SAMPLES.values(), ids=SAMPLES)
def test_tests_agree_with_scipy(differences):
    expected = stats.ttest_1samp(differences, 0)
    result = own.paired_t(list(differences))
    assert (result.t, result.p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)
    assert (result.mean, result.sd) == pytest.approx((differences.mean(), differences.std(ddof=1)), abs=1e-9)
    reference = stats.wilcoxon(differences)
    wilcoxon = own.wilcoxon(list(differences))
    assert (wilcoxon.statistic, wilcoxon.p) == pytest.approx(
        (reference.statistic, reference.pvalue), abs=1e-9
    )


def test_label_swap_is_exact_for_few_pairs():
    differences = [0.5, -0.2, 0.3, 0.3, 1.0, 0.0]
    sums = [
        abs(sum(s * d for s, d in zip(p, differences, strict=True)))
        for p in itertools.product((1, -1), repeat=6)
    ]
    expected = np.mean([s >= abs(sum(differences)) - 1e-9 for s in sums])
    assert own.label_swap(differences).p == pytest.approx(expected, abs=1e-12)
    reference = stats.permutation_test(
        (SAMPLES["ties"], np.zeros(40)), lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples", vectorized=True, n_resamples=20_000, rng=1,
    )  # fmt: skip
    assert own.label_swap(list(SAMPLES["ties"])).p == pytest.approx(reference.pvalue, abs=0.02)


def test_bootstrap_follows_clusters():
    values = list(SAMPLES["plain"])
    low, high = (i := own.bootstrap_interval(values)).low, i.high
    reference = stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=20_000, rng=1
    ).confidence_interval
    assert (low, high) == pytest.approx((reference.low, reference.high), abs=0.03)
    doubled = own.bootstrap_interval(values * 2, clusters=list(range(40)) * 2)
    assert (doubled.low, doubled.high) == pytest.approx((low, high), abs=1e-12)
    assert own.bootstrap_interval(values * 2).high - own.bootstrap_interval(values * 2).low < 0.8 * (
        high - low
    )


@pytest.mark.parametrize(
    ("result", "note"),
    [
        (own.paired_t([]), "no pairs"),
        (own.paired_t([1.0]), "one pair"),
        (own.paired_t([0.5, 0.5]), "the same difference in every pair"),
        (own.paired_t([0.1, 0.1, 0.1]), "the same difference in every pair"),
        (own.paired_t([0.3 - 0.2, 0.2 - 0.1, 0.1]), "the same difference in every pair"),
        (own.paired_t([0.0, 0.0]), "no difference in any pair"),
        (own.mcnemar([], []), "no pairs"),
        (own.mcnemar([True, False], [True, False]), "no pair differs"),
        (own.wilcoxon([]), "no pairs"),
        (own.wilcoxon([0.0, 0.0]), "no pair differs"),
        (own.label_swap([]), "no pairs"),
        (own.label_swap([0.0]), "no pair differs"),
        (own.sign_test(0, 0), "only ties"),
        (own.bootstrap_interval([1.0]), "fewer than two clusters"),
        (own.bootstrap_interval([1.0, 2.0], clusters=["a", "a"]), "fewer than two clusters"),
        (own.bootstrap_interval([]), "no pairs"),
        (own.share_interval(0, 0), "no entries"),
    ],
)
def test_degenerate_cases_say_what_they_are(result, note):
    assert note in result.note
    assert getattr(result, "p", None) is None
    assert getattr(result, "low", None) is None


def test_one_pair_still_has_a_mean():
    assert own.paired_t([1.5]).mean == 1.5
    assert own.wilcoxon([1.5]).p == 1.0
    assert own.label_swap([1.5]).p == 1.0


def test_shares_and_signs():
    interval = own.share_interval(40, 66)
    z = stats.norm.ppf(0.975)
    centre, half = (40 + z * z / 2) / (66 + z * z), z / (66 + z * z) * np.sqrt(40 * 26 / 66 + z * z / 4)
    assert (interval.low, interval.high) == pytest.approx((centre - half, centre + half), abs=1e-9)
    assert own.sign_test(9, 1).p == pytest.approx(2 * 11 / 2**10, abs=1e-12)


def test_an_interval_of_equal_differences_has_no_width():
    interval = own.bootstrap_interval([0.25] * 4)
    assert (interval.low, interval.high) == (0.25, 0.25)
    assert "no width" in interval.note


@pytest.mark.parametrize(
    ("table", "exact", "chi2", "p_chi2"),
    [
        ((20, 9, 3, 10), 0.14599609375, 2.0833333333333335, 0.14891467317876161),
        ((0, 1, 0, 0), 1.0, 0.0, 1.0),
        ((30, 40, 25, 5), 0.08168153394154003, 3.0153846153846153, 0.08247788747320971),
        ((5, 6, 6, 5), 1.0, 0.08333333333333333, 0.7728299926844475),
    ],
)
def test_mcnemar_is_that_of_statsmodels(table, exact, chi2, p_chi2):
    """Expected values: statsmodels 0.15.0, ``contingency_tables.mcnemar``."""
    kinds = [(True, True), (True, False), (False, True), (False, False)]
    outcomes = [kind for kind, count in zip(kinds, table, strict=True) for _ in range(count)]
    result = own.mcnemar([a for a, _ in outcomes], [b for _, b in outcomes])
    assert (result.both, result.only_first, result.only_second, result.neither) == table
    assert (result.p, result.chi2, result.p_chi2) == pytest.approx((exact, chi2, p_chi2), abs=1e-9)
    assert result.difference == pytest.approx((table[1] - table[2]) / result.n)


@pytest.mark.parametrize(
    ("successes", "total", "low", "high"),
    [
        (40, 66, 0.4854840080039292, 0.7149699950538045),
        (0, 10, 0.0, 0.27753279986288926),
        (10, 10, 0.7224672001371106, 1.0),
        (1, 3, 0.06149194472039626, 0.7923403991979523),
    ],
)
def test_share_intervals_are_those_of_statsmodels(successes, total, low, high):
    """Expected values: statsmodels 0.15.0, ``proportion_confint(method="wilson")``."""
    interval = own.share_interval(successes, total)
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-9)


def test_what_is_not_finite_is_refused():
    for test in (own.paired_t, own.wilcoxon, own.label_swap, own.bootstrap_interval):
        with pytest.raises(ValueError, match="difference 1 is nan"):
            test([1.0, float("nan"), 2.0])


def test_ties_are_told_by_the_last_bits():
    assert own.same_value(0.1 + 0.2, 0.3)
    assert own.same_value(-abs(0.281 - 0.276), -abs(0.271 - 0.276), scale=0.281)
    assert not own.same_value(0.3, 0.3000001)


def test_few_kinds_of_clusters_are_drawn_like_many():
    verdicts = [1.0] * 12 + [0.0] * 40 + [-1.0] * 4
    jittered = [v + 1e-9 * i for i, v in enumerate(verdicts)]
    few, many = own.bootstrap_interval(verdicts), own.bootstrap_interval(jittered)
    assert (few.low, few.high) == pytest.approx((many.low, many.high), abs=0.02)


def test_holm():
    """Expected values: statsmodels 0.15.0, ``multipletests(method="holm")``."""
    assert own.holm([0.9, 0.8, 0.0004, 0.012, 0.2]) == pytest.approx([1.0, 1.0, 0.002, 0.048, 0.6], abs=1e-9)
    assert own.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02], abs=1e-9)
    assert own.holm([0.02, 0.02, 0.02]) == pytest.approx([0.06] * 3, abs=1e-9)
    assert own.holm([0.01, None, 0.04, 0.03]) == pytest.approx([0.03, None, 0.06, 0.06])
    assert own.holm([0.9, 0.8]) == [1.0, 1.0]
    assert own.holm([]) == []


def test_verdicts_and_spread():
    assert own.same_verdict([True]) is None
    assert own.same_verdict([True, True, False]) == pytest.approx(1 / 3)
    assert own.spread([1.0]) is None
    assert own.spread([1.0, 2.0, 4.0]) == pytest.approx(np.std([1, 2, 4], ddof=1), abs=1e-12)


@given(st.lists(st.sampled_from([0.1, 0.2, 0.3, -1.0]), min_size=1, max_size=8))
def test_ranks_equal_scipys(values):
    result = own.ranks({str(i): v for i, v in enumerate(values)})
    assert list(result.values()) == pytest.approx(stats.rankdata([-v for v in values]))


@given(st.lists(st.floats(-1e6, 1e6), max_size=16))
def test_never_nan(differences):
    for result in (own.paired_t(differences), own.wilcoxon(differences), own.label_swap(differences)):
        assert result.p is None or 0 <= result.p <= 1
        assert (result.p is None) == bool(result.note)


@pytest.mark.parametrize(("b", "c"), [(12, 3), (3, 12), (5, 5), (0, 7), (1, 0), (40, 22)])
def test_mid_p_is_the_exact_test_with_half_of_the_table_itself(b, c):
    result = own.mcnemar([True] * b + [False] * c + [True] * 9, [False] * b + [True] * c + [True] * 9)
    coin = stats.binom(b + c, 0.5)
    tail = coin.cdf(min(b, c) - 1) + coin.pmf(min(b, c)) / 2
    assert result.p_mid == pytest.approx(min(1.0, 2 * tail), abs=1e-12)
    assert result.p == pytest.approx(stats.binomtest(b, b + c).pvalue, abs=1e-12)
    assert result.p_mid <= result.p


def test_label_swap_swaps_whole_clusters():
    groups = {"a": [1, 0, 1], "b": [-1, 0], "c": [1, 1], "d": [1, -1], "e": [0, 0]}
    clusters = [name for name, members in groups.items() for _ in members]
    differences = [float(d) for members in groups.values() for d in members]
    totals = [sum(members) for members in groups.values()]
    patterns = itertools.product((1, -1), repeat=len(totals))
    sums = [abs(sum(s * d for s, d in zip(p, totals, strict=True))) for p in patterns]
    result = own.label_swap(differences, clusters)
    assert result.p == pytest.approx(np.mean([s >= abs(sum(totals)) for s in sums]), abs=1e-12)
    assert result.statistic == pytest.approx(np.mean(differences))
    assert result.p > own.label_swap(differences).p
    many = list(RANDOM.integers(-1, 2, 300).astype(float))
    thirds = [i // 3 for i in range(300)]
    summed = [sum(many[i : i + 3]) for i in range(0, 300, 3)]
    reference = stats.permutation_test(
        (summed, np.zeros(100)), lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples", vectorized=True, n_resamples=20_000, rng=1,
    )  # fmt: skip
    assert own.label_swap(many, thirds).p == pytest.approx(reference.pvalue, abs=0.02)
    assert own.label_swap([0.1, 0.2, -0.3, 0.5, -0.5], ["x"] * 3 + ["y"] * 2).note == "no pair differs"
    with pytest.raises(ValueError, match="zip"):
        own.label_swap([1.0, 2.0], ["x"])


def test_a_majority_is_more_than_half():
    assert own.majority([True, True, False]) and not own.majority([True, False]) and not own.majority([])
