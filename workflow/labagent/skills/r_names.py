"""Functions that R code calls by name alone: defined there, exported by a package, or nowhere to be found."""

from __future__ import annotations

import difflib
import os
import shutil
import subprocess
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from labagent.models.snapshot import Snapshot
from labagent.skills.r_calls import ASSIGNING, ATTACHING, r_packages
from labagent.snapshot.r_tokens import Token, tokens

KEYWORDS = frozenset({"if", "for", "while", "function", "repeat", "else", "in", "next", "break"})
QUALIFIERS = frozenset({"::", ":::", "$", "@"})
BRINGING = frozenset({"load", "attach", "sys.source", "assign", "eval", "list2env"})
CLOSE = 0.8  # similarity (difflib) from which a name counts as one of the lab's, misspelt
SECONDS = 60
ASK = """
args <- commandArgs(TRUE)
base <- c("base", "stats", "utils", "methods", "graphics", "grDevices", "datasets")
for (p in c(base, args)) {
  found <- tryCatch(getNamespaceExports(p), error = function(e) NULL)
  if (p == "base") found <- ls(baseenv(), all.names = TRUE)
  cat(if (is.null(found)) "-" else "+", p, found, "\\n", sep = "\\t")
}
"""


@dataclass(frozen=True)
class Unknown:
    """A call of a function that nothing brings; ``near`` is a name of the lab that it resembles."""

    name: str
    line: int
    near: str


def unknown_calls(code: str, snapshot: Snapshot, defined: Collection[str]) -> Iterator[Unknown]:
    """Calls of functions that neither the code, nor R, nor an attached package has.

    Where a package that is not installed is attached, or the code brings names in other ways, only names that
    resemble one of the lab's are judged.

    Args:
        code: a block of R.
        snapshot: of the lab.
        defined: names that files which the code may source define.
    """
    listed = tokens(code)
    packages = r_packages(snapshot)
    others, certain = _attached(listed)
    exports = {n.partition("::")[2] for n in snapshot.objects if n.partition("::")[0] in packages}
    exports |= {n.partition("::")[2] for n in snapshot.dynamic}
    if packages & set(snapshot.dynamic) or not (calls := list(_calls(listed))):
        return
    needed = {d.name for d in snapshot.dependencies if d.ecosystem == "r" and not d.extra and d.name != "R"}
    known = exported(tuple(sorted((others | needed) - packages)))
    if not known:
        return
    certain = certain and all(known.get(name) is not None for name in others - packages)
    brought = {name for names in known.values() for name in names or ()}
    for token in calls:
        if token.value in exports or token.value in brought or token.value in defined:
            continue
        near = difflib.get_close_matches(token.value, sorted(exports), n=1, cutoff=CLOSE)
        if certain or near:
            yield Unknown(token.value, token.line, near[0] if near else "")


def definitions(code: str) -> frozenset[str]:
    """Names that R code assigns to."""
    return frozenset(t.value for t, after in pairwise(tokens(code)) if after.text in ASSIGNING)


@cache
def exported(packages: tuple[str, ...]) -> Mapping[str, frozenset[str] | None]:
    """What R's own and other packages export here; ``None`` for one that is not installed.

    Empty where there is no R, or it does not answer.
    """
    program = shutil.which("Rscript")
    if program is None:
        return {}
    variables = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "LC_ALL") if name in os.environ}
    try:
        done = subprocess.run(
            [program, "--vanilla", "-e", ASK, *packages],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            env=variables,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return {}
    rows = [line.rstrip("\t").split("\t") for line in done.stdout.splitlines() if line[:1] in "+-"]
    found = {row[1]: frozenset(row[2:]) if row[0] == "+" else None for row in rows if len(row) > 1}
    return found if found.get("base") else {}


def _calls(listed: list[Token]) -> Iterator[Token]:
    """Calls by name alone of what is never a value in the code (assigned, an argument, a parameter)."""
    solid = [t for t in listed if t.kind != "newline"]
    called, other = list[Token](), set[str]()
    for at, token in enumerate(solid):
        if token.kind not in ("name", "quoted") or token.value in KEYWORDS:
            continue
        after = solid[at + 1].text if at + 1 < len(solid) else ""
        before = solid[at - 1].text if at else ""
        if before in QUALIFIERS or after in ("::", ":::"):
            continue
        if after == "(":
            called.append(token)
        else:
            other.add(token.value)
    yield from (token for token in called if token.value not in other)


def _attached(listed: list[Token]) -> tuple[set[str], bool]:
    """Packages that code attaches, and whether these are all that brings names into it."""
    solid = [t for t in listed if t.kind != "newline"]
    found, certain = set[str](), True
    for at, token in enumerate(solid):
        opens = at + 1 < len(solid) and solid[at + 1].text == "("
        if (token.text in BRINGING and opens) or (token.text in ATTACHING and not opens):
            certain = False
        elif token.text in ATTACHING and at + 2 < len(solid):
            found.add(solid[at + 2].value)
        certain = certain and token.text not in ("character.only", "p_load")
    return found, certain
