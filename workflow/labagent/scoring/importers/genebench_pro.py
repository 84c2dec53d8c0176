"""GeneBench-style problems: a prompt, a generator, a reference solution, and ablations that must fail.

A problem is a folder with ``meta.yaml`` (or ``meta.json``)::

    title: …                    kind of problem: type: …           skill: NAME (optional)
    seed: 7                     of the generator
    fields: {effect: {absolute: 0.05}, donors: {exact: true}, direction: {exact: true}}
    variants: {no-donor: {prompt: prompt-no-donor.md, drop: {cells.csv: [donor]}}}

and ``prompt.md``, ``generate.py DATA SEED``, ``solution.py DATA ANSWER``, ``ablations/*.py DATA ANSWER``,
optionally ``alternatives/*.py`` (other sound solutions, which must pass) and ``data/`` (what the generator
gives: checked, byte by byte). Values of the fields are those of the solution on the generated data.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from labagent.errors import InputError, InputFault
from labagent.models.family import Family
from labagent.scoring.importers._problem import ANSWER, NAMES, Meta, Tolerance, Trial, Variant
from labagent.scoring.importers._reading import first_file, read_mapping, read_small
from labagent.scoring.importers._writing import ImportedTarget, ImportOptions


def read(family: Family, folder: Path, options: ImportOptions) -> list[ImportedTarget]:
    """The problems of a user's copy; see ``labagent.scoring.importers.Importer``.

    Each problem's scripts are run: the solution and its alternatives must pass, every ablation must fail.
    """
    places = [folder, *sorted(p for p in folder.iterdir() if p.is_dir())]
    problems = [p for p in places if first_file(p, NAMES)]
    if not problems:
        raise InputError([InputFault(str(folder), "holds no folder with meta.yaml or meta.json")])
    found: list[ImportedTarget] = []
    faults: list[InputFault] = []
    for problem in problems:
        try:
            found += _problem(family, problem, options)
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    return found


def _problem(family: Family, folder: Path, options: ImportOptions) -> Iterator[ImportedTarget]:
    """The targets of one problem: itself and its variants."""
    faults: list[InputFault] = []
    meta = _meta(folder, faults)
    if meta is None:
        raise InputError(faults)
    prompts = {"": read_small(folder / "prompt.md", faults)}
    prompts |= {name: read_small(folder / v.prompt, faults) for name, v in meta.variants.items()}
    faults += [
        InputFault(str(folder), f'prompt of "{name}" is empty') for name, text in prompts.items() if not text
    ]
    if faults:
        raise InputError(faults)
    with tempfile.TemporaryDirectory(prefix="labagent-import-") as scratch:
        trial = Trial(folder, meta, Path(scratch), options)
        files = trial.generate()
        for name, variant in meta.variants.items():
            _check_variant(folder, variant, prompts[name], files, faults)
        if faults:
            raise InputError(faults)
        values = trial.answer("solution.py")
        targets = [_target(family, folder.name, meta, name, prompts[name], values, files) for name in prompts]
        notes = tuple(trial.judge_all(targets[0], family))
    yield replace(targets[0], notes=notes)
    yield from targets[1:]


def _meta(folder: Path, faults: list[InputFault]) -> Meta | None:
    """The problem's description."""
    path = first_file(folder, NAMES)
    assert path is not None
    try:
        return Meta.model_validate(read_mapping(path, faults))
    except ValidationError as error:
        faults += [
            InputFault(str(path), f"{'.'.join(map(str, e['loc']))}: {e['msg']}") for e in error.errors()
        ]
    return None


def _target(
    family: Family,
    problem: str,
    meta: Meta,
    variant: str,
    prompt: str,
    values: Mapping[str, Any],
    files: Mapping[str, bytes],
) -> ImportedTarget:
    """One target of a problem."""
    drop = meta.variants[variant].drop if variant else {}
    exact = {name: values[name] for name, how in meta.fields.items() if how.exact}
    options = {name: f"#drop={','.join(columns)}" for name, columns in drop.items()}
    return ImportedTarget(
        target=f"{problem}-{variant}" if variant else problem,
        family=family.name,
        skill=meta.skill,
        task=prompt,
        data=tuple(f"data/{problem}/{name}{options.get(name, '')}" for name in sorted(files)),
        answer=";".join(
            f"{name}={ANSWER}:{name}{'!' if how.exact else ''}" for name, how in meta.fields.items()
        ),
        references=tuple(_reference(name, how, values[name], problem) for name, how in meta.fields.items()),
        rubric={"type": meta.type, "exact": exact} if exact or meta.type else None,
        files={f"data/{problem}/{name}": content for name, content in files.items()},
    )


def _reference(name: str, how: Tolerance, value: Any, problem: str) -> dict[str, Any]:
    """The reference of a field: 1 with no tolerance where it is compared exactly."""
    width = how.absolute if how.relative is None else how.relative
    return {
        "quantity": name,
        "metric": "equal to the solution's" if how.exact else name,
        "unit": how.unit,
        "direction": "match",
        "value": 1 if how.exact else repr(float(value)),
        "tolerance": 0 if how.exact else width,
        "tolerance_kind": "rel" if how.relative is not None else "abs",
        "source": f"reference solution of {problem}, run when it was imported",
    }


def _check_variant(
    folder: Path, variant: Variant, prompt: str, files: Mapping[str, bytes], faults: list[InputFault]
) -> None:
    """What is withheld is there, and the prompt does not speak of it."""
    for name, columns in variant.drop.items():
        head = files.get(name, b"").partition(b"\n")[0].decode("utf-8", "replace")
        there = {cell.strip().strip('"') for cell in re.split(r"[,\t]", head)}
        for column in columns:
            if column not in there:
                faults.append(InputFault(str(folder), f'{name} has no column "{column}" to withhold'))
            elif re.search(rf"(?<![\w-]){re.escape(column)}(?![\w-])", prompt, re.IGNORECASE):
                faults.append(
                    InputFault(str(folder / variant.prompt), f'names "{column}", which is withheld')
                )
