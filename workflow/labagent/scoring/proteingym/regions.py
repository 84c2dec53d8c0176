"""Spearman by parts of an assay: windows of positions, number of mutations, class of substitution, burial.

A whole-assay correlation can come from telling buried positions from exposed ones, or single mutants from
sextuple ones, alone; the parts show whether a method orders variants within them.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from labagent.errors import InfrastructureError
from labagent.models.score import PartScore
from labagent.scoring.attempt import Unscorable
from labagent.scoring.metrics import find_metric
from labagent.scoring.predictions import Pair

WINDOW = 50  # positions
LEAST = 20  # variants below which a correlation is not reported
BURIED = 0.25  # relative solvent accessibility, Rost and Sander 1994 use 0.16 to 0.36
GROUPS = {"hydrophobic": "AVILMC", "aromatic": "FWY", "polar": "STNQ", "positive": "KRH", "negative": "DE"}
MUTATION = re.compile(r"^([A-Z])(\d+)([A-Z])$")


@dataclass(frozen=True)
class Mutation:
    """A substitution: one-letter residues and the position, counted from 1."""

    before: str
    position: int
    after: str


def parse_variant(name: str) -> tuple[Mutation, ...] | None:
    """The mutations of ``A4P:D9N``; ``None`` where the name does not read so."""
    found = [MUTATION.match(part) for part in name.strip().split(":")]
    if not all(found):
        return None
    return tuple(Mutation(m[1], int(m[2]), m[3]) for m in found if m)


def parts(
    names: Sequence[str], pairs: Sequence[Pair], burial: Mapping[int, float] | None = None
) -> list[PartScore]:
    """Spearman's correlation in each part, parts of a kind in a fixed order.

    Args:
        names: of the variants (``A4P:D9N``), in the order of ``pairs``.
        pairs: label and prediction of each.
        burial: relative solvent accessibility (0 to 1) by position, where a structure is known.
    """
    variants = [parse_variant(name) for name in names]
    kinds: list[tuple[str, Callable[[tuple[Mutation, ...]], str]]] = [
        ("window", _window),
        ("depth", _depth),
        ("class", _class),
    ]
    if burial:
        kinds.append(("burial", lambda variant: _burial(variant, burial)))
    found: list[PartScore] = []
    for kind, part_of in kinds:
        members: dict[str, list[Pair]] = {}
        for variant, pair in zip(variants, pairs, strict=True):
            members.setdefault(part_of(variant) if variant else "unreadable", []).append(pair)
        found += [_score(kind, part, members[part]) for part in sorted(members, key=_natural)]
    return found


def read_burial(path: Path) -> dict[int, float] | None:
    """Accessibility by position from a table ``position,rsa`` of a family; ``None`` where there is none.

    Raises:
        InfrastructureError: the table, which is ours, cannot be used.
    """
    if not path.is_file():
        return None
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            found = {int(row["position"]): float(row["rsa"]) for row in csv.DictReader(stream)}
    except (OSError, UnicodeDecodeError, KeyError, TypeError, ValueError, csv.Error) as error:
        raise InfrastructureError(f"{path}: must be a table position,rsa ({error})") from error
    wrong = [position for position, rsa in found.items() if not 0 <= rsa <= 1]
    if wrong:
        raise InfrastructureError(f"{path}: rsa of position {wrong[0]} is not from 0 to 1")
    return found


def _score(kind: str, part: str, pairs: list[Pair]) -> PartScore:
    """The correlation in one part, or why there is none."""
    metric = find_metric("spearman")
    assert metric is not None
    if len(pairs) < LEAST:
        return PartScore(kind=kind, part=part, n=len(pairs), reason=f"fewer than {LEAST} variants")
    try:
        return PartScore(kind=kind, part=part, n=len(pairs), value=metric(pairs))
    except Unscorable as error:
        return PartScore(kind=kind, part=part, n=len(pairs), reason=str(error))


def _window(variant: tuple[Mutation, ...]) -> str:
    """The window of positions that holds all mutations."""
    windows = {(mutation.position - 1) // WINDOW for mutation in variant}
    first = min(windows) * WINDOW + 1
    return f"{first}-{first + WINDOW - 1}" if len(windows) == 1 else "over several"


def _depth(variant: tuple[Mutation, ...]) -> str:
    """How many mutations, five and more together as ProteinGym has it."""
    return str(len(variant)) if len(variant) < 5 else "5+"


def _class(variant: tuple[Mutation, ...]) -> str:
    """The class of a single substitution."""
    if len(variant) > 1:
        return "multiple"
    (mutation,) = variant
    if mutation.after == "P":
        return "to proline"
    if "G" in (mutation.before, mutation.after) or mutation.before == "P":
        return "glycine, from proline"
    before, after = (_group(residue) for residue in (mutation.before, mutation.after))
    return "within a group" if before and before == after else "between groups"


def _group(residue: str) -> str:
    """The chemical group of a residue, empty for none."""
    return next((name for name, members in GROUPS.items() if residue in members), "")


def _burial(variant: tuple[Mutation, ...], burial: Mapping[int, float]) -> str:
    """Whether all mutated positions are buried, all exposed, or neither."""
    known = [burial.get(mutation.position) for mutation in variant]
    if any(rsa is None for rsa in known):
        return "not in the structure"
    buried = {rsa is not None and rsa < BURIED for rsa in known}
    return "mixed" if len(buried) > 1 else "buried" if True in buried else "exposed"


def _natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """A key that sorts ``51-100`` after ``1-50`` and before ``101-150``."""
    return tuple(_token(token) for token in re.findall(r"\d+|\D+", text))


def _token(token: str) -> tuple[int, int, str]:
    """Numbers by size, before words."""
    return (0, int(token), "") if token.isdigit() else (1, 0, token)
