"""Which data of the lab a quick start read, and changed copies of it made in the skill's own environment."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Literal

from labagent.environment import create_layer
from labagent.models.skill import QuickStart
from labagent.sandbox import Mount, open_sandbox
from labagent.skills.finding import Context
from labagent.skills.quick_run import Folders, Replaced, limits, site_packages
from labagent.skills.watching import Seen, below

Place = Literal["data", "skill", "packages"]
KINDS = ("values", "rows", "labels")
SAID = {"values": "numbers changed", "rows": "a tenth of the rows left out", "labels": "texts moved"}
PROGRAMS = {"perturb.py": "python", "perturb.R": "Rscript"}
SCRIPTS = ("perturb.py", "perturb_text.py", "perturb_values.py", "perturb.R")
R_DATA = frozenset({".rda", ".rdata", ".rds"})
NOT_DATA = frozenset(
    {".py", ".pyc", ".r", ".so", ".pth", ".pyi", ".sh", ".md", ".toml", ".cfg", ".c", ".h", ".exe"}
)
NAMED_LIKE_NONE = frozenset({"METADATA", "RECORD", "WHEEL", "PKG-INFO", "DESCRIPTION", "NAMESPACE"})
MAX_FILES, MAX_BYTES = 40, 64 << 20
SEED = 20
SECONDS = 300.0


@dataclass(frozen=True)
class Candidate:
    """A data file of the lab: where it lies in a run, its path there, and its path on the host."""

    place: Place
    name: str
    path: Path


def candidates(context: Context, start: QuickStart, folders: Folders, seen: Seen) -> list[Candidate]:
    """Data files of the lab that the quick start reads: those declared, and those seen to be read."""
    found: dict[Path, Candidate] = {}
    for name, path in _declared(start, folders):
        found[path] = Candidate("data", name, path)
    for path in seen.read:
        for candidate in _observed(context, folders, path):
            found.setdefault(candidate.path, candidate)
    fitting = (c for c in found.values() if _is_data(c.path) and c.path.stat().st_size <= MAX_BYTES)
    return sorted(fitting, key=lambda c: (c.place, c.name))[:MAX_FILES]


def _declared(start: QuickStart, folders: Folders) -> Iterator[tuple[str, Path]]:
    """The files of ``data``, by their path below ``$LABAGENT_DATA``."""
    for item in start.data:
        place = folders.data / Path(item).name
        files = sorted(place.rglob("*")) if place.is_dir() else [place]
        yield from (
            (f.relative_to(folders.data).as_posix(), f) for f in files if f.is_file() and not f.is_symlink()
        )


def _observed(context: Context, folders: Folders, path: Path) -> Iterator[Candidate]:
    """A file that was seen to be read, where it is the lab's own: in the skill, or in the lab's package."""
    assert context.built is not None and context.watch is not None
    prefix = Path(context.built.prefix)
    packages = site_packages(prefix)
    roots = set((context.watch / "roots.txt").read_text(encoding="utf-8").split())
    for place in (str(context.folder), "/skill"):
        inside = below(path, place)
        if inside.startswith("assets/"):
            yield Candidate("skill", inside, context.folder / inside)
    for place in (str(prefix), str(prefix.resolve()), "/env/base"):
        inside = below(path, f"{place}/{packages.relative_to(prefix).as_posix()}")
        if inside.split("/")[0] in roots:
            yield Candidate("packages", inside, packages / inside)
    staged = {p.name for p in folders.data.rglob("*")}
    for place in (str(folders.run), "/run"):
        for copy in ("overlay", "source"):
            inside = below(path, f"{place}/{copy}")
            if inside and PurePosixPath(inside).name not in staged:
                yield from _under_copy(context, packages, inside)


def _under_copy(context: Context, packages: Path, inside: str) -> Iterator[Candidate]:
    """The file that a copy in the run's folder was made from: in the skill, or in an installed package."""
    source = f"assets/source/{inside}"
    if (context.folder / source).is_file():
        yield Candidate("skill", source, context.folder / source)
    elif (packages / inside).is_file():
        yield Candidate("packages", inside, packages / inside)


