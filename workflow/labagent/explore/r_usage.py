"""Choosing the released example that best shows how a lab's R package is used."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from labagent.explore.data_files import DataFile, Repository, is_data
from labagent.explore.r_code import Expression, expressions, packages, replaced
from labagent.explore.usage import ORIGINS
from labagent.models.snapshot import Example, Snapshot

BASE = frozenset(
    {"base", "stats", "utils", "methods", "graphics", "grDevices", "datasets", "grid", "parallel", "splines"}
    | {"stats4", "tools", "tcltk", "compiler"}
)
LOADABLE = (".rda", ".RData", ".Rdata", ".rdata")
MAX_EXPRESSIONS = 60


@dataclass(frozen=True)
class RUsage:
    """An R example, cleaned and judged. Without ``problems`` it can be run as it is."""

    pieces: tuple[Example, ...]
    code: tuple[tuple[str, str], ...]
    called: tuple[str, ...]
    read: tuple[DataFile, ...]
    packages: tuple[str, ...]
    results: tuple[str, ...]
    problems: tuple[str, ...]
    score: float

    @property
    def where(self) -> str:
        """The files and lines the example stands in."""
        return "; ".join(f"{p.file}:{p.first_line}-{p.last_line}" for p in self.pieces)


def r_usages(snapshot: Snapshot, repository: Repository) -> list[RUsage]:
    """All R examples as usages, best first: each file's blocks up to one that calls the package."""
    files: dict[str, list[Example]] = {}
    for example in snapshot.examples:
        if example.language == "r" and example.origin != "test":
            files.setdefault(example.file, []).append(example)
    judged = [
        usage
        for blocks in files.values()
        for usage in _of_file(sorted(blocks, key=lambda e: e.first_line), snapshot, repository)
    ]
    return sorted(judged, key=lambda u: (bool(u.problems), -u.score, u.where))


def _of_file(blocks: list[Example], snapshot: Snapshot, repository: Repository) -> list[RUsage]:
    """The blocks of a file, taken together up to each in turn."""
    parsed = [(block, expressions(block.code)) for block in blocks]
    found = [_judge(parsed[: last + 1], snapshot, repository) for last in range(len(parsed))]
    return [usage for usage in found if usage is not None]


def _judge(
    parsed: list[tuple[Example, list[Expression]]], snapshot: Snapshot, repository: Repository
) -> RUsage | None:
    """Blocks as a usage; ``None`` where they do not call the package."""
    chain = tuple(block for block, _ in parsed)
    kept = [e for _, listed in parsed for e in listed if not e.draws and not _is_setting(e)]
    lab = {name.partition("::")[2]: name for name in snapshot.objects if "::" in name}
    calls = [lab[c] for e in kept for n in e.called if (c := n.rpartition("::")[2]) in lab]
    if not calls:
        return None
    read, code, problems = list[DataFile](), list[tuple[str, str]](), list[str]()
    for name, path in _data_sets(kept, repository).items():
        read.append(_file(path, name, chain))
        code.append((f'load(data_path("{PurePosixPath(path).name}"))', ""))
    for expression in kept:
        text, named, faults = _staged(expression, chain, repository)
        read += named
        problems += faults
        code.append((text, expression.assigned))
    used = packages(kept) - BASE - {snapshot.distribution}
    declared = {d.name for d in snapshot.dependencies if d.ecosystem == "r"}
    problems += [f'attaches "{name}", which no dependency declares' for name in sorted(used - declared)]
    if len(kept) > MAX_EXPRESSIONS:
        problems.append(f"has {len(kept)} expressions; it is more than one use of the package")
    results = tuple(dict.fromkeys(e.assigned for e in kept if e.assigned))
    called = tuple(dict.fromkeys(calls))
    score = (
        max(ORIGINS[b.origin] for b in chain)
        + 3.0 * min(len(called), 6)
        + 10.0 * bool(read)
        + len(results[:4])
    )
    score -= 0.25 * max(len(kept) - 20, 0)
    files = tuple({f.path: f for f in read}.values())
    return RUsage(chain, tuple(code), called, files, tuple(sorted(used)), results, tuple(problems), score)


def _data_sets(kept: list[Expression], repository: Repository) -> dict[str, str]:
    """Data sets of the package that are used by their name alone, as lazy loading allows, and their files."""
    files = {PurePosixPath(p).stem: p for p in sorted(repository.files) if _is_data_set(p)}
    found, assigned = dict[str, str](), set[str]()
    for expression in kept:
        for token in expression.tokens if expression.called[:1] not in (["data"], ["library"]) else ():
            if token.kind == "name" and token.value in files and token.value not in assigned:
                found.setdefault(token.value, files[token.value])
        assigned.add(expression.assigned)
        if expression.called[:1] == ["data"] and len(expression.tokens) >= 4:
            assigned.add(expression.tokens[2].value)
    return found


def _is_data_set(path: str) -> bool:
    """Whether a file is a data set of a package that ``load`` reads."""
    return path.endswith(LOADABLE) and PurePosixPath(path).parts[-2:-1] == ("data",)


def _is_setting(expression: Expression) -> bool:
    """Whether an expression only sets how a document is knitted."""
    return any(token.text in {"opts_chunk", "opts_knit", "knit_hooks"} for token in expression.tokens)


def _staged(
    expression: Expression, chain: tuple[Example, ...], repository: Repository
) -> tuple[str, list[DataFile], list[str]]:
    """An expression that reads the staged files in place of the lab's own, those files, and problems."""
    text, read, problems = expression.text, list[DataFile](), list[str]()
    if expression.called[:1] == ["data"] and len(expression.tokens) >= 4:
        name = expression.tokens[2].value
        paths = [p for p in repository.files if p.rpartition("/")[2] in {f"{name}{s}" for s in LOADABLE}]
        if len(paths) == 1:
            read.append(_file(paths[0], name, chain))
            text = f'load(data_path("{PurePosixPath(paths[0]).name}"))'
        return text, read, problems
    for token in expression.tokens:
        if token.kind != "string" or not is_data(token.value.lower()) or " " in token.value:
            continue
        if "://" in token.value:
            problems.append("needs the network (an address is read)")
        elif not any(name.startswith(("write", "save", "sink")) for name in expression.called):
            path = repository.find(token.value, chain[-1].file)
            if path is None:
                problems.append(f'reads "{token.value}", which the repository does not have')
            else:
                read.append(_file(path, token.value, chain))
                text = replaced(text, token.value, f'data_path("{PurePosixPath(path).name}")')
    return text, read, problems


def _file(path: str, term: str, chain: tuple[Example, ...]) -> DataFile:
    """A data file and the line of the example that names it."""
    for piece in chain:
        for offset, line in enumerate(piece.code.split("\n")):
            if term in line:
                return DataFile(path, piece.file, min(piece.first_line + offset, piece.last_line), term)
    return DataFile(path, chain[-1].file, chain[-1].first_line, term)
