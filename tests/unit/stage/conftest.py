from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from labagent.models.sources import ArtifactManifest, DataManifest
from labagent.models.tables import Lab, Target
from labagent.stage import stage_data, stage_lab


class _Handler(SimpleHTTPRequestHandler):
    """Serves a folder; paths below /status/<n> answer that status, /secret/ wants basic authentication."""

    def do_GET(self) -> None:
        self.server.requests.append(self.path)  # type: ignore[attr-defined]
        if self.path.startswith("/status/"):
            self.send_error(int(self.path.split("/")[2]))
            return
        if self.path.startswith("/moved/"):
            self.send_response(302)
            self.send_header("Location", "http://files.invalid/x")
            self.end_headers()
            return
        super().do_GET()

    def log_message(self, *args: Any) -> None:
        pass


class Server:
    def __init__(self, folder: Path) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
        self._server.requests = []  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def requests(self) -> list[str]:
        return self._server.requests  # type: ignore[attr-defined,no-any-return]

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[Path], Server]]:
    running: list[Server] = []

    def start(folder: Path) -> Server:
        running.append(Server(folder))
        return running[-1]

    yield start
    for server in running:
        server.stop()


def _git(folder: Path, *arguments: str) -> str:
    identity = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a"}
    env = {**os.environ, **identity, "GIT_COMMITTER_EMAIL": "a@b", "GIT_CONFIG_GLOBAL": os.devnull}
    result = subprocess.run(
        ["git", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always", *arguments],
        cwd=folder, env=env, check=True, capture_output=True, text=True,
    )  # fmt: skip
    return result.stdout.strip()


@pytest.fixture
def repo(tmp_path: Path) -> tuple[Path, list[str]]:
    """A work tree with two commits, the first tagged v1; the later one holds the answer."""
    folder = tmp_path / "gitlab"
    folder.mkdir()
    _git(folder, "init", "-q")
    (folder / "README.md").write_text("first\n")
    (folder / "run.sh").write_text("echo\n")
    (folder / "run.sh").chmod(0o755)
    _git(folder, "add", ".")
    _git(folder, "commit", "-qm", "one")
    _git(folder, "tag", "v1")
    (folder / "README.md").write_text("second\n")
    (folder / "answer.txt").write_text("0.8739\n")
    _git(folder, "add", ".")
    _git(folder, "commit", "-qm", "two")
    return folder, [_git(folder, "rev-parse", "v1"), _git(folder, "rev-parse", "HEAD")]


class Stage:
    """Staging into ``tmp/results``, as the rules call it."""

    def __init__(self, tmp_path: Path) -> None:
        self.base = tmp_path
        self.folder = tmp_path / "results" / "artifacts" / "lab"
        self.cache = tmp_path / "cache"

    def lab(self, **row: str) -> ArtifactManifest:
        lab = Lab.model_validate({"skill": "lab", "source": "explore", **row})
        return stage_lab(lab, self.folder, base=self.base, cache=self.cache)

    def data(self, items: str) -> DataManifest:
        target = Target.model_validate(
            {"target": "t", "family": "metric", "task": "t.md", "data": items, "answer": "a=b.json:c"}
        )
        return stage_data(
            target,
            self.base / "results" / "data" / "t",
            base=self.base,
            artifacts=self.folder.parent,
            cache=self.cache,
        )

    @property
    def files(self) -> Path:
        return self.base / "results" / "data" / "t" / "files"

    def names(self, kind: str = "repository") -> list[str]:
        root = self.folder / kind
        return sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if not p.is_dir())


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def _write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.fixture
def git() -> Callable[..., str]:
    return _git


@pytest.fixture
def write() -> Callable[[Path, dict[str, str]], Path]:
    return _write
