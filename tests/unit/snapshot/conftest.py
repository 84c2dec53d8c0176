from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from labagent.models.snapshot import Snapshot
from labagent.snapshot import snapshot


@pytest.fixture
def take(tmp_path: Path) -> Callable[[dict[str, str]], Snapshot]:
    """Write files into a repository and take its snapshot."""
    root = tmp_path / "repo"
    root.mkdir()

    def run(files: dict[str, str]) -> Snapshot:
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text))
        return snapshot(root, "lab")

    return run
