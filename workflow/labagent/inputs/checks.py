"""Checks across the tables: what one row says must fit what the others say.

Each check is one function; adding one is adding it, and its name to ``WITHIN_A_TABLE`` or ``ACROSS_TABLES``.
"""

from __future__ import annotations

import difflib
import re
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from labagent.errors import InputFault
from labagent.inputs.selection import is_selected
from labagent.inputs.table import Row
from labagent.inputs.yaml_file import read_yaml_mapping
from labagent.models.config import Config
from labagent.models.family import Family
from labagent.models.tables import DATA_OPTIONS, LAB_DATA, Lab, Reference, Target, data_place

SHA256 = re.compile(r"[0-9a-f]{64}")
MOST_NAMES = 20
"""Names that a message lists; there may be thousands of targets."""
URL = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*://|^[A-Za-z0-9._-]+@[A-Za-z0-9.-]+:")


@dataclass
class Tables:
    """All that was read, and where faults go."""

    root: Path
    config: Config
    families: dict[str, Family]
    labs: list[Row[Lab]]
    targets: list[tuple[str, list[Row[Target]]]]
    references: list[tuple[str, list[Row[Reference]]]]
    faults: list[InputFault]

    def each_target(self) -> Iterable[tuple[str, int, Target]]:
        """File, line and record of every target."""
        return ((shown, row.line, row.record) for shown, rows in self.targets for row in rows)

    def each_reference(self) -> Iterable[tuple[str, int, Reference]]:
        """File, line and record of every reference."""
        return ((shown, row.line, row.record) for shown, rows in self.references for row in rows)

    def fault(self, shown: str, line: int | None, column: str | None, message: str) -> None:
        """Add a fault."""
        self.faults.append(InputFault(shown, message, line, column))


def check_everything(
    root: Path,
    config: Config,
    families: dict[str, Family],
    labs: list[Row[Lab]],
    targets: list[tuple[str, list[Row[Target]]]],
    references: list[tuple[str, list[Row[Reference]]]],
    faults: list[InputFault],
) -> None:
    """Run all checks; faults are added to ``faults``.

    Where a table could not be read at all, only what needs no other table is checked: the rest would follow
    from that one fault.
    """
    tables = Tables(root, config, families, labs, targets, references, faults)
    unreadable = any(fault.row in (None, 1) for fault in faults)
    for check in WITHIN_A_TABLE if unreadable else (*WITHIN_A_TABLE, *ACROSS_TABLES):
        check(tables)


def labs_are_unique(tables: Tables) -> None:
    """A skill has one row."""
    rows = [(tables.config.labs, r.line, r.record.skill) for r in tables.labs]
    _unique(tables, rows, "skill")


def targets_are_unique(tables: Tables) -> None:
    """A target has one row, over all tables."""
    _unique(tables, [(s, line, t.target) for s, line, t in tables.each_target()], "target")


def references_are_unique(tables: Tables) -> None:
    """A quantity of a target has one reference, over all tables."""
    rows = [(s, line, f"{r.target}/{r.quantity}") for s, line, r in tables.each_reference()]
    _unique(tables, rows, "quantity")


def sources_exist(tables: Tables) -> None:
    """Local repositories, commits and curated skills are there."""
    for row in tables.labs:
        lab, shown = row.record, tables.config.labs
        if lab.source == "curated" and not (tables.root / "skills" / lab.skill / "SKILL.md").is_file():
            tables.fault(
                shown,
                row.line,
                "source",
                f'"curated" needs skills/{lab.skill}/SKILL.md, which is not there '
                f"(start one with: labagent skills new {lab.skill}; or set source to explore)",
            )
        if not lab.repository.startswith("pypi:") and not URL.match(lab.repository):
            _check_local_repository(tables, shown, row.line, lab)


def protocols_are_mappings(tables: Tables) -> None:
    """Each protocol is YAML with a mapping at its top."""
    seen: set[Path] = set()
    for shown, line, target in tables.each_target():
        found = _existing(tables, shown, target.protocol) if target.protocol else None
        if found is None or found in seen:
            continue
        seen.add(found)
        wrong: list[InputFault] = []
        read_yaml_mapping(found, target.protocol, wrong)
        for fault in wrong:
            tables.fault(shown, line, "protocol", str(fault))


