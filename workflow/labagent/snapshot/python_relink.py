"""Names are followed again only where what was read to follow them has changed.

For each module the store holds its fragment of the interface and what was read to make it: names of modules,
lists of exports, what a module is (:mod:`labagent.snapshot.python_trace`). Fragments depend on these readings
alone. So one is made anew only when it read something that differs now. Everything is made anew when modules
came or went, and where names go in circles, whose answers depend on the order of the questions.
"""

from __future__ import annotations

from typing import Any

from labagent.snapshot.kept import Kept
from labagent.snapshot.python_collect import Collector, Fragment, grown, subclassed
from labagent.snapshot.python_link import Linker
from labagent.snapshot.python_load import Units
from labagent.snapshot.python_trace import DYNAMIC, EXPORTS, GROWN, NAMES, SUBCLASSED, Read, Trace
from labagent.snapshot.python_units import Class, Member, Unit
from labagent.snapshot.records import Callables, plain_callables

LINK = "python link"
Reads = dict[str, str]
"""Names read, by module; parted by blanks."""
Claims = tuple[tuple[str, ...], tuple[str, ...]]
"""What :func:`grown` and :func:`subclassed` give for a module."""


class _Circular(Exception):
    """Names go in circles."""


def fragments(units: Units, kept: Kept) -> list[Fragment]:
    """The fragments of all modules, sorted by module; the same with and without what is kept."""
    before = kept.get("python", "links") if kept.path else None
    links = _Links(units, kept)
    if before is not None and units.names_before == frozenset(links.linker.own):
        try:
            return links.renewed(before)
        except _Circular:
            links = _Links(units, kept)
    return links.made()


class _Links:
    """Fragments, with what was read for each."""

    def __init__(self, units: Units, kept: Kept) -> None:
        self.units, self.kept = units, kept
        self.trace = Trace(on=kept.path is not None)
        self.linker = Linker(units, self.trace)
        self.order = sorted(self.linker.names)

    def made(self) -> list[Fragment]:
        """All fragments anew."""
        claims, reads = {}, {}
        for name in self.order:
            claims[name], reads[name] = self._claims(name)
        found, fragment_reads = self._fragments(self.order, claims)
        if not self.trace.circular:
            self._keep(found, claims, reads, fragment_reads)
        elif self.kept.path is not None:
            self.kept.put("python", "links", None)
        return [found[name] for name in self.order]

    def renewed(self, before: tuple[Any, ...]) -> list[Fragment]:
        """Those fragments anew that read something that changed; the others as they were kept.

        Raises:
            _Circular: names go in circles now.
        """
        claims, claim_reads, fragment_reads, dynamic = before
        changed, own = self._changes(frozenset(dynamic))
        if not own and not changed:
            return self._kept(set())
        was = {word: _joined(claims, at) for at, word in enumerate((GROWN, SUBCLASSED))}
        for name in [n for n in self.order if n in own or _touches(claim_reads[n], changed)]:
            claims[name], claim_reads[name] = self._claims(name)
        for at, word in enumerate((GROWN, SUBCLASSED)):
            changed[word] = was[word] ^ _joined(claims, at)
        again = [n for n in self.order if n in own or _touches(fragment_reads[n], changed)]
        found, reads = self._fragments(again, claims)
        if self.trace.circular:
            raise _Circular
        self._keep(found, claims, claim_reads, fragment_reads | reads)
        return self._kept(set(again), found)

    def _changes(self, dynamic: frozenset[str]) -> tuple[dict[str, frozenset[str] | None], set[str]]:
        """What differs, by module (``None``: everything), and the modules of which anything does."""
        changed: dict[str, frozenset[str] | None] = {}
        for name in self.units.changed:
            if self.units.states[name].there:
                found = _difference(self.units.before(name), self.units.unit(name))
                if found is None or found:
                    changed[name] = found
        own = set(changed)
        for name in dynamic ^ self.linker.dynamic:
            known = changed.get(name, frozenset())
            changed[name] = None if known is None else known | {DYNAMIC}
        return changed, own

    def _claims(self, name: str) -> tuple[Claims, Reads]:
        """What a module says of classes, and what was read for it."""
        claims, reads = self.trace.gather(lambda: (grown(self.linker, name), subclassed(self.linker, name)))
        return claims, _by_module(reads)

    def _fragments(
        self, names: list[str], claims: dict[str, Claims]
    ) -> tuple[dict[str, Fragment], dict[str, Reads]]:
        """Fragments, and what was read for them."""
        collector = Collector(self.linker, _joined(claims, 0), _joined(claims, 1))
        found, all_reads = {}, {}
        for name in names:
            found[name], reads = self.trace.gather(lambda name=name: collector.fragment(name))  # type: ignore[misc]
            all_reads[name] = _by_module(reads)
        return found, all_reads

    def _keep(
        self,
        found: dict[str, Fragment],
        claims: dict[str, Claims],
        claim_reads: dict[str, Reads],
        fragment_reads: dict[str, Reads],
    ) -> None:
        """Keep fragments that were made, and what all depend on."""
        if self.kept.path is None:
            return
        for name, fragment in found.items():
            sets = (fragment.modules, fragment.constants, fragment.dynamic)
            self.kept.put(LINK, name, (*(tuple(s) for s in sets), *plain_callables(fragment.objects)))
        self.kept.retain(LINK, self.linker.names)
        links = (claims, claim_reads, fragment_reads, tuple(self.linker.dynamic))
        self.kept.put("python", "links", links)

    def _kept(self, again: set[str], found: dict[str, Fragment] | None = None) -> list[Fragment]:
        """All fragments: those made again, and those kept."""
        rows, callables = self.kept.all(LINK), Callables()
        listed = []
        for name in self.order:
            if found is not None and name in again:
                listed.append(found[name])
                continue
            modules, constants, dynamic, *objects = rows[name]
            made = callables.restored(*objects)
            listed.append(Fragment(set(modules), made, set(constants), set(dynamic)))
        return listed


