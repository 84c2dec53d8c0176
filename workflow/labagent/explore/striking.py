"""Striking out what a draft states without support."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from labagent.files import write_text
from labagent.models.skill import Check
from labagent.skills.checks.citations import CITATION, cited_in
from labagent.skills.prescribed import of_sentence
from labagent.skills.sentences import sentences

EVIDENCE_ID = re.compile(r"^(E\d+)\b")
UNSUPPORTED = frozenset({"evidence", "citations", "prescriptions"})


def strike(folder: Path, checks: Sequence[Check]) -> tuple[str, ...]:
    """Take out lines that cite evidence which does not hold, and sentences that prescribe without any.

    A line that also cites evidence that holds loses only the other citations. Code is never touched: what a
    check refuses in it stays refused.

    Args:
        folder: the draft, changed in place.
        checks: failed and warning checks of its validation.

    Returns:
        What was struck out, each with its file.
    """
    bad = {m.group(1) for c in checks if c.id == "evidence" and (m := EVIDENCE_ID.match(c.message))}
    bad |= {m.group(1) for c in checks if c.id == "citations" and (m := re.match(r"cites (E\d+)", c.message))}
    unused = {m.group(1) for c in checks if c.id == "citations" and (m := EVIDENCE_ID.match(c.message))}
    unsaid = {(c.file, c.line) for c in checks if c.id == "prescriptions"}
    struck: list[str] = []
    for path in (folder / "SKILL.md", *sorted((folder / "references").glob("*.md"))):
        name = path.relative_to(folder).as_posix()
        unsupported = _unsupported(path, {line for file, line in unsaid if file == name and line})
        struck += _strike_lines(path, name, bad)
        struck += _strike_sentences(path, name, unsupported)
    _drop_evidence(folder / "evidence.jsonl", bad | unused)
    return tuple(struck)


def _unsupported(path: Path, places: set[int]) -> list[str]:
    """The sentences that stand on these lines and prescribe something; where none does, all on the line."""
    there = (
        [s for s in sentences(path.read_text(encoding="utf-8")) if places & set(s.lines)] if places else []
    )
    prescribing = [sentence for sentence in there if any(of_sentence(sentence))]
    met = {line for sentence in prescribing for line in sentence.lines}
    return [s.text for s in there if s in prescribing or not met & places & set(s.lines)]


def _strike_sentences(path: Path, name: str, unsupported: Sequence[str]) -> list[str]:
    """Rewrite one file without sentences; those are returned."""
    text, struck = path.read_text(encoding="utf-8"), list[str]()
    for sentence in unsupported:
        head, found, tail = text.partition(sentence)
        if found:
            struck.append(f"{name}: {' '.join(sentence.split())}")
            tail = tail.lstrip(" ")
            if tail.startswith("\n"):
                head = head.rstrip(" ")
                tail = tail[1:] if head.endswith("\n") else tail
            text = head + tail
    if struck:
        write_text(path, text)
    return struck


def _strike_lines(path: Path, name: str, bad: set[str]) -> list[str]:
    """Rewrite one file without the lines whose evidence does not hold; those are returned."""
    struck, kept = list[str](), list[str]()
    for line in path.read_text(encoding="utf-8").split("\n"):
        cited = set(cited_in(line))
        if cited and cited <= bad:
            struck.append(f"{name}: {line.strip()}")
        else:
            kept.append(CITATION.sub(lambda m: _remaining(m.group(1), bad), line) if cited & bad else line)
    if struck or bad:
        write_text(path, "\n".join(kept))
    return struck


def _remaining(ids: str, bad: set[str]) -> str:
    """A citation without the ids that do not hold."""
    left = [name.strip() for name in ids.split(",") if name.strip() not in bad]
    return f"[{', '.join(left)}]" if left else ""


def _drop_evidence(path: Path, ids: set[str]) -> None:
    """Take pieces out of ``evidence.jsonl``."""
    lines = path.read_text(encoding="utf-8").split("\n")
    gone = re.compile(r'"id"\s*:\s*"(E\d+)"')
    kept = [line for line in lines if not ((m := gone.search(line)) and m.group(1) in ids)]
    write_text(path, "\n".join(kept))
