"""Step 5: each prescription needs evidence, or becomes a check; what has neither is struck out.

The model lists what its draft prescribes; thresholds, versions, pins and parameters are also found by the
program. Whether something is supported is always looked up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field, StringConstraints

from labagent.explore.agent.prescriptions import PIN, Draft, prescriptions, unsupported_keywords
from labagent.explore.striking import strike
from labagent.files import write_text
from labagent.models.base import Record
from labagent.models.exploration import Dropped, PrescriptionKind, PrescriptionRecord
from labagent.models.skill import Check
from labagent.skills.checks.citations import CITATION, cited_in
from labagent.skills.figures import figures, says
from labagent.skills.sentences import Sentence, sentences

PRINTS = re.compile(r"\b(?:print|echo|cat|printf|message)\b")


class Prescribed(Record):
    """A prescription as the model lists it; ``text`` is copied from the file, ``check``: a check decides."""

    kind: PrescriptionKind
    file: Annotated[str, StringConstraints(max_length=200)]
    text: Annotated[str, StringConstraints(min_length=3, max_length=1000)]
    evidence: Annotated[tuple[str, ...], Field(max_length=20)] = ()
    check: bool = False


class ReflectionReply(Record):
    """All that a draft prescribes."""

    prescriptions: Annotated[tuple[Prescribed, ...], Field(max_length=120)] = ()


@dataclass(frozen=True)
class Reflected:
    """What was judged: supported and not, and claims about text that is not there."""

    records: tuple[PrescriptionRecord, ...]
    dropped: tuple[Dropped, ...] = ()

    @property
    def unsupported(self) -> tuple[PrescriptionRecord, ...]:
        """What has neither evidence nor check."""
        return tuple(record for record in self.records if record.outcome == "struck")


def reflect(draft: Draft, listed: Sequence[Prescribed] = ()) -> Reflected:
    """Judge what a draft prescribes: what the program finds, then what the model listed besides."""
    records = list(prescriptions(draft))
    known = {(record.file, record.text) for record in records}
    dropped: list[Dropped] = []
    prose = {file: list(sentences(text)) for file, text in draft.texts()}
    passages = draft.passages()
    for item in listed:
        sentence = _find(item, prose.get(item.file, ()))
        if sentence is None:
            why = f"does not stand in a sentence of {item.file}"
            dropped.append(Dropped(step="reflection", text=item.text, why=why))
        elif (item.file, " ".join(sentence.text.split())) not in known:
            record = _judged(item, sentence, passages, draft)
            known.add((item.file, record.text))
            records.append(record)
    return Reflected(tuple(records), tuple(dropped))


def strike_out(draft: Draft, unsupported: Sequence[PrescriptionRecord]) -> tuple[str, ...]:
    """Take unsupported prescriptions out of a draft's files.

    Lines of text go; pins lose their version; keyword arguments go, so that the lab's default holds.

    Returns:
        What was struck out, each with its file.
    """
    struck = [*_strike_keywords(draft), *_strike_pins(draft.folder, unsupported)]
    lines = [record for record in unsupported if record.line and record.kind != "parameter"]
    if lines:
        checks = [
            Check(id="prescriptions", tier=1, status="warning", file=r.file, line=r.line) for r in lines
        ]
        struck += strike(draft.folder, checks)
    return tuple(struck)


def _find(item: Prescribed, prose: Sequence[Sentence]) -> Sentence | None:
    """The sentence in which a prescription stands."""
    wanted = " ".join(item.text.split())
    return next((sentence for sentence in prose if wanted in " ".join(sentence.text.split())), None)


def _judged(
    item: Prescribed, sentence: Sentence, passages: Mapping[str, str], draft: Draft
) -> PrescriptionRecord:
    """Whether a listed prescription is cited where it stands, and its figures are said there."""
    cited = tuple(dict.fromkeys(name for name in cited_in(sentence.text) if name in passages))
    said = " ".join(passages[name] for name in cited)
    uncited = CITATION.sub("", sentence.text)
    outcome, why = "supported", ""
    if not cited or not all(says(said, figure) for figure in figures(uncited)):
        checked = item.check and _has_check(item.file, draft)
        outcome = "check" if checked else "struck"
        why = "" if checked else "a cited passage does not say it" if cited else "nothing is cited"
    return PrescriptionRecord.model_validate(
        {
            "kind": item.kind,
            "text": " ".join(sentence.text.split()),
            "file": item.file,
            "line": sentence.lines[0],
            "outcome": outcome,
            "evidence": cited if outcome == "supported" else (),
            "why": why,
        }
    )


def _has_check(file: str, draft: Draft) -> bool:
    """Whether a locus has a block that prints something to decide by."""
    locus = next((locus for locus in draft.skill.loci if locus.path == file), None)
    return locus is not None and any(PRINTS.search(block.code) for block in locus.blocks)


def _strike_pins(folder: Path, unsupported: Sequence[PrescriptionRecord]) -> list[str]:
    """Take versions off requirements of ``environment.yaml``."""
    bad = {record.text for record in unsupported if record.file == "environment.yaml"}
    if not bad:
        return []
    path = folder / "environment.yaml"
    content = yaml.safe_load(path.read_text(encoding="utf-8"))

    def bare(item: object) -> object:
        if isinstance(item, dict):
            return {key: [bare(inner) for inner in value or []] for key, value in item.items()}
        match = PIN.match(str(item)) if str(item) in bad else None
        return match["name"] if match else item

    content["dependencies"] = [bare(item) for item in content["dependencies"]]
    write_text(path, yaml.safe_dump(content, sort_keys=False))
    return [f"environment.yaml: {text}" for text in sorted(bad)]


def _strike_keywords(draft: Draft) -> list[str]:
    """Take unsupported keyword arguments out of calls, the last ones first."""
    struck = []
    for path, first, start, end in sorted(unsupported_keywords(draft), reverse=True):
        file = draft.folder / path
        lines = file.read_text(encoding="utf-8").split("\n")
        indent = _indent(draft, path, first, lines)
        top, bottom = first + start[0] - 2, first + end[0] - 2
        head = _bytes_cut(lines[top], indent, start[1])
        tail = lines[bottom][len(_bytes_cut(lines[bottom], indent, end[1])) :]
        text = "\n".join([*lines[top : bottom + 1]])
        joined = _joined(head, tail)
        lines[top : bottom + 1] = [joined]
        write_text(file, "\n".join(lines))
        struck.append(f"{path}: {text.strip()} (became {joined.strip()})")
    return struck[::-1]


def _indent(draft: Draft, path: str, first: int, lines: Sequence[str]) -> int:
    """Blanks a fence's indent puts before the code of its block."""
    locus = next(locus for locus in draft.skill.loci if locus.path == path)
    block = next(block for block in locus.blocks if block.line == first)
    code = block.code.split("\n")[0]
    return lines[first - 1].index(code) if code and code in lines[first - 1] else 0


def _bytes_cut(line: str, indent: int, column: int) -> str:
    """The part of a line before a column as the parser counts it, in bytes."""
    return line[:indent] + line[indent:].encode("utf-8")[:column].decode("utf-8", errors="ignore")


def _joined(head: str, tail: str) -> str:
    """Both sides of a keyword with its comma gone."""
    if tail.lstrip().startswith(","):
        return head + tail.lstrip()[1:].lstrip(" ")
    stripped = head.rstrip()
    return (stripped[:-1].rstrip() if stripped.endswith(",") else head) + tail
