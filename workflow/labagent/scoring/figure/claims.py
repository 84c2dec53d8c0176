"""Claims about a figure, by kind: each a fixed test on the answer table. Another kind is another function.

A claim holds or it does not. A cell that is missing (or NaN) fails every claim that rests on it: leaving
competitors out must not let a method lead.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, FiniteFloat, model_validator

from labagent.models.base import Record
from labagent.scoring.figure.table import Cell, Table, Value
from labagent.scoring.sheets import read_sheet

Group = Literal["relation", "quantity", "existence"]
LAST_BITS = 1e-12


class Figure(Record):
    """What the figure shows, and how it was made.

    ``introduced``: the method its paper introduces. ``methods``: each with the implementation that was used.
    ``replicates``, ``enumeration``: as published (0: not said); the latter is the most causal variants that
    were enumerated.
    """

    introduced: str
    methods: Annotated[dict[str, str], Field(min_length=2)]
    architectures: Annotated[tuple[str, ...], Field(min_length=1)]
    heritabilities: Annotated[tuple[FiniteFloat, ...], Field(min_length=1)]
    metrics: Annotated[tuple[str, ...], Field(min_length=1)]
    replicates: Annotated[int, Field(ge=0)] = 0
    enumeration: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _introduced_is_one(self) -> Figure:
        if self.introduced not in self.methods:
            raise ValueError(f'introduced: "{self.introduced}" is none of {", ".join(self.methods)}')
        return self

    def cells(self, metric: str = "", architecture: str = "", method: str = "") -> Iterator[Cell]:
        """Cells in the order of the figure; an empty argument stands for all."""
        for m in [method] if method else self.methods:
            for a in [architecture] if architecture else self.architectures:
                for h in self.heritabilities:
                    for x in [metric] if metric else self.metrics:
                        yield Cell(m, a, h, x)


class Claim(Record):
    """One claim. ``architecture`` empty: all of them; ``method`` empty: the introduced one.

    ``kind``: ``leads`` (the method is best in every cell), ``beats`` (it is better than ``other`` in every
    cell), ``trend`` (it rises, or falls with ``direction: lower``, over heritability, first to last and by no
    step back larger than ``slack``), ``value`` (its mean over heritabilities lies within ``tolerance`` of the
    published mean), ``margin`` (its mean lead over the best other lies within ``tolerance`` of the published
    one), ``complete`` (every cell of the metric has a value), ``drawing`` (there is a picture).
    ``slack``: by how much a comparison may fail and still hold, in the unit of the metric.
    """

    id: Annotated[str, Field(min_length=1, max_length=40)]
    title: str = ""
    group: Group
    kind: Literal["leads", "beats", "trend", "value", "margin", "complete", "drawing"]
    points: Annotated[FiniteFloat, Field(gt=0)]
    metric: str = ""
    architecture: str = ""
    method: str = ""
    other: str = ""
    direction: Literal["higher", "lower"] = "higher"
    slack: Annotated[FiniteFloat, Field(ge=0)] = 0.0
    tolerance: Annotated[FiniteFloat, Field(ge=0)] = 0.0


class Claims(Record):
    """``rubrics/<target>.yaml``: the figure, its published values, and the claims.

    ``published``: rows ``[method, architecture, heritability, metric, value]``.
    """

    figure: Figure
    claims: Annotated[tuple[Claim, ...], Field(min_length=1)]
    published: tuple[tuple[str, str, FiniteFloat, str, FiniteFloat], ...] = ()

    @model_validator(mode="after")
    def _claims_speak_of_the_figure(self) -> Claims:
        figure, allowed = self.figure, set(self.figure.cells())
        for claim in self.claims:
            for name, value, known in (
                ("metric", claim.metric, figure.metrics),
                ("architecture", claim.architecture, figure.architectures),
                ("method", claim.method, figure.methods),
                ("other", claim.other, figure.methods),
            ):
                if value and value not in known:
                    raise ValueError(f'claim {claim.id}: {name} "{value}" is none of {", ".join(known)}')
            if claim.kind != "drawing" and not claim.metric:
                raise ValueError(f"claim {claim.id}: needs a metric")
            if claim.kind == "beats" and not claim.other:
                raise ValueError(f"claim {claim.id}: needs other")
        if len({claim.id for claim in self.claims}) < len(self.claims):
            raise ValueError("a claim's id stands twice")
        cells = [Cell(*row[:4]) for row in self.published]
        wrong = next((cell for cell in cells if cell not in allowed), None)
        if wrong or len(set(cells)) < len(cells):
            raise ValueError(f"published: {wrong or 'a cell'} is no cell of the figure, or stands twice")
        for claim in self.claims:
            if claim.kind in ("value", "margin") and self.table.missing(needed_cells(claim, figure)):
                raise ValueError(f"claim {claim.id}: compares with values that published does not have")
        return self

    @property
    def table(self) -> Table:
        """The published values."""
        return Table({Cell(*row[:4]): Value(row[4]) for row in self.published})

    @property
    def most(self) -> float:
        """Points of a figure of which all claims hold."""
        return math.fsum(claim.points for claim in self.claims)


class Outcome(Record):
    """Whether a claim holds, and the numbers that say so."""

    holds: bool
    evidence: str


def read_claims(path: Path) -> Claims:
    """The claims about a figure.

    Raises:
        InfrastructureError: the file cannot be used.
    """
    return read_sheet(path, Claims, "sheet of claims about a figure")


def judge_claim(claim: Claim, sheet: Claims, table: Table, *, drawing: str) -> Outcome:
    """Test one claim.

    Args:
        claim: one of ``sheet``.
        sheet: the figure and its published values.
        table: the answer's values.
        drawing: name of the picture that was found, empty for none.
    """
    if claim.kind == "drawing":
        return Outcome(holds=bool(drawing), evidence=drawing or "no picture (PNG, SVG or PDF) was found")
    needed = list(needed_cells(claim, sheet.figure))
    missing = table.missing(needed)
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        return Outcome(holds=False, evidence=f"no value for {missing[0]}{more}, of {len(needed)} cells")
    return KINDS[claim.kind](claim, sheet, table)


def needed_cells(claim: Claim, figure: Figure) -> Iterator[Cell]:
    """The cells that a claim rests on."""
    if claim.kind in ("leads", "margin", "complete"):
        return figure.cells(claim.metric, claim.architecture)
    methods = [claim.method or figure.introduced, *([claim.other] if claim.kind == "beats" else [])]
    return (cell for m in methods for cell in figure.cells(claim.metric, claim.architecture, m))


def _leads(claim: Claim, sheet: Claims, table: Table) -> Outcome:
    """The method is at least as good as each other one, in every cell."""
    return _compared(claim, sheet, table, [m for m in sheet.figure.methods if m != _method(claim, sheet)])


def _beats(claim: Claim, sheet: Claims, table: Table) -> Outcome:
    """The method is at least as good as another one, in every cell."""
    return _compared(claim, sheet, table, [claim.other])


def _compared(claim: Claim, sheet: Claims, table: Table, others: list[str]) -> Outcome:
    """Differences to the best of other methods, in every cell."""
    leads = dict(_differences(claim, sheet.figure, table, others))
    worst = min(leads, key=lambda cell: leads[cell])
    behind = sum(lead < -claim.slack - LAST_BITS for lead in leads.values())
    if max(leads.values()) <= LAST_BITS:
        return Outcome(holds=False, evidence="it is ahead nowhere")
    return Outcome(
        holds=not behind,
        evidence=f"behind in {behind} of {len(leads)} cells; smallest lead {leads[worst]:+.4g} at {worst}",
    )


def _differences(
    claim: Claim, figure: Figure, table: Table, others: list[str]
) -> Iterator[tuple[Cell, float]]:
    """By how much the method is better than the best of others, in each of its cells."""
    sign = 1.0 if claim.direction == "higher" else -1.0
    for cell in figure.cells(claim.metric, claim.architecture, claim.method or figure.introduced):
        rest = (Cell(m, cell.architecture, cell.heritability, cell.metric) for m in others)
        best = max(sign * table.values[other].value for other in rest)
        yield cell, sign * table.values[cell].value - best


def _trend(claim: Claim, sheet: Claims, table: Table) -> Outcome:
    """The method rises over heritability in each architecture."""
    sign = 1.0 if claim.direction == "higher" else -1.0
    figure, worst, least = sheet.figure, math.inf, math.inf
    for architecture in [claim.architecture] if claim.architecture else figure.architectures:
        cells = figure.cells(claim.metric, architecture, _method(claim, sheet))
        values = [sign * table.values[cell].value for cell in cells]
        order = [v for _, v in sorted(zip(figure.heritabilities, values, strict=True))]
        worst = min([worst, *(after - before for before, after in itertools.pairwise(order))])
        least = min(least, order[-1] - order[0])
    holds = least > LAST_BITS and worst >= -claim.slack - LAST_BITS
    return Outcome(holds=holds, evidence=f"first to last {least:+.4g}, smallest step {worst:+.4g}")


def _value(claim: Claim, sheet: Claims, table: Table) -> Outcome:
    """The method's mean over heritabilities (and architectures) is the published one."""
    cells = list(sheet.figure.cells(claim.metric, claim.architecture, _method(claim, sheet)))
    means = [math.fsum(t.values[c].value / len(cells) for c in cells) for t in (table, sheet.table)]
    return _near(claim, *means)


