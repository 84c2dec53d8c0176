"""What the solutions share: reading the cells, and writing an answer."""

import csv
import json
from pathlib import Path


def cells(folder):
    """The rows of ``cells.csv``."""
    with Path(folder, "cells.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def mean(values):
    """Arithmetic mean."""
    return sum(values) / len(values)


def pooled(rows):
    """Mean of stimulated cells less that of controls, whoever they are of."""
    groups = {c: [float(r["expression"]) for r in rows if r["condition"] == c] for c in ("stim", "ctrl")}
    return mean(groups["stim"]) - mean(groups["ctrl"])


def by_donor(rows, key="donor"):
    """Rows by person."""
    found = {}
    for row in rows:
        found.setdefault(row[key], []).append(row)
    return found


def fixed_effects(groups):
    """Within-person difference, weighted as a linear model with a term for each person does."""
    total = weight = 0.0
    for rows in groups:
        stim = sum(r["condition"] == "stim" for r in rows)
        ctrl = len(rows) - stim
        if stim and ctrl:
            share = stim * ctrl / len(rows)
            total += share * pooled(rows)
            weight += share
    return total / weight


def write(path, effect, rows, persons):
    """The answer file."""
    answer = {
        "effect": effect,
        "direction": "up" if effect > 0 else "down",
        "persons": persons,
        "opposite": (pooled(rows) > 0) != (effect > 0),
    }
    Path(path).write_text(json.dumps(answer), encoding="utf-8")
