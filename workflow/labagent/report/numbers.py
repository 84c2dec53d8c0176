"""Numbers as text for people: no digit that is not there, none lost that decides."""

from __future__ import annotations

import math

from labagent.models.score import QuantityScore
from labagent.models.tables import Reference

NONE = "–"


def plain(value: float) -> str:
    """Four significant digits."""
    return f"{value:.4g}" if abs(value) < 10_000 or not math.isfinite(value) else f"{value:,.0f}"


def p_value(p: float) -> str:
    """A p-value, never shown as 0."""
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}" if p < 0.1 else f"{p:.2f}"


def beside(value: float, reference: Reference, extra: int = 1) -> str:
    """A value with one decimal more than was published, so that the two can be compared by eye."""
    if reference.decimals is None or not 1e-4 <= abs(value) < 1e7:
        return f"{value:.5g}"
    return f"{value:.{min(reference.decimals + extra, 10)}f}"


def published(reference: Reference) -> str:
    """The published value with its SD or tolerance."""
    value = beside(reference.value, reference, extra=0)
    unit = f" {reference.unit}" if reference.unit else ""
    return f"{value}{spread_of(reference)}{unit}"


def spread_of(reference: Reference) -> str:
    """`` ± 0.005``, or nothing where only the band decides."""
    if reference.sd is not None and not (
        reference.direction == "match" and reference.tolerance is not None
    ):
        return f" ± {reference.sd:g}"
    if reference.tolerance is None:
        return ""
    relative = reference.tolerance_kind == "rel"
    return f" ± {reference.tolerance * 100:g} %" if relative else f" ± {reference.tolerance:g}"


def criterion(reference: Reference) -> str:
    """What decides ``within``, in words."""
    if spread_of(reference) == "":
        return "5 % band"
    if reference.sd is not None and not (
        reference.direction == "match" and reference.tolerance is not None
    ):
        kind = {"seeds": "SD over seeds", "bootstrap": "bootstrap SD", "se": "SE"}[reference.sd_kind]
        return f"{kind}, n = {reference.n}" if reference.n else kind
    return "tolerance"


def ours(quantity: QuantityScore, reference: Reference) -> str:
    """Our value with its SD over splits."""
    if quantity.value is None:
        return NONE
    text = beside(quantity.value, reference)
    return f"{text} ± {quantity.dispersion:.2g}" if quantity.dispersion is not None else text
