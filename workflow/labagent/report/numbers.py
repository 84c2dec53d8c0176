"""Numbers as text for people: no digit that is not there, none lost that decides."""

from __future__ import annotations

import math

from labagent.models.score import QuantityScore
from labagent.models.tables import Reference
from labagent.scoring.judge import criterion_of, limit_of

NONE = "–"


def plain(value: float) -> str:
    """Four significant digits."""
    return f"{value:.4g}" if abs(value) < 10_000 or not math.isfinite(value) else f"{value:,.0f}"


def p_value(p: float) -> str:
    """A p-value, never shown as 0."""
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


def beside(value: float, reference: Reference, extra: int = 1) -> str:
    """A value with one decimal more than was published, so that the two can be compared by eye.

    Where much more was published than the row's criterion can tell apart, two digits below it are shown.
    """
    if reference.decimals is None or not 1e-4 <= abs(value) < 1e7:
        return f"{value:.5g}"
    if reference.decimals == 0 and value.is_integer():
        return f"{value:.0f}"
    limit = limit_of(reference, criterion_of(reference))
    enough = 2 - math.floor(math.log10(limit)) if limit else reference.decimals + extra
    return f"{value:.{min(reference.decimals + extra, max(enough, 2), 12)}f}"


def published(reference: Reference) -> str:
    """The published value with its SD or tolerance."""
    value = beside(reference.value, reference, extra=0)
    unit = f" {reference.unit}" if reference.unit else ""
    spread = spread_of(reference)
    return f"{value}{unit}{spread}" if spread.endswith("%") else f"{value}{spread}{unit}"


def spread_of(reference: Reference) -> str:
    """`` ± 0.005``; nothing where the band decides or the value must be met exactly."""
    kind = criterion_of(reference)
    if kind == "sd":
        return f" ± {reference.sd:g}"
    if kind == "band" or not reference.tolerance:
        return ""
    relative = reference.tolerance_kind == "rel"
    return f" ± {reference.tolerance * 100:g} %" if relative else f" ± {reference.tolerance:g}"


def criterion(reference: Reference) -> str:
    """What decides ``within``, in words."""
    kind = criterion_of(reference)
    if kind == "band":
        return "5 % band"
    if kind == "tolerance":
        return "tolerance" if reference.tolerance else "exact"
    name = {"seeds": "SD over seeds", "bootstrap": "bootstrap SD", "se": "SE", "": "SD"}[reference.sd_kind]
    return f"{name}, n = {reference.n}" if reference.n else name


def ours(quantity: QuantityScore, reference: Reference) -> str:
    """Our value with its SD over splits."""
    if quantity.value is None:
        return NONE
    text = beside(quantity.value, reference)
    return f"{text} ± {quantity.dispersion:.2g}" if quantity.dispersion is not None else text
