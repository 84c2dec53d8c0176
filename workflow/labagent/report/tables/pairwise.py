"""Pairs of arms: wins, ties, losses; paired tests in one metric at a time."""

from collections.abc import Iterator, Sequence

from labagent.report import statistics
from labagent.report.compare import Pair, arm_pairs, pairs
from labagent.report.study import Study
from labagent.report.tables import Cell, Row

ALL = "all metrics"
TITLE = "Pairs of arms"
CAPTION = (
    "Arms of one kind compared on the targets both completed; positive differences favour the first arm. "
    "Over unlike metrics only wins and losses are counted; differences are tested within one metric."
)
ORDER = 40
SHOWN = True
COLUMNS = {
    "kind": "kind of the arms compared",
    "arm_a": "the first arm",
    "arm_b": "the second arm",
    "metric": "all metrics together (wins and losses only), or one of them, in its own unit",
    "n": "targets both arms completed",
    "wins": "targets on which the first arm is better in more quantities",
    "ties": "targets on which neither is",
    "losses": "targets on which the second arm is",
    "p_sign": "sign test, exact, ties left out",
    "p_sign_holm": "the same after Holm's correction over all pairs of arms",
    "mean_difference": "mean of the paired differences, better is positive",
    "sd_difference": "their SD (ddof 1)",
    "t": "paired t statistic",
    "p_t": "its two-sided p",
    "p_wilcoxon": "Wilcoxon signed-rank test, pairs without a difference left out",
    "p_label_swap": "permutation test: labels swapped within pairs",
    "ci_low": "lower end of the bootstrap 95 % interval of the mean difference",
    "ci_high": "its upper end",
    "note": "what could not be computed, and why",
}


def rows(study: Study) -> Iterator[Row]:
    """For every pair one row over all metrics and one for each metric."""
    made = [record for kind, a, b in arm_pairs(study) for record in _records(study, kind, a, b)]
    overall = [record for record in made if record["metric"] == ALL]
    corrected = statistics.holm([record["p_sign"] for record in overall])  # type: ignore[misc]
    for record, p in zip(overall, corrected, strict=True):
        record["p_sign_holm"] = p
    return (tuple(record.get(name) for name in COLUMNS) for record in made)


def _records(study: Study, kind: str, arm_a: str, arm_b: str) -> Iterator[dict[str, Cell]]:
    """The rows of one pair of arms."""
    found = pairs(study, arm_a, arm_b)
    names: dict[str, Cell] = {"kind": kind, "arm_a": arm_a, "arm_b": arm_b}
    metrics = sorted({metric for pair in found for metric in pair.differences})
    note = "unlike metrics are not averaged" if len(metrics) > 1 else ""
    yield {**names, "metric": ALL, **_signs([pair.sign for pair in found], note)}
    for metric in metrics:
        yield {**names, "metric": metric, **_tests([p for p in found if metric in p.differences], metric)}


def _signs(signs: Sequence[int], note: str) -> dict[str, Cell]:
    """Wins, ties, losses and the sign test."""
    wins, losses = signs.count(1), signs.count(-1)
    test = statistics.sign_test(wins, losses)
    return {
        "n": len(signs),
        "wins": wins,
        "ties": signs.count(0),
        "losses": losses,
        "p_sign": test.p,
        "note": "; ".join(filter(None, [test.note if signs else "no target completed by both", note])),
    }


def _tests(found: Sequence[Pair], metric: str) -> dict[str, Cell]:
    """Paired tests of the differences in one metric."""
    differences = [pair.differences[metric] for pair in found]
    t = statistics.paired_t(differences)
    wilcoxon = statistics.wilcoxon(differences)
    swap = statistics.label_swap(differences)
    interval = statistics.bootstrap_interval(differences)
    notes = dict.fromkeys(filter(None, (t.note, wilcoxon.note, swap.note, interval.note)))
    return {
        **_signs([(d > 0) - (d < 0) for d in differences], ""),
        "mean_difference": t.mean,
        "sd_difference": t.sd,
        "t": t.t,
        "p_t": t.p,
        "p_wilcoxon": wilcoxon.p,
        "p_label_swap": swap.p,
        "ci_low": interval.low,
        "ci_high": interval.high,
        "note": "; ".join(notes),
    }
