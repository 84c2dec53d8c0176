"""What of a run is held against each key of a protocol, and how severe a difference is.

Severity, by key of the protocol:

``seeds``, ``splits``, ``replicates``: fewer than published are major, more are minor; as many, but other
seeds, are a note. ``iterations``: fewer than half are major, fewer minor, more a note. ``dataset_size``: less
than 99 % is major, any other difference minor. ``method``: another one is major. ``software``: that it is not
installed is minor. ``versions``: another major release is major, another minor one minor, anything less, or
not installed, a note.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from labagent.models.score import Departure
from labagent.scoring.installed import canonical
from labagent.scoring.run_facts import SEED_CALL, Did, number, plain

MAX_TEXT = 200
Severity = Literal["note", "minor", "major"]
Origin = Literal["measured", "declared"]
SEEDS = (SEED_CALL, "random_state", "random_seed", "rng_seed")
REPEATS = {
    "seeds": ("n_seeds", "num_seeds"),
    "splits": ("n_splits", "n_folds", "num_folds", "folds", "cv"),
    "replicates": (
        "replicates",
        "n_replicates",
        "n_rep",
        "n_reps",
        "n_sim",
        "n_sims",
        "n_simulations",
        "n_repeats",
    ),
}
"""Names of arguments that say how often something was repeated."""
LOOPS = {"seeds": ("seed",), "splits": ("split", "fold"), "replicates": ("rep", "sim")}
"""Beginnings of the names of loop variables, likewise."""
ITERATIONS = (
    *(
        "iterations",
        "n_iterations",
        "num_iterations",
        "iter",
        "n_iter",
        "num_iter",
        "max_iter",
        "max_iterations",
    ),
    *(
        "epochs",
        "n_epochs",
        "num_epochs",
        "max_epochs",
        "n_estimators",
        "num_boost_round",
        "n_boot",
        "n_bootstrap",
    ),
)
SUBSETS = ("subsample_size", "sample_size", "max_rows", "n_subsample")


@dataclass(frozen=True)
class Facts:
    """What a run left that can be held against a protocol.

    ``splits``: how many splits the predictions have (0: not known), ``split_names`` their names.
    ``installed``: versions by canonical name (:func:`labagent.scoring.installed.installed_versions`).
    ``machine_r``: R is the machine's, whose other packages no record lists. ``did``: what its commands did.
    """

    splits: int = 0
    installed: Mapping[str, str] = field(default_factory=dict)
    machine_r: bool = False
    split_names: tuple[str, ...] = ()
    did: Did = field(default_factory=Did)


def _versions(published: Any, facts: Facts) -> list[Departure]:
    """Packages whose installed version is not the declared one."""
    if not isinstance(published, Mapping):
        return []
    absent = "not recorded" if facts.machine_r else "not installed"
    rows = []
    for name, wanted in published.items():
        ours = facts.installed.get(canonical(str(name)))
        if ours is None:
            if facts.installed:
                rows.append(departure(f"version of {name}", wanted, absent, "note"))
        elif not _satisfies(ours, str(wanted)):
            rows.append(departure(f"version of {name}", wanted, ours, _gap(ours, str(wanted))))
    return rows


def _count(item: str) -> Callable[[Any, Facts], list[Departure]]:
    """A check of how many seeds, splits or replicates there were, and which seeds."""

    def check(published: Any, facts: Facts) -> list[Departure]:
        listed = published if isinstance(published, list) else None
        wanted = _whole(len(listed) if listed is not None else published)
        ours, values, place, origin = _repeated(item, facts)
        if wanted is None or ours is None:
            return []
        if ours != wanted:
            severity: Severity = "major" if ours < wanted else "minor"
            return [departure(item, wanted, f"{ours}{place}", severity, origin)]
        if item == "seeds" and listed and values and _numbers(values) - _numbers(listed):
            return [departure("seeds used", _joined(listed), f"{_joined(values)}{place}", "note", origin)]
        return []

    return check


Repeated = tuple[int | None, tuple[Any, ...], str, Origin]


def _repeated(item: str, facts: Facts) -> Repeated:
    """How often something was repeated, with which values, where that is seen, and who says so."""
    if facts.splits:
        return facts.splits, facts.split_names, "", "measured"
    did = facts.did
    loops = [found for name, found in did.loops.items() if name.startswith(LOOPS[item])]
    if loops:
        values, turn = max(loops, key=lambda found: len(found[0]))
        return len(values), values, _place(turn), "measured"
    if (given := did.last(REPEATS[item])) and given.value is not None:
        return _whole(given.value), (), _place(given.turn), "measured"
    if item == "seeds":
        seen = [one for name in SEEDS for one in did.arguments.get(plain(name), [])]
        if seen and all(one.value is not None for one in seen):
            used = tuple(sorted({one.value for one in seen if one.value is not None}))
            return len(used), used, _place(seen[-1].turn), "measured"
    return _whole(number(did.choices.get(item, ""))), (), "", "declared"


def _iterations(published: Any, facts: Facts) -> list[Departure]:
    """Arguments of iterative methods: by their usual names, or by those the protocol gives."""
    wanted = published if isinstance(published, Mapping) else {"": published}
    rows = []
    for name, value in wanted.items():
        names = (str(name),) if name else ITERATIONS
        rows += _number_row(f"iterations {name}".strip(), value, facts, names, _fewer_iterations)
    return rows


def _dataset_size(published: Any, facts: Facts) -> list[Departure]:
    """Rows of staged tables, by file; a number alone against the size of a subset that was drawn."""
    if not isinstance(published, Mapping):
        return _number_row("dataset_size", published, facts, SUBSETS, _less_data)
    rows = []
    for name, wanted in published.items():
        ours, size = facts.did.rows_of(str(name)), _whole(wanted)
        if ours is not None and size is not None and ours != size:
            rows.append(departure(f"rows of {name}", size, ours, _less_data(ours, size)))
    return rows


def _number_row(
    item: str,
    published: Any,
    facts: Facts,
    names: tuple[str, ...],
    severity: Callable[[float, float], Severity],
) -> list[Departure]:
    """A departure of a number given in a command, else of one the run declares."""
    wanted, seen = number(published), facts.did.last(names)
    ours = seen.value if seen else number(facts.did.choices.get(item.split(" ")[-1], ""))
    if wanted is None or ours is None or ours == wanted:
        return []
    place = _place(seen.turn) if seen else ""
    origin: Origin = "measured" if seen else "declared"
    return [departure(item, published, f"{ours:g}{place}", severity(ours, wanted), origin)]


def _method(published: Any, facts: Facts) -> list[Departure]:
    """Another method than the published one: one the run names, or one of those listed as its stand-ins.

    The protocol gives a name, several names, or ``{name, calls, instead}``: functions or tools of the method,
    and of others that may be taken for it.
    """
    given = published if isinstance(published, Mapping) else {"name": published}
    names = _texts(given.get("name"))
    chosen = facts.did.choices.get("method")
    used = facts.did.mentions(_texts(given.get("instead")))
    if used and not facts.did.mentions(_texts(given.get("calls")) or names):
        return [departure("method", _joined(names), f"{used[0]}{_place(used[1])}", "major")]
    if chosen and names and plain(chosen) not in {plain("".join(name.split())) for name in names}:
        return [departure("method", _joined(names), chosen, "major", "declared")]
    return []


def _software(published: Any, facts: Facts) -> list[Departure]:
    """The published software, where the run's environment does not have it."""
    name = published.get("name") if isinstance(published, Mapping) else None
    if not isinstance(name, str) or not facts.installed:
        return []
    known = canonical(name)
    unsure = facts.machine_r and str(published.get("language", "R")).upper() == "R"
    if unsure or {known, f"r-{known}"} & facts.installed.keys():
        return []
    language = f" ({published['language']})" if published.get("language") else ""
    return [departure("software", f"{name}{language}", "not installed", "minor")]


