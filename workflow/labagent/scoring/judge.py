"""One value against one reference: within SD, tolerance and band, and whether it is as good.

Comparisons allow for the last bits of floating point, so that 0.281 is within 0.005 of 0.276.
"""

from __future__ import annotations

import sys
from typing import Literal

from labagent.models.score import QuantityScore
from labagent.models.tables import Reference
from labagent.scoring.attempt import Measurement

BAND = 0.05
Criterion = Literal["sd", "tolerance", "band"]


def criterion_of(reference: Reference) -> Criterion:
    """What decides ``within``: the SD where one is given, else the tolerance, else the band.

    A ``match`` with a tolerance uses that, whatever SD stands beside it.
    """
    if reference.tolerance is not None and (reference.direction == "match" or reference.sd is None):
        return "tolerance"
    return "band" if reference.sd is None else "sd"


def limit_of(reference: Reference, criterion: Criterion) -> float | None:
    """How far a value may lie from the published one, in its unit; ``None`` without such a criterion.

    The SD has a floor: half a unit of the last published decimal.
    """
    if criterion == "sd":
        return None if reference.sd is None else max(reference.sd, reference.rounding)
    if criterion == "band":
        return BAND * abs(reference.value)
    if reference.tolerance is None:
        return None
    return reference.tolerance * (abs(reference.value) if reference.tolerance_kind == "rel" else 1.0)


def judge(
    quantity: str, measured: Measurement | None, reference: Reference, reason: str = ""
) -> QuantityScore:
    """The score of one quantity; ``measured=None`` with a ``reason`` where there is no value."""
    criterion = criterion_of(reference)
    limits = {c: limit_of(reference, c) for c in ("sd", "tolerance", "band")}
    value = None if measured is None else measured.value
    inside = {c: _inside(value, reference.value, limit) for c, limit in limits.items()}
    within = bool(inside[criterion])
    return QuantityScore(
        quantity=quantity,
        metric=reference.metric,
        unit=reference.unit,
        direction=reference.direction,
        value=value,
        dispersion=None if measured is None else measured.dispersion,
        splits={} if measured is None else dict(measured.splits),
        reference=reference.value,
        sd=reference.sd,
        sd_kind=reference.sd_kind,
        tolerance=reference.tolerance,
        tolerance_kind=reference.tolerance_kind,
        basis="self-reported" if measured is None else measured.basis,
        criterion=criterion,
        limit=limits[criterion] or 0.0,
        within=within,
        within_sd=inside["sd"],
        within_band=bool(inside["band"]),
        as_good=_as_good(value, reference, within),
        reason=reason,
        source=reference.source,
        disputed=reference.disputed,
        criteria=() if measured is None else tuple(measured.criteria),
        group="" if measured is None else measured.group,
        parts=() if measured is None else tuple(measured.parts),
    )


def _inside(value: float | None, published: float, limit: float | None) -> bool | None:
    """Whether ``value`` is at most ``limit`` away; ``None`` without a limit."""
    if limit is None:
        return None
    if value is None:
        return False
    last_bits = 8 * sys.float_info.epsilon * max(abs(value), abs(published))
    return abs(value - published) <= limit + last_bits


def _as_good(value: float | None, reference: Reference, within: bool) -> bool | None:
    """Within, or better by direction; ``None`` where the direction is ``match``."""
    if reference.direction == "match":
        return None
    if value is None:
        return False
    better = value >= reference.value if reference.direction == "higher" else value <= reference.value
    return within or better