def tasks_can_be_read(tables: Tables) -> None:
    """Each task is text, and says something."""
    for shown, line, target in tables.each_target():
        found = _existing(tables, shown, target.task)
        if found is None or not found.is_file():
            continue
        try:
            empty = not found.read_text(encoding="utf-8-sig").strip()
        except UnicodeDecodeError as error:
            tables.fault(shown, line, "task", f'"{target.task}" is not UTF-8 text (byte {error.start})')
        else:
            if empty:
                tables.fault(shown, line, "task", f'"{target.task}" is empty')


def labels_are_withheld(tables: Tables) -> None:
    """No data item brings withheld labels, a rubric or references to where an agent sees them."""
    said = {"labels": "withheld labels (labels/)", "rubrics": "a rubric (rubrics/)"}
    for shown, line, target in tables.each_target():
        beside = (tables.root / shown).parent
        for name in ("labels", "rubrics", "references.tsv"):
            kept = (beside / name).resolve()
            for item in target.data if kept.exists() else ():
                found = _existing(tables, shown, data_place(item))
                if found is not None and _overlap(found.resolve(), kept):
                    text = f'"{item}" holds {said.get(name, name)}, which no agent may see'
                    tables.fault(shown, line, "data", text)


def targets_resolve(tables: Tables) -> None:
    """Family, skill, budget and files of each target are known."""
    skills = {row.record.skill for row in tables.labs}
    for shown, line, target in tables.each_target():
        folder = (tables.root / shown).parent
        known = (
            ("family", target.family, set(tables.families)),
            ("skill", target.skill, {"", *skills}),
            ("budget", target.budget, set(tables.config.budgets)),
        )
        for column, value, allowed in known:
            if value not in allowed:
                names = ", ".join(sorted(a for a in allowed if a)) or "none is defined"
                tables.fault(shown, line, column, f'"{value}" is not known; allowed: {names}')
        for column, path in (("task", target.task), ("protocol", target.protocol)):
            if path and not any((base / path).is_file() for base in (folder, tables.root)):
                tables.fault(shown, line, column, f'no such file: "{path}"')
        family = tables.families.get(target.family)
        waits = family and family.opt_in and not is_selected(target, tables.config.selection, tables.families)
        for item in target.data:
            _check_data(tables, shown, line, item, folder, skills, missing=None if waits else family)


def references_fit_targets(tables: Tables) -> None:
    """Every quantity of a target has its reference, and every reference its target."""
    quantities = {t.target: {q.name for q in t.answer} for _, _, t in tables.each_target()}
    have = {(r.target, r.quantity) for _, _, r in tables.each_reference()}
    for shown, line, target in tables.each_target():
        for quantity in target.answer:
            if (target.target, quantity.name) not in have:
                files = " or ".join(s for s, _ in tables.references)
                tables.fault(
                    shown,
                    line,
                    "answer",
                    f'quantity "{quantity.name}" of target "{target.target}" has no reference; '
                    f"add a row to {files}",
                )
    for shown, line, reference in tables.each_reference():
        if reference.target not in quantities:
            tables.fault(shown, line, "target", f'"{reference.target}" is in no targets table')
        elif reference.quantity not in quantities[reference.target]:
            allowed = ", ".join(sorted(quantities[reference.target]))
            tables.fault(
                shown, line, "quantity", f'"{reference.quantity}" is no quantity of it; allowed: {allowed}'
            )


def selection_is_known(tables: Tables) -> None:
    """What ``selection`` names exists."""
    chosen = tables.config.selection
    known: tuple[tuple[str, tuple[str, ...], set[str]], ...] = (
        ("families", chosen.families, set(tables.families)),
        ("targets", chosen.targets, {t.target for _, _, t in tables.each_target()}),
        ("skills", chosen.skills, {r.record.skill for r in tables.labs}),
        ("arms", chosen.arms, set(tables.config.arms)),
    )
    for column, names, allowed in known:
        for name in names:
            if name not in allowed:
                text = f'"{name}" is not known; {_allowed(name, allowed)}'
                tables.fault("config/config.yaml", None, f"selection.{column}", text)


