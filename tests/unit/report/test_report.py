"""The report counts what was generated, in stable tables, and hides nothing."""

import csv
import json
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from scipy import stats

from labagent.errors import InfrastructureError
from labagent.models.memory import LessonEvent, Provenance
from labagent.models.score import Audit, Evidence, ScoreRecord
from labagent.report import build_report, figure_files, table_names

ENTRIES = [
    *("target", "family", "arm", "skill", "status", "within", "within_sd", "within_band", "as_good"),
    *("rank_with_published", "basis", "tainted", "departures", "attempts", "attempts_within", "turns"),
    *("cost_usd", "wall_s", "ended_by", "sandbox", "rank_arms", "first_place", "cost_usd_attempts"),
    *("cost_unknown", "failing_turns", "lessons_shown", "lessons_written", "same_verdict", "earlier_results"),
]
QUANTITIES = [
    *("target", "arm", "attempt", "quantity", "metric", "direction", "value", "dispersion", "reference"),
    *("sd", "tolerance", "within"),
]
TARGETS = 24
SIX = {"offline": "offline", "replay": "offline", "a": "m", "b": "m", "c": "m", "d": "m"}


def read(out: Path, table: str) -> list[dict[str, str]]:
    with (out / f"{table}.tsv").open(newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def report_of(run, **options) -> Path:
    out = run.results / "report"
    build_report(inputs=run.inputs, results=run.results, out=out, **options)
    return out


def edit_score(run, arm: str, target: str, **changes) -> None:
    path = run.score_file(arm, target)
    ScoreRecord.read(path).model_copy(update=changes).write(path)


@pytest.fixture(scope="module")
def large(tmp_path_factory, run_factory):
    run = run_factory(tmp_path_factory.mktemp("large"), targets=TARGETS, arms=SIX, attempts=3)
    return run, report_of(run)


def test_counts_equal_the_truth(large):
    run, out = large
    rows = {row["arm"]: row for row in read(out, "summary")}
    for arm in SIX:
        firsts = [truth for (a, _, n), truth in run.truth.items() if a == arm and n == 1]
        for status in ("scored", "capped", "failed", "env_failed", "unscorable"):
            assert int(rows[arm][status]) == sum(t[0] == status for t in firsts)
        assert int(rows[arm]["within"]) == sum(t[1] for t in firsts)
        assert int(rows[arm]["entries"]) == TARGETS


def true(column):
    return lambda row: row[column] == "true"


TRACES = {
    "entries": lambda row: True,
    "with_sd": lambda row: row["within_sd"] != "",
    "first_places": true("first_place"),
    "ranked": lambda row: row["rank_arms"] != "",
    "ranked_published": lambda row: row["rank_with_published"] != "",
    "departures": lambda row: row["departures"] != "0",
    "sandbox_reduced": lambda row: row["sandbox"] not in ("", "bubblewrap"),
    **{name: true(name) for name in ("within", "within_sd", "within_band", "as_good", "tainted")},
    **{
        status: lambda row, status=status: row["status"] == status
        for status in ("scored", "capped", "failed", "env_failed", "unscorable", "infrastructure")
    },
}
SUMS = ["cost_unknown", "failing_turns", "lessons_shown", "lessons_written"]
MEANS = {"mean_rank": "rank_arms", "wall_s_per_entry": "wall_s", "same_verdict": "same_verdict"}


def test_every_count_is_traced_to_rows(large):
    _, out = large
    entries = read(out, "entries")
    assert list(entries[0]) == ENTRIES
    assert len(entries) == TARGETS * 6
    summary = read(out, "summary")
    counts = {name for name, value in summary[0].items() if value.isdigit()}
    assert counts == {*TRACES, *SUMS}
    for row in summary:
        mine = [entry for entry in entries if entry["arm"] == row["arm"]]
        for name, holds in TRACES.items():
            assert int(row[name]) == sum(map(holds, mine)), name
        for name in SUMS:
            assert int(row[name]) == sum(int(entry[name]) for entry in mine), name
        for name, column in MEANS.items():
            values = [float(entry[column]) for entry in mine if entry[column]]
            assert float(row[name]) == pytest.approx(sum(values) / len(values), rel=1e-12), name
        cost = sum(float(entry["cost_usd_attempts"]) for entry in mine)
        assert float(row["cost_usd"]) == pytest.approx(cost, rel=1e-12)
        assert float(row["cost_usd_per_entry"]) == pytest.approx(cost / TARGETS, rel=1e-12)
        ranks = {(p["arm"], p["target"]): p["rank_arms"] for p in read(out, "ranks")}
        assert all(entry["rank_arms"] == ranks.get((row["arm"], entry["target"]), "") for entry in mine)


def test_attempts_are_reported_beside_the_counts(large):
    run, out = large
    for entry in read(out, "entries"):
        within = [run.truth[entry["arm"], entry["target"], n][1] for n in (1, 2, 3)]
        assert (int(entry["attempts"]), int(entry["attempts_within"])) == (3, sum(within))
        assert entry["within"] == str(within[0]).lower()
    quantities = read(out, "quantities")
    assert list(quantities[0]) == QUANTITIES
    assert len(quantities) == TARGETS * 6 * 3
    assert len(read(out, "stability")) == TARGETS * 6


def test_arms_are_ranked_within_their_kind(large):
    _, out = large
    kinds = {row["arm"]: row["kind"] for row in read(out, "ranks")}
    assert kinds == {a: "protocol replay" if m == "offline" else "model" for a, m in SIX.items()}
    pairs = {(row["arm_a"], row["arm_b"]) for row in read(out, "pairwise")}
    assert pairs == {("offline", "replay"), *((x, y) for x in "abc" for y in "bcd" if x < y)}


def test_paired_tests_are_those_of_scipy(large):
    run, out = large
    row = next(r for r in read(out, "pairwise") if (r["arm_a"], r["arm_b"], r["metric"]) == ("a", "b", "mae"))
    entries = {(e["arm"], e["target"]): e for e in read(out, "entries")}
    values = {arm: [] for arm in "ab"}
    for target, references in run.inputs.references.items():
        both = [entries[arm, target] for arm in "ab"]
        usable = all(e["status"] == "scored" and e["tainted"] == "false" for e in both)
        if usable and references["value"].metric == "mae":
            for arm in "ab":
                values[arm].append(run.truth[arm, target, 1][2])
    expected = stats.ttest_rel(values["b"], values["a"])
    assert int(row["n"]) == len(values["a"])
    assert (float(row["t"]), float(row["p_t"])) == pytest.approx(
        (expected.statistic, expected.pvalue), abs=1e-9
    )
    assert int(row["wins"]) == sum(x < y for x, y in zip(values["a"], values["b"], strict=True))
    overall = [r for r in read(out, "pairwise") if r["metric"] == "all metrics"]
    assert all(r["t"] == "" and "unlike metrics" in r["note"] for r in overall)
    assert all(float(r["p_sign_holm"]) >= float(r["p_sign"]) for r in overall)


def test_same_records_give_the_same_bytes(new_run, tmp_path):
    run = new_run(targets=4, arms={"a": "m", "b": "m"}, attempts=2)
    report_of(run)
    other = tmp_path / "elsewhere"
    build_report(inputs=run.inputs, results=run.results, out=other)
    first = {
        p.relative_to(run.results / "report"): p.read_bytes() for p in (run.results / "report").rglob("*.*")
    }
    second = {p.relative_to(other): p.read_bytes() for p in other.rglob("*.*")}
    assert first == second
    assert str(tmp_path).encode() not in b"".join(second.values())


def test_files_follow_from_the_inputs(new_run):
    run = new_run(targets=18, arms=SIX)
    out = report_of(run)
    wanted = {f"{name}.tsv" for name in table_names()} | {"report.md", "report.html"}
    files = figure_files(run.inputs)
    assert len(files["even"]) > 1
    wanted |= {f"figures/{file}" for names in files.values() for file in names}
    wanted |= {f"traces/{arm}/{target}/{n}.html" for arm, target, n in run.inputs.entries()}
    assert {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()} == wanted


def test_a_missing_result_stops_the_report(new_run):
    run = new_run(targets=3)
    run.score_file("offline", "target-02").unlink()
    with pytest.raises(
        InfrastructureError, match="1 attempts have no result, the first is offline/target-02/1"
    ):
        report_of(run)
    out = report_of(run, partial=True)
    assert next(e for e in read(out, "entries") if e["target"] == "target-02")["status"] == "infrastructure"
    assert read(out, "summary")[0]["infrastructure"] == "1"
    (run.run_folder("offline", "target-02") / "try-1").mkdir()
    assert read(report_of(run), "summary")[0]["entries"] == "3"


def test_a_broken_record_is_named(new_run):
    run = new_run(targets=2)
    run.score_file("offline", "target-01").write_text("{")
    with pytest.raises(InfrastructureError, match=r"target-01/1\.json"):
        report_of(run)


def test_tainted_entries_are_counted_apart(new_run):
    run = new_run(targets=2)
    for tainted in (False, True):
        edit_score(run, "offline", "target-01", status="scored", within=True, tainted=tainted)
        entry = next(e for e in read(report_of(run), "entries") if e["target"] == "target-01")
        assert (entry["within"], entry["tainted"]) == (str(not tainted).lower(), str(tainted).lower())
    assert "tainted" in (run.results / "report/report.html").read_text()


def test_evidence_stands_in_the_report(new_run):
    run = new_run(targets=2)
    row = Evidence(kind="value", attempt_try="try-1", turn=3, place="command", seen="q: x = <0.379>")
    audit = Audit(verdict="tainted", commands=3, evidence=(row,))
    edit_score(run, "offline", "target-01", tainted=True, audit=audit)
    out = report_of(run)
    (shown,) = read(out, "evidence")
    assert (shown["target"], shown["kind"], shown["turn"], shown["taints"]) == (
        "target-01",
        "value",
        "3",
        "true",
    )
    assert "q: x = &lt;0.379&gt;" in (out / "report.html").read_text()
    assert "0.379" in (out / "report.md").read_text()


def test_skills_and_failures(new_run):
    run = new_run(targets=3)
    folder = run.run_folder("offline", "target-01") / "try-1"
    folder.mkdir()
    lesson = LessonEvent(
        id="L" + "0" * 16, time=1.0, failure_class="missing-module", signature="no module named X",
        fix="pip install x", scope="operational", provenance=Provenance(run="offline/target-01/1"),
    )  # fmt: skip
    events = [{"event": "observation"}, *[{"event": "lessons", "failure_class": "missing-module",
                                           "signature": "no module named X"}] * 2]  # fmt: skip
    (folder / "lessons.jsonl").write_text(lesson.model_dump_json() + '\n{"event": "outcome"}\n')
    (folder / "trace.jsonl").write_text("".join(json.dumps(e) + "\n" for e in events))
    record = run.run_folder("offline", "target-01") / "run.json"
    record.write_text(record.read_text().replace('"failing_turns": 0', '"failing_turns": 2'))
    out = report_of(run)
    row = next(r for r in read(out, "failures") if r["stage"] == "reproduce")
    assert (row["failure_class"], row["cleared_by"]) == ("missing-module", "pip install x")
    skills = {row["skill"]: row for row in read(out, "skills")}
    assert (skills["lab-a"]["verdict"], skills["lab-a"]["tier_reached"], skills["lab-a"]["loci"]) == (
        "valid",
        "3",
        "5",
    )
    assert skills["lab-b"]["first_failing_check"] == "call-exists (references/1.md:7)"
    assert skills["lab-b"]["tier_reached"] == "2"


def test_text_of_others_cannot_break_the_page(new_run):
    run = new_run(targets=2)
    nasty = '<script>alert(1)</script> | a\tb\n[x](http://x.example) & "q"'
    edit_score(run, "offline", "target-01", status="failed", reason=nasty)
    out = report_of(run)
    html, markdown = (out / "report.html").read_text(), (out / "report.md").read_text()
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "of a &lt;paper&gt; &amp; its" in html
    row = next(line for line in markdown.splitlines() if "alert" in line)
    assert row.replace("\\|", "").count("|") == 5
    assert "\\<script>" in row
    assert all(
        len(line.split("\t")) == len(ENTRIES) for line in (out / "entries.tsv").read_text().splitlines()
    )


def test_figures_are_wellformed_and_speak(new_run):
    run = new_run(targets=5, arms={"a": "m", "b": "m"})
    out = report_of(run)
    for path in (out / "figures").iterdir():
        root = ElementTree.parse(path).getroot()
        space = "{http://www.w3.org/2000/svg}"
        assert root.get("role") == "img"
        assert root.findtext(f"{space}title")
        assert root.findtext(f"{space}desc")
        texts = [e.text for e in root.iter(f"{space}text")]
        if path.stem in ("even", "odd"):
            assert "published and reproduced" in root.findtext(f"{space}title")
            assert "published 0." in root.findtext(f"{space}desc")
            assert any(t.startswith("mae, lower is better") for t in texts) or path.stem == "odd"


def test_markdown_tables_are_whole(new_run):
    run = new_run(targets=4, arms={"a": "m", "b": "m"}, attempts=2)
    lines = ["", *(report_of(run) / "report.md").read_text().splitlines()]
    widths = [line.replace("\\|", "").count("|") if line.startswith("|") else 0 for line in lines]
    starts = [i for i, (above, width) in enumerate(pairwise(widths), start=1) if width and not above]
    assert len(starts) >= 6
    assert all(lines[start + 1].startswith("|--") for start in starts)
    assert all(a == b for a, b in pairwise(widths) if a and b)


def test_unknown_costs_are_not_zero(new_run):
    run = new_run(targets=2)
    record = run.run_folder("offline", "target-01") / "run.json"
    value = json.loads(record.read_text())
    record.write_text(json.dumps({**value, "cost_usd": None}))
    out = report_of(run)
    assert next(e for e in read(out, "entries") if e["target"] == "target-01")["cost_usd"] == "unknown"
    assert int(read(out, "summary")[0]["cost_unknown"]) >= 1
    assert "unknown" in {row["cost_usd"] for row in read(out, "costs")}


def test_every_table_has_a_caption_for_snakemake():
    captions = Path(__file__).parents[3] / "workflow" / "report"
    wanted = {*table_names(), "figure", "report"}
    assert {path.stem for path in captions.glob("*.rst")} == wanted
