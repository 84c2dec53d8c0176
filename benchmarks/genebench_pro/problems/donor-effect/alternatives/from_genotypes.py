"""Without the donor column: cells belong together whose called genotypes agree at nine tenths of places."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from common import cells, fixed_effects, write

rows = cells(sys.argv[1])
snps = [name for name in rows[0] if name.startswith("snp")]


def same(one, other):
    """Whether two cells can be of one person."""
    both = [s for s in snps if one[s] and other[s]]
    return len(both) >= 6 and sum(one[s] == other[s] for s in both) >= 0.75 * len(both)


groups = []
for row in sorted(rows, key=lambda r: (sum(not r[s] for s in snps), r["cell"])):
    home = next((group for group in groups if same(group[0], row)), None)
    if home is None:
        groups.append([row])
    else:
        home.append(row)
groups = [group for group in groups if len(group) >= 5]
write(sys.argv[2], fixed_effects(groups), rows, len(groups))
