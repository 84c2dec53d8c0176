"""Facts on the assays: what a stratified choice and the headline average need, and no published score."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from labagent.errors import InputError, InputFault
from labagent.inputs.table import read_table
from labagent.models.base import Record
from labagent.models.config import Name
from labagent.models.family import Family

TABLE = "assays.tsv"


class Assay(Record):
    """One row of ``assays.tsv``.

    ``selection``: what the assay selects for, the function category of the headline. ``depth``: of the
    alignment. ``length`` in residues. ``multiples``: variants with more than one mutation. ``region``:
    mutated positions. ``structure``: the structure file ProteinGym names.
    """

    assay: Name
    uniprot: str
    selection: str
    depth: Literal["Low", "Medium", "High"]
    taxon: str
    length: Annotated[int, Field(ge=1)]
    variants: Annotated[int, Field(ge=1)]
    multiples: Annotated[int, Field(ge=0)] = 0
    region: str = ""
    structure: str = ""
    year: str = ""
    doi: str = ""


def load_assays(family: Family) -> list[Assay]:
    """The assays of a family, in the order of its table.

    Raises:
        InputError: there is no table, a row is wrong, or an assay stands twice.
    """
    faults: list[InputFault] = []
    shown = f"{Path(family.folder).name}/{TABLE}"
    rows = [row.record for row in read_table(Path(family.folder) / TABLE, shown, Assay, faults)]
    names = [row.assay for row in rows]
    faults += [InputFault(shown, f'"{name}" stands twice') for name in set(names) if names.count(name) > 1]
    if faults:
        raise InputError(faults)
    return rows
