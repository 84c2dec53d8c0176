"""All cells of a condition pooled: ignores whose they are."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from common import by_donor, cells, pooled, write

rows = cells(sys.argv[1])
write(sys.argv[2], pooled(rows), rows, len(by_donor(rows)))
