"""A mirror of a flat file against Biopython's parser alone, in time and memory; lookups and searches."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from labagent.tools.backends import connect
from labagent.tools.backends.protocols import ProteinSource
from labagent.tools.proteins.records import SearchArguments
from support.flat_files import accession_of, many

pytestmark = pytest.mark.performance
MEGABYTES = int(os.environ.get("LABAGENT_MIRROR_MB", "20"))
BUILD = """
import resource, sys, time
from pathlib import Path
from labagent.tools.mirrors.building import build
begun = time.process_time()
build(Path(sys.argv[1]), [Path(sys.argv[2])])
print(time.process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
BASELINE = """
import resource, sys, time
from Bio import SwissProt
begun = time.process_time()
with open(sys.argv[1]) as stream:
    count = sum(1 for _ in SwissProt.parse(stream))
print(time.process_time() - begun, count)
"""


@pytest.fixture(scope="module")
def flat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Entries of our own, 400 words of comments each; 1 GB with ``LABAGENT_MIRROR_MB=1000``."""
    path = tmp_path_factory.mktemp("mirror") / "entries.dat"
    with path.open("w") as stream:
        number = 0
        while stream.tell() < MEGABYTES << 20:
            stream.write("".join(many(200, start=number, words=400)))
            number += 200
    return path


def measured(code: str, *arguments: Path) -> tuple[float, float]:
    """Two figures that a process of its own prints."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    first, second = done.stdout.split()
    return float(first), float(second)


def test_a_mirror_is_built_in_bounded_memory(flat: Path):
    """The build keeps at most 64 MB of SQLite's pages and one entry, whatever the size of the file."""
    alone, count = measured(BASELINE, flat)
    spent, peak = measured(BUILD, flat.with_suffix(".sqlite"), flat)
    size, each = flat.stat().st_size >> 20, spent / count * 1000
    print(f"\n{size} MB, {count:.0f} entries: {each:.2f} ms an entry, peak {peak:.0f} MB")
    print(f"Biopython's parser alone {alone / count * 1000:.2f} ms, ratio {spent / alone:.1f}")
    assert peak < 200


def median(ask: Callable[[int], object], times: int = 50) -> float:
    """Milliseconds, the median."""
    spent = []
    for number in range(times):
        begun = time.perf_counter()
        ask(number)
        spent.append((time.perf_counter() - begun) * 1000)
    return statistics.median(spent)


def test_lookups_and_searches(flat: Path):
    """Beside a search through the file with grep, for what an index is worth."""
    source = connect(f"mirror:{flat.with_suffix('.sqlite')}").proteins
    assert source is not None
    entries: ProteinSource = source
    rng = random.Random(5)
    total = entries.search_proteins(SearchArguments(organism="human", size=1)).total or 0
    fetch = median(lambda _: entries.protein(accession_of(rng.randrange(total))))
    rare = median(lambda n: entries.search_proteins(SearchArguments(query=f"GEN{n}")))
    common = median(lambda _: entries.search_proteins(SearchArguments(query="kinase", size=5)), 5)
    begun = time.perf_counter()
    subprocess.run(["grep", "-c", "Name=GEN7;", str(flat)], capture_output=True, check=True)
    grep = (time.perf_counter() - begun) * 1000
    print(f"\n{total} entries: fetch {fetch:.1f} ms, a rare word {rare:.1f} ms")
    print(f"a word of all entries, ranked {common:.1f} ms; grep {grep:.0f} ms, ratio {fetch / grep:.3f}")
