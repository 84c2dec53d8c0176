"""What differs between two sequences, as the fewest edits an alignment shows."""

from __future__ import annotations

from labagent.errors import ToolError
from labagent.tools.sequences.alignment import Scoring, align, matrix_scoring
from labagent.tools.variants.applying import Edit, most_3prime, trimmed

MAX_CELLS = 400_000_000


def edits_between(old: str, new: str, kind: str) -> list[Edit]:
    """The edits that make ``new`` of ``old``, in order, each at its most 3' place.

    What both share at their beginning and end is set aside first, so that a single change is found exactly;
    what is between is aligned where both sides have residues left.

    Raises:
        ToolError: ``limit``: what is between is too long to align.
    """
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    core, changed = old[head : len(old) - tail], new[head : len(new) - tail]
    if not core and not changed:
        return []
    if not core or not changed or (len(core) <= 1 and len(changed) <= 1):
        found = [Edit(head, head + len(core), changed)]
    else:
        found = [Edit(e.start + head, e.end + head, e.inserted) for e in _aligned(core, changed, kind)]
    ends = [e.start for e in found[1:]] + [len(old)]
    return [most_3prime(old[:limit], trimmed(old, edit)) for edit, limit in zip(found, ends, strict=True)]


def _aligned(old: str, new: str, kind: str) -> list[Edit]:
    """Runs of columns that differ."""
    if len(old) * len(new) > MAX_CELLS:
        raise ToolError(
            "limit", f"{len(old)} and {len(new)} residues differ: too many to align", field="mutant",
            allowed=f"at most {MAX_CELLS} cells",
        )  # fmt: skip
    found = align(old, new, _scoring(kind))
    edits, at, begun, lost, put = [], 0, 0, "", ""
    for x, y in [*zip(found.a, found.b, strict=True), ("=", "=")]:
        if x == y and (lost or put):
            edits.append(Edit(begun, begun + len(lost), put))
            lost = put = ""
        if x != y:
            if not lost and not put:
                begun = at
            lost, put = lost + x.replace("-", ""), put + y.replace("-", "")
        at += x != "-"
    return edits


def _scoring(kind: str) -> Scoring:
    """BLOSUM62 or NUC.4.4, with the usual gap costs."""
    if kind == "protein":
        return matrix_scoring("BLOSUM62", 11, 1)
    made = matrix_scoring("NUC.4.4", 12, 1)
    return made if kind == "dna" else Scoring(made.letters.replace("T", "U"), made.table, 12, 1)
