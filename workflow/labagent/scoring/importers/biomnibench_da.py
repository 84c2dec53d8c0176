"""BiomniBench-DA: folders ``da-X-Y`` with a task text, data, an environment and a rubric."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from labagent.errors import InputError, InputFault
from labagent.inputs.checks import SHA256
from labagent.models.family import Family
from labagent.scoring.importers._reading import first_file, read_mapping, read_small, usable_path
from labagent.scoring.importers._writing import ImportedTarget, ImportOptions
from labagent.scoring.rubric.sheet import Rubric

PASS_MARK = 0.70
NAME = re.compile(r"da-\d{1,4}-\d{1,4}")
TASKS = ("instruction.md", "README.md", "prompt.md")
RUBRICS = ("tests/rubric.txt", "rubric.txt", "evaluation/rubric.txt", "rubric.yaml", "rubric.json")
META = ("task.toml", "task.yaml", "metadata.json")
ENVIRONMENTS = (
    "environment.yaml",
    "environment.yml",
    "environment/environment.yaml",
    "environment/Dockerfile",
)
SOURCE = "BiomniBench-DA rubric of the task; pass mark 0.70 of its points"
CONTRACT = """

## What to leave

The data lies in the folder that `$LABAGENT_DATA` names: what the text calls `data/` is
`$LABAGENT_DATA/data/`. Write two files into the current folder:

- `trace.md`: how the analysis was done and what each step gave, in whole sentences;
- `answer.txt`: the answer, in whole sentences, with the names and numbers it rests on.

Both are required. Say in `departures.json` (a list of `{"item", "published", "ours"}`) where you could not
follow the task.
"""
_HEAD = re.compile(r"^\s*#*\s*\**Criterion\s+(\d{1,3})\s*[:.]\s*(.*?)\**\s*$", re.MULTILINE)
_POINTS = re.compile(r"Levels:\s*((?:[A-C]\s*=\s*-?\d+(?:\.\d+)?[\s,;]*)+)")
_POINT = re.compile(r"([A-C])\s*=\s*(-?\d+(?:\.\d+)?)")
_LEVEL = re.compile(
    r"^\s*[-*]?\s*\[([A-C])\]\s*(?:\(\s*(-?\d+(?:\.\d+)?)\s*points?\s*\))?\s*:?\s*", re.MULTILINE
)
_TYPE = re.compile(r"^\W*task[ _-]type\W*[:=]\W*([\w -]+)", re.IGNORECASE | re.MULTILINE)
_PIN = re.compile(r"(?<![\w.-])([A-Za-z][\w.-]*)==(\d[\w.]*)")
_CONDA_PIN = re.compile(r"(?<![\w.-])([A-Za-z][\w.-]*)==?(\d[\w.]*)")


def read(family: Family, folder: Path, options: ImportOptions) -> list[ImportedTarget]:
    """The tasks of a user's copy; see ``labagent.scoring.importers.Importer``."""
    faults: list[InputFault] = []
    tasks = sorted(p for p in folder.iterdir() if p.is_dir() and NAME.fullmatch(p.name))
    if not tasks:
        faults.append(InputFault(str(folder), "holds no folder da-X-Y"))
    found = [_task(family, task, faults) for task in tasks]
    if faults:
        raise InputError(faults)
    return found


def parse_rubric(text: str) -> list[dict[str, Any]]:
    """Criteria of a rubric as text.

    Each begins with ``Criterion N: title``; points stand in ``Levels: A=x B=y C=z`` or in
    ``[A] (x points):``; the wording of a level follows its ``[A]``.
    """
    heads = list(_HEAD.finditer(text))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    criteria = []
    for head, end in zip(heads, ends, strict=False):
        body = text[head.end() : end]
        stated = _POINTS.search(body)
        points = dict(_POINT.findall(stated[1])) if stated else {}
        marks = list(_LEVEL.finditer(body))
        stops = [*(mark.start() for mark in marks[1:]), len(body)]
        levels = {
            mark[1]: {
                "points": float(mark[2] or points.get(mark[1], "nan")),
                "text": " ".join(body[mark.end() : stop].split()),
            }
            for mark, stop in zip(marks, stops, strict=False)
        }
        criteria.append({"id": head[1], "title": head[2].strip(), "levels": dict(sorted(levels.items()))})
    return criteria


