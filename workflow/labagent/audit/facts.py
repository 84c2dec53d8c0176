"""What an audit measures a run against. Only the score stage puts one together: it holds references."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from labagent.models.tables import Reference

INSIDE = (
    *("/run", "/tmp", "/var/tmp", "/home/agent", "/data", "/skill", "/task", "/env", "/observations"),
    *("/labagent", "/dev", "/usr", "/lib", "/lib64", "/bin", "/sbin", "/opt"),
)
"""Places that belong to a run inside its sandbox."""

WRITABLE = ("/run", "/tmp", "/home/agent")


@dataclass(frozen=True)
class Facts:
    """What was sealed from a run, and the places that were its own.

    Args:
        references: the target's published values by quantity.
        sealed: globs of the lab's files that hold answers, relative to its repository.
        repositories: repositories of the labs, as their rows name them.
        root: the project's folder.
        own: folders of the host that a run may name: its try, data, skill and environment.
        data: the target's staged files; ``task`` and ``protocol`` what it was asked.
        skill: the frozen skill.
        labels: withheld labels.
    """

    references: Mapping[str, Reference] = field(default_factory=dict)
    sealed: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()
    root: Path | None = None
    own: tuple[Path, ...] = ()
    data: Path | None = None
    task: Path | None = None
    protocol: Path | None = None
    skill: Path | None = None
    labels: Path | None = None

    @property
    def lab_names(self) -> tuple[str, ...]:
        """What the labs' repositories are called where code is fetched from."""
        bare = (r.removeprefix("pypi:").partition("==")[0].rstrip("/") for r in self.repositories)
        last = (name.removesuffix(".git").rpartition("/")[2].rpartition(":")[2] for name in bare)
        return tuple(dict.fromkeys(name for name in last if len(name) > 2))
