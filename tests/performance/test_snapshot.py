"""Snapshots: time against griffe alone, a large repository, one changed file, and agreement with ``inspect``.

Baselines run on the same tree: ``griffe.GriffeLoader.load`` for the first, a whole snapshot for the third.
Each measurement is a process of its own. Figures are seconds of the processor, which others disturb least.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from labagent.snapshot import snapshot
from support.agreement import compare

pytestmark = pytest.mark.performance
PACKAGES = ("numpy", "pandas", "sklearn", "Bio", "statsmodels")
LARGE = ("numpy", "pandas", "sklearn", "Bio", "scipy", "matplotlib", "sympy", "networkx", "litellm", "griffe")
LINES = 500_000
CHANGES = 8  # files, one after the other
SKIPPED = shutil.ignore_patterns("__pycache__", "*.so", "*.so.*", "tests", "*.pyc")
MEASURE = """
import json, logging, resource, sys, time
from pathlib import Path
task, root, *rest = sys.argv[1:]
logging.getLogger("griffe").setLevel(100)
if task == "griffe":
    import griffe
    started = time.process_time()
    loader = griffe.GriffeLoader(search_paths=[root], allow_inspection=False)
    for name in rest:
        loader.load(name)
else:
    from labagent.snapshot import snapshot
    import labagent.snapshot.build
    cache = Path(rest[0]) if rest else None
    started = time.process_time()
    snapshot(Path(root), "lab", cache=cache)
seconds = time.process_time() - started
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def measure(task: str, root: Path, *rest: str) -> tuple[float, float]:
    """Seconds of the processor and MiB at most."""
    command = [sys.executable, "-c", MEASURE, task, str(root), *rest]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, memory = json.loads(done.stdout)
    return seconds, memory


def source(name: str) -> Path:
    """Where a package is installed; a package that is not is skipped."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        pytest.skip(f"{name} is not installed")
    return Path(spec.origin).parent


@pytest.mark.parametrize("name", ["numpy", "pandas", "sklearn", "Bio"])
def test_time_against_griffe_alone(name, tmp_path):
    shutil.copytree(source(name), tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    alone = min(measure("griffe", tmp_path, name)[0] for _ in range(2))
    ours = min(measure("snapshot", tmp_path)[0] for _ in range(2))
    print(f"\n{name}: griffe alone {alone:.2f} s, snapshot {ours:.2f} s, ratio {ours / alone:.2f}")
    assert snapshot(tmp_path, name).objects


@pytest.mark.parametrize("name", ["numpy", "pandas", "sklearn", "Bio"])
def test_one_changed_file(name, tmp_path):
    root, cache = tmp_path / "repo", tmp_path / "kept"
    shutil.copytree(source(name), root / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    measure("snapshot", root, str(cache))
    whole = min(measure("snapshot", root)[0] for _ in range(2))
    files = sorted(f for f in root.rglob("*.py") if not {"tests", "testing"} & set(f.parts))
    ratios = []
    for file in files[:: len(files) // CHANGES]:
        file.write_text(f"{file.read_text()}\n\ndef added_by_the_benchmark(first, second=1):\n    pass\n")
        ratios.append(100 * measure("snapshot", root, str(cache))[0] / whole)
    middle = sorted(ratios)[len(ratios) // 2]
    print(f"\n{name}: of {whole:.2f} s, {len(ratios)} files: {middle:.1f} %, at most {max(ratios):.1f} %")
    assert snapshot(root, name, cache=cache) == snapshot(root, name)


def test_a_large_repository_and_one_changed_file(tmp_path):
    root, lines, copy = tmp_path / "repo", 0, 0
    while lines < LINES:
        for name in LARGE:
            spec = importlib.util.find_spec(name)
            if spec is not None and spec.origin is not None and lines < LINES:
                target = root / f"copy{copy}" / name
                shutil.copytree(Path(spec.origin).parent, target, ignore=SKIPPED)
                lines += sum(f.read_bytes().count(b"\n") for f in target.rglob("*.py"))
        copy += 1
    cache = tmp_path / "kept"
    seconds, memory = measure("snapshot", root, str(cache))
    print(
        f"\n{lines} lines of Python: {seconds:.1f} s, {memory:.0f} MiB, kept {cache.stat().st_size >> 20} MiB"
    )
    changed = next(root.glob("copy0/*/core.py"), None) or next(root.glob("copy0/*/__init__.py"))
    changed.write_text(f"{changed.read_text()}\n\ndef added_by_the_benchmark(first, second=1):\n    pass\n")
    again, _ = measure("snapshot", root, str(cache))
    whole, _ = measure("snapshot", root)
    print(f"one changed file: {again:.2f} s of {whole:.1f} s, {100 * again / whole:.1f} %")
    assert snapshot(root, "lab", cache=cache) == snapshot(root, "lab")


@pytest.mark.parametrize("name", PACKAGES)
def test_agreement_with_inspect(name, tmp_path):
    shutil.copytree(source(name), tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    found = compare(snapshot(tmp_path, name), name)
    print(f"\n{found.row()}")
    for reason, count in found.reasons.most_common():
        print(f"  {count:4} {reason}")
    assert len(found.missing) <= 0.01 * found.names, found.missing
    assert len(found.wrong) <= 0.01 * found.compared, found.wrong
