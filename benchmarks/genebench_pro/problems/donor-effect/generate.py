"""Cells of eight people, whose baselines and shares of stimulated cells go against each other.

Usage: generate.py FOLDER SEED. The standard library's generator alone, so that a seed gives the same bytes.
"""

import random
import sys
from pathlib import Path

DONORS, SNPS, CELLS = 8, 12, 60
EFFECT, SPREAD, MISSING, WRONG = 0.55, 0.45, 0.04, 0.004


def genotypes(rng):
    """Eight sets of genotypes, any two of which differ at five places or more."""
    found = []
    while len(found) < DONORS:
        new = [rng.choice((0, 1, 2)) for _ in range(SNPS)]
        if all(sum(a != b for a, b in zip(new, old, strict=True)) >= 5 for old in found):
            found.append(new)
    return found


def main(folder, seed):
    """Write ``cells.csv`` of a seed into a folder."""
    rng = random.Random(seed)
    rows = []
    for donor, alleles in enumerate(genotypes(rng)):
        baseline = 7.0 - 0.45 * donor
        share = 0.12 + 0.76 * donor / (DONORS - 1)  # people of a low baseline have most stimulated cells
        for cell in range(CELLS):
            stim = cell < round(share * CELLS)
            value = rng.gauss(baseline + EFFECT * stim, SPREAD)
            calls = []
            for allele in alleles:
                draw = rng.random()
                seen = (allele + rng.choice((1, 2))) % 3 if draw < WRONG else allele
                calls.append("" if draw > 1 - MISSING else str(seen))
            rows.append([f"P{donor + 1}", "stim" if stim else "ctrl", *calls, f"{value:.4f}"])
    rng.shuffle(rows)
    names = ["cell", "donor", "condition", *(f"snp{i + 1:02d}" for i in range(SNPS)), "expression"]
    lines = [",".join(names), *(",".join([f"c{i:04d}", *row]) for i, row in enumerate(rows, 1))]
    Path(folder, "cells.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
