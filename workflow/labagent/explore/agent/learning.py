"""What a repaired draft teaches: the reason it was refused for, and the change after which it was not.

A lesson's fix is one shell command. An added requirement is one (``pip install``); any other change of a
draft is kept as words behind the command that does nothing (``:``), so that running it does no harm.
"""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import yaml

from labagent.memory import classify, lesson_event
from labagent.models.memory import LessonEvent, Match, Provenance

ENVIRONMENT = "environment.yaml"
MAX_LINES, MAX_CHARACTERS = 6, 600


@dataclass(frozen=True)
class Reason:
    """Why a draft was refused: the check and its tier, what it says, and the file it speaks of."""

    check: str
    text: str
    file: str = ""
    tier: int = 1


def lessons(
    before: Sequence[Reason],
    after: Sequence[Reason],
    old: Mapping[str, str],
    new: Mapping[str, str],
    source: Provenance,
) -> list[LessonEvent]:
    """Lessons of one repair: each reason that is gone, with what was changed in its file.

    Args:
        before: the refusal that went back.
        after: what was left of it.
        old: the draft's files before, by path.
        new: its files after.
        source: explorer, skill and round.
    """
    left = {(reason.check, reason.text) for reason in after}
    gone = [reason for reason in before if (reason.check, reason.text) not in left]
    events = [
        lesson_event(_match(reason), fix, provenance=source, scope="recipe", why=reason.text[:MAX_CHARACTERS])
        for reason in gone
        if (fix := _fix(reason, old, new))
    ]
    return list({event.id: event for event in events}.values())


def _match(reason: Reason) -> Match:
    """The failure: what a run printed where one failed, else what the check says."""
    if reason.check == "run":
        return classify(reason.text.partition("exit status 1: ")[2] or reason.text)
    return classify(f"tier {reason.tier}, {reason.check}: {reason.text}")


def _fix(reason: Reason, old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """The command of a lesson; empty where nothing that speaks to the reason was changed."""
    added = sorted(requirements(new.get(ENVIRONMENT, "")) - requirements(old.get(ENVIRONMENT, "")))
    if added and reason.check in {"run", "imports", "build", "resolve"}:
        return f"python -m pip install {' '.join(shlex.quote(item) for item in added)}"
    changed = [reason.file] if reason.file else sorted(set(old) | set(new))
    words = [line for path in changed for line in _changes(path, old.get(path, ""), new.get(path, ""))]
    return f": {shlex.quote(' | '.join(words)[:MAX_CHARACTERS])}" if words else ""


def _changes(path: str, old: str, new: str) -> Iterator[str]:
    """Lines taken out of and put into a file, the first few."""
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
    signed = [line for line in lines if line[:1] in "+-" and line[:3] not in {"+++", "---"}]
    kept = [line for line in signed if line[1:].strip()]
    if kept:
        yield f"{path}: " + " / ".join(line.strip() for line in kept[:MAX_LINES])


def requirements(environment: str) -> set[str]:
    """The pip requirements of an ``environment.yaml``; none where it cannot be read."""
    try:
        content = yaml.safe_load(environment)
    except yaml.YAMLError:
        return set()
    items = content.get("dependencies", []) if isinstance(content, dict) else []
    return {
        str(text)
        for item in (items if isinstance(items, list) else [])
        if isinstance(item, dict)
        for text in item.get("pip") or []
    }
