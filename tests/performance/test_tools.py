"""Tools on large inputs: two chains of 35,000 residues aligned, a long FASTA file streamed."""

from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest
from Bio import SeqIO
from Bio.Align import PairwiseAligner, substitution_matrices

from labagent.tools.sequences.alignment import align, matrix_scoring
from labagent.tools.sequences.parsing import parse_stream

pytestmark = pytest.mark.performance
RESIDUES = 35_000
MEGABYTES = int(os.environ.get("LABAGENT_FASTA_MB", "50"))
AMINO = "ACDEFGHIKLMNPQRSTVWY"
PEAK = """
import random, resource, sys
from labagent.tools.sequences.alignment import align, matrix_scoring
rng = random.Random(1)
a = "".join(rng.choices("ACDEFGHIKLMNPQRSTVWY", k=int(sys.argv[1])))
b = a[:1000] + a[1500:]
scoring = matrix_scoring("BLOSUM62", 11, 1)
align("MKT", "MKT", scoring)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
made = align(a, b, scoring)
assert made.a == a and made.b == a[:1000] + "-" * 500 + a[1500:]
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_alignment_of_two_long_chains():
    """Against the score alone of Biopython's aligner, which keeps nothing for the way back."""
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(RESIDUES)], capture_output=True, text=True, check=True
    )
    megabytes = int(done.stdout) / 1024
    rng = random.Random(1)
    a = "".join(rng.choices(AMINO, k=RESIDUES))
    b = a[:1000] + a[1500:]
    oracle = PairwiseAligner(mode="global")
    oracle.substitution_matrix = substitution_matrices.load("BLOSUM62")
    oracle.open_gap_score, oracle.extend_gap_score = -11, -1
    begun = time.process_time()
    want = oracle.score(a, b)
    alone = time.process_time() - begun
    begun = time.process_time()
    assert align(a, b, matrix_scoring("BLOSUM62", 11, 1)).score == want
    ours = time.process_time() - begun
    print(f"\n{RESIDUES} x {len(b)}: {ours:.1f} s, {megabytes:.0f} MB; Biopython's score alone {alone:.1f} s")
    print(f"ratio {ours / alone:.2f}; a byte a cell would be {RESIDUES * len(b) >> 20} MB")
    assert megabytes < 250


def test_a_long_fasta_is_streamed(tmp_path: Path):
    """Against Biopython's FASTA parser; 500 MB with ``LABAGENT_FASTA_MB=500``."""
    path = tmp_path / "long.fasta"
    rng = random.Random(2)
    block = "".join(
        f">sp|P{k:05d}|X_HUMAN protein {k}\n"
        + "\n".join("".join(rng.choices(AMINO, k=60)) for _ in range(6))
        + "\n"
        for k in range(2000)
    )
    with path.open("w") as stream:
        for _ in range((MEGABYTES << 20) // len(block) + 1):
            stream.write(block)
    begun = time.process_time()
    plain = sum(len(record.seq) for record in SeqIO.parse(path, "fasta"))
    alone = time.process_time() - begun
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.process_time()
    with path.open() as stream:
        ours = sum(record.length for record in parse_stream(stream))
    spent = time.process_time() - begun
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert ours == plain
    print(f"\n{path.stat().st_size >> 20} MB: {spent:.1f} s, {grown:.0f} MB more; Biopython {alone:.1f} s")
    print(f"ratio {spent / alone:.2f} (types, counts and checks included)")
    assert grown < 32
