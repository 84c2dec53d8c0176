"""Any answer, to any scorer of predictions: the right score, or a reason; the order of rows never matters.

The right score is computed here from the drawn numbers, by scikit-learn and scipy; the faults are put into
the file on purpose, so that it is known whether there must be a score.
"""

from __future__ import annotations

import csv
import gzip
import io
import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata
from sklearn.metrics import average_precision_score, mean_absolute_error, roc_auc_score

SCORERS = ("metric", "tdc_admet", "proteingym")
REGRESSION, CLASSES = ("mae", "spearman"), ("auroc", "auprc")
NOT_NUMBERS = ("nan", "NaN", "inf", "-Infinity", "1e999", "high", "", "1,5", "1_0", "0x1p3", "None")
STYLES = ("plain", "bom", "crlf", "gzip", "tab", "semicolon", "quoted", "bom crlf gzip")
IDS = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=6)


def independent(metric, labels, predictions):
    """The metric by other code, or ``None`` where it is undefined."""
    y, p = np.array(labels), np.array(predictions)
    if metric == "mae":
        return float(mean_absolute_error(y, p))
    if metric == "spearman":
        if len(set(labels)) < 2 or len(set(predictions)) < 2:
            return None
        return float(np.corrcoef(rankdata(y), rankdata(p))[0, 1])
    if len(set(labels)) < 2:
        return None
    return float((roc_auc_score if metric == "auroc" else average_precision_score)(y, p))


@st.composite
def cases(draw, scorer, faults):
    """Labels, predictions by split, faults in the order they are made, and how the file is written."""
    metric = "spearman" if scorer == "proteingym" else draw(st.sampled_from(REGRESSION + CLASSES))
    ids = draw(st.lists(IDS.map(str.strip).filter(bool), min_size=2, max_size=7, unique=True))
    value = st.integers(-40, 40).map(lambda i: i / 8)
    degenerate = draw(st.integers(0, 4)) == 0  # labels of one class, constant predictions, ties
    few = st.sampled_from([0.0, 1.0] if metric in CLASSES else [0.25, 0.5])
    size = {"min_size": len(ids), "max_size": len(ids)}
    splits = {"metric": draw(st.integers(1, 3)), "tdc_admet": 5, "proteingym": 1}[scorer]
    labels = draw(st.lists(few if degenerate or metric in CLASSES else value, **size))
    if not degenerate:
        labels[:2] = [0.0, 1.0]
    runs = [draw(st.lists(few if degenerate else value, **size)) for _ in range(splits)]
    if not degenerate:
        runs = [[run[0], run[0] + 0.5, *run[2:]] for run in runs]
    style = draw(st.sampled_from(STYLES))
    return metric, ids, labels, runs, draw(st.permutations(faults)), style


def missing(rows, draw):
    rows.pop(draw(st.integers(0, len(rows) - 1)))


def duplicate(rows, draw):
    rows.insert(0, list(rows[draw(st.integers(0, len(rows) - 1))]))


def extra(rows, draw):
    rows.append(["no such id ever", "1", *rows[0][2:]])


def no_number(rows, draw):
    whole = [row for row in rows if len(row) > 1]
    whole[draw(st.integers(0, len(whole) - 1))][1] = draw(st.sampled_from(NOT_NUMBERS))


def short_row(rows, draw):
    rows.append(["alone"])


def empty(rows, draw):
    rows.clear()


FAULTS = {f.__name__: f for f in (missing, duplicate, extra, no_number, short_row, empty)}


def text_of(header, rows, style):
    stream = io.StringIO()
    delimiter = {"tab": "\t", "semicolon": ";"}.get(style, ",")
    ends = "\r\n" if "crlf" in style else "\n"
    quoting = csv.QUOTE_ALL if style == "quoted" else csv.QUOTE_MINIMAL
    csv.writer(stream, delimiter=delimiter, lineterminator=ends, quoting=quoting).writerows([header, *rows])
    content = (("\ufeff" if "bom" in style else "") + stream.getvalue()).encode()
    return gzip.compress(content, mtime=0) if "gzip" in style else content


SLOW = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
SETS = [*([name] for name in FAULTS), *map(list, combinations(FAULTS, 2))]


@pytest.mark.parametrize("scorer", SCORERS)
@settings(suppress_health_check=SLOW, deadline=None, max_examples=80, derandomize=True)
@given(data=st.data())
def test_right_score_in_any_order_however_it_is_written(scorer, data, bench_of):
    try_one(scorer, [], data, bench_of)


@pytest.mark.parametrize("faults", SETS, ids="+".join)
@pytest.mark.parametrize("scorer", SCORERS)
@settings(suppress_health_check=SLOW, deadline=None, max_examples=8, derandomize=True)
@given(data=st.data())
def test_reason_in_any_order(scorer, faults, data, bench_of):
    try_one(scorer, faults, data, bench_of)


