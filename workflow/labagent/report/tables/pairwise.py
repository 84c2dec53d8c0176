"""Pairs of arms: wins, ties, losses; paired tests in one metric at a time."""

from collections.abc import Iterator, Sequence

from labagent.report import statistics
from labagent.report.compare import Pair, arm_pairs, cluster_of, pairs
from labagent.report.study import Study
from labagent.report.tables import Cell, Row

ALL = "all metrics"
WITHIN = "within"
TITLE = "Pairs of arms"
CAPTION = (
    "Arms of one kind compared on the targets both completed; positive differences favour the first arm. "
    "Over unlike metrics only wins and losses are counted; differences are tested within one metric. Values "
    "that differ in nothing but their last bits are a tie. Verdicts (within) are compared on all targets. "
    "Bootstrap intervals draw whole labs, or boards, since results of one of them are not independent."
)
ORDER = 40
SHOWN = True
TESTS = ("p_sign", "p_t", "p_wilcoxon", "p_label_swap")
COLUMNS = {
    "kind": "kind of the arms compared",
    "arm_a": "the first arm",
    "arm_b": "the second arm",
    "metric": "all metrics together (wins and losses only), one of them in its own unit, or the verdict",
    "n": "targets both arms completed; all targets for the verdict",
    "wins": "targets on which the first arm is better in more quantities; for the verdict: only it is within",
    "ties": "targets on which neither is",
    "losses": "targets on which the second arm is",
    "p_sign": "sign test, exact, ties left out; for the verdict this is McNemar's exact test",
    "p_sign_holm": "the same after Holm's correction over all pairs of arms",
    "mean_difference": "mean of the paired differences, better is positive; for the verdict: of shares",
    "sd_difference": "their SD (ddof 1)",
    "t": "paired t statistic",
    "p_t": "its two-sided p",
    "p_wilcoxon": "Wilcoxon signed-rank test, pairs without a difference left out",
    "p_label_swap": "permutation test: labels swapped within pairs",
    "ci_low": "lower end of the bootstrap 95 % interval of the mean difference",
    "ci_high": "its upper end",
    "note": "what could not be computed, and why",
    "p_t_holm": "p_t after Holm's correction over all pairs of arms",
    "p_wilcoxon_holm": "p_wilcoxon after Holm's correction",
    "p_label_swap_holm": "p_label_swap after Holm's correction",
    "clusters": "how many labs, boards or single targets the interval draws from",
    "wilcoxon_method": "exact, or normal approximation",
}
Record = dict[str, Cell]


def rows(study: Study) -> Iterator[Row]:
    """For every pair one row over all metrics, one for each metric, and one for the verdict."""
    made = [record for kind, a, b in arm_pairs(study) for record in _records(study, kind, a, b)]
    for metric in dict.fromkeys(record["metric"] for record in made):
        family = [record for record in made if record["metric"] == metric]
        for test in TESTS:
            _correct(family, test)
    return (tuple(record.get(name) for name in COLUMNS) for record in made)


def _correct(family: Sequence[Record], test: str) -> None:
    """Holm's correction of one test in one metric over all pairs of arms."""
    p_values = [p if isinstance(p := record.get(test), float) else None for record in family]
    for record, corrected in zip(family, statistics.holm(p_values), strict=True):
        record[f"{test}_holm"] = corrected


def _records(study: Study, kind: str, arm_a: str, arm_b: str) -> Iterator[Record]:
    """The rows of one pair of arms."""
    found = pairs(study, arm_a, arm_b)
    names: Record = {"kind": kind, "arm_a": arm_a, "arm_b": arm_b}
    metrics = sorted({metric for pair in found for metric in pair.differences})
    note = "unlike metrics are not averaged" if len(metrics) > 1 else ""
    yield {**names, "metric": ALL, **_signs([pair.sign for pair in found], note)}
    for metric in metrics:
        yield {**names, "metric": metric, **_tests([p for p in found if metric in p.differences], metric)}
    yield {**names, "metric": WITHIN, **_verdicts(study, arm_a, arm_b)}


def _signs(signs: Sequence[int], note: str) -> Record:
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


def _tests(found: Sequence[Pair], metric: str) -> Record:
    """Paired tests of the differences in one metric."""
    differences = [pair.differences[metric] for pair in found]
    clusters = [pair.cluster for pair in found]
    t = statistics.paired_t(differences)
    wilcoxon = statistics.wilcoxon(differences)
    swap = statistics.label_swap(differences)
    interval = statistics.bootstrap_interval(differences, clusters)
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
        "clusters": len(set(clusters)),
        "wilcoxon_method": wilcoxon.method,
    }


def _verdicts(study: Study, arm_a: str, arm_b: str) -> Record:
    """The verdicts of two arms on all targets, paired."""
    entries_a, entries_b = study.of_arm[arm_a], study.of_arm[arm_b]
    first, second = ([entry.first.within for entry in entries] for entries in (entries_a, entries_b))
    test = statistics.mcnemar(first, second)
    clusters = [cluster_of(study, entry.target) for entry in entries_a]
    differences = [float(a) - float(b) for a, b in zip(first, second, strict=True)]
    interval = statistics.bootstrap_interval(differences, clusters)
    return {
        "n": test.n,
        "wins": test.only_first,
        "ties": test.both + test.neither,
        "losses": test.only_second,
        "p_sign": test.p,
        "mean_difference": test.difference,
        "ci_low": interval.low,
        "ci_high": interval.high,
        "note": "; ".join(dict.fromkeys(filter(None, (test.note, interval.note)))),
        "clusters": len(set(clusters)),
    }
