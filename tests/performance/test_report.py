"""What it costs to score and report 10,000 entries. Stated, never asserted.

Each part runs in a process of its own, whose peak memory is its own. The baseline of the report is pandas, in
such a process, reading the same records into one table a kind (``json`` and ``json_normalize``) and doing
nothing with them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.performance

TARGETS, ARMS = 1667, {"offline": "offline", "a": "m", "b": "m", "c": "m", "d": "m", "e": "m"}
TESTS = Path(__file__).parents[1]
START = """
import json, pickle, resource, sys, time
from pathlib import Path
root = Path(sys.argv[1])
begun = time.perf_counter()
"""
END = """
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps([time.perf_counter() - begun, time.process_time(), peak]))
"""
GENERATE = f"""
from support.synthetic import generate
made = generate(root, targets={TARGETS}, arms={ARMS!r}, attempts=1, turns=10)
(root / "made.pickle").write_bytes(pickle.dumps(made))
"""
SCORE = """
pickle.loads((root / "made.pickle").read_bytes()).score()
"""
REPORT = """
from labagent.report import build_report
made = pickle.loads((root / "made.pickle").read_bytes())
build_report(inputs=made.inputs, results=made.results, out=root / "report")
"""
PANDAS = """
import pandas
for pattern in ("runs/*/*/*/run.json", "scores/*/*/*.json", "select/*/*.json", "environments/*/*.json"):
    table = pandas.json_normalize([json.loads(p.read_bytes()) for p in (root / "results").glob(pattern)])
    assert len(table) > 9_000
"""


def measured(name: str, code: str, root: Path) -> tuple[float, float, float]:
    """Wall time and processor time in seconds and peak memory in MiB of a piece of code, printed."""
    run = subprocess.run(
        [sys.executable, "-c", START + code + END, str(root)],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(
            filter(None, [str(TESTS), os.environ.get("PYTHONPATH", "")]))},
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-2000:]
    wall, cpu, peak = json.loads(run.stdout.splitlines()[-1])
    print(f"{name:<28} {wall:6.1f} s wall, {cpu:6.1f} s of processors, peak {peak:5.0f} MiB")
    return wall, cpu, peak


def test_ten_thousand_entries(tmp_path: Path) -> None:
    print()
    measured("writing the benchmark", GENERATE, tmp_path)
    score = measured("scoring 10,002 entries", SCORE, tmp_path)
    pandas = measured("pandas reading the records", PANDAS, tmp_path)
    report = measured("report", REPORT, tmp_path)
    page = (tmp_path / "report" / "report.html").stat().st_size / 2**20
    print(f"scoring one entry: {1000 * score[0] / 10_002:.1f} ms; page {page:.1f} MiB")
    times, peaks = report[0] / pandas[0], report[2] / pandas[2]
    print(f"report against pandas: {times:.1f} × the time, {peaks:.1f} × the peak memory")
    rows = (tmp_path / "report" / "entries.tsv").read_text().count("\n")
    assert rows == TARGETS * len(ARMS) + 1