def _allowed(name: str, allowed: set[str]) -> str:
    """Names like an unknown one, and the others where they are few."""
    close = difflib.get_close_matches(name, allowed, n=3)
    if close:
        return f"did you mean {' or '.join(close)}?"
    more = f" and {len(allowed) - MOST_NAMES} more" if len(allowed) > MOST_NAMES else ""
    return f"allowed: {', '.join(sorted(allowed)[:MOST_NAMES])}{more}" if allowed else "none is defined"


def _existing(tables: Tables, shown: str, path: str) -> Path | None:
    """A file or folder that a table names, beside it or below the workflow's folder."""
    bases = ((tables.root / shown).parent, tables.root)
    return next((found for base in bases if (found := base / Path(path).expanduser()).exists()), None)


def _overlap(one: Path, other: Path) -> bool:
    """Whether one of two places lies in the other."""
    return one.is_relative_to(other) or other.is_relative_to(one)


def _unique(tables: Tables, rows: list[tuple[str, int, str]], column: str) -> None:
    """Fault every repetition, naming where the first one stands."""
    first: dict[str, tuple[str, int]] = {}
    for shown, line, name in rows:
        if name in first:
            where = "{}, line {}".format(*first[name])
            tables.fault(shown, line, column, f'"{name}" stands twice; first in {where}')
        else:
            first[name] = (shown, line)


def _check_local_repository(tables: Tables, shown: str, line: int, lab: Lab) -> None:
    """A repository given as a path exists, and so does its commit."""
    path = tables.root / Path(lab.repository).expanduser()
    if not path.exists():
        tables.fault(
            shown,
            line,
            "repository",
            f'no such folder: "{lab.repository}"; give a path, a git URL or pypi:NAME==VERSION',
        )
    elif lab.commit and not _has_commit(path, lab.commit):
        tables.fault(shown, line, "commit", f'"{lab.commit}" is no commit or tag of "{lab.repository}"')


def _has_commit(path: Path, commit: str) -> bool:
    """Whether a local git repository knows a commit; a plain folder knows none."""
    command = ["git", "-C", str(path), "cat-file", "-e", f"{commit}^{{commit}}"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _check_data(
    tables: Tables,
    shown: str,
    line: int,
    item: str,
    folder: Path,
    skills: set[str],
    missing: Family | None,
) -> None:
    """A data item names a known lab or an existing path, and a well-formed hash.

    ``missing`` is the family to name where a path is missing; ``None`` where its targets do not run.
    """
    path = data_place(item)
    options = DATA_OPTIONS.search(item)
    digest = options["sha256"] if options else None
    if digest is not None and not SHA256.fullmatch(digest):
        tables.fault(shown, line, "data", f'"{item}": sha256 must be 64 hexadecimal digits')
    if path.startswith("lab:"):
        match = LAB_DATA.match(path)
        if not match:
            tables.fault(shown, line, "data", f'"{path}" must read lab:SKILL/PATH')
        elif match["skill"] not in skills:
            allowed = ", ".join(sorted(skills))
            tables.fault(shown, line, "data", f'lab "{match["skill"]}" is not known; allowed: {allowed}')
    elif missing is None:
        return
    elif not path.startswith("https://") and not any(
        (base / Path(path).expanduser()).exists() for base in (folder, tables.root)
    ):
        hint = f"; {missing.obtain}" if missing.obtain else ""
        tables.fault(shown, line, "data", f'no such file or folder: "{path}"{hint}')


Check = Callable[[Tables], None]
WITHIN_A_TABLE: tuple[Check, ...] = (
    labs_are_unique,
    targets_are_unique,
    references_are_unique,
    sources_exist,
    tasks_can_be_read,
    protocols_are_mappings,
    labels_are_withheld,
)
ACROSS_TABLES: tuple[Check, ...] = (targets_resolve, references_fit_targets, selection_is_known)
