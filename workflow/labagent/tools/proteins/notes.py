"""What the note of a natural variant says: diseases and dbSNP numbers.

Notes are prose: ``in LFS and BC; somatic mutation; dbSNP:rs1``. A disease is told only where it is one of
those listed behind the "in" at the beginning: "in a familial cancer not matching LFS", "risk factor for
PSNP1" and "milder than in CF" tell none. In flat files the change stands before it: ``R -> H (in LFS)``.
"""

from __future__ import annotations

import re
from collections.abc import Collection

TOLD = re.compile(r"(?:(?:[A-Z]+ -> [A-Z]+|Missing) \()?[Ii]n (?P<listed>[^;)]*)")
BETWEEN = re.compile(r",\s*(?:and\s+)?|\s+and\s+|/")
DBSNP = re.compile(r"dbSNP:(rs[0-9]+)")


def told_diseases(note: str, acronyms: Collection[str]) -> tuple[str, ...]:
    """Those of the acronyms that the note says the variant is found in, in its order."""
    told = TOLD.match(note)
    listed = BETWEEN.split(told["listed"]) if told else []
    found = (part.partition(" (")[0].strip().rstrip(".") for part in listed)
    return tuple(dict.fromkeys(part for part in found if part in acronyms))


def dbsnp_of(note: str) -> tuple[str, ...]:
    """dbSNP numbers in the note, in its order."""
    return tuple(dict.fromkeys(DBSNP.findall(note)))
