"""Metrics by name, computed from pairs of a withheld label and a prediction.

Names are compared without case, blanks, hyphens and underscores. A metric that is undefined for its data
(one class, constant predictions) raises ``Unscorable`` with the reason; it never gives NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from labagent.scoring.attempt import Unscorable
from labagent.scoring.concordance import concordance
from labagent.scoring.predictions import Pair, number

Metric = Callable[[Sequence[Pair]], float]
Numbers = list[float]

_METRICS: dict[str, Metric] = {}
_SHOWN: list[str] = []


def find_metric(name: str) -> Metric | None:
    """The metric called ``name``, or ``None``."""
    return _METRICS.get(_plain(name))


def known_metrics() -> tuple[str, ...]:
    """Names of metrics that can be computed from predictions (aliases are left out)."""
    return tuple(sorted(_SHOWN))


def _plain(name: str) -> str:
    """``ROC-AUC`` → ``rocauc``."""
    return "".join(c for c in name.lower() if c not in " -_")


def _metric(name: str, *aliases: str) -> Callable[[Metric], Metric]:
    """Enter a metric under its name and aliases."""

    def enter(metric: Metric) -> Metric:
        _SHOWN.append(name)
        _METRICS.update({_plain(n): metric for n in (name, *aliases)})
        return metric

    return enter


def _numbers(pairs: Sequence[Pair]) -> tuple[Numbers, Numbers]:
    """Labels and predictions as numbers."""
    return [number(a.text, "label") for a, _ in pairs], [number(p, "prediction") for _, p in pairs]


def _varying(pairs: Sequence[Pair]) -> tuple[Numbers, Numbers]:
    """Numbers for a correlation: at least two, neither side constant."""
    labels, predictions = _numbers(pairs)
    for what, values in (("labels", labels), ("predictions", predictions)):
        if min(values) == max(values):
            raise Unscorable(f"all {what} are equal")
    return labels, predictions


def _binary(pairs: Sequence[Pair]) -> tuple[Numbers, Numbers]:
    """Labels 0 and 1, both of which occur, and predicted scores."""
    labels, scores = _numbers(pairs)
    if not set(labels) <= {0.0, 1.0}:
        raise Unscorable("labels must be 0 or 1")
    if len(set(labels)) < 2:
        raise Unscorable("the labels are all of one class")
    return labels, scores


def _classes(pairs: Sequence[Pair]) -> tuple[list[str], list[str]]:
    """Labels and predictions as classes; ``1``, ``1.0`` and ``+1`` are the same one."""
    labels = [_class(label.text) for label, _ in pairs]
    predictions = [_class(text) for _, text in pairs]
    strange = sorted(set(predictions) - set(labels))
    if strange:
        raise Unscorable(f'prediction "{strange[0]:.40}" is none of the classes of the labels')
    return labels, predictions


def _class(text: str) -> str:
    """A class in one spelling."""
    try:
        value = float(text)
    except ValueError:
        return text
    return str(int(value)) if value.is_integer() else text


def _finite(value: object) -> float:
    """The value of a metric, which must be a number."""
    result = float(value)  # type: ignore[arg-type]
    if not math.isfinite(result):
        raise Unscorable("it is undefined or overflows for these predictions")
    return result


@_metric("mae")
def _mae(pairs: Sequence[Pair]) -> float:
    labels, predictions = _numbers(pairs)
    return _finite(math.fsum(abs(a - b) / len(pairs) for a, b in zip(labels, predictions, strict=True)))


@_metric("mse")
def _mse(pairs: Sequence[Pair]) -> float:
    labels, predictions = _numbers(pairs)
    errors = (a - b for a, b in zip(labels, predictions, strict=True))
    return _finite(math.fsum(e * e / len(pairs) for e in errors))


@_metric("rmse")
def _rmse(pairs: Sequence[Pair]) -> float:
    return math.sqrt(_mse(pairs))


@_metric("r2", "r²")
def _r2(pairs: Sequence[Pair]) -> float:
    from sklearn.metrics import r2_score

    labels, predictions = _numbers(pairs)
    if min(labels) == max(labels):
        raise Unscorable("all labels are equal")
    return _finite(r2_score(labels, predictions))


@_metric("pearson", "pearsonr", "pcc")
def _pearson(pairs: Sequence[Pair]) -> float:
    import warnings

    from scipy.stats import pearsonr

    with warnings.catch_warnings(action="ignore"):
        return _finite(pearsonr(*_varying(pairs)).statistic)


@_metric("spearman", "spearmanr", "srcc")
def _spearman(pairs: Sequence[Pair]) -> float:
    from scipy.stats import spearmanr

    return _finite(spearmanr(*_varying(pairs)).statistic)


@_metric("kendall", "kendalltau")
def _kendall(pairs: Sequence[Pair]) -> float:
    from scipy.stats import kendalltau

    return _finite(kendalltau(*_varying(pairs)).statistic)


@_metric("auroc", "rocauc", "auc")
def _auroc(pairs: Sequence[Pair]) -> float:
    from sklearn.metrics import roc_auc_score

    return _finite(roc_auc_score(*_binary(pairs)))


@_metric("auprc", "prauc", "averageprecision", "aupr")
def _auprc(pairs: Sequence[Pair]) -> float:
    from sklearn.metrics import average_precision_score

    return _finite(average_precision_score(*_binary(pairs)))


@_metric("accuracy", "acc")
def _accuracy(pairs: Sequence[Pair]) -> float:
    labels, predictions = _classes(pairs)
    return sum(a == b for a, b in zip(labels, predictions, strict=True)) / len(pairs)


@_metric("balanced-accuracy")
def _balanced_accuracy(pairs: Sequence[Pair]) -> float:
    from sklearn.metrics import balanced_accuracy_score

    return _finite(balanced_accuracy_score(*_classes(pairs)))


@_metric("f1")
def _f1(pairs: Sequence[Pair]) -> float:
    from sklearn.metrics import f1_score

    labels, predictions = _classes(pairs)
    if not set(labels) <= {"0", "1"}:
        raise Unscorable("labels must be 0 or 1 (f1-macro is for more classes)")
    return _finite(f1_score(labels, predictions, pos_label="1", zero_division=0.0))


@_metric("f1-macro", "macrof1")
def _f1_macro(pairs: Sequence[Pair]) -> float:
    from sklearn.metrics import f1_score

    labels, predictions = _classes(pairs)
    return _finite(f1_score(labels, predictions, average="macro", zero_division=0.0))


@_metric("mcc")
def _mcc(pairs: Sequence[Pair]) -> float:
    from sklearn.metrics import matthews_corrcoef

    labels, predictions = _classes(pairs)
    if len(set(labels)) < 2 or len(set(predictions)) < 2:
        raise Unscorable("labels or predictions are all of one class")
    return _finite(matthews_corrcoef(labels, predictions))


@_metric("c-index", "concordance", "concordanceindex")
def _c_index(pairs: Sequence[Pair]) -> float:
    times, risks = _numbers(pairs)
    value = concordance(times, risks, [label.event for label, _ in pairs])
    if value is None:
        raise Unscorable("no two times can be compared")
    return value
