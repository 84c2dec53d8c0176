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
}


@pytest.mark.parametrize("differences", SAMPLES.values(), ids=SAMPLES)
def test_tests_agree_with_scipy(differences):
    expected = stats.ttest_1samp(differences, 0)
    result = own.paired_t(list(differences))
    assert (result.t, result.p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-9)
    assert (result.mean, result.sd) == pytest.approx((differences.mean(), differences.std(ddof=1)), abs=1e-9)
    moved = differences[differences != 0]
    exact = len(set(abs(moved))) == len(moved) and len(moved) <= 50
    reference = stats.wilcoxon(moved, method="exact" if exact else "approx")
    assert own.wilcoxon(list(differences)).p == pytest.approx(reference.pvalue, abs=1e-9)


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
        (own.paired_t([0.0, 0.0]), "no difference in any pair"),
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


def test_holm():
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
