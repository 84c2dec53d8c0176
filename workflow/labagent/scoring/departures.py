"""Departures: the protocol a target declares against what a run left. Shown beside the score, never in it.

A fact the run left no trace of is no departure: nothing is reported that was not seen. What the agent
itself declares in ``departures.json`` is passed on, marked as such.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from labagent.models.answers import AnswerError, answer_file, read_answer_json
from labagent.models.score import Departure
from labagent.scoring.installed import canonical

DECLARED = "departures.json"
MAX_DECLARED = 50
MAX_TEXT = 200


@dataclass(frozen=True)
class Facts:
    """What a run left that can be held against a protocol.

    ``splits``: how many splits the predictions have (0: not known). ``installed``: versions by canonical
    name (:func:`labagent.scoring.installed.installed_versions`). ``machine_r``: R is the machine's, whose
    other packages no record lists.
    """

    splits: int = 0
    installed: Mapping[str, str] = field(default_factory=dict)
    machine_r: bool = False


def find_departures(protocol: Mapping[str, Any], facts: Facts, output: Path) -> list[Departure]:
    """All departures: measured ones in the order of :data:`CHECKS`, then those the agent declares."""
    measured = [d for item, check in CHECKS.items() if item in protocol for d in check(protocol[item], facts)]
    return [*measured, *_declared(output)]


def _versions(published: Any, facts: Facts) -> list[Departure]:
    """Packages whose installed version is not the declared one."""
    if not isinstance(published, Mapping):
        return []
    absent = "not recorded" if facts.machine_r else "not installed"
    rows = []
    for name, wanted in published.items():
        ours = facts.installed.get(canonical(str(name)))
        if ours is None:
            if facts.installed:
                rows.append(_row(f"version of {name}", wanted, absent, "note"))
        elif not _satisfies(ours, str(wanted)):
            rows.append(_row(f"version of {name}", wanted, ours, _gap(ours, str(wanted))))
    return rows


def _count(item: str) -> Callable[[Any, Facts], list[Departure]]:
    """A check of how many seeds or splits there were."""

    def check(published: Any, facts: Facts) -> list[Departure]:
        wanted = len(published) if isinstance(published, list) else published
        if not isinstance(wanted, int) or isinstance(wanted, bool) or not facts.splits:
            return []
        if facts.splits == wanted:
            return []
        return [_row(item, wanted, facts.splits, "major" if facts.splits < wanted else "minor")]

    return check


CHECKS: dict[str, Callable[[Any, Facts], list[Departure]]] = {
    "seeds": _count("seeds"),
    "splits": _count("splits"),
    "replicates": _count("replicates"),
    "versions": _versions,
}
"""Check by key of the protocol; another kind of departure is another row."""


def _declared(output: Path) -> list[Departure]:
    """What ``departures.json`` in the output folder says, as far as it can be read."""
    try:
        rows = read_answer_json(answer_file(output, DECLARED), DECLARED)
    except AnswerError:
        if not (output / DECLARED).exists():
            return []
        rows = None
    if not isinstance(rows, list):
        return [_row(DECLARED, "a list", "unreadable", "note", "declared")]
    found = [_declared_row(row) for row in rows[:MAX_DECLARED]]
    if len(rows) > MAX_DECLARED:
        found.append(_row(DECLARED, "", f"{len(rows) - MAX_DECLARED} more are not shown", "note", "declared"))
    return found


def _declared_row(row: Any) -> Departure:
    """One declared departure; what is no such row is kept as its text."""
    if isinstance(row, dict):
        texts = {key: _text(row.get(key, "")) for key in ("item", "published", "ours")}
        severity = row.get("severity", "minor")
        try:
            return Departure.model_validate({**texts, "severity": severity, "origin": "declared"})
        except ValidationError:
            return Departure(**texts, origin="declared")
    return _row("", "", row, "note", "declared")


def _row(
    item: str,
    published: Any,
    ours: Any,
    severity: Literal["note", "minor", "major"],
    origin: Literal["measured", "declared"] = "measured",
) -> Departure:
    """A departure with its values as text."""
    return Departure(
        item=item, published=_text(published), ours=_text(ours), severity=severity, origin=origin
    )


def _text(value: Any) -> str:
    """A value on one line, not longer than a table can show."""
    line = " ".join(str(value).split())
    return line if len(line) <= MAX_TEXT else line[: MAX_TEXT - 1] + "…"


def _satisfies(ours: str, wanted: str) -> bool:
    """Whether a version is the wanted one or lies in the wanted range."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import InvalidVersion

    text = wanted.strip()
    bare = text[:1].isdigit()
    precise = (
        f"=={text}.*" if bare and text.count(".") < 2 and text.replace(".", "").isdigit() else f"=={text}"
    )
    try:
        return SpecifierSet(precise if bare else text).contains(ours, prereleases=True)
    except (InvalidSpecifier, InvalidVersion):
        return ours == text


def _gap(ours: str, wanted: str) -> Literal["note", "minor", "major"]:
    """How far apart versions are: another major release, another minor one, or less."""
    ours_parts = ours.split(".")
    wanted_parts = wanted.lstrip("=<>!~ ").split(",")[0].split(".")
    if ours_parts[0] != wanted_parts[0]:
        return "major"
    return "minor" if ours_parts[1:2] != wanted_parts[1:2] else "note"
