"""An arm with a model, through the whole workflow: real litellm over HTTP to a local server."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from support.model_server import Fault, ModelServer, Say
from support.scripted import CONFIG, command, finish
from support.toy import snakemake, toy_project

TARGET = "results/scores/model/toy-mean/1.json"
WORK = (
    'python -c "import csv, json, os; '
    "v = [float(r['value']) for r in csv.DictReader(open(os.environ['LABAGENT_DATA'] + '/values.csv'))]; "
    "json.dump({'mean': sum(v) / len(v), 'median': sorted(v)[2]}, open('answer.json', 'w'))\""
)


def test_a_service_that_is_down_records_nothing_and_is_tried_again(tmp_path: Path) -> None:
    root = toy_project(tmp_path)
    run = root / "results/runs/model/toy-mean/1/run.json"
    with ModelServer([], forever=Fault(status=500)) as server:
        (root / "config/config.yaml").write_text(CONFIG.format(url=server.url))
        done = snakemake(root, "--cores", "1", TARGET, check=False)
        assert len(server.requests) == 2, "one call and one retry"
    assert done.returncode != 0
    assert "infrastructure" in done.stdout and "Traceback" not in done.stdout
    assert not run.exists() and not (root / TARGET).exists()

    with ModelServer([]) as server:
        (root / "config/config.yaml").write_text(CONFIG.format(url=server.url))
        budget = ("--config", "spending={total_usd: 0.005}")
        done = snakemake(root, "--cores", "1", TARGET, *budget, check=False)
        assert not server.requests, "the budget over all entries does not cover one call"
    assert done.returncode != 0 and "spending.total_usd in config.yaml is raised" in done.stdout
    assert "Traceback" not in done.stdout and not run.exists()

    with ModelServer([command("ls"), command(WORK), Say(finish)]) as server:
        (root / "config/config.yaml").write_text(CONFIG.format(url=server.url))
        snakemake(root, "--cores", "1", TARGET, OPENAI_API_KEY="sk-of-the-provider-0123456789")
        assert "0123456789" not in json.dumps(server.headers), "a provider's key went to another address"
    record = json.loads(run.read_text())
    assert (record["status"], record["tries"], record["model"]) == ("completed", 3, "openai/scripted")
    assert record["cost_usd"] == pytest.approx((3 * 100 * 1 + 3 * 20 * 2) / 1e6)
    assert json.loads((root / TARGET).read_text())["within"] is True
    book = json.loads((root / "results/spending.json").read_text())
    assert (book["spent_usd"], book["held"]) == (pytest.approx(record["cost_usd"]), {})


def test_both_arms_stand_in_the_report_under_their_names(tmp_path: Path) -> None:
    root = toy_project(tmp_path)
    replies = [
        command(WORK),
        Say(finish),
        command("false"),
        command("true"),
        Say("no command"),
        Say(finish),
    ]
    with ModelServer(replies, forever=Say("no")) as server:
        (root / "config/config.yaml").write_text(CONFIG.format(url=server.url))
        snakemake(root, "--cores", "1")
    with (root / "results/report/entries.tsv").open() as stream:
        rows = {(r["arm"], r["target"]): r for r in csv.DictReader(stream, delimiter="\t")}
    assert len(rows) == 4
    assert {r["status"] for (arm, _), r in rows.items() if arm == "offline"} == {"scored"}
    assert sorted(r["status"] for (arm, _), r in rows.items() if arm == "model") == ["failed", "scored"]
    with (root / "results/report/summary.tsv").open() as stream:
        kinds = {r["arm"]: r["kind"] for r in csv.DictReader(stream, delimiter="\t")}
    assert kinds["offline"] == "protocol replay" and kinds["model"] != "protocol replay"
