"""Each kind of departure: what is seen in commands, data, locks and predictions, and what is not claimed."""

import gzip
import json

import pytest
import yaml

from labagent.models.family import Family
from labagent.models.run import EnvironmentRecord
from labagent.models.tables import Reference, Target
from labagent.scoring.run_facts import what_it_did
from labagent.scoring.score import score_attempt
from labagent.trace import TraceWriter


@pytest.fixture
def departures(bench):
    """Departures of a run of the commands given, as (item, published, ours, severity, origin)."""

    def run(protocol, *commands, output="", status=0):
        path = bench.root / "protocol.yaml"
        path.write_text(yaml.safe_dump(protocol))
        bench.protocol = str(path)
        if not (bench.output / "answer.json").exists():
            bench.file("answer.json", '{"q": 0.276}')
        trace = bench.run_folder / "try-1" / "trace.jsonl"
        trace.unlink(missing_ok=True)
        with TraceWriter(trace) as writer:
            for turn, command in enumerate(commands, start=1):
                writer.event("command", turn=turn, command=command)
                writer.event("observation", turn=turn, status=status, text=output)
        rows = bench.score().departures
        return [(d.item, d.published, d.ours, d.severity, d.origin) for d in rows]

    return run


PYTHON = "cat > run.py <<'EOF'\n{}\nEOF\npython run.py"


@pytest.mark.parametrize(
    ("code", "ours", "severity"),
    [
        ("for seed in range(3):\n    fit(seed)", "3 (command 1)", "major"),
        ("for seed in [1, 2, 3, 4, 5, 6]:\n    fit(seed)", "6 (command 1)", "minor"),
        ("for seed_number in (1, 2):\n    fit(seed_number)", "2 (command 1)", "major"),
        ("fit(random_state=7)", "1 (command 1)", "major"),
        ("set.seed(1L)\nfit()", "1 (command 1)", "major"),
        ("for (seed in 1:4) { set.seed(seed) }", "4 (command 1)", "major"),
        ("fit(n_seeds=2)", "2 (command 1)", "major"),
    ],
)
def test_fewer_or_more_seeds(departures, code, ours, severity):
    assert departures({"seeds": [1, 2, 3, 4, 5]}, PYTHON.format(code)) == [
        ("seeds", "5", ours, severity, "measured")
    ]


@pytest.mark.parametrize(
    "command",
    [
        PYTHON.format("for seed in protocol['seeds']:\n    fit(seed)"),
        PYTHON.format("fit(random_state=seed); fit(random_state=3)"),
        "for seed in $(seq 1 5); do python fit.py --seed $seed; done",
        "for seed in 1 2 3 4 5; do python fit.py --seed $seed; done",
        "for seed in {1..5}; do python fit.py --seed $seed; done",
        "# seed=3\nls",
        "python fit.py",
    ],
)
def test_what_is_as_published_or_not_written_out_is_no_departure(departures, command):
    assert departures({"seeds": [1, 2, 3, 4, 5]}, command) == []


def test_other_seeds_are_a_note(departures):
    command = PYTHON.format("for seed in range(5):\n    fit(seed)")
    assert departures({"seeds": [1, 2, 3, 4, 5]}, command) == [
        ("seeds used", "1, 2, 3, 4, 5", "0, 1, 2, 3, 4 (command 1)", "note", "measured")
    ]
    assert departures({"seeds": 5}, command) == []


def test_predictions_say_more_than_commands(departures, bench):
    bench.answer = "q=p.csv"
    bench.withhold("id,label\na,1\nb,2\n")
    bench.file("p.csv", "id,prediction,split\na,1,1\nb,2,1\na,1,9\nb,2,9\n")
    command = PYTHON.format("for seed in range(5):\n    fit(seed)")
    assert departures({"seeds": [1, 2], "splits": 3}, command) == [
        ("seeds used", "1, 2", "1, 9", "note", "measured"),
        ("splits", "3", "2", "major", "measured"),
    ]


MAX_ITER = {"iterations": {"L": 10, "burnin": 1000}}
METHOD = {"method": {"name": "SuSiE", "calls": ["susie_rss"], "instead": ["ridge", "abf"]}}


@pytest.mark.parametrize(
    ("protocol", "command", "item", "published", "ours", "severity"),
    [
        ({"splits": 10}, "cv(x, n_folds=5)", "splits", "10", "5", "major"),
        ({"replicates": 100}, "for rep in range(50):\n  go()", "replicates", "100", "50", "major"),
        ({"replicates": 100}, "sim --n-sims 200", "replicates", "100", "200", "minor"),
        ({"iterations": 1000}, "fit --max-iter 400", "iterations", "1000", "400", "major"),
        ({"iterations": 1000}, "fit(epochs=1_500)", "iterations", "1000", "1500", "note"),
        (MAX_ITER, "susie(z, R, L = 10); mcmc(burnin <- 900)", "iterations burnin", "1000", "900", "minor"),
        ({"dataset_size": 50_000}, "fit(sample_size=5000)", "dataset_size", "50000", "5000", "major"),
        (METHOD, "x <- ridge(z)", "method", "SuSiE", "ridge", "major"),
    ],
)
def test_numbers_and_methods_in_commands(departures, protocol, command, item, published, ours, severity):
    expected = (item, published, f"{ours} (command 1)", severity, "measured")
    assert departures(protocol, command) == [expected]
    assert departures(protocol, command, status=1) == []


