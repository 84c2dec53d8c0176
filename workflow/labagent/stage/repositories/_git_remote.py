"""Bringing a commit from a git URL into a bare repository of the cache."""

from __future__ import annotations

import base64
import re
import subprocess
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from labagent.errors import InfrastructureError, SourceError
from labagent.files import sha256_text
from labagent.stage.download import hide_userinfo
from labagent.stage.repositories._git import Git, failure

PROTOCOLS = "file:git:http:https:ssh"
FULL_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
HASH = re.compile(r"[0-9a-f]{7,64}")
ABSENT = re.compile(
    r"not found|does not exist|does not appear to be a git repository|repository .* not exported"
    r"|Authentication failed|Permission denied|could not read Username|error: 40[134]",
    re.IGNORECASE,
)


def bring(url: str, commit: str, cache: Path) -> tuple[Git, str]:
    """Make ``commit`` (hash, unique prefix, tag, branch; empty: HEAD) of ``url`` available locally.

    A commit that is in the cache is not asked for again. What can be asked for by name or full hash
    comes without history; a shortened hash needs all of it.

    Returns:
        The repository and the full hash.

    Raises:
        SourceError: no such repository or commit.
        InfrastructureError: the server cannot be reached.
    """
    bare, secrets = _split_credentials(url)
    git = _cached(bare, cache, secrets)
    known = (
        git.find(commit) if HASH.fullmatch(commit) else git.find(f"refs/tags/{commit}") if commit else None
    )
    if known is None:
        known = _fetch(git, bare, commit)
    if known is None:
        raise SourceError(f'repository "{bare}": there is no commit "{commit}" in it')
    return git, known


def _split_credentials(url: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The URL without user and password, and git settings that carry them in the environment."""
    parts = urlsplit(url) if "://" in url else None
    if parts is None or parts.scheme not in ("http", "https") or "@" not in parts.netloc:
        return url, ()
    userinfo, _, host = parts.netloc.rpartition("@")
    user, _, password = userinfo.partition(":")
    token = base64.b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
    bare = urlunsplit((parts.scheme, host, parts.path, parts.query, ""))
    return bare, (
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", f"http.{parts.scheme}://{host}/.extraHeader"),
        ("GIT_CONFIG_VALUE_0", f"Authorization: Basic {token}"),
    )


def _cached(url: str, cache: Path, secrets: tuple[tuple[str, str], ...]) -> Git:
    """The bare repository that keeps what came from ``url``."""
    folder = cache / "git" / sha256_text(url)[:24]
    git = Git(folder, PROTOCOLS, secrets)
    if not (folder / "HEAD").is_file():
        folder.mkdir(parents=True, exist_ok=True)
        _ask(git, url, "init", "--quiet", "--bare", "--template=")
    return git


def _fetch(git: Git, url: str, commit: str) -> str | None:
    """Fetch the least that holds ``commit``; its full hash, ``None`` where the repository has none such."""
    if FULL_HASH.fullmatch(commit):
        if _try(git, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--depth=1", url, commit):
            return git.find(commit)
        return _fetch_all(git, url, commit)
    refs = _list_refs(git, url)
    for ref in (f"refs/tags/{commit}", f"refs/heads/{commit}", commit) if commit else ("HEAD",):
        if ref in refs:
            kept = ref if ref.startswith("refs/tags/") else "refs/labagent/latest"
            step = (
                "fetch",
                "--quiet",
                "--no-tags",
                "--no-write-fetch-head",
                "--depth=1",
                url,
                f"+{ref}:{kept}",
            )
            _ask(git, url, *step)
            return git.find(kept)
    return _fetch_all(git, url, commit) if HASH.fullmatch(commit) else None


def _fetch_all(git: Git, url: str, commit: str) -> str | None:
    """Fetch every branch and tag with history."""
    depth = ("--unshallow",) if (git.folder / "shallow").is_file() else ()
    refs = ("+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
    _ask(git, url, "fetch", "--quiet", "--no-write-fetch-head", *depth, url, *refs)
    return git.find(commit)


def _list_refs(git: Git, url: str) -> set[str]:
    """The names the remote offers."""
    result = _ask(git, url, "ls-remote", "--quiet", url)
    rows = (line.split("\t", 1) for line in result.stdout.decode(errors="replace").splitlines())
    return {row[1] for row in rows if len(row) == 2}


def _try(git: Git, *arguments: str) -> bool:
    """Run git; whether it ended well."""
    return git.run(*arguments).returncode == 0


def _ask(git: Git, url: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run git; tell a repository that is not there from a network that fails."""
    result = git.run(*arguments)
    if result.returncode:
        reason = failure(result)
        kind = SourceError if ABSENT.search(reason) else InfrastructureError
        raise kind(f'repository "{hide_userinfo(url)}": {reason}')
    return result
