"""TDC's ADMET group: the shipped tables, and the protocol's arithmetic up to the published numbers."""

import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr
from sklearn.metrics import average_precision_score

from labagent.inputs import load_boards, load_leaderboard, place_among, pool
from labagent.models.tables import Reference
from labagent.scoring.attempt import Measurement, Unscorable
from labagent.scoring.judge import judge
from labagent.scoring.scorers import load_scorer
from labagent.scoring.scorers.tdc_admet import mean_and_sd, protocol_round

BASELINE = "RDKit2D + MLP (DeepPurpose)"


def rows(family, snapshot, method=None):
    return [r for r in load_leaderboard(family) if r.snapshot == snapshot and method in (None, r.method)]


def reference(row, board, **changes):
    fields = {
        "target": "t", "quantity": "q", "metric": board.metric, "direction": board.direction,
        "board": row.board, "value": f"{row.value:.{row.decimals}f}", "sd": row.sd, "sd_kind": "seeds",
        "source": "s",
    }  # fmt: skip
    return Reference.model_validate({**fields, **changes})


def test_sample_output_is_within_the_leaderboards_sd_on_all_boards(tdc):
    boards = load_boards(tdc)
    board_rows = {r.board: r for r in rows(tdc, "site-2023-02", BASELINE)}
    samples = rows(tdc, "tdc-sample", BASELINE)
    assert len(samples) == len(boards) == 22
    verdicts = [
        judge(
            "q", Measurement(s.value, "computed"), reference(board_rows[s.board], boards[s.board])
        ).within_sd
        for s in samples
    ]
    assert sum(verdicts) == 22


def sizes_of_runs(mean, sd):
    """Five values of three decimals with this mean and population SD: mean ± a, the rest at the mean."""
    for thousandths in range(2000):
        step = thousandths / 1000
        runs = [round(mean + d, 3) for d in (-step, 0, 0, 0, step)]
        if round(float(np.std(runs)), 3) == sd:
            return runs
    raise AssertionError((mean, sd))


def predictions_for(metric, wanted, random):
    """Labels and predictions whose metric rounds to ``wanted``."""
    if metric == "mae":
        labels = random.normal(size=50).round(2)
        return labels, labels + wanted * np.where(random.random(50) < 0.5, 1, -1)
    if metric == "auroc":  # one positive above this many of a thousand negatives
        return np.r_[1, np.zeros(1000)], np.r_[wanted * 1000 - 0.5, np.arange(1000)]
    score = average_precision_score if metric == "auprc" else (lambda a, b: spearmanr(a, b).statistic)
    truth = random.normal(size=1500)
    labels = (truth > 1.2).astype(int) if metric == "auprc" else truth
    noise, low, high = random.normal(size=1500), -1.0 if wanted < 0 else 0.0, 1.0
    for _ in range(40):
        share = (low + high) / 2
        predictions = share * truth + (1 - abs(share)) * noise
        value = score(labels, predictions)
        if round(value, 3) == wanted:
            return labels, predictions
        low, high = (share, high) if value < wanted else (low, share)
    raise AssertionError((metric, wanted, value))


def test_predictions_of_five_runs_give_the_published_numbers_on_all_boards(tdc, new_bench):
    """Per-run values with the published mean and SD, as predictions, come back as published, on 22 of 22."""
    boards = load_boards(tdc)
    for row in rows(tdc, "tdc-sample", BASELINE):
        board = boards[row.board]
        fields = reference(row, board).model_dump(exclude={"target", "quantity", "source"})
        bench = new_bench(tdc, fields)
        table, truth = ["id,prediction,split"], ["id,label,split"]
        for seed, wanted in enumerate(sizes_of_runs(row.value, row.sd), start=1):
            labels, predictions = predictions_for(board.metric, wanted, np.random.default_rng(seed))
            truth += [f"m{i},{float(y)!r},{seed}" for i, y in enumerate(labels)]
            table += [f"m{i},{float(p)!r},{seed}" for i, p in enumerate(predictions)]
        bench.write("\n".join(table), "\n".join(truth))
        score = bench.score()
        assert (score.value, score.dispersion) == (row.value, row.sd), row.board
        assert score.within_sd and score.within_band and score.as_good


def test_rounding_is_of_each_run_first_and_of_numpy():
    runs = [0.1234, 0.1234, 0.1234, 0.1234, 0.1246]
    assert mean_and_sd(runs) == (0.123, 0.001)  # 0.1236 unrounded would give 0.124 and 0.000
    assert protocol_round(0.2785) == 0.278  # Python's own rounding gives 0.279
    with pytest.raises(Unscorable, match="4 run"):
        mean_and_sd(runs[:4])
    with pytest.raises(Unscorable, match="too large"):
        mean_and_sd([1e308] * 5)