def try_one(scorer, faults, data, bench_of):
    """Draw a case, score it twice in two orders, compare."""
    metric, ids, labels, runs, faults, style = data.draw(cases(scorer, faults))
    header = ["id", "prediction", "split"][: 3 if scorer != "proteingym" and len(runs) > 1 else 2]
    rows = [
        [name, repr(p), str(split)][: len(header)]
        for split, predictions in enumerate(runs)
        for name, p in zip(ids, predictions, strict=True)
    ]
    for fault in faults:
        if rows:
            FAULTS[fault](rows, data.draw)
    order = data.draw(st.permutations(range(len(rows))))
    label_file = text_of(["id", "label"], [[n, repr(y)] for n, y in zip(ids, labels, strict=True)], "plain")
    bench = bench_of(scorer, metric)
    outcomes = []
    for table in (rows, [rows[i] for i in order]):
        bench.write(text_of(header, table, style), label_file)
        outcomes.append(bench.outcome())
    values = [independent(metric, labels, predictions) for predictions in runs]
    value, reason = outcomes[0]
    assert outcomes[1][0] == value
    may_be_cured = "missing" in faults and {"duplicate", "extra", "short_row"} & set(faults)
    if value is not None and None not in values and may_be_cured:
        check_value(scorer, value, values)  # the row that went missing is the one too many
    elif faults or None in values:
        assert value is None and reason, (faults, value)
    else:
        assert reason == ""
        check_value(scorer, value, values)


def check_value(scorer, found, values):
    """Mean and SD by numpy, rounded where the protocol rounds."""
    if scorer == "tdc_admet":
        values = np.round(values, 3)
    mean, sd = float(np.mean(values)), float(np.std(values)) if len(values) > 1 else None
    step = 0.001001 if scorer == "tdc_admet" else 1e-9  # a tie may be rounded either way by the last bit
    assert math.isclose(found[0], mean, abs_tol=step)
    assert (found[1] is None) == (sd is None)
    assert sd is None or math.isclose(found[1], sd, abs_tol=step)


@pytest.fixture
def bench_of(inputs, new_bench):
    made = {}

    def bench(scorer, metric):
        key = scorer, metric
        if key not in made:
            direction = "lower" if metric == "mae" else "higher"
            made[key] = new_bench(inputs.families[scorer], {"metric": metric, "direction": direction})
        return made[key]

    return bench


@pytest.mark.parametrize("scorer", SCORERS)
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    deadline=None,
    max_examples=60,
    derandomize=True,
)
@given(content=st.binary(max_size=120), packed=st.booleans())
def test_any_bytes_give_a_reason(scorer, content, packed, bench_of):
    bench = bench_of(scorer, "spearman")
    bench.write(gzip.compress(content) if packed else content, "id,label\na,1\nb,2\n")
    value, reason = bench.outcome()
    assert value is None and reason


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"id,prediction,split\n", "holds no predictions"),
        (gzip.compress(b"id,prediction,split\na,1,1\nb,2,1\n", mtime=0)[:-6], "cannot be read"),
        (gzip.compress(b"id,prediction,split\na,1,1\nb,2,1\n", mtime=0)[:12], "cannot be read"),
        (b"id;prediction;split\na;1,5;1\nb;2;1\n", "column"),
        (b"\xef\xbb\xbf", "has no column"),
        (b"id,prediction,split\na,\xff\xfe,1\n", "not UTF-8"),
        (b"id,prediction,split\na,1,1\na,1,1\nb,2,1\n", "given twice"),
    ],
)
def test_known_bad_files(scorer, content, said, bench_of):
    bench = bench_of(scorer, "spearman")
    bench.write(content, "id,label\na,1\nb,2\n")
    value, reason = bench.outcome()
    assert value is None
    assert said in reason or (said == "column" and "is not a finite number" in reason)


@pytest.mark.parametrize("scorer", SCORERS)
def test_pipes_links_and_folders(scorer, bench_of, tmp_path):
    import os

    bench = bench_of(scorer, "spearman")
    bench.write("id,prediction\na,1\nb,2\n", "id,label\na,1\nb,2\n")
    place = bench.output / "p.csv"
    for make in (lambda: os.mkfifo(place), lambda: place.symlink_to(bench.labels), place.mkdir):
        place.unlink()
        make()
        value, reason = bench.outcome()
        assert value is None and "p.csv" in reason
        if place.is_dir() and not place.is_symlink():
            place.rmdir()
            place.write_text("")


def test_a_million_rows_in_any_order(bench_of):
    bench = bench_of("metric", "spearman")
    random = np.random.default_rng(2)
    labels = random.integers(0, 1000, 1_000_000)
    predictions = labels + random.integers(0, 500, 1_000_000)
    order = random.permutation(1_000_000)
    ids = np.arange(1_000_000)
    table = "\n".join(f"m{i},{p}" for i, p in zip(ids[order], predictions[order], strict=True))
    truth = "\n".join(f"m{i},{y}" for i, y in zip(ids, labels, strict=True))
    bench.write(f"id,prediction\n{table}\n", f"id,label\n{truth}\n")
    (value, dispersion), reason = bench.outcome()
    assert (dispersion, reason) == (None, "")
    assert value == pytest.approx(np.corrcoef(rankdata(labels), rankdata(predictions))[0, 1], abs=1e-9)