def _task(family: Family, folder: Path, faults: list[InputFault]) -> ImportedTarget:
    """One task."""
    task, meta = first_file(folder, TASKS), first_file(folder, META)
    if task is None:
        faults.append(InputFault(str(folder), f"has no task text ({', '.join(TASKS)})"))
    text = read_small(task, faults).replace("/app/", "") if task else ""
    kind = _kind(read_mapping(meta, faults) if meta else {}) or _said_kind(text)
    common = {"direction": "higher", "tolerance_kind": "abs", "source": SOURCE}
    return ImportedTarget(
        target=folder.name,
        family=family.name,
        task=text.rstrip() + CONTRACT,
        data=tuple(_data(folder, faults)),
        answer="points=answer.txt;trace=trace.md",
        references=(
            {"quantity": "points", "metric": "share of points", "value": 1, **common}
            | {"tolerance": round(1 - PASS_MARK, 10)},
            {"quantity": "trace", "metric": "trace written", "value": 1, "tolerance": 0, **common},
        ),
        rubric=_rubric(folder, kind, faults),
        protocol=_protocol(folder, faults),
    )


def _kind(meta: dict[str, Any]) -> str:
    """The kind of task that a metadata file names."""
    for part in (meta, meta.get("metadata", {}), meta.get("task", {})):
        found = part.get("task_type") or part.get("task-type") if isinstance(part, dict) else None
        if isinstance(found, str):
            return found.strip()
    return ""


def _said_kind(text: str) -> str:
    """The kind of task that a text names."""
    found = _TYPE.search(text)
    return "-".join(found[1].split()).lower() if found else ""


def _rubric(folder: Path, kind: str, faults: list[InputFault]) -> dict[str, Any]:
    """The rubric, checked."""
    path = first_file(folder, RUBRICS)
    if path is None:
        faults.append(InputFault(str(folder), f"has no rubric ({', '.join(RUBRICS)})"))
        return {}
    if path.suffix == ".txt":
        rubric: dict[str, Any] = {"criteria": parse_rubric(read_small(path, faults))}
    else:
        rubric = read_mapping(path, faults)
    rubric = {"type": kind, **rubric}
    try:
        Rubric.model_validate(rubric)
    except ValidationError as error:
        first = error.errors()[0]
        faults.append(InputFault(str(path), f"{'.'.join(map(str, first['loc']))}: {first['msg']}"))
    return rubric


def _data(folder: Path, faults: list[InputFault]) -> Iterator[str]:
    """Data items: the local folder, and files named with URL and hash in ``data.tsv``."""
    places = [folder / "data", folder / "environment" / "data"]
    local = [place for place in places if place.is_dir()]
    for place in local[:1]:
        if place.resolve().is_relative_to(folder.resolve()):
            yield usable_path(place, faults)
        else:
            faults.append(InputFault(str(place), "leads out of the task's folder"))
    remote = folder / "data.tsv"
    for number, line in enumerate(read_small(remote, faults).splitlines() if remote.is_file() else (), 1):
        url, _, digest = (part.strip() for part in line.partition("\t"))
        if url.startswith("#") or not url or url == "url":
            continue
        if not url.startswith("https://") or ";" in url or "#" in url or not SHA256.fullmatch(digest):
            faults.append(InputFault(str(remote), "must read https://… TAB sha256", number))
        else:
            yield f"{url}#sha256={digest}"
    if not local and not remote.is_file():
        faults.append(InputFault(str(folder), "has neither data/ nor data.tsv (url, sha256)"))


def _protocol(folder: Path, faults: list[InputFault]) -> dict[str, Any] | None:
    """Versions that the task's environment pins: departures from them are listed."""
    path = first_file(folder, ENVIRONMENTS)
    if path is None:
        return None
    pins = _PIN if path.name == "Dockerfile" else _CONDA_PIN
    return {"versions": dict(sorted(pins.findall(read_small(path, faults))))}
