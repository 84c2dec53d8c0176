"""A git repository, local or by URL: exactly one commit, without history, hooks or filters.

Files are read from the object store rather than by ``git archive`` or a checkout: both run filters that
the repository's own configuration can name.
"""

from __future__ import annotations

from pathlib import Path

from labagent.stage.download import hide_userinfo
from labagent.stage.repositories import Fetched, Request
from labagent.stage.repositories._git import Git, is_repository, is_url
from labagent.stage.repositories._git_export import export
from labagent.stage.repositories._git_remote import bring


def accepts(text: str, path: Path | None) -> bool:
    """A git URL, or a path that is a work tree or a bare repository."""
    return is_url(text) or (path is not None and is_repository(path))


def fetch(request: Request) -> Fetched:
    """Export the commit; without one, what HEAD is, pinned and with a warning."""
    warnings = []
    shown = hide_userinfo(request.text.removeprefix("git+"))
    if is_url(request.text):
        git, commit = bring(request.text.removeprefix("git+"), request.commit, request.cache)
    else:
        assert request.path is not None
        git = Git.at(request.path)
        commit = git.resolve(request.commit or "HEAD", shown)
    if not request.commit:
        warnings.append(f'no commit is given for "{shown}": HEAD was taken, which is {commit}')
    warnings += export(git, commit, request.target)
    day = git.run("show", "--no-patch", "--format=%cs", commit).stdout.decode("ascii", "replace").strip()
    return Fetched(
        origin=f"git {shown}@{commit}",
        commit=commit,
        released=day,
        warnings=tuple(warnings),
        tags=_tags(git, commit),
    )


def _tags(git: Git, commit: str) -> tuple[str, ...]:
    """Tags that the commit has in its history, oldest first; of a fetch without history only its own."""
    listed = git.run("tag", "--merged", commit, "--sort=creatordate", "--format=%(refname:strip=2)")
    names = listed.stdout.decode("utf-8", "replace").splitlines()
    return tuple(name for name in names if name) if listed.returncode == 0 else ()