def test_fewer_than_five_runs_and_reported_values_are_refused(tdc, new_bench):
    bench = new_bench(tdc, {"metric": "mae", "direction": "lower", "board": "caco2_wang"})
    table = "id,prediction,split\n" + "".join(f"a,1,{s}\nb,2,{s}\n" for s in range(4))
    bench.write(table, "id,label\na,1\nb,2\n")
    assert "4 run(s)" in bench.outcome()[1]
    bench.write(table + "a,1,4\nb,2,4\n")
    assert bench.outcome() == ((0.0, 0.0), "")
    bench.write("id,prediction\na,1\nb,2\n")
    assert "1 run(s)" in bench.outcome()[1]


def test_check_names_what_does_not_fit_the_board(tdc, inputs, tmp_path):
    scorer, target = load_scorer("tdc_admet"), inputs.targets["tdc-caco2-wang-maplight"]
    fine = inputs.references[target.target]
    labels = tmp_path / "l.csv"
    labels.write_text("id,label\n1,0.5\n")
    assert scorer.check(tdc, target, fine, labels) == []
    assert "labagent benchmarks fetch tdc_admet" in scorer.check(tdc, target, fine, None)[0]
    wrong = {"mae": fine["mae"].model_copy(update={"metric": "rmse"})}
    assert "judged by mae" in scorer.check(tdc, target, wrong, labels)[0]
    wrong = {"mae": fine["mae"].model_copy(update={"board": "caco"})}
    assert '"caco" is not in boards.tsv' in scorer.check(tdc, target, wrong, labels)[0]
    tuned = tdc.model_copy(update={"settings": {"ddof": 1}})
    assert "settings.ddof" in scorer.check(tuned, target, fine, labels)[0]


def test_the_published_values_are_all_there(tdc):
    published = load_leaderboard(tdc)
    given = [r for r in published if r.snapshot in ("site-2023-02", "minimol-readme", "tdc-sample")]
    assert Counter(r.snapshot for r in given) == {"site-2023-02": 219, "minimol-readme": 66, "tdc-sample": 22}
    twice = [r for r in given if (r.board, r.method, r.snapshot) == ("caco2_wang", "XGBoost", "site-2023-02")]
    assert [(r.value, r.repository.rsplit("/")[-1]) for r in twice] == [
        (0.288, "ADMET_XGBoost"),
        (0.289, "OCE-TDC"),
    ]
    assert sum(r.sd is not None and r.sd <= 0.001 for r in given) == 11


def test_a_disputed_board_is_not_ranked_by_its_disputed_list(tdc):
    late = {r.method: r.value for r in rows(tdc, "site-2026-03") if r.board == "bioavailability_ma"}
    pgp = {r.method: r.value for r in rows(tdc, "site-2026-03") if r.board == "pgp_broccatelli"}
    assert all(late[method] == value for method, value in pgp.items() if method in late)
    published = load_leaderboard(tdc, "bioavailability_ma")
    assert {r.snapshot for r in pool(published, "bioavailability_ma")} == {"site-2025-02"}
    assert all(r.disputed for r in published if r.snapshot == "site-2026-03")
    assert all(len(pool(load_leaderboard(tdc, b), b)) >= 11 for b in load_boards(tdc))


def test_entries_targets_and_references_say_the_same(tdc, inputs):
    with (Path(tdc.folder) / "entries.tsv").open(encoding="utf-8") as stream:
        entries = list(csv.DictReader(stream, delimiter="\t"))
    with (Path(tdc.folder) / "methods.tsv").open(encoding="utf-8") as stream:
        methods = {r["method"]: r for r in csv.DictReader(stream, delimiter="\t")}
    chosen = [e for e in entries if e["status"] == "target"]
    targets = {n: t for n, t in inputs.targets.items() if t.family == "tdc_admet"}
    assert {e["target"] for e in chosen} == set(targets)
    assert Counter(e["board"] for e in chosen) == dict.fromkeys(load_boards(tdc), 3)
    for entry in entries:
        assert methods[entry["method"]]["status"] == (
            "excluded" if entry["status"] == "excluded" else "runnable"
        )
        assert (entry["status"] == "target") == (not entry["reason"])
    ranked = {(r.board, r.method): r for r in load_leaderboard(tdc) if r.ranked}
    for entry in chosen:
        (ref,) = inputs.references[entry["target"]].values()
        row = ranked[ref.board, ref.method]
        assert (ref.board, ref.method, ref.value, ref.sd) == (
            entry["board"],
            entry["method"],
            row.value,
            row.sd,
        )
        assert methods[entry["method"]]["repository"].startswith("https://github.com/")


def test_place_on_a_board(tdc):
    published = pool(load_leaderboard(tdc, "caco2_wang"), "caco2_wang", without="MapLight")
    assert place_among(0.2764, published, "lower").rank == 3  # behind 0.256 and 0.274
    assert place_among(0.2872, published, "lower").rank == 5  # 0.287 twice: tied with places 4 and 5
    assert place_among(0.1, published, "lower").rank == 1
    last = place_among(9.9, published, "lower")
    assert last.rank == last.of == len(published) + 1
    assert place_among(float("nan"), published, "lower") is None
    assert place_among(1.0, [], "lower") is None
