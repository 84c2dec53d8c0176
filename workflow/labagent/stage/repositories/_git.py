"""Calling git so that nothing of the repository's or the user's configuration is run."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from labagent.errors import InfrastructureError, SourceError
from labagent.stage.download import hide_userinfo

URL = re.compile(r"^(git\+)?(https?|ssh|git|file)://|^[\w.-]+@[\w.-]+:(?!//)")
SETTINGS = {
    "safe.directory": "*",  # reading objects of another user's repository runs nothing of it
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "protocol.ext.allow": "never",
    "credential.helper": "",
    "gc.auto": "0",
    "fetch.fsckObjects": "false",
}
KEPT = (
    "PATH",
    "HOME",
    "LANG",
    "TMPDIR",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "SSL_CERT_FILE",
    "SSH_AUTH_SOCK",
)
PROXIES = ("http_proxy", "https_proxy", "no_proxy", "all_proxy")


def is_url(text: str) -> bool:
    """Whether git would take ``text`` as a remote."""
    return URL.match(text) is not None


def is_repository(path: Path) -> bool:
    """Whether ``path`` is the top of a work tree or a bare repository."""
    bare = (path / "HEAD").is_file() and (path / "objects").is_dir() and (path / "refs").is_dir()
    return bare or (path / ".git" / "HEAD").is_file() or (path / ".git").is_file()


def environment(protocols: str) -> dict[str, str]:
    """Variables of a git process: non-interactive, no configuration but ours."""
    kept = {k: v for k, v in os.environ.items() if k in KEPT or k.lower() in PROXIES}
    return kept | {
        "LC_ALL": "C",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ALLOW_PROTOCOL": protocols,
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_OPTIONAL_LOCKS": "0",
    }


@dataclass(frozen=True)
class Git:
    """A repository's git folder and how to ask it.

    ``secrets`` are variables no command line shows. Without ``protocols`` nothing is fetched, not even the
    missing objects of a partial clone, whose remote may name programs to run.
    """

    folder: Path
    protocols: str = "none"
    secrets: tuple[tuple[str, str], ...] = ()

    @classmethod
    def at(cls, path: Path) -> Git:
        """The repository of a work tree (linked ones too) or a bare one."""
        marker = path / ".git"
        if marker.is_file():
            text = marker.read_text(encoding="utf-8", errors="replace")
            return cls((path / text.partition("gitdir:")[2].strip()).resolve())
        return cls((marker if marker.is_dir() else path).resolve())

    def command(self, *arguments: str) -> list[str]:
        """The full command line."""
        settings = [part for key, value in SETTINGS.items() for part in ("-c", f"{key}={value}")]
        return ["git", f"--git-dir={self.folder}", "--no-pager", *settings, *arguments]

    def run(self, *arguments: str, timeout: float = 3600.0) -> subprocess.CompletedProcess[bytes]:
        """Run git to its end, with closed stdin.

        Raises:
            InfrastructureError: git is not installed, or runs longer than ``timeout`` seconds.
        """
        try:
            return subprocess.run(
                self.command(*arguments),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                env=environment(self.protocols) | dict(self.secrets),
                timeout=timeout,
                check=False,
            )
        except FileNotFoundError as error:
            raise InfrastructureError("git is not installed, and a git repository is asked for") from error
        except subprocess.TimeoutExpired as error:
            raise InfrastructureError(f"git {arguments[0]} did not end within {timeout:.0f} s") from error

    def find(self, name: str) -> str | None:
        """The full hash of the commit ``name`` (hash, unique prefix, tag, branch), ``None`` if unknown."""
        for candidate in (name, f"refs/tags/{name}", f"refs/remotes/origin/{name}"):
            result = self.run(
                "rev-parse", "--verify", "--quiet", "--end-of-options", f"{candidate}^{{commit}}"
            )
            if result.returncode == 0:
                return result.stdout.decode().strip()
        return None

    def resolve(self, name: str, shown: str) -> str:
        """Like :meth:`find`; a commit that is not there is a ``SourceError`` naming the repository."""
        commit = self.find(name)
        if commit is None:
            raise SourceError(f'repository "{shown}": there is no commit "{name}" in it')
        return commit


def failure(result: subprocess.CompletedProcess[bytes]) -> str:
    """What git said, in one line and without credentials."""
    text = hide_userinfo(result.stderr.decode(errors="replace"))
    return " ".join(line.strip() for line in text.splitlines() if line.strip())
