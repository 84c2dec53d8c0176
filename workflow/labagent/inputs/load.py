"""Load and validate everything a user edits, before any job starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from labagent.errors import InputError, InputFault
from labagent.inputs.checks import check_everything
from labagent.inputs.selection import is_selected
from labagent.inputs.table import Row, read_table, validation_fault
from labagent.inputs.withheld import family_tables, withheld_file
from labagent.inputs.yaml_file import key_lines, merge, read_yaml_mapping
from labagent.models.config import Arm, Config
from labagent.models.family import Family
from labagent.models.tables import Lab, Reference, Target, data_place

CONFIG = "config/config.yaml"
BENCHMARKS = "benchmarks"


@dataclass(frozen=True)
class Inputs:
    """What a workflow run is made from.

    ``targets`` and ``labs`` are all rows; ``selected_targets`` and ``selected_arms`` those that run. Paths
    in targets are absolute. ``references[target][quantity]`` and ``labels[target]`` (withheld labels, or a
    rubric) are for scoring only.
    ``tables[target]`` names the table that has its references.
    """

    root: Path
    config: Config
    labs: dict[str, Lab]
    targets: dict[str, Target]
    references: dict[str, dict[str, Reference]]
    families: dict[str, Family]
    labels: dict[str, Path]
    tables: dict[str, str] = field(default_factory=dict)

    @cached_property
    def selected_targets(self) -> tuple[Target, ...]:
        """Targets that pass ``selection``, in the order of their tables."""
        chosen = self.config.selection
        return tuple(t for t in self.targets.values() if is_selected(t, chosen, self.families))

    @cached_property
    def selected_arms(self) -> dict[str, Arm]:
        """Arms that pass ``selection``, in the order of the file."""
        chosen = self.config.selection.arms
        return {name: arm for name, arm in self.config.arms.items() if not chosen or name in chosen}

    def entries(self) -> Iterator[tuple[str, str, int]]:
        """Every (arm, target, attempt) of the run; attempts count from 1."""
        for arm in self.selected_arms:
            for target in self.selected_targets:
                for attempt in range(1, self.config.attempts + 1):
                    yield arm, target.target, attempt

    def origin(self, arm: str, skill: str) -> str:
        """Which version of a skill an arm reads: ``curated`` or an explorer's name."""
        return skill_origin(self.config, arm, self.labs[skill])


def skill_origin(config: Config, arm: str, lab: Lab) -> str:
    """Which version of a lab's skill an arm reads: ``curated`` or an explorer's name."""
    wanted = config.arms[arm]
    if wanted.skills == "curated":
        return "curated"
    if lab.source == "curated" and not wanted.explorer:
        return "curated"
    return config.explorer_of(wanted)


def load_config(root: Path, overrides: Mapping[str, Any] | None = None, path: Path | None = None) -> Config:
    """``config/config.yaml`` below ``root`` with ``overrides`` laid on top.

    Raises:
        InputError: with all faults of the file.
    """
    faults: list[InputFault] = []
    config = _config(root, overrides or {}, path or root / CONFIG, faults)
    if config is None or faults:
        raise InputError(faults)
    return config


def load_inputs(root: Path, overrides: Mapping[str, Any] | None = None, path: Path | None = None) -> Inputs:
    """Everything below ``root``, validated.

    Args:
        root: the workflow's folder; relative paths of the config start there.
        overrides: what the command line sets (``snakemake --config``), merged over the file.
        path: another config file than ``config/config.yaml``.

    Raises:
        InputError: with every fault found in all files, not only the first.
    """
    faults: list[InputFault] = []
    config = _config(root, overrides or {}, path or root / CONFIG, faults)
    if config is None:
        raise InputError(faults)
    families = _families(root, faults)
    labs = read_table(root / config.labs, config.labs, Lab, faults)
    targets = _targets(root, config, families, faults)
    references = _references(root, config, families, faults)
    check_everything(root, config, families, labs, targets, references, faults)
    if faults:
        raise InputError(faults)
    return _assemble(root, config, families, labs, targets, references)


@dataclass(frozen=True)
class TargetInputs:
    """What the jobs of one target need, read without validating the other rows."""

    target: Target
    family: Family
    references: dict[str, Reference]
    labels: Path | None


def load_labs(root: Path, config: Config) -> list[Lab]:
    """All rows of the labs table.

    Raises:
        InputError: a row is wrong.
    """
    faults: list[InputFault] = []
    rows = read_table(root / config.labs, config.labs, Lab, faults)
    if faults:
        raise InputError(faults)
    return [row.record for row in rows]


def load_lab(root: Path, config: Config, skill: str) -> Lab:
    """One row of the labs table.

    Raises:
        InputError: the row is wrong or not there.
    """
    faults: list[InputFault] = []
    rows = read_table(root / config.labs, config.labs, Lab, faults, only=("skill", skill))
    if len(rows) != 1 or faults:
        raise InputError(faults or [InputFault(config.labs, f'has no row for "{skill}"')])
    return rows[0].record


