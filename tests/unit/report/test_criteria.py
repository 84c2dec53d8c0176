"""Criteria, points and kinds of tasks in the report, with the departures beside the points."""

import csv

from labagent.models.score import CriterionScore, Departure, ScoreRecord
from labagent.report import build_report


def criterion(name, points, earned, verdict):
    return CriterionScore(
        criterion=name, title=f"about {name}", level="A", points=points, earned=earned, verdict=verdict,
        evidence="we <saw> it",
    )  # fmt: skip


def give(run, target, criteria, *, within, departures=()):
    """Let an attempt of the offline arm be scored by criteria."""
    path = run.score_file("offline", target)
    score = ScoreRecord.read(path)
    first = score.quantities[0].model_copy(update={"criteria": tuple(criteria), "group": "clustering"})
    changes = {"status": "scored", "within": within, "tainted": False, "reason": "", "departures": departures}
    score.model_copy(update={**changes, "quantities": (first, *score.quantities[1:])}).write(path)


def tables(run):
    out = run.results / "report"
    build_report(inputs=run.inputs, results=run.results, out=out)
    found = {}
    for name in ("criteria", "points", "kinds"):
        with (out / f"{name}.tsv").open() as stream:
            found[name] = list(csv.DictReader(stream, delimiter="\t"))
    return found, (out / "report.html").read_text()


def test_points_criteria_and_departures_stand_in_the_report(new_run):
    run = new_run(targets=3)
    surrogate = (
        Departure(item="method SuSiE", published="susieR", ours="own", severity="major"),
        Departure(item="replicates", published="100", ours="80", severity="minor"),
    )
    rows = [
        criterion("1", 60, 25, "partly"),
        criterion("2", 40, 40, "met"),
        criterion("3", 0, 0, "undecided"),
    ]
    give(run, "target-01", rows, within=False, departures=surrogate)
    give(run, "target-02", [criterion("1", 60, 60, "met")], within=True)
    found, page = tables(run)
    assert [(r["target"], r["criterion"], r["earned"], r["verdict"]) for r in found["criteria"]] == [
        ("target-01", "1", "25.0", "partly"),
        ("target-01", "2", "40.0", "met"),
        ("target-01", "3", "0.0", "undecided"),
        ("target-02", "1", "60.0", "met"),
    ]
    one, two = found["points"]
    assert (one["earned"], one["points"], one["met"], one["criteria"], one["undecided"]) == (
        "65.0", "100.0", "1", "3", "1",
    )  # fmt: skip
    assert (one["within"], one["departures"], one["major"]) == ("false", "2", "method SuSiE")
    assert (two["within"], two["departures"]) == ("true", "0")
    assert "we &lt;saw&gt; it" in page and "we <saw>" not in page


def test_entries_are_counted_by_kind_of_task(new_run):
    run = new_run(targets=3)
    assert all(not rows for rows in tables(run)[0].values())
    give(run, "target-01", [criterion("1", 60, 25, "partly")], within=False)
    give(run, "target-02", [criterion("1", 60, 60, "met")], within=True)
    kinds = [r for r in tables(run)[0]["kinds"] if r["arm"] == "offline"]
    assert [(r["family"], r["entries"], r["within"], r["earned"], r["points"]) for r in kinds] == [
        ("even", "1", "1", "60.0", "60.0"),
        ("odd", "1", "0", "25.0", "60.0"),
    ]
