"""What a draft prescribes, and whether a source says so: computed, whatever the model claims."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from labagent.explore.agent.evidence import NUMBER
from labagent.models.exploration import PrescriptionRecord
from labagent.models.skill import Evidence, Skill
from labagent.models.snapshot import Snapshot
from labagent.skills.blocks import prose
from labagent.skills.calls import call_sites, defined_as
from labagent.skills.checks.citations import cited_in
from labagent.skills.checks.prescriptions import THRESHOLD, VERSION
from labagent.skills.frontmatter import ROOT
from labagent.skills.imports import normal
from labagent.skills.passages import Unresolved, passage

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
    passages = draft.passages()
    said = " ".join(passages.values())
    return [
        *_of_text(draft, passages),
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


def paragraphs(text: str) -> Iterator[list[tuple[int, str]]]:
    """Lines outside fences up to the next blank one; each item of a list or row of a table stands alone.

    A frontmatter is left out.
    """
    paragraph: list[tuple[int, str]] = []
    head = text.startswith("---\n")
    for number, line in prose(text):
        if head:
            head = number == 1 or line.rstrip() != "---"
            continue
        if not line.strip() or line.lstrip().startswith(("- ", "* ", "| ")):
            yield paragraph
            paragraph = []
        if line.strip():
            paragraph.append((number, line))
    yield paragraph


def _of_text(draft: Draft, passages: Mapping[str, str]) -> Iterator[PrescriptionRecord]:
    """Thresholds and versions in prose: a cited passage must hold the very figure."""
    for file, text in draft.texts():
        for paragraph in paragraphs(text):
            cited = tuple(dict.fromkeys(name for _, line in paragraph for name in cited_in(line)))
            figures = {figure for name in cited for figure in NUMBER.findall(passages.get(name, ""))}
            for number, line in paragraph:
                match = THRESHOLD.search(line) or VERSION.search(line)
                if match:
                    kind = "threshold" if THRESHOLD.search(line) else "version"
                    held = bool(cited) and set(NUMBER.findall(match.group())) <= figures
                    yield PrescriptionRecord(
                        kind=kind,
                        text=line.strip(),
                        file=file,
                        line=number,
                        outcome="supported" if held else "struck",
                        evidence=cited if held else (),
                        why="" if held else UNSAID if cited else "nothing is cited",
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
    used = "\n".join(example.code for example in draft.snapshot.examples)
    for locus in draft.skill.loci:
        for block in (b for b in locus.blocks if b.language == "python"):
            try:
                tree = ast.parse(block.code)
            except SyntaxError:
                continue
            for site in call_sites(tree, draft.snapshot):
                for keyword in site.node.keywords if site.node else ():
                    default = _default(draft.snapshot, site.name, keyword.arg)
                    if default is None or not isinstance(keyword.value, ast.Constant):
                        continue
                    text = f"{keyword.arg}={ast.unparse(keyword.value)}"
                    held = _same(default, keyword.value) or _says(text, used) or _says(text, said)
                    record = PrescriptionRecord(
                        kind="parameter",
                        text=f"{site.name}({text})",
                        file=locus.path,
                        line=block.line + keyword.lineno - 1,
                        outcome="supported" if held else "struck",
                        why="" if held else f"the default is {default}; no example and no evidence says else",
                    )
                    start = (keyword.lineno, keyword.col_offset)
                    end = (keyword.end_lineno or keyword.lineno, keyword.end_col_offset or 0)
                    yield record, (locus.path, block.line, start, end)


def _default(snapshot: Snapshot, name: str, parameter: str | None) -> str | None:
    """The default of a parameter as source text; ``None`` where there is none or it is not known."""
    entry = snapshot.objects.get(name) or snapshot.objects.get(defined_as(name, snapshot))
    found = next((p for p in entry.parameters if p.name == parameter), None) if entry else None
    return found.default if found else None


def _same(default: str, value: ast.Constant) -> bool:
    """Whether a literal is the default."""
    try:
        return bool(ast.literal_eval(default) == value.value)
    except (ValueError, SyntaxError):
        return default == ast.unparse(value)


def _says(text: str, where: str) -> bool:
    """Whether ``name=value`` stands somewhere, with any blanks and either kind of quotes."""
    name, _, value = text.partition("=")
    pattern = rf"\b{re.escape(name)}\s*=\s*{re.escape(value)}(?![\w.])"
    return re.search(pattern, where) is not None or re.search(pattern, where.replace('"', "'")) is not None