def load_target(root: Path, config: Config, name: str, *, scoring: bool = False) -> TargetInputs:
    """One target with its family, for a job of that target.

    References and withheld labels are read only where ``scoring`` asks for them: no other job has a use
    for them.

    Raises:
        InputError: its rows are wrong or not there.
    """
    faults: list[InputFault] = []
    families = _families(root, faults)
    targets = _targets(root, config, families, faults, only=name)
    found = [(shown, row.record) for shown, rows in targets for row in rows]
    if len(found) != 1 or faults:
        raise InputError(faults or [InputFault(config.targets, f'no targets table has "{name}"')])
    shown, target = found[0]
    tables = _references(root, config, families, faults, only=name) if scoring else []
    if faults:
        raise InputError(faults)
    folder = (root / shown).parent
    return TargetInputs(
        target=absolute(target, root, folder),
        family=families[target.family],
        references={row.record.quantity: row.record for _, rows in tables for row in rows},
        labels=withheld_file(folder, name) if scoring else None,
    )


Tables = list[tuple[str, list[Row[Target]]]]
ReferenceTables = list[tuple[str, list[Row[Reference]]]]


def _config(root: Path, overrides: Mapping[str, Any], path: Path, faults: list[InputFault]) -> Config | None:
    """The config, or its faults with the line of each key."""
    shown = _shown(path, root)
    mapping = read_yaml_mapping(path, shown, faults)
    if mapping is None:
        return None
    try:
        return Config.model_validate(merge(mapping, overrides))
    except ValidationError as error:
        lines = key_lines(path.read_text(encoding="utf-8-sig"))
        for item in error.errors():
            fault = validation_fault(shown, None, item)
            faults.append(replace(fault, row=_line_of(fault.column or "", lines)))
    return None


def _line_of(path: str, lines: dict[str, int]) -> int | None:
    """The line of a key or of the nearest key above it."""
    while path and path not in lines:
        path = path.rpartition(".")[0]
    return lines.get(path)


def _families(root: Path, faults: list[InputFault]) -> dict[str, Family]:
    """All folders of ``benchmarks/`` that have a ``family.yaml``."""
    families = {}
    for path in sorted((root / BENCHMARKS).glob("*/family.yaml")):
        shown = _shown(path, root)
        mapping = read_yaml_mapping(path, shown, faults)
        if mapping is None:
            continue
        try:
            place = {"name": path.parent.name, "folder": str(path.parent)}
            families[path.parent.name] = Family.model_validate({**mapping, **place})
        except ValidationError as error:
            faults += [validation_fault(shown, None, e) for e in error.errors()]
    return families


def _targets(
    root: Path,
    config: Config,
    families: dict[str, Family],
    faults: list[InputFault],
    only: str | None = None,
) -> Tables:
    """Rows of the user's targets table and of the families' ones."""
    files = [root / config.targets]
    files += [p for f in families.values() for p in family_tables(Path(f.folder), "targets.tsv")]
    chosen = ("target", only) if only else None
    return [(_shown(p, root), read_table(p, _shown(p, root), Target, faults, chosen)) for p in files]


def _references(
    root: Path,
    config: Config,
    families: dict[str, Family],
    faults: list[InputFault],
    only: str | None = None,
) -> ReferenceTables:
    """Rows of the user's references table and of the families' ones."""
    files = [root / config.references]
    files += [p for f in families.values() for p in family_tables(Path(f.folder), "references.tsv")]
    chosen = ("target", only) if only else None
    return [(_shown(p, root), read_table(p, _shown(p, root), Reference, faults, chosen)) for p in files]


def _assemble(
    root: Path,
    config: Config,
    families: dict[str, Family],
    labs: list[Row[Lab]],
    targets: Tables,
    references: ReferenceTables,
) -> Inputs:
    """The validated rows as mappings, with absolute paths."""
    by_target: dict[str, dict[str, Reference]] = {}
    for _, rows in references:
        for row in rows:
            by_target.setdefault(row.record.target, {})[row.record.quantity] = row.record
    placed = {row.record.target: (root / shown).parent for shown, rows in targets for row in rows}
    labels = {t: p for t, folder in placed.items() if (p := withheld_file(folder, t))}
    return Inputs(
        root=root,
        config=config,
        labs={row.record.skill: row.record for row in labs},
        targets={
            row.record.target: absolute(row.record, root, placed[row.record.target])
            for _, rows in targets
            for row in rows
        },
        references=by_target,
        families=families,
        labels=labels,
        tables={row.record.target: shown for shown, rows in references for row in rows},
    )


def absolute(target: Target, root: Path, folder: Path) -> Target:
    """A target whose local paths are absolute: found beside its table, else below ``root``."""
    return target.model_copy(
        update={
            "task": locate(target.task, root, folder),
            "protocol": locate(target.protocol, root, folder) if target.protocol else "",
            "data": tuple(locate_data(item, root, folder) for item in target.data),
        }
    )


def locate(path: str, root: Path, folder: Path) -> str:
    """The absolute path: relative to the table's folder, or to ``root`` where only that one exists."""
    beside = folder / Path(path).expanduser()
    below = root / Path(path).expanduser()
    return str(below if not beside.exists() and below.exists() else beside)


def locate_data(item: str, root: Path, folder: Path) -> str:
    """A data item with an absolute path; ``lab:`` and URL items stay as they are."""
    if item.startswith(("lab:", "https://", "http://", "file://")):
        return item
    place = data_place(item)
    return locate(place, root, folder) + item[len(place) :]


def _shown(path: Path, root: Path) -> str:
    """A path as messages name it: relative to the workflow's folder where it lies below it."""
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
