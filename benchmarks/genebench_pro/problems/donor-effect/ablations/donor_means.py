"""Mean of a person's cells on the share of them that were stimulated: between people, not within."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from common import by_donor, cells, mean, write

rows = cells(sys.argv[1])
groups = list(by_donor(rows).values())
share = [mean([float(r["condition"] == "stim") for r in group]) for group in groups]
level = [mean([float(r["expression"]) for r in group]) for group in groups]
top = sum((s - mean(share)) * (v - mean(level)) for s, v in zip(share, level, strict=True))
write(sys.argv[2], top / sum((s - mean(share)) ** 2 for s in share), rows, len(groups))