def _difference(before: Unit | None, now: Unit) -> frozenset[str] | None:
    """The names of a module that differ; ``None`` where that changes all that looks into it."""
    if before is None:
        return None
    if before == now and repr(before) == repr(now):
        return frozenset()
    members = (*before.members.values(), *now.members.values())
    if any(getattr(member, "star", False) for member in members):
        return None
    names = before.members.keys() | now.members.keys() | before.fallback.keys() | now.fallback.keys()
    found = {
        name
        for name in names
        if _differs(before.members.get(name), now.members.get(name))
        or _differs(before.fallback.get(name), now.fallback.get(name))
    }
    if before.members.keys() != now.members.keys():
        found.add(NAMES)
    if (before.exports, before.is_package) != (now.exports, now.is_package):
        found.add(EXPORTS)
    return frozenset(found) or frozenset({""})  # something of its own: what it passes, the order of its names


def _differs(before: Member | None, now: Member | None) -> bool:
    """Whether two members differ; the order in a class counts."""
    return before != now or (isinstance(now, Class) and repr(before) != repr(now))


def _joined(claims: dict[str, Claims], at: int) -> frozenset[str]:
    """One kind of claims of all modules."""
    return frozenset(path for claim in claims.values() for path in claim[at])


def _by_module(reads: set[Read]) -> Reads:
    """Readings as they are kept."""
    found: dict[str, list[str]] = {}
    for module, name in reads:
        found.setdefault(module, []).append(name)
    return {module: " ".join(sorted(names)) for module, names in found.items()}


def _touches(reads: Reads, changed: dict[str, frozenset[str] | None]) -> bool:
    """Whether something that was read is among what changed."""
    for module, names in changed.items():
        read = reads.get(module)
        if read is not None and (names is None or not names.isdisjoint(read.split(" "))):
            return True
    return False