def _fewer_iterations(ours: float, wanted: float) -> Severity:
    """Severity of another number of iterations."""
    return "major" if 2 * ours < wanted else "minor" if ours < wanted else "note"


def _less_data(ours: float, wanted: float) -> Severity:
    """Severity of another size of the data."""
    return "major" if ours < 0.99 * wanted else "minor"


CHECKS: dict[str, Callable[[Any, Facts], list[Departure]]] = {
    "seeds": _count("seeds"),
    "splits": _count("splits"),
    "replicates": _count("replicates"),
    "iterations": _iterations,
    "dataset_size": _dataset_size,
    "software": _software,
    "versions": _versions,
    "method": _method,
}
"""Check by key of the protocol; another kind of departure is another row."""


def _place(turn: int) -> str:
    """Where a number was seen."""
    return f" (command {turn})"


def _whole(value: Any) -> int | None:
    """A count; ``None`` for anything else."""
    found = None if isinstance(value, bool) else number(value)
    return int(found) if found is not None and found >= 0 and found.is_integer() else None


def _numbers(values: Any) -> set[float]:
    """Values as numbers, where all are."""
    found = {number(value) for value in values}
    return set() if None in found else {value for value in found if value is not None}


def _texts(value: Any) -> list[str]:
    """A name or a list of names."""
    items = value if isinstance(value, list) else [value]
    return [str(item) for item in items if isinstance(item, str | int | float) and str(item)]


def _joined(values: Any) -> str:
    """Values in a row."""
    return ", ".join(f"{value:g}" if isinstance(value, float) else str(value) for value in values)


def _satisfies(ours: str, wanted: str) -> bool:
    """Whether a version is the wanted one or lies in the wanted range."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import InvalidVersion

    text = wanted.strip()
    bare = text[:1].isdigit()
    precise = (
        f"=={text}.*" if bare and text.count(".") < 2 and text.replace(".", "").isdigit() else f"=={text}"
    )
    try:
        return SpecifierSet(precise if bare else text).contains(ours, prereleases=True)
    except (InvalidSpecifier, InvalidVersion):
        return ours == text


def _gap(ours: str, wanted: str) -> Severity:
    """How far apart versions are: another major release, another minor one, or less."""
    ours_parts = ours.split(".")
    wanted_parts = wanted.lstrip("=<>!~ ").split(",")[0].split(".")
    if ours_parts[0] != wanted_parts[0]:
        return "major"
    return "minor" if ours_parts[1:2] != wanted_parts[1:2] else "note"


def departure(
    item: str,
    published: Any,
    ours: Any,
    severity: Severity,
    origin: Origin = "measured",
) -> Departure:
    """A departure with its values as text."""
    return Departure(
        item=item, published=one_line(published), ours=one_line(ours), severity=severity, origin=origin
    )


def one_line(value: Any) -> str:
    """A value on one line, not longer than a table can show."""
    line = " ".join(str(value).split())
    return line if len(line) <= MAX_TEXT else line[: MAX_TEXT - 1] + "…"
