"""BioBench in the workflow: where it is on, its runs are jobs and the report waits for their scores."""

from pathlib import Path

from support.toy import planned, toy_project

TASKS = Path(__file__).parents[2] / "benchmarks/biobench/tasks.jsonl"
CONFIG = "biobench: {run: true, conditions: [full, no_cite], sets: {mine: {tasks: tasks.jsonl}}}\n"


def test_runs_are_jobs_before_the_report(tmp_path):
    root = toy_project(tmp_path / "project", config=CONFIG)
    (root / "tasks.jsonl").write_text("\n".join(TASKS.read_text().splitlines()[:2]) + "\n")
    jobs = [job.partition(":")[0] for job in planned(root)]
    assert {"biobench", "biobench_score", "report"} <= set(jobs)
