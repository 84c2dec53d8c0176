"""What a skill's prescriptions can rest on: cited passages, its environment, what its code prints."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from labagent.models.skill import Block, Skill
from labagent.models.snapshot import Snapshot
from labagent.skills.figures import says
from labagent.skills.imports import normal
from labagent.skills.passages import Unresolved, passage
from labagent.skills.prescribed import Prescription

PRINTS = re.compile(r"\b(?:print\w*|echo\w*|display\w*|logged|shown)\b", re.IGNORECASE)
RULE = re.compile(
    r"\b(?:if|when|whenever|where|unless|otherwise|until|as long as|decision rule)\b", re.IGNORECASE
)
BOUND = re.compile(r"\b(?:below|above|fewer than|less than|more than|at least|at most)\b", re.IGNORECASE)
THEN = re.compile(
    r"\b(?:stop|go on|keep|drop|lower|raise|prefer|look|stratify|repeat|report|widen|switch|choose|take|use|"
    r"make|give|leave|exclude|add|refit|unstable)",
    re.IGNORECASE,
)
REASON = re.compile(
    r"\b(?:because|since|so that|so as|as|when(?:ever)?|if|where|unless|needs?|rather than|instead of|only|"
    r"protocol)\b",
    re.IGNORECASE,
)
PRINTING = re.compile(r"^.*\b(?:print|cat|message|echo|printf|format|summary|str)\b.*$", re.MULTILINE)
WORD = re.compile(r"[A-Za-z]{4,}")
STEM = 5
EMPTY = frozenset(
    word.removesuffix("s")[:STEM]
    for word in "print printed prints decision rule with where when whenever than least most below above "
    "this that from keep take drop then into threshold cutoff number used using show shown more less fewer "
    "over under otherwise unless until stop should must have each every".split()
)
NOTHING = "without evidence; cite what says it, or print the quantity and say how it decides"


class Support:
    """Judges prescriptions of one skill."""

    def __init__(
        self, folder: Path, skill: Skill, artifacts: Path | None = None, snapshot: Snapshot | None = None
    ) -> None:
        self.folder, self.skill = folder, skill
        self.artifacts, self.snapshot = artifacts, snapshot

    def why_not(self, item: Prescription) -> str:
        """Why a prescription is not supported; empty where it is."""
        cited = [self.passages[name] for name in item.cited if name in self.passages]
        if item.kind == "method":
            named = set(_stems(item.said.partition(" ")[2]))
            held = any(named & set(_stems(text)) for text in cited)
            return "" if held or REASON.search(item.sentence.text) else NOTHING
        if item.kind in {"package", "version"} and self._declares(item):
            return ""
        if any(_holds(text, item) for text in cited):
            return ""
        if self._decided(item):
            return ""
        names = ", ".join(item.cited)
        return f"but {names} does not say it; cite what does, or print it and decide" if cited else NOTHING

    @cached_property
    def passages(self) -> Mapping[str, str]:
        """The cited text of each piece of evidence; its own words where the place cannot be looked up."""
        found = {}
        for item in self.skill.evidence:
            said = " ".join((item.statement, *item.terms))
            if self.artifacts is not None and item.source.kind != "url":
                with suppress(Unresolved):  # the check of evidence says so
                    said = passage(item.source, self.artifacts)
            found[item.id] = said
        return found

    @cached_property
    def requirements(self) -> str:
        """The environment as it is written."""
        path = self.folder / "environment.yaml"
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Distributions that the environment declares."""
        found = re.findall(r"^\s*-\s*[\"']?([A-Za-z][\w.-]*\w)", self.requirements, re.MULTILINE)
        return tuple(dict.fromkeys(name for name in found if name != "pip"))

    @cached_property
    def printed(self) -> frozenset[str]:
        """Stems of the words in what the skill's blocks print."""
        said = [text for locus in self.skill.loci for block in locus.blocks for text in _printed(block)]
        return frozenset(_stems(" ".join(said)))

    def _declares(self, item: Prescription) -> bool:
        """Whether the environment declares a package or version, or the lab is that version."""
        if item.kind == "package":
            return normal(item.name) in {normal(name) for name in self.names}
        released = self.snapshot.version if self.snapshot else ""
        lab = " ".join((*self.skill.metadata.values(), self.requirements, released))
        return _has_version(lab, item.version)

    def _decided(self, item: Prescription) -> bool:
        """Whether a quantity is said to be printed, a block prints it, and the figure decides by a rule.

        It does so where it stands in a condition, or as a bound that something follows from.
        """
        if item.figure is None:
            return False
        sentence = item.sentence.text
        before, behind = sentence[: item.figure.start], sentence[item.figure.end :]
        rule = RULE.search(before) or (BOUND.search(before) and THEN.search(behind))
        stems = set(_stems(sentence)) - EMPTY
        return bool(rule and PRINTS.search(sentence) and stems & self.printed)


def _printed(block: Block) -> Iterator[str]:
    """The arguments of what a block prints with."""
    if block.language != "python":
        yield from PRINTING.findall(block.code)
        return
    try:
        tree = ast.parse(block.code)
    except (SyntaxError, ValueError):  # tier 2 says so
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in {"print", "write", "info", "pprint"}:
                yield from (ast.unparse(part) for part in node.args)


def _holds(text: str, item: Prescription) -> bool:
    """Whether a passage says a figure, a version or a package."""
    if item.figure:
        return says(text, item.figure)
    return _has_version(text, item.version) if item.version else item.name.casefold() in text.casefold()


def _has_version(text: str, version: str) -> bool:
    """Whether a version stands in a text, whole or as the beginning of a longer one."""
    return re.search(rf"(?<![\w.])v?{re.escape(version)}(?!\w)", text.replace("=", " ")) is not None


def _stems(text: str) -> Iterator[str]:
    """Beginnings of the words of four letters and more, names in code by their parts."""
    parted = re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", text)
    yield from (word.removesuffix("s")[:STEM].casefold() for word in WORD.findall(parted))
