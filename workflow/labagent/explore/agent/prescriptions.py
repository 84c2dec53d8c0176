"""What a draft prescribes, and whether a source says so: computed, whatever the model claims."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from labagent.models.exploration import PrescriptionRecord
from labagent.models.skill import Evidence, Skill
from labagent.models.snapshot import Snapshot
from labagent.skills.frontmatter import ROOT
from labagent.skills.imports import normal
from labagent.skills.parameters import given_values, gives, released_code
from labagent.skills.passages import Unresolved, passage
from labagent.skills.prescribed import prescriptions_of
from labagent.skills.support import Support

PIN = re.compile(r"^(?P<name>[A-Za-z0-9][A-Za-z0-9._-]*)\s*(?P<specifier>(?:===|==|[<>!~]=?|=)[^;]*)?$")
NUMBER_OF_VERSION = re.compile(r"\d+(?:\.\d+)*")
NOT_PINS = frozenset({"python", "pip"})
UNSAID = "no cited passage says it"
Span = tuple[int, int]


@dataclass(frozen=True)
class Draft:
    """A draft that can be read, with what it is held against."""

    folder: Path
    skill: Skill
    snapshot: Snapshot
    artifacts: Path

    def texts(self) -> Iterator[tuple[str, str]]:
        """Root and loci with their file names."""
        yield ROOT, (self.folder / ROOT).read_text(encoding="utf-8-sig")
        for locus in self.skill.loci:
            yield locus.path, locus.text

    def passages(self) -> dict[str, str]:
        """The cited text of each piece of evidence that resolves."""
        return {item.id: text for item in self.skill.evidence if (text := self._passage(item))}

    def _passage(self, item: Evidence) -> str:
        """The cited text; empty where there is none."""
        try:
            return " ".join(passage(item.source, self.artifacts).split())
        except Unresolved:
            return ""


def prescriptions(draft: Draft) -> list[PrescriptionRecord]:
    """Thresholds and versions of the text, packages and pins of the environment, parameters of calls."""
    said = " ".join(draft.passages().values())
    return [
        *_of_text(draft),
        *_of_environment(draft, said),
        *(record for record, _ in _of_calls(draft, said)),
    ]


def unsupported_keywords(draft: Draft) -> list[tuple[str, int, Span, Span]]:
    """Keyword arguments that nothing supports and a default stands for.

    Returns:
        Locus' path, line at which its block begins, and (line, column) in the block where the keyword begins
        and ends.
    """
    said = " ".join(draft.passages().values())
    return [where for record, where in _of_calls(draft, said) if record.outcome == "struck"]


def _of_text(draft: Draft) -> Iterator[PrescriptionRecord]:
    """What sentences prescribe: a cited passage must say it, or the sentence a check that decides."""
    support = Support(draft.folder, draft.skill, draft.artifacts, draft.snapshot)
    for file, text in draft.texts():
        for item in prescriptions_of(text, support.names):
            why = support.why_not(item)
            cited = tuple(name for name in item.cited if name in support.passages)
            yield PrescriptionRecord(
                kind=item.kind,
                text=" ".join(item.sentence.text.split()),
                file=file,
                line=item.line,
                outcome="struck" if why else "supported" if cited else "check",
                evidence=() if why else cited,
                why=(UNSAID if cited else "nothing is cited") if why else "",
            )


def _of_environment(draft: Draft, said: str) -> Iterator[PrescriptionRecord]:
    """Packages and their pins: declared by the lab at that version, or said by evidence."""
    declared = {normal(d.name): d.specifier for d in draft.snapshot.dependencies}
    figures = set(NUMBER_OF_VERSION.findall(said))
    own = normal(draft.snapshot.distribution) if draft.snapshot.distribution else ""
    for item in _requirements(draft.folder / "environment.yaml"):
        match = PIN.match(item)
        if not match or match["name"].lower() in NOT_PINS or not match["specifier"]:
            continue
        name, wanted = normal(match["name"]), NUMBER_OF_VERSION.findall(match["specifier"])
        known = draft.snapshot.version if name == own else declared.get(name, "")
        held = all(v in NUMBER_OF_VERSION.findall(known) or v in figures for v in wanted)
        yield PrescriptionRecord(
            kind="version",
            text=item,
            file="environment.yaml",
            outcome="supported" if held else "struck",
            why="" if held else "the lab declares no such version and no evidence says it",
        )


def _requirements(path: Path) -> Iterator[str]:
    """Conda and pip requirements of an ``environment.yaml``, as written."""
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError):
        return
    items = content.get("dependencies", []) if isinstance(content, dict) else []
    for item in items if isinstance(items, list) else []:
        inner = item.get("pip", []) if isinstance(item, dict) else [item]
        yield from (str(text) for text in inner or [])


def _of_calls(draft: Draft, said: str) -> Iterator[tuple[PrescriptionRecord, tuple[str, int, Span, Span]]]:
    """Literal keyword arguments of the lab's callables: the default, used so by the lab, or in evidence."""
    used = released_code(draft.snapshot)
    for given in given_values(draft.skill, draft.snapshot):
        held = given.is_default or gives(given.text, used) or gives(given.text, said)
        record = PrescriptionRecord(
            kind="parameter",
            text=f"{given.callable}({given.text})",
            file=given.locus.path,
            line=given.line,
            outcome="supported" if held else "struck",
            why="" if held else f"the default is {given.default}; no example and no evidence says else",
        )
        keyword = given.keyword
        start = (keyword.lineno, keyword.col_offset)
        end = (keyword.end_lineno or keyword.lineno, keyword.end_col_offset or 0)
        yield record, (given.locus.path, given.block.line, start, end)
