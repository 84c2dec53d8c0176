"""A released command as a skill's files, each part with its evidence."""

from __future__ import annotations

import re
import shutil
from pathlib import Path, PurePosixPath
from typing import Any

from labagent.explore.command_usage import CommandUsage
from labagent.explore.commands import guard_line
from labagent.explore.data_files import DataFile, Repository, is_data
from labagent.explore.evidence_book import EvidenceBook
from labagent.explore.requirements import ON_INDEX, Needs, needs
from labagent.explore.usage_draft import LOCI, plain
from labagent.explore.writing import render, write_skill
from labagent.files import list_files
from labagent.models.snapshot import Snapshot

DOES = {
    **LOCI,
    "data": "copies the released files and lays the staged ones over them",
    "method": "compares the options used with those the script has",
    "run": "runs the released command and reads the numbers it leaves",
}
TEMPLATES = {name: f"{name}-command" for name in ("data", "method", "run")}
LEFT_OUT = frozenset(
    {".git", ".github", ".idea", "docs", "doc", "__pycache__", ".ipynb_checkpoints", "node_modules"}
)
NOT_NEEDED = frozenset(
    {".ipynb", ".pdf", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".pyc", ".html", ".zip", ".tar"}
)
MAX_BYTES, SMALL = 50 << 20, 1 << 20
SHOWN = 12


