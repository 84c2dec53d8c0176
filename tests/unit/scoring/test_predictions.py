"""Predictions against withheld labels: a right value or a reason, whatever the file holds."""

import csv
import gzip
import io
import statistics

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from labagent.errors import InfrastructureError

LABELS = "id,label\na,1\nb,2\nc,4\n"
GOOD = "id,prediction\na,1.5\nb,2\nc,3\n"


@pytest.fixture
def table(bench):
    bench.answer = "q=p.csv"
    bench.withhold(LABELS)
    return bench


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        "id,prediction\nc,3\na,1.5\nb,2\n",
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace(",", "\t"),
        GOOD + "\n\n",
        GOOD.rstrip(),
        "smiles,Prediction,ID\nC,1.5,a\nCC,2,b\nCCC,3,c\n",
        'id,prediction\n"a",1.5\n" b ", 2 \nc,3\n',
        gzip.compress(GOOD.encode(), mtime=0),
    ],
)
def test_one_value_however_the_table_is_written(table, content):
    table.file("p.csv", content)
    record = table.score()
    assert record.status == "scored", record.reason
    assert record.quantities[0].value == 0.5
    assert record.quantities[0].basis == "computed"
    assert record.quantities[0].dispersion is None


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "is empty"),
        ("id,prediction\n", "holds no predictions"),
        ("id,value\na,1\n", "has no column prediction"),
        ("a,1\nb,2\n", "has no column id, prediction"),
        (GOOD + "a,1\n", 'line 5: id "a" is given twice'),
        (GOOD + "d,1\n", 'that are not asked for, the first is "d"'),
        ("id,prediction\na,1\n", '2 ids without a prediction, the first is "b"'),
        (GOOD.replace("3", "nan"), 'prediction "nan" is not a finite number'),
        (GOOD.replace("3", "-Infinity"), "not a finite number"),
        (GOOD.replace("3", ""), 'prediction "" is not a finite number'),
        (GOOD.replace("3", "high"), '"high" is not a finite number'),
        (GOOD.replace("3", "1_0"), '"1_0" is not a finite number'),
        (GOOD.replace("3", "1e999"), "not a finite number"),
        ("id,prediction\na,1,9\nb,2\nc,3\n", "line 2: has 3 fields, the header has 2"),
        ("id,prediction\na\n", "line 2: has 1 fields"),
        ('id,prediction\n"a,1\n', "is no row of a table"),
        ("id,prediction,prediction\na,1,1\n", "column prediction is given twice"),
        (b"id,prediction\na,\xff\n", "is not UTF-8"),
        (gzip.compress(GOOD.encode(), mtime=0)[:-9], "cannot be read"),
        (b"\x1f\x8bnonsense", "cannot be read"),
        (GOOD.replace("c,3", "c,1e308").replace("b,2", "b,-1e308"), "scored"),
    ],
)
def test_bad_tables_are_unscorable_with_a_reason(table, content, reason):
    table.file("p.csv", content)
    record = table.score()
    assert reason in (record.reason or record.status)


def test_a_decompression_bomb_is_not_unpacked(table, monkeypatch):
    monkeypatch.setattr("labagent.scoring.predictions.MAX_TABLE_BYTES", 1 << 20)
    table.file("p.csv", gzip.compress(b"id,prediction\n" + b"a" * (64 << 20)))
    assert "is larger than 1 MiB" in table.score().reason


def test_predictions_need_labels(bench):
    bench.answer = "q=p.csv"
    bench.file("p.csv", GOOD)
    assert "no withheld labels" in bench.score().reason


def test_broken_labels_are_our_fault(table):
    table.file("p.csv", GOOD)
    for content in ("id,label\na,1\na,2\n", "id,label\n", "name,label\na,1\n"):
        table.withhold(content)
        with pytest.raises(InfrastructureError, match="labels"):
            table.score()


def split_table(values: dict[str, list[float]]) -> str:
    rows = [f"{name},{p},{split}" for split, ps in values.items() for name, p in zip("abc", ps, strict=True)]
    return "id,prediction,split\n" + "\n".join(rows)


def test_mean_and_sd_over_splits(table):
    table.file("p.csv", split_table({"1": [1, 2, 4], "2": [1.3, 2, 4], "3": [1, 2, 5.1]}))
    (q,) = table.score().quantities
    runs = [0.0, 0.3 / 3, 1.1 / 3]
    assert q.value == pytest.approx(statistics.fmean(runs), abs=1e-12)
    assert q.dispersion == pytest.approx(statistics.pstdev(runs), abs=1e-12)
    assert list(q.splits) == ["1", "2", "3"]
    table.settings = {"ddof": 1, "round_splits": 1, "round_mean": 2}
    (q,) = table.score().quantities
    assert (q.value, q.dispersion) == (round(0.5 / 3, 2), round(statistics.stdev([0, 0.1, 0.4]), 2))


def test_values_near_the_largest_float(table):
    table.file("p.csv", split_table({"1": [1e308, 1e308, 1e308], "2": [-1e308, 2, 4], "3": [1e308, 2, 4]}))
    for metric in ("mae", "mse", "r2"):
        table.metric = metric
        assert table.score().status in ("scored", "unscorable")


def test_every_split_must_be_whole(table):
    table.file("p.csv", split_table({"1": [1, 2, 4], "2": [1, 2, 4]}).rpartition("\n")[0])
    assert '1 ids without a prediction, the first is "c" of split "2"' in table.score().reason
    table.file("p.csv", split_table({"1": [1, 2, 4]}))
    table.settings = {"min_splits": 5}
    assert "has 1 split(s); this family needs 5" in table.score().reason


def test_labels_may_differ_between_splits(table):
    table.withhold("id,label,split\na,1,x\na,3,y\n")
    table.file("p.csv", "id,prediction,split\na,2,x\na,5,y\n")
    assert table.score().quantities[0].splits == {"x": 1.0, "y": 2.0}


FIELD = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=6)
NUMBER = st.floats().map(str) | FIELD
ROWS = st.lists(
    st.tuples(st.sampled_from("abcd") | FIELD, NUMBER, st.sampled_from(["", "1", "2"])), max_size=8
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(ROWS, st.sampled_from(["mae", "spearman", "auroc", "accuracy", "r2", "c-index"]), st.randoms())
def test_any_table_gives_a_value_or_a_reason_in_any_order(table, rows, metric, random):
    table.metric = metric
    outcomes = []
    for _ in range(2):
        stream = io.StringIO()
        csv.writer(stream).writerows([("id", "prediction", "split"), *rows])
        table.file("p.csv", stream.getvalue())
        record = table.score()
        assert (record.status == "scored") == (record.quantities[0].value is not None)
        assert (record.status == "unscorable") == bool(record.reason)
        outcomes.append((record.status, record.quantities[0].value))
        random.shuffle(rows)
    assert outcomes[0] == outcomes[1]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(st.binary(max_size=200))
def test_any_bytes_give_a_reason(table, content):
    table.file("p.csv", content)
    assert table.score().status == "unscorable"
