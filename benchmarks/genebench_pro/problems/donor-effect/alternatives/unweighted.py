"""The mean over people of each one's own difference, every person counting the same."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from common import by_donor, cells, mean, pooled, write

rows = cells(sys.argv[1])
groups = by_donor(rows)
write(sys.argv[2], mean([pooled(group) for group in groups.values()]), rows, len(groups))
