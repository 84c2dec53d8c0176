"""A figure of a fine-mapping paper: its published values, read off by the user, become claims.

The folder holds ``figure.yaml`` (``labagent.scoring.figure.claims.Figure``, with ``target``, ``source`` and
``tolerance``), ``figure.csv`` (``method,architecture,heritability,metric,value``), optionally ``claims.yaml``
in place of the family's, ``task.md`` and ``data/``. The published figure itself must earn all points.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, FiniteFloat, ValidationError

from labagent.errors import InputError, InputFault
from labagent.inputs.table import validation_fault
from labagent.models.config import Name
from labagent.models.family import Family
from labagent.scoring.attempt import Unscorable
from labagent.scoring.figure.claims import Claims, Figure
from labagent.scoring.figure.table import MAX_BYTES, Table, read_table
from labagent.scoring.importers._reading import read_mapping, read_small, usable_path
from labagent.scoring.importers._writing import ImportedTarget, ImportOptions
from labagent.scoring.scorers.figure import Settings, score_table, unfit
from labagent.scoring.sheets import told

PASS_MARK = 0.70
ROLES = ("architecture", "method", "other")


class Description(Figure):
    """``figure.yaml``: the figure, what its target is called, where the values are from, and tolerances.

    ``tolerance``: of the claims on quantities, in the unit of their metric, where a claim has none itself.
    """

    target: Name
    source: Annotated[str, Field(min_length=1)]
    tolerance: Annotated[FiniteFloat, Field(ge=0)] = 0.05
    title: str = ""


def read(family: Family, folder: Path, options: ImportOptions) -> list[ImportedTarget]:
    """The one target of a user's figure; see ``labagent.scoring.importers.Importer``."""
    faults: list[InputFault] = []
    mapping = read_mapping(folder / "figure.yaml", faults)
    own = folder / "claims.yaml"
    claims = own if own.is_file() else Path(family.folder) / "claims.yaml"
    template = read_mapping(claims, faults)
    if faults:
        raise InputError(faults)
    description = _described(folder, mapping)
    figure = Figure.model_validate({k: v for k, v in mapping.items() if k in Figure.model_fields})
    table = _published(folder, figure)
    sheet = _sheet(str(claims), description, figure, table, template)
    _check_published(folder, sheet, table, family)
    data = folder / "data"
    items = (usable_path(data, faults),) if data.is_dir() else ()
    task = read_small(folder / "task.md", faults) if (folder / "task.md").is_file() else _task(description)
    if faults:
        raise InputError(faults)
    return [
        ImportedTarget(
            target=description.target,
            family=family.name,
            task=task,
            data=items,
            answer="points=figure.csv",
            references=(
                {"quantity": "points", "metric": "points of 100", "direction": "higher"}
                | {"value": f"{sheet.most:g}", "tolerance": f"{sheet.most * (1 - PASS_MARK):g}"}
                | {"tolerance_kind": "abs", "source": description.source},
            ),
            rubric=sheet.model_dump(mode="json"),
            protocol={"figure": figure.model_dump(mode="json")},
        )
    ]


def _described(folder: Path, mapping: dict[str, Any]) -> Description:
    """The description, or its faults."""
    try:
        return Description.model_validate(mapping)
    except ValidationError as error:
        shown = str(folder / "figure.yaml")
        raise InputError([validation_fault(shown, None, e) for e in error.errors()]) from error


def _published(folder: Path, figure: Figure) -> Table:
    """The published values; every cell must be there."""
    path = folder / "figure.csv"
    try:
        with path.open("rb") as stream:
            table = read_table(stream.read(MAX_BYTES + 1), path.name, figure.cells())
    except OSError as error:
        raise InputError([InputFault(str(path), f"cannot be read: {error.strerror}")]) from error
    except Unscorable as error:
        raise InputError([InputFault(str(path.parent), str(error))]) from error
    faults = [
        f"{cell}: {'its value is no finite number' if cell in table.blank else 'has no row'}"
        for cell in table.missing(figure.cells())
    ]
    faults += [f"{name}: is no cell of the figure that figure.yaml describes" for name in sorted(table.extra)]
    if faults:
        raise InputError([InputFault(str(path), fault) for fault in faults])
    return table


def _sheet(
    shown: str, description: Description, figure: Figure, table: Table, template: dict[str, Any]
) -> Claims:
    """The claims with the figure's own names in place of the template's roles."""
    names = {"first": 0, "second": 1}
    claims = []
    for row in template.get("claims") or []:
        claim = dict(row) if isinstance(row, dict) else {}
        place = names.get(str(claim.get("architecture", "")))
        if place is not None and place < len(figure.architectures):
            claim["architecture"] = figure.architectures[place]
        if claim.get("group") == "quantity":
            claim.setdefault("tolerance", description.tolerance)
        claims.append(claim)
    rows = [(c.method, c.architecture, c.heritability, c.metric, v.value) for c, v in table.values.items()]
    try:
        return Claims.model_validate({"figure": figure, "claims": claims, "published": rows})
    except ValidationError as error:
        raise InputError([validation_fault(shown, None, e) for e in told(error)]) from error


def _check_published(folder: Path, sheet: Claims, table: Table, family: Family) -> None:
    """The family's points are given, and all claims hold of the published figure."""
    faults = [
        InputFault(str(folder), text) for text in unfit(sheet, Settings.model_validate(family.settings))
    ]
    faults += [
        InputFault(
            str(folder), f'claim "{row.criterion}" does not hold of the published figure: {row.evidence}'
        )
        for row in score_table(sheet, table, drawing="figure")
        if row.verdict != "met"
    ]
    if faults:
        raise InputError(faults)


def _task(description: Description) -> str:
    """A task text that names what the figure shows and none of its values."""
    return TASK.format(
        title=description.title or "A figure on fine-mapping methods",
        methods="\n".join(f"- `{name}`: {used}" for name, used in description.methods.items()),
        architectures=", ".join(f"`{name}`" for name in description.architectures),
        heritabilities=", ".join(f"{value:g}" for value in description.heritabilities),
        metrics=", ".join(f"`{name}`" for name in description.metrics),
        replicates=f", {description.replicates} replicates each" if description.replicates else "",
        enumeration=f" Methods that enumerate go up to {description.enumeration} causal variants."
        if description.enumeration
        else "",
    )


TASK = """# {title}

Rebuild the figure: simulate, run every method, and report each metric for every method, architecture and
heritability.

## What it shows

Architectures: {architectures}. Heritabilities: {heritabilities}. Metrics: {metrics}{replicates}.{enumeration}

{methods}

## What to leave

- `figure.csv` in the current folder, with the columns
  `method,architecture,heritability,metric,value,replicates`; one row a cell, names as above, `value` the mean
  over replicates, `replicates` how many it is of. Leave out what you did not compute.
- `figure.png`, `figure.svg` or `figure.pdf`: the figure.
- `methods.json`: for each method `{{"implementation": …, "enumeration": …}}`, what was really run. A stand-in
  for a method is to be named as what it is.
- `departures.json` (a list of `{{"item", "published", "ours"}}`): where you could not follow the protocol.

Compute the values; do not look the published ones up.
"""