class CommandDraft:
    """What a command, a snapshot and an origin give for the templates."""

    def __init__(
        self, skill: str, explorer: str, origin: str, snapshot: Snapshot, usage: CommandUsage, artifacts: Path
    ) -> None:
        self.skill, self.explorer, self.origin = skill, explorer, origin
        self.snapshot, self.usage, self.artifacts = snapshot, usage, artifacts
        self.repository = artifacts / "repository"
        self.book = EvidenceBook(artifacts)
        self.installed = bool(usage.command.program and ON_INDEX.match(origin))
        self.needs: Needs = (
            needs(snapshot, origin, ())
            if self.installed
            else needs(snapshot, origin, usage.imports, from_source=True, only_imports=True)
        )

    def write(self, folder: Path) -> str:
        """Write the skill's folder; the reason where the released files are too many to bring along."""
        values = self._values()
        loci = {name: render(f"{TEMPLATES.get(name, name)}.md.j2", values) for name in DOES}
        write_skill(
            folder,
            root=render("SKILL.md.j2", values),
            loci=loci,
            environment=self.needs.environment(),
            evidence=self.book.items,
            quickstart={
                "data": [file.path for file in self._staged()],
                "protocol": {},
                "outputs": [{"file": "results.json"}],
                "seconds": 900,
            },
            scripts=("overlay.py", "workspace.py"),
        )
        return self._copy(folder / "assets" / "source")

    def _staged(self) -> list[DataFile]:
        """The data files whose name stands for one file only; the others stay in the skill's copy."""
        names = [PurePosixPath(path).name for path in self._files()]
        return [file for file in self.usage.read if names.count(file.name) == 1][:SHOWN]

    def _values(self) -> dict[str, Any]:
        """All that the templates use; the order in which evidence is cited gives its numbers."""
        command, name = self.usage.command, self.snapshot.distribution or self.skill
        script = PurePosixPath(command.script).name
        files = [self._file(file) for file in self._staged()]
        return {
            "skill": self.skill,
            "description": f"Runs {plain(command.text)[:200]} of {name} as released. "
            "Use when a task asks for what this script computes on such data.",
            "licence": self.snapshot.licence
            if re.fullmatch(r"[\w.+ -]{1,60}", self.snapshot.licence)
            else "",
            "lab": name,
            "origin": plain(self.origin),
            "explorer": self.explorer,
            "title": f"{name}: {script} as released",
            "distribution": name,
            "version": "",
            "installed": False,
            "stands_in": False,
            "called": [f"`{plain(command.text)}` {self._cite_command()}".rstrip()],
            "where": f"`{command.file}` line {command.line}",
            "loci": [{"name": item, "does": does} for item, does in DOES.items()],
            "data": files,
            "read": files,
            "dependencies": [self._dependency(r) for r in self.needs.others],
            "distributions": repr(sorted(r.name for r in (*self._own(), *self.needs.others))),
            "script": command.script,
            "script_cite": self._cite_script(),
            "option_cites": [f"`{option}`{self._cite_option(option)}" for option in command.options],
            "modules": self.usage.modules[:SHOWN],
            "module_list": repr(list(self.usage.modules[:SHOWN])),
            "options": repr(list(command.options)),
            "command": command.text if self.installed else command.without_installation,
            "on_path": not self.installed,
            "cite": self._cite_command(),
            "expected": "[]",
        }

    def _own(self) -> list[Any]:
        """The lab's own distribution, where it is installed."""
        return [self.needs.own] if self.needs.own else []

    def _file(self, file: DataFile) -> dict[str, str]:
        """A data file with its evidence."""
        lines = (file.line, file.line)
        cite = self.book.cite(f"{file.name} is a data file that is read", file.named_in, lines, (file.term,))
        return {"name": file.name, "cite": cite}

    def _dependency(self, requirement: Any) -> dict[str, str]:
        """A dependency with the place that declares it, or that imports it."""
        declared = requirement.declared
        if declared is None:
            return {"name": f"`{requirement.name}`", "cite": ""}
        lines = (declared.line, declared.line)
        cite = self.book.cite(
            f"{declared.name} is a declared dependency", declared.file, lines, (declared.name,)
        )
        return {"name": f"`{requirement.text}`", "cite": cite}

    def _cite_command(self) -> str:
        """Evidence for the command: the line that names the script."""
        command = self.usage.command
        if command.file == command.script:
            return self._cite_script()
        terms = (command.program or PurePosixPath(command.script).name, *command.options[:4])
        return self.book.cite(
            "the released command", command.file, (command.line, command.line + 4), terms
        ) or (self.book.cite("the released command", command.file, (command.line, command.line), terms[:1]))

    def _cite_script(self) -> str:
        """Evidence for the script: the line from which it runs."""
        script, target = self.usage.command.script, self.usage.command.target
        if target:
            name = target.partition(":")[2]
            rows = (self.repository / script).read_text(encoding="utf-8", errors="replace").split("\n")
            line = next((n for n, row in enumerate(rows, 1) if f"def {name}" in row), 0)
            return self.book.cite(f"{name} is called", script, (line, line), (name,)) if line else ""
        tree = Repository(self.repository, [script]).tree(script) if script.endswith(".py") else None
        line = guard_line(tree) if tree else 0
        return (
            self.book.cite(f"{script} runs as a program", script, (line, line), ("__main__",)) if line else ""
        )

    def _cite_option(self, option: str) -> str:
        """Evidence for an option: the line of the script that names it."""
        for path in self.usage.modules:
            rows = (self.repository / path).read_text(encoding="utf-8", errors="replace").split("\n")
            line = next(
                (n for n, row in enumerate(rows, 1) if f'"{option}"' in row or f"'{option}'" in row), 0
            )
            if line:
                return f" {self.book.cite(f'{option} is an option', path, (line, line), (option,))}"
        return ""

    def _files(self) -> list[str]:
        """Released files that come along: code and settings, data that is read or small."""
        read = {file.path for file in self.usage.read}
        kept = []
        for path in list_files(self.repository):
            name = path.relative_to(self.repository)
            small = path.stat().st_size <= SMALL and path.suffix.lower() not in NOT_NEEDED
            if name.as_posix() in read or (small and not LEFT_OUT & set(name.parts)):
                kept.append(name.as_posix())
        return kept

    def _copy(self, target: Path) -> str:
        """Copy the released files; the reason where they are too many."""
        files = self._files()
        size = sum((self.repository / name).stat().st_size for name in files)
        if size > MAX_BYTES:
            files = [n for n in files if not is_data(n) or n in {f.path for f in self.usage.read}]
            size = sum((self.repository / name).stat().st_size for name in files)
        if size > MAX_BYTES:
            return (
                f"the released files are larger than {MAX_BYTES >> 20} MiB and cannot be copied into a skill"
            )
        for name in files:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self.repository / name, target / name)
        return ""