def test_the_last_number_given_is_the_one_that_counts(departures):
    assert departures({"iterations": 1000}, "fit(n_iter=10)", "fit(n_iter=1000)") == []
    assert departures({"iterations": 1000}, "fit(n_iter=10)", "fit(n_iter=most)") == []


def test_a_method_that_is_called_is_used(departures):
    method = {"name": "SuSiE", "calls": ["susie_rss"], "instead": ["ridge"]}
    assert departures({"method": method}, "a <- ridge(z); b <- susieR::susie_rss(z)") == []
    assert departures({"method": method}, "cartridge(z); plot.ridge()") == []


def test_what_a_run_says_of_itself_is_declared(departures):
    output = "CHOICE: method=ridge\nCHOICE: iterations=20\nCHOICE: replicates=5\n"
    protocol = {"method": ["SuSiE", "susie"], "iterations": 100, "replicates": 10}
    assert departures(protocol, "fit", output=output) == [
        ("replicates", "10", "5", "major", "declared"),
        ("iterations", "100", "20", "major", "declared"),
        ("method", "SuSiE, susie", "ridge", "major", "declared"),
    ]
    assert departures({"method": "Su-SiE"}, "fit", output="CHOICE: method=susie\n") == []


def test_rows_of_staged_tables(bench):
    bench.file("answer.json", '{"q": 0.276}')
    data = bench.root / "data"
    data.mkdir()
    (data / "train.csv").write_text('\ufeffid,text\n1,"a\nb"\n2,c\n\n')
    (data / "test.tsv.gz").write_bytes(gzip.compress(b"id\tx\n" + b"1\t2\n" * 995))
    (data / "short.csv").write_text("id\n" + "1\n" * 98)
    (bench.root / "secret.csv").write_text("id\n1\n")
    protocol = bench.root / "p.yaml"
    wanted = {"train.csv": 2, "test.tsv.gz": 1000, "short.csv": 100, "../secret.csv": 9, "gone.csv": 3}
    protocol.write_text(json.dumps({"dataset_size": wanted}))
    bench.protocol = str(protocol)
    bench.score()
    scored = score_with(bench, data)
    rows = [(d.item, d.published, d.ours, d.severity) for d in scored.departures]
    assert sorted(rows) == [
        ("rows of short.csv", "100", "98", "major"),
        ("rows of test.tsv.gz", "1000", "995", "minor"),
    ]


def score_with(bench, data):
    reference = {
        "target": "t",
        "quantity": "q",
        "metric": "m",
        "direction": "match",
        "value": "1",
        "source": "s",
    }
    return score_attempt(
        run_folder=bench.run_folder,
        target=Target(target="t", family="f", task="t.md", answer=bench.answer, protocol=bench.protocol),
        references={"q": Reference.model_validate(reference)},
        labels=None,
        family=Family(name="f", folder="f", scorer="metric", title="F"),
        data=data,
    )


def test_software_that_is_not_there(departures, bench):
    protocol = {"software": {"name": "DESeq2", "language": "R"}}
    bench.environment = EnvironmentRecord(status="ready", builder="venv", lock=("pydeseq2==0.5.0",))
    assert departures(protocol, "ls") == [("software", "DESeq2 (R)", "not installed", "minor", "measured")]
    bench.environment = EnvironmentRecord(
        status="ready", builder="venv", lock=("bioconductor-deseq2==1.34.0",)
    )
    assert departures(protocol, "ls") == []
    mapped = {"r-base": "R 4.2.2"}
    bench.environment = EnvironmentRecord(status="ready", builder="venv", lock=("pip==25.0",), mapped=mapped)
    assert departures(protocol, "ls") == []


def test_odd_protocols_and_traces_are_survived(departures, bench):
    odd = {
        "seeds": {"a": 1}, "splits": True, "replicates": "many", "iterations": [1], "software": 3,
        "dataset_size": {"x": None}, "method": {"calls": 5}, "versions": "1.0",
    }  # fmt: skip
    assert departures(odd, "for seed in range(3): pass", "for rep in range(999999): pass") == []
    trace = bench.run_folder / "try-1" / "trace.jsonl"
    with trace.open("a") as stream:
        stream.write('{"event": "command", "turn": 9, "comm')
    assert len(what_it_did(trace.parent).steps) == 2
    assert what_it_did(bench.root / "nowhere").steps == ()
