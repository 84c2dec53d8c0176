"""Metrics agree with their definitions and with scipy and scikit-learn, and never give NaN."""

import itertools
import math

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

from labagent.scoring.attempt import Unscorable
from labagent.scoring.concordance import concordance
from labagent.scoring.metrics import find_metric, known_metrics
from labagent.scoring.predictions import Label

RANDOM = np.random.default_rng(7)
Y = RANDOM.normal(size=60).round(1)
P = (Y + RANDOM.normal(size=60)).round(1)
B = (Y > 0).astype(int)
C = (P > 0.2).astype(int)


def pairs(labels, predictions):
    return [(Label(str(a)), str(b)) for a, b in zip(labels, predictions, strict=True)]


@pytest.mark.parametrize(
    ("name", "labels", "predictions", "expected"),
    [
        ("MAE", Y, P, np.abs(Y - P).mean()),
        ("mse", Y, P, ((Y - P) ** 2).mean()),
        ("RMSE", Y, P, math.sqrt(((Y - P) ** 2).mean())),
        ("R2", Y, P, 1 - ((Y - P) ** 2).sum() / ((Y - Y.mean()) ** 2).sum()),
        ("Pearson", Y, P, np.corrcoef(Y, P)[0, 1]),
        ("spearman", Y, P, stats.spearmanr(Y, P)[0]),
        ("kendall", Y, P, stats.kendalltau(Y, P)[0]),
        ("ROC-AUC", B, P, stats.mannwhitneyu(P[B == 1], P[B == 0]).statistic / (B.sum() * (1 - B).sum())),
        ("pr_auc", B, P, sk.average_precision_score(B, P)),
        ("accuracy", B, C, (B == C).mean()),
        ("balanced accuracy", B, C, ((C[B == 1] == 1).mean() + (C[B == 0] == 0).mean()) / 2),
        ("f1", B, C, 2 * (B & C).sum() / (B.sum() + C.sum())),
        ("f1-macro", B, C, sk.f1_score(B, C, average="macro")),
        ("MCC", B, C, np.corrcoef(B, C)[0, 1]),
        ("accuracy", ["x", "y"], ["x", "x"], 0.5),
        ("accuracy", ["1", "0"], ["1.0", "0.0"], 1.0),
        ("c-index", [1, 2, 3], [9, 5, 5], (1 + 1 + 0.5) / 3),
    ],
)
def test_values(name, labels, predictions, expected):
    assert find_metric(name)(pairs(labels, predictions)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "labels", "predictions", "reason"),
    [
        ("spearman", [1, 2], [3, 3], "all predictions are equal"),
        ("pearson", [1, 1], [3, 4], "all labels are equal"),
        ("r2", [1, 1], [3, 4], "all labels are equal"),
        ("auroc", [1, 1], [3, 4], "one class"),
        ("auprc", [0, 2], [3, 4], "must be 0 or 1"),
        ("accuracy", [0, 1], [0.7, 1], '"0.7" is none of the classes'),
        ("f1", ["x", "y"], ["x", "y"], "f1-macro"),
        ("mcc", [1, 0], [1, 1], "one class"),
        ("mse", [1, 0], ["1e300", 1], "overflows"),
        ("c-index", [1], [1], "no two times"),
    ],
)
def test_undefined_metrics_say_why(name, labels, predictions, reason):
    with pytest.raises(Unscorable, match=reason):
        find_metric(name)(pairs(labels, predictions))


def test_names():
    assert find_metric("nothing") is None
    assert {"mae", "rmse", "r2", "pearson", "spearman", "kendall", "auroc", "auprc", "c-index"} <= set(
        known_metrics()
    )
    assert all(find_metric(name) for name in known_metrics())


def test_concordance_equals_its_definition():
    times = RANDOM.integers(0, 12, 80)
    risks = RANDOM.integers(0, 9, 80)
    events = RANDOM.random(80) < 0.6
    comparable, good = 0, 0.0
    for i, j in itertools.permutations(range(80), 2):
        if events[i] and (times[i] < times[j] or (times[i] == times[j] and not events[j])):
            comparable += 1
            good += 1.0 if risks[i] > risks[j] else 0.5 * (risks[i] == risks[j])
    assert concordance(times, risks, events) == pytest.approx(good / comparable, abs=1e-12)
    assert concordance([1, 2], [1, 2], [False, False]) is None
