"""Compare ``distributions.tsv`` with a maintained list: ``python -m labagent.memory.renew MAPPING``.

MAPPING has ``import_name:distribution`` lines, as the package pipreqs ships (``pipreqs/mapping``); ``make
names`` fetches the newest. Its entries are not all right, so nothing is changed: a person decides what
becomes a row.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from packaging.utils import canonicalize_name

from labagent.memory.distributions import known_distributions


def differences(mapping: str) -> Iterator[str]:
    """What a list says otherwise than the table, one line each.

    Args:
        mapping: ``import_name:distribution`` lines; others are passed over, and so are names that are
            their distribution's own.
    """
    ours = known_distributions()
    pairs = (line.strip().split(":", 1) for line in mapping.splitlines() if ":" in line)
    theirs = {name: distribution for name, distribution in pairs if "/" not in name}
    for name, distribution in sorted(theirs.items()):
        if name in ours and canonicalize_name(ours[name]) != canonicalize_name(distribution):
            yield f"{name}: here {ours[name]}, there {distribution}"
        elif name not in ours and canonicalize_name(name) != canonicalize_name(distribution):
            yield f"{name}: not here, there {distribution}"
    for name in sorted(ours.keys() - theirs.keys()):
        yield f"{name}: here {ours[name]}, not there"


if __name__ == "__main__":
    print(*differences(Path(sys.argv[1]).read_text(encoding="utf-8")), sep="\n")