def _is_data(path: Path) -> bool:
    """Whether a file exists and is neither code nor a package's own record."""
    record = path.name in NAMED_LIKE_NONE or ".dist-info" in str(path)
    return path.is_file() and not path.is_symlink() and path.suffix.lower() not in NOT_DATA and not record


@dataclass(frozen=True)
class Perturbed:
    """Changed copies: what takes whose place, the names of changed files, why others are as they were."""

    replaced: Replaced
    changed: tuple[str, ...]
    why_not: tuple[str, ...]


def perturb(context: Context, found: Sequence[Candidate], kind: str, place: Path) -> Perturbed:
    """Changed copies of data files.

    Args:
        context: of the validation; its environment runs the change, since it reads its own formats.
        found: the files.
        kind: one of ``KINDS``.
        place: a new folder for the copies.

    Raises:
        InfrastructureError: the sandbox cannot be set up.
    """
    names = [f"{n:02d}{_ending(candidate.name)}" for n, candidate in enumerate(found)]
    _lay_out(found, names, place)
    said = _run(context, kind, place)
    replaced = Replaced({}, {}, {})
    changed, why = list[str](), list[str]()
    for candidate, name in zip(found, names, strict=True):
        new, shown = place / "work" / "new" / name, PurePosixPath(candidate.name).name
        count, reason = said.get(f"old/{name}", (0, "could not be changed"))
        if count > 0 and new.is_file() and not new.is_symlink():
            getattr(replaced, candidate.place)[candidate.name] = new
            changed.append(shown)
        elif reason:
            why.append(f"{shown}: {reason[:120]}")
    return Perturbed(replaced, tuple(changed), tuple(why))


def _ending(name: str) -> str:
    """The ending of a file's name, which says its format; two where it is compressed."""
    return "".join(s for s in PurePosixPath(name).suffixes[-2:] if re.fullmatch(r"\.[A-Za-z]\w{0,9}", s))


def _lay_out(found: Sequence[Candidate], names: Sequence[str], place: Path) -> None:
    """The files under numbered names, the scripts, and a list for each program that changes some."""
    work = place / "work"
    for folder in (work / "old", work / "new", work / "scripts", place / "home", place / "tmp"):
        folder.mkdir(parents=True)
    for script in SCRIPTS:
        text = resources.files("labagent.skills").joinpath("resources", script).read_text("utf-8")
        (work / "scripts" / script).write_text(text, encoding="utf-8")
    lists: dict[str, list[str]] = {}
    for candidate, name in zip(found, names, strict=True):
        shutil.copyfile(candidate.path, work / "old" / name)
        script = "perturb.R" if Path(name).suffix.lower() in R_DATA else "perturb.py"
        lists.setdefault(script, []).append(f"old/{name}\tnew/{name}\n")
    for script, rows in lists.items():
        (work / f"{script}.tsv").write_text("".join(rows), encoding="utf-8")


def _run(context: Context, kind: str, place: Path) -> dict[str, tuple[int, str]]:
    """Run the scripts in the sandbox; how much changed and, where nothing, why; by the name of the file."""
    assert context.built is not None
    layer = create_layer(context.built, place / "layer")
    mounts = [
        Mount(place / "work", "/work", writable=True),
        Mount(place / "home", "/home/agent", writable=True),
        Mount(place / "tmp", "/tmp", writable=True),
        *layer.mounts,
    ]
    sandbox = open_sandbox(
        context.sandbox,
        mounts=mounts,
        variables=layer.variables,
        cwd="/work",
        limits=limits(context, SECONDS),
    )
    said: dict[str, tuple[int, str]] = {}
    try:
        for script, program in PROGRAMS.items():
            if (place / "work" / f"{script}.tsv").exists():
                output = place / f"{script}.txt"
                command = f"{program} scripts/{script} {kind} {SEED} < {script}.tsv"
                sandbox.run(command, output=output, seconds=SECONDS)
                said |= _parse(output.read_text(encoding="utf-8", errors="replace"))
    finally:
        sandbox.close()
    return said


def _parse(text: str) -> dict[str, tuple[int, str]]:
    """What a script printed: file, count, and perhaps a reason."""
    rows = [line.split("\t") for line in text.split("\n") if line.startswith("old/")]
    return {r[0]: (int(r[1]), "".join(r[2:])) for r in rows if len(r) > 1 and r[1].isdecimal()}
