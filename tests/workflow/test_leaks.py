"""Nothing an agent can reach holds a reference value, a sealed file, the config or another run."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

from support.model_server import ModelServer, Say
from support.scripted import CONFIG, command, finish
from support.toy import CHECKOUT, snakemake, toy_project

PLACES = r"/ \( -path /proc -o -path /sys -o -path /dev \) -prune -o -type f -readable -print"
SYSTEM = "^/(usr|lib|lib64|opt|etc|bin|sbin)/"
SEARCH = (
    f"find {PLACES} 2>/dev/null > files.txt; "
    f"grep -lE '6\\.60|a book, page 1' $(grep -vE '{SYSTEM}' files.txt) 2>/dev/null > hits.txt; "
    "wc -l < files.txt; cat hits.txt"
)


def test_an_agent_that_reads_everything_finds_no_reference(tmp_path: Path) -> None:
    root = toy_project(tmp_path)
    replies = [command(SEARCH), command(f"ls -la {root} {CHECKOUT} ~ /root /home 2>&1"), Say(finish)]
    with ModelServer(replies, forever=Say("no")) as server:
        (root / "config/config.yaml").write_text(CONFIG.format(url=server.url))
        run = "results/runs/model/toy-mean/1/run.json"
        snakemake(root, "--cores", "1", run, SECRET_API_KEY="s3cr3t-value-123")
    attempt = root / "results/runs/model/toy-mean/1"
    record = json.loads((attempt / "run.json").read_text())
    assert record["sandbox"]["kind"] == "bubblewrap", record["sandbox"]
    output = attempt / record["try_folder"] / "output"
    files = (output / "files.txt").read_text()
    assert "/data/values.csv" in files and "/skill/SKILL.md" in files
    for hidden in (
        str(root / "config"),
        "config/references.tsv",
        "config/config.yaml",
        "expected/result.txt",
    ):
        assert hidden not in files, hidden
    assert not re.search(r"results/(scores|runs|select)/", files)
    hits = (output / "hits.txt").read_text().split()
    assert [hit for hit in hits if not hit.startswith(sys.base_prefix)] == []
    everything = "".join(p.read_text(errors="replace") for p in attempt.rglob("*") if p.is_file())
    assert "s3cr3t-value-123" not in everything
