"""Calls of a lab's R package in R code, held against its snapshot. What cannot be followed is not judged."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from labagent.models.snapshot import Callable_, Snapshot
from labagent.snapshot.query import has_certain_signature
from labagent.snapshot.r_tokens import Token, arguments, tokens

ATTACHING = frozenset({"library", "require", "requireNamespace", "attachNamespace"})
ASSIGNING = frozenset({"<-", "=", "<<-"})
NAMES = ("name", "quoted")
PIPES = frozenset({"%>%", "|>"})


@dataclass(frozen=True)
class RCall:
    """A call ``package::name(…)``; ``qualified`` says whether the package is written there."""

    package: str
    name: str
    line: int
    named: tuple[str, ...]
    unnamed: int
    qualified: bool
    spreads: bool


def r_packages(snapshot: Snapshot) -> frozenset[str]:
    """The R packages of a lab."""
    return frozenset(m for m in snapshot.modules if any(n.startswith(f"{m}::") for n in snapshot.objects))


def attached(code: str, packages: frozenset[str]) -> frozenset[str]:
    """The lab's packages that a text attaches."""
    listed = [t for t in tokens(code) if t.kind != "newline"]
    return frozenset(
        listed[at + 2].value
        for at, token in enumerate(listed[:-2])
        if token.text in ATTACHING and listed[at + 1].text == "(" and listed[at + 2].value in packages
    )


def r_calls(code: str, packages: frozenset[str], searched: frozenset[str]) -> Iterator[RCall]:
    """Calls of the packages' functions: written with ``::``, or by name where the package is attached."""
    listed = tokens(code)
    own = {t.value for t, after in pairwise(listed) if after.text in ASSIGNING}
    for at, token in enumerate(listed[:-1]):
        if token.kind not in NAMES or listed[at + 1].text != "(":
            continue
        before = listed[at - 1].text if at else ""
        if before == "::" and at > 1 and listed[at - 2].value in packages:
            yield _call(listed, at, listed[at - 2].value, qualified=True)
        elif before not in ("::", ":::", "$", "@") and token.value not in own:
            for package in sorted(searched):
                yield _call(listed, at, package, qualified=False)


def _call(listed: list[Token], at: int, package: str, *, qualified: bool) -> RCall:
    """The call whose name stands at a position."""
    named, unnamed, spreads = [], 0, False
    for part in arguments(listed, at + 1):
        solid = [t for t in part if t.kind != "newline"]
        if len(solid) > 1 and solid[1].text == "=" and solid[0].kind in (*NAMES, "string"):
            named.append(solid[0].value)
        elif solid:
            unnamed += 1
            spreads = spreads or solid[0].text in ("...", "!")
    start = at - 2 if qualified else at
    before = next((t for t in reversed(listed[:start]) if t.kind != "newline"), None)
    unnamed += before is not None and before.text in PIPES
    return RCall(package, listed[at].value, listed[at].line, tuple(named), unnamed, qualified, spreads)


def faults(call: RCall, snapshot: Snapshot) -> Iterator[str]:
    """What is wrong with a call: no such name, an unknown argument, too many of them."""
    path = f"{call.package}::{call.name}"
    entry = snapshot.objects.get(path)
    if entry is None:
        if call.qualified and path not in snapshot.dynamic and call.package not in snapshot.dynamic:
            names = sorted(
                n.partition("::")[2] for n in snapshot.objects if n.startswith(f"{call.package}::")
            )
            near = difflib.get_close_matches(call.name, names, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            yield f"{path} is not exported by the lab's package{hint}"
        return
    if entry.kind != "class" and has_certain_signature(snapshot, path):
        yield from _argument_faults(path, entry, call)


def _argument_faults(path: str, entry: Callable_, call: RCall) -> Iterator[str]:
    """Wrong names and counts; with ``...`` anything goes. A name may be written as the beginning of one."""
    formals = [p.name for p in entry.parameters]
    if "..." in formals:
        return
    for name in call.named:
        if sum(formal.startswith(name) for formal in formals) != 1 and name not in formals:
            near = difflib.get_close_matches(name, formals, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            yield f'{path} has no argument "{name}"; it has: {", ".join(formals) or "none"}{hint}'
    given = len(call.named) + call.unnamed
    if given > len(formals) and not call.spreads:
        yield f"{path} takes at most {len(formals)} arguments, {given} are given"
