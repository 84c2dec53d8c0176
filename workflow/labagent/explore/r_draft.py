"""A released R example as a skill's files, each part with its evidence."""

from __future__ import annotations

import re
import shutil
from pathlib import Path, PurePosixPath
from typing import Any

from labagent.explore.data_files import DataFile
from labagent.explore.evidence_book import EvidenceBook
from labagent.explore.r_usage import BASE, RUsage
from labagent.explore.usage_draft import LOCI, plain
from labagent.explore.writing import render, write_skill
from labagent.files import fresh_folder
from labagent.models.snapshot import Snapshot

PARTS = ("DESCRIPTION", "NAMESPACE", "R", "src", "data", "inst", "configure", "cleanup", "LICENSE")
MAX_BYTES = 50 << 20
TEMPLATES = {"environment": "environment-r", "method": "method-r", "run": "run-r"}


class RDraft:
    """What an R usage and a snapshot give for the templates."""

    def __init__(
        self, skill: str, explorer: str, origin: str, snapshot: Snapshot, usage: RUsage, artifacts: Path
    ) -> None:
        self.skill, self.explorer, self.origin = skill, explorer, origin
        self.snapshot, self.usage, self.artifacts = snapshot, usage, artifacts
        self.book = EvidenceBook(artifacts)

    def write(self, folder: Path) -> str:
        """Write the skill's folder; the reason where the package cannot be brought along."""
        values = self._values()
        loci = {name: render(f"{TEMPLATES.get(name, name)}.md.j2", values) for name in LOCI}
        write_skill(
            folder,
            root=render("SKILL.md.j2", values),
            loci=loci,
            environment=self._environment(),
            evidence=self.book.items,
            quickstart={
                "data": [file.path for file in self.usage.read],
                "protocol": {},
                "outputs": [{"file": "results.json", "keys": self._expected()}],
                "seconds": 900,
            },
            scripts=("harvest.py", "overlay.py", "harvest.R"),
        )
        return self._copy_package(folder / "assets" / "source" / self.snapshot.distribution)

    def _values(self) -> dict[str, Any]:
        """All that the templates use."""
        usage, name = self.usage, self.snapshot.distribution
        called = [item.partition("::")[2] for item in usage.called]
        summary = plain(self.snapshot.summary)[:300]
        description = (
            f"Runs the R package {name} ({summary}) as its released example does: {', '.join(called[:8])}. "
            "Use when a task asks for a result of this method on such data."
        )
        files = [self._file(file) for file in usage.read]
        return {
            "skill": self.skill,
            "description": description,
            "licence": "",
            "lab": name,
            "origin": plain(self.origin),
            "explorer": self.explorer,
            "title": f"{name} as released",
            "distribution": name,
            "version": self.snapshot.version,
            "called": [f"`{item}`" for item in called[:8]],
            "where": "; ".join(f"`{p.file}` lines {p.first_line}-{p.last_line}" for p in usage.pieces),
            "loci": [{"name": item, "does": does} for item, does in LOCI.items()],
            "data": files,
            "read": files,
            "loaded": [],
            "read_names": repr(sorted(file.name for file in usage.read)),
            "dependencies": [self._dependency(package) for package in self._needed()],
            "wanted_packages": ", ".join(f'"{item}"' for item in (name, *self._needed())),
            "calls": [{"name": f"{name}::{item}", "cite": self._cite_definition(item)} for item in called],
            "called_names": ", ".join(f'"{item}"' for item in called),
            "pieces": [{"cite": self._cite_piece(piece)} for piece in usage.pieces],
            "code": self._code(),
            "results": ", ".join(f'"{item}"' for item in usage.results),
            "expected": repr(self._expected()),
        }

    def _code(self) -> str:
        """The usage's expressions, and a print after each assignment."""
        lines = []
        for text, name in self.usage.code:
            lines.append(text)
            if name:
                lines.append(f'describe("{name}", {name})')
        return "\n".join(lines)

    def _expected(self) -> list[str]:
        """The last variable that is assigned from a call of the package."""
        called = {item.partition("::")[2] for item in self.usage.called}
        made = [n for text, n in self.usage.code if n and called & set(re.findall(r"[\w.]+(?=\()", text))]
        return made[-1:] or list(self.usage.results[-1:])

    def _needed(self) -> list[str]:
        """Packages that the lab imports or the example attaches."""
        declared = {d.name for d in self.snapshot.dependencies if d.ecosystem == "r" and not d.extra}
        return sorted((declared | set(self.usage.packages)) - BASE - {"R", self.snapshot.distribution})

    def _environment(self) -> dict[str, Any]:
        """``environment.yaml``: R, what the package needs, and Python for the steps that count."""
        packages = [f"r-{name.lower()}" for name in self._needed()]
        return {
            "channels": ["conda-forge", "nodefaults"],
            "dependencies": ["python=3.11", "pip", "r-base", *packages],
        }

    def _file(self, file: DataFile) -> dict[str, str]:
        """A data file with its evidence."""
        lines = (file.line, file.line)
        cite = self.book.cite(
            f"{file.name} is the data file that is read", file.named_in, lines, (file.term,)
        )
        return {"name": file.name, "cite": cite}

    def _dependency(self, name: str) -> dict[str, str]:
        """A package with the place that declares it."""
        declared = next((d for d in self.snapshot.dependencies if d.name == name), None)
        lines = (declared.line, declared.line) if declared else (0, 0)
        cite = (
            self.book.cite(f"{name} is a declared dependency", declared.file, lines, (name,))
            if declared
            else ""
        )
        return {"name": f"`{name}`", "cite": cite}

    def _cite_definition(self, name: str) -> str:
        """Evidence for a function: where it is defined."""
        entry = self.snapshot.objects[f"{self.snapshot.distribution}::{name}"]
        return self.book.cite_near(f"{name} is defined", entry.file, entry.line, name)

    def _cite_piece(self, piece: Any) -> str:
        """Evidence for a part of the usage: the functions that it calls."""
        names = {item.partition("::")[2] for item in self.usage.called}
        terms = tuple(sorted(names & set(re.findall(r"[\w.]+", piece.code))))
        if not terms:
            return ""
        lines = (piece.first_line, piece.last_line)
        return self.book.cite(f"released usage of {', '.join(terms)}", piece.file, lines, terms)

    def _copy_package(self, target: Path) -> str:
        """Copy what is needed to install the package; the reason where that is too much."""
        entry = self.snapshot.objects[self.usage.called[0]]
        parts = PurePosixPath(entry.file).parts
        at = len(parts) - 1 - parts[::-1].index("R") if "R" in parts else 0
        root = (self.artifacts / "repository").joinpath(*parts[:at])
        sources = [root / name for name in PARTS if (root / name).exists()]
        files = [p for s in sources for p in ([s] if s.is_file() else s.rglob("*")) if p.is_file()]
        if sum(path.stat().st_size for path in files) > MAX_BYTES:
            return f"the R package is larger than {MAX_BYTES >> 20} MiB"
        fresh_folder(target)
        for source in sources:
            if source.is_dir():
                shutil.copytree(source, target / source.name, ignore=_links)
            elif not source.is_symlink():
                shutil.copyfile(source, target / source.name)
        return ""


def _links(folder: str, names: list[str]) -> list[str]:
    """Names that are links; they are left out."""
    return [name for name in names if (Path(folder) / name).is_symlink()]
