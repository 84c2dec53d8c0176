"""Which distribution provides an import name."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files


def distribution_for(module: str) -> str:
    """The distribution to install for ``import module``.

    Args:
        module: an import name, dotted or not. The longest part of it that ``distributions.tsv`` knows
            decides; a name it does not know is taken to be the distribution's own.
    """
    known = known_distributions()
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        if found := known.get(".".join(parts[:length])):
            return found
    return parts[0]


@lru_cache(maxsize=1)
def known_distributions() -> dict[str, str]:
    """The table shipped with the package: import name → distribution."""
    text = files(__package__).joinpath("distributions.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t", 1) for line in text.splitlines() if line and not line.startswith("#"))
    return dict(rows)
