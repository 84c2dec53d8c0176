"""Only the person with the most even split: one difference, as if it were everybody's."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from common import by_donor, cells, pooled, write

rows = cells(sys.argv[1])
groups = by_donor(rows).values()
even = min(groups, key=lambda g: abs(sum(r["condition"] == "stim" for r in g) - len(g) / 2))
write(sys.argv[2], pooled(even), rows, 1)
