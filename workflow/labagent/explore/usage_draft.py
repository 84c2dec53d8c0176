"""A released example as a skill's files, each part with its evidence."""

from __future__ import annotations

import ast
import pprint
import re
from pathlib import Path
from typing import Any

from labagent.explore.data_files import DataFile
from labagent.explore.evidence_book import EvidenceBook
from labagent.explore.names import assigned_names
from labagent.explore.requirements import Needs, needs
from labagent.explore.usage import Usage
from labagent.explore.writing import render, write_skill
from labagent.models.snapshot import Example, Snapshot
from labagent.skills.calls import CallSite

LOCI = {
    "environment": "prints the versions installed and stops when one is missing",
    "data": "lists the staged files with sizes and hashes and lays them in place",
    "method": "compares the signatures installed with the keywords used",
    "run": "runs the released usage on the staged data and harvests all numbers",
    "quality-control": "counts and ranges of what was left, and what is absent",
    "report": "writes results.json, with a list to check before submitting",
}
SHOWN_CALLS = 12


class UsageDraft:
    """What a usage, a snapshot and an origin give for the templates.

    ``release`` is the origin of a release that is installed in place of the staged files.
    """

    def __init__(
        self,
        skill: str,
        explorer: str,
        origin: str,
        snapshot: Snapshot,
        usage: Usage,
        artifacts: Path,
        from_source: bool = False,
        release: str = "",
    ) -> None:
        self.skill, self.explorer, self.origin = skill, explorer, origin
        self.snapshot, self.usage = snapshot, usage
        self.release = release
        self.needs: Needs = needs(snapshot, release or origin, usage.imports, from_source)
        self.book = EvidenceBook(artifacts)
        self.calls = _distinct(usage.sites)

    def write(self, folder: Path) -> None:
        """Write the skill's folder."""
        values = self._values()
        loci = {name: render(f"{name}.md.j2", values) for name in LOCI}
        write_skill(
            folder,
            root=render("SKILL.md.j2", values),
            loci=loci,
            environment=self.needs.environment(),
            evidence=self.book.items,
            quickstart={
                "data": [f.path for f in self._data()],
                "protocol": {},
                "outputs": [{"file": "results.json", "keys": list(self._expected())}],
                "seconds": 900,
            },
        )

    def _data(self) -> list[DataFile]:
        """All files to be staged."""
        return [*self.usage.read, *self.usage.loaded]

    def _values(self) -> dict[str, Any]:
        """All that the templates use; the order in which evidence is cited gives its numbers."""
        usage, name = self.usage, self.snapshot.distribution or self.skill
        called = sorted({site.name.rsplit(".", 1)[-1] for site in self.calls})
        summary = " ".join(self.snapshot.summary.split())[:300].rstrip(".")
        description = (
            f"Runs {name}{f' ({plain(summary)})' if summary else ''} as its released example does: "
            f"{', '.join(called[:8])}. Use when a task asks for a result of this method on such data."
        )
        return {
            "skill": self.skill,
            "description": description,
            "licence": self.snapshot.licence
            if re.fullmatch(r"[\w.+ -]{1,60}", self.snapshot.licence)
            else "",
            "lab": name,
            "origin": plain(self.origin),
            "explorer": self.explorer,
            "title": f"{name} as released",
            "distribution": name,
            "version": self.snapshot.version if self.needs.installed else "",
            "installed": self.needs.installed,
            "stands_in": bool(self.release),
            "called": [f"`{item}`" for item in called[:8]],
            "where": "; ".join(f"`{p.file}` lines {p.first_line}-{p.last_line}" for p in usage.pieces),
            "loci": [{"name": item, "does": does} for item, does in LOCI.items()],
            "data": [self._file(f) for f in self._data()],
            "read": [self._file(f) for f in usage.read],
            "loaded": [self._file(f) for f in usage.loaded],
            "read_names": repr(sorted(f.name for f in usage.read)),
            "loaders": [f"`{n}`" for n in self._loaders()],
            "package": self._package(),
            "dependencies": [self._dependency(r) for r in self.needs.others],
            "distributions": repr(sorted(r.name for r in self._requirements())),
            "calls": [{"name": f"`{s.name}`", "cite": self._cite_definition(s)} for s in self.calls],
            "wanted": pprint.pformat(self._wanted(), width=100, sort_dicts=True),
            "pieces": [{"cite": self._cite_piece(p)} for p in usage.pieces],
            "code": self._code(),
            "results": repr(sorted(usage.results)),
            "expected": repr(self._expected()),
        }

    def _requirements(self) -> list[Any]:
        """The lab's own distribution and the others."""
        return [*([self.needs.own] if self.needs.own else []), *self.needs.others]

    def _package(self) -> str:
        """The import name of the package that holds the loaded data."""
        if not self.usage.loaded:
            return ""
        parts = Path(self.usage.loaded[0].path).parts
        return parts[1] if parts[0] == "src" else parts[0]

    def _loaders(self) -> list[str]:
        """Names of the loaders called: functions whose source names a data file."""
        sources = {f.named_in for f in self.usage.loaded}
        named = {s.name for s in self.calls if (o := self.snapshot.objects.get(s.name)) and o.file in sources}
        return sorted(n.rsplit(".", 1)[-1] for n in named)

    def _expected(self) -> list[str]:
        """The variable that must give numbers.

        The last that a method of an object of the lab returned; else the last such object; else the last that
        any function of the lab returned.
        """
        strong, weak = list[str](), list[str]()
        lines = {s.node: s for s in self.usage.sites if s.node is not None}
        for statement in self.usage.statements:
            value = getattr(statement, "value", None)
            site = lines.get(value) if isinstance(value, ast.Call) else None
            if site is not None:
                (strong if site.through_instance else weak).extend(assigned_names(statement))
        return strong[-1:] or self._used_objects()[-1:] or weak[-1:]

    def _used_objects(self) -> list[str]:
        """Variables that hold an object of the lab of which a method is called, as ``model.fit(data)``."""
        called = (s.node.func for s in self.usage.sites if s.through_instance and s.node is not None)
        owners = (
            f.value.id for f in called if isinstance(f, ast.Attribute) and isinstance(f.value, ast.Name)
        )
        return [name for name in dict.fromkeys(owners) if name in self.usage.results]

    def _wanted(self) -> dict[str, list[str]]:
        """Keywords used, by callable."""
        found: dict[str, set[str]] = {}
        for site in self.usage.sites:
            if site.node is not None and site.name in self.snapshot.objects:
                found.setdefault(site.name, set()).update(k.arg for k in site.node.keywords if k.arg)
        return {name: sorted(keywords) for name, keywords in found.items()}

    def _code(self) -> str:
        """The usage's code with staged paths, and a print after each statement that binds a name."""
        module = _Staged({f.path: f.name for f in self.usage.read}, self.usage).visit(
            ast.parse(self.usage.code)
        )
        lines = []
        for statement in ast.fix_missing_locations(module).body:
            lines.append(ast.unparse(statement))
            lines += [
                f'harvest.describe("{n}", {n})'
                for n in dict.fromkeys(assigned_names(statement))
                if n in self.usage.results
            ]
        return "\n".join(lines)

    def _file(self, file: DataFile) -> dict[str, str]:
        """A data file with its evidence."""
        lines = (file.line, file.line)
        cite = self.book.cite(
            f"{file.name} is the data file that is read", file.named_in, lines, (file.term,)
        )
        return {"name": file.name, "cite": cite}

    def _dependency(self, requirement: Any) -> dict[str, str]:
        """A dependency with the place that declares it."""
        declared = requirement.declared
        if declared is None:
            return {"name": f"`{requirement.name}`", "cite": ""}
        cite = self.book.cite(
            f"{declared.name} is a declared dependency",
            declared.file,
            (declared.line, declared.line),
            (declared.name,),
        )
        return {"name": f"`{requirement.text}`", "cite": cite}

    def _cite_definition(self, site: CallSite) -> str:
        """Evidence for a callable: where it is defined."""
        entry = self.snapshot.objects.get(site.name)
        if entry is None:
            return ""
        last = entry.name.rsplit(".", 1)[-1]
        return self.book.cite_near(f"{site.name} is defined", entry.file, entry.line, last)

    def _cite_piece(self, piece: Example) -> str:
        """Evidence for a part of the usage: the names of the lab that it calls."""
        terms = sorted({s.name.rsplit(".", 1)[-1] for s in self.calls} & set(re.findall(r"\w+", piece.code)))
        statement = f"released usage of {', '.join(terms)}" if terms else "released usage"
        lines = (piece.first_line, piece.last_line)
        first = next((w for w in re.findall(r"\w{3,}", piece.code)), "")
        return self.book.cite(statement, piece.file, lines, tuple(terms) or (first,))


class _Staged(ast.NodeTransformer):
    """Puts the staged file in place of each path that is read."""

    def __init__(self, names: dict[str, str], usage: Usage) -> None:
        self.names = set(names.values())

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """Texts that end in a staged file's name; places to write to, which stay in the current folder."""
        if isinstance(node.value, str) and node.value.startswith(("../", "/tmp/")):
            name = node.value.rsplit("/", 1)[-1]
            if name not in self.names:
                return ast.Constant(node.value.removeprefix("/tmp/").replace("../", "") or "output")
        if isinstance(node.value, str) and node.value.rsplit("/", 1)[-1] in self.names:
            name = node.value.rsplit("/", 1)[-1]
            return ast.parse(f'harvest.data_path("{name}")', mode="eval").body
        return node


def _distinct(sites: tuple[CallSite, ...]) -> list[CallSite]:
    """One site a name that is called."""
    found: dict[str, CallSite] = {}
    for site in sites:
        if site.node is not None:
            found.setdefault(site.name, site)
    return list(found.values())[:SHOWN_CALLS]


def plain(text: str) -> str:
    """Text that can stand in a quoted line: no line breaks, quotes or markup."""
    return re.sub(r"[^\w .,;:()/@=+-]", "", " ".join(text.split()))
