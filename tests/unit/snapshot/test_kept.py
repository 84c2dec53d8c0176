"""A snapshot made with what was kept of unchanged files is the one made without."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from labagent.snapshot import snapshot
from labagent.snapshot.kept import Kept
from labagent.snapshot.python_api import python_api
from labagent.snapshot.walk import Tree

FILES = {
    "pkg/__init__.py": "from .a import *\nfrom .b import Child\n__version__ = '1'\n",
    "pkg/a.py": "__all__ = ['f', 'Base']\ndef f(x): pass\nclass Base:\n    def go(self, n): pass\n",
    "pkg/b.py": "from pkg.a import Base\nclass Child(Base):\n    pass\n",
    "pkg/old.py": "print 'two'\n",
    "pkg/c.pyi": "def fast(a: int) -> int: ...\n",
    "R/x.R": "g <- function(a, b = 2) a\n",
    "README.md": "```python\nimport pkg\npkg.f(1)\n```\n",
    "run.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--n')\n",
    "configs/base.yaml": "seed: 1\n",
}
CHANGES = {
    "pkg/a.py": "__all__ = ['f', 'h', 'Base']\ndef f(x, y=1): pass\ndef h(): pass\n"
    "\nclass Base:\n    def stop(self): pass\n",
    "pkg/__init__.py": "from .b import Child\n",
    "pkg/old.py": "x = 1\n",
    "pkg/new.py": "def added(): pass\n",
    "R/x.R": "g <- function(z) z\n",
    "README.md": "```python\nimport pkg\npkg.f(2)\n```\n",
    "run.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--m')\n",
    "configs/base.yaml": "seed: 2\n",
    "data.csv": "1\n",
}


@pytest.fixture
def repository(tmp_path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "repo" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "repo"


@pytest.mark.parametrize("changed", [*CHANGES, "removed"])
def test_after_a_change_it_is_the_same_as_a_whole_one(repository, changed, tmp_path):
    cache = tmp_path / "kept"
    before = snapshot(repository, "lab", cache=cache)
    assert before == snapshot(repository, "lab")
    if changed == "removed":
        (repository / "pkg/b.py").unlink()
    else:
        (repository / changed).write_text(CHANGES[changed])
    after = snapshot(repository, "lab", cache=cache)
    assert after.to_json() == snapshot(repository, "lab").to_json()
    assert after != before


def test_only_the_changed_file_is_read_again(repository, tmp_path):
    path = tmp_path / "kept"
    first = Kept(path)
    python_api(Tree(repository), first)
    first.write()
    assert first.computed == 6
    (repository / "pkg/a.py").write_text(CHANGES["pkg/a.py"])
    second = Kept(path)
    python_api(Tree(repository), second)
    assert second.computed == 1


@pytest.mark.parametrize("damage", [b"", b"labagent-snapshot-1\n", None])
def test_a_damaged_file_is_not_believed(repository, damage, tmp_path):
    cache = tmp_path / "kept"
    whole = snapshot(repository, "lab", cache=cache)
    data = cache.read_bytes()
    cache.write_bytes(data[:-9] + b"123456789" if damage is None else damage)
    assert Kept(cache).known == {}
    assert snapshot(repository, "lab", cache=cache) == whole
    assert Kept(cache).known


def test_a_repository_that_is_a_package_itself(repository):
    shutil.copy(repository / "pkg/a.py", repository / "__init__.py")
    assert "pkg.a.f" in snapshot(repository, "lab").objects
