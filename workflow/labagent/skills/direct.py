"""Dependencies by address (``name @ https://…``): whose they may be.

An address is no release of an index: what lies there can change, and building it runs its code. So it is the
lab's own repository at the commit that was staged, or lies on a host that ``environment.direct_hosts`` names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from packaging.requirements import Requirement

SHORTEST = 7  # digits of a commit's hash that tell it apart, as git's own short form
ORIGIN = re.compile(r"^git (?P<address>\S+?)(?:@[0-9a-f]{7,40})?(?:\s|$)")
ARCHIVE = re.compile(r"^(?P<repository>/[^/]+/[^/]+)/(?:archive|zip|tar\.gz|legacy\.\w+)/(?P<commit>[^/]+)$")
ENDINGS = (".tar.gz", ".zip", ".tgz")


@dataclass(frozen=True)
class Own:
    """The lab's repository as ``host/owner/name``, and the staged commit; empty where there is none."""

    repository: str = ""
    commit: str = ""


def own_repository(artifacts: Path | None) -> Own:
    """Where a lab's staged files come from, as their manifest says it."""
    try:
        manifest = json.loads((artifacts / "manifest.json").read_text("utf-8")) if artifacts else {}
    except (OSError, ValueError):
        return Own()
    origin = ORIGIN.match(str(manifest.get("origin", "")))
    commit = str(manifest.get("commit", ""))
    return Own(_named(origin["address"]), commit) if origin and commit else Own()


def foreign(pip: Collection[str], own: Own, hosts: Collection[str]) -> Iterator[tuple[str, str]]:
    """Requirements by address that are not allowed, each with the reason.

    Args:
        pip: requirements as ``environment.yaml`` has them, already known to be well formed.
        own: the lab's repository.
        hosts: hosts that may be taken from, as the configuration names them.
    """
    allowed = {host.casefold() for host in hosts}
    for item in pip:
        url = Requirement(item).url
        if url is None:
            continue
        host = (urlsplit(url).hostname or "").casefold()
        if host in allowed:
            continue
        repository, commit = _pinned(url)
        if own.repository and repository == own.repository:
            if len(commit) < SHORTEST or not own.commit.startswith(commit):
                yield item, f"is the lab's repository, but not at the staged commit {own.commit}"
            continue
        yield item, f"is taken from {host}: neither the lab's repository nor in environment.direct_hosts"


def _named(address: str) -> str:
    """An address of a repository without what is written in several ways."""
    parts = urlsplit(address.removeprefix("git+"))
    path = unquote(parts.path).strip("/").removesuffix(".git")
    return f"{parts.hostname}/{path}".casefold() if parts.hostname else ""


def _pinned(url: str) -> tuple[str, str]:
    """The repository and the commit of an address: of a clone, or of an archive that a host makes of it."""
    parts = urlsplit(url)
    if parts.scheme.startswith("git+"):
        path, _, commit = parts.path.rpartition("@") if "@" in parts.path else (parts.path, "", "")
        return _named(f"https://{parts.hostname}{path}"), commit
    for ending in ENDINGS:
        match = ARCHIVE.match(parts.path.removesuffix(ending)) if parts.path.endswith(ending) else None
        if match:
            return _named(f"https://{parts.hostname}{match['repository']}"), match["commit"]
    return "", ""
