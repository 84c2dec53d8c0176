"""Expression on condition with a term for each person. Usage: solution.py DATA ANSWER."""

import sys

from common import by_donor, cells, fixed_effects, write

rows = cells(sys.argv[1])
groups = by_donor(rows)
write(sys.argv[2], fixed_effects(groups.values()), rows, len(groups))