def _margin(claim: Claim, sheet: Claims, table: Table) -> Outcome:
    """The method's mean lead over the best other one is the published one."""
    others = [m for m in sheet.figure.methods if m != _method(claim, sheet)]
    means = []
    for source in (table, sheet.table):
        leads = [lead for _, lead in _differences(claim, sheet.figure, source, others)]
        means.append(math.fsum(lead / len(leads) for lead in leads))
    return _near(claim, *means)


def _complete(claim: Claim, sheet: Claims, table: Table) -> Outcome:
    """Every cell has a value: what was missing was found before."""
    return Outcome(holds=True, evidence=f"{len(list(needed_cells(claim, sheet.figure)))} cells have a value")


def _near(claim: Claim, ours: float, published: float) -> Outcome:
    """Two numbers within the claim's tolerance."""
    gap = abs(ours - published)
    holds = gap <= claim.tolerance + LAST_BITS * max(1.0, abs(published))
    return Outcome(
        holds=holds, evidence=f"{ours:.4g}, published {published:.4g}, tolerance {claim.tolerance:g}"
    )


def _method(claim: Claim, sheet: Claims) -> str:
    """The method a claim is about."""
    return claim.method or sheet.figure.introduced


KINDS: dict[str, Callable[[Claim, Claims, Table], Outcome]] = {
    "leads": _leads,
    "beats": _beats,
    "trend": _trend,
    "value": _value,
    "margin": _margin,
    "complete": _complete,
}
"""Test by kind of claim."""
