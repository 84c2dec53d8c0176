"""A snapshot made with what was kept of unchanged files is the one made without."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from labagent.snapshot import snapshot
from labagent.snapshot.kept import Kept
from labagent.snapshot.python_api import python_api
from labagent.snapshot.python_collect import Collector
from labagent.snapshot.walk import Tree

FILES = {
    "pkg/__init__.py": "from .a import *\nfrom .b import Child\nfrom .c import fast\n__version__ = '1'\n",
    "pkg/a.py": "__all__ = ['f', 'Base']\ndef f(x): pass\nclass Base:\n    def go(self, n): pass\n"
    "def kept(): pass\n",
    "pkg/b.py": "from pkg.a import Base\nclass Child(Base):\n    pass\n",
    "pkg/old.py": "print 'two'\n",
    "pkg/c.pyi": "def fast(a: int) -> int: ...\n",
    "pkg/d.py": "from pkg.e import deco, Made\n@deco\ndef wrapped(a): pass\ndef make() -> Made: pass\n",
    "pkg/e.py": "from dataclasses import dataclass\ndef deco(f):\n    return f\n"
    "@dataclass\nclass Made:\n    x: int; y: int\nold = Made\n",
    "pkg/g.py": "import pkg.e as short\nfrom pkg.star import *\nother = short.old\ndef stubbed(a): pass\n",
    "pkg/g.pyi": "def stubbed(a: int) -> str: ...\n",
    "pkg/star.py": "from .deep import *\n",
    "pkg/deep.py": "def one(a): pass\ndef _no(): pass\n",
    "pkg/list.py": "import pkg.a\n__all__ = ['here']\n__all__ += pkg.a.__all__\nfrom pkg.a import *\n"
    "here = 1\n",
    "R/x.R": "g <- function(a, b = 2) a\n",
    "README.md": "```python\nimport pkg\npkg.f(1)\n```\n",
    "run.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--n')\n",
    "configs/base.yaml": "seed: 1\n",
    "requirements.txt": "numpy\n",
    "setup.py": "from setuptools import setup\nsetup(name='pkg', version='1', packages=['pkg'])\n",
}
A = FILES["pkg/a.py"]
CHANGES = {
    "other names": (
        "pkg/a.py",
        "__all__ = ['f', 'h', 'Base']\ndef f(x, y=1): pass\ndef h(): pass\n"
        "class Base:\n    def stop(self): pass\n",
    ),
    "all changed": ("pkg/a.py", A.replace("['f', 'Base']", "['f', 'Base', 'kept']")),
    "all without a name": ("pkg/a.py", A.replace("['f', 'Base']", "['Base']")),
    "lines moved": ("pkg/a.py", f"\n\n{A}"),
    "base class gone": ("pkg/a.py", A.replace("class Base:", "class Case:")),
    "base class has another base": ("pkg/a.py", A.replace("class Base:", "class Base(Unknown):")),
    "star imports gone": ("pkg/__init__.py", "from .b import Child\n"),
    "starred module": ("pkg/deep.py", "def two(a): pass\n"),
    "star source of a star": ("pkg/star.py", "from .a import *\n"),
    "star from outside": ("pkg/star.py", "from elsewhere import *\n"),
    "target of an alias gone": ("pkg/e.py", FILES["pkg/e.py"].replace("old = Made\n", "")),
    "alias means another": ("pkg/e.py", FILES["pkg/e.py"].replace("old = Made", "old = deco")),
    "decorator wraps no more": ("pkg/e.py", FILES["pkg/e.py"].replace("return f", "return print(f)")),
    "result has a subclass": ("pkg/b.py", "from pkg.e import Made\nclass Child(Made):\n    pass\n"),
    "class grows by name": (
        "pkg/e.py",
        FILES["pkg/e.py"] + "def add(c):\n    setattr(c, 'y', 1)\nadd(Made)\n",
    ),
    "fields of a line in another order": (
        "pkg/e.py",
        FILES["pkg/e.py"].replace("x: int; y: int", "y: int; x: int"),
    ),
    "stub": ("pkg/g.pyi", "def stubbed(a: float) -> str: ...\ndef compiled(b): ...\n"),
    "stub alone": ("pkg/c.pyi", "def fast(b: int) -> int: ...\n"),
    "circle of stars": ("pkg/deep.py", "from .star import *\ndef one(a): pass\n"),
    "circle of names": ("pkg/e.py", "from pkg.g import other as Made\nfrom pkg.d import wrapped as deco\n"),
    "names set by hand": ("pkg/deep.py", FILES["pkg/deep.py"] + "globals()['x'] = 1\n"),
    "parses now": ("pkg/old.py", "x = 1\n"),
    "parses no more": ("pkg/deep.py", "def one(a: pass\n"),
    "package parses no more": ("pkg/__init__.py", "def f(: pass\n"),
    "new module": ("pkg/new.py", "def added(): pass\n"),
    "new build file": ("pyproject.toml", "[project]\nname = 'pkg'\ndependencies = ['scipy']\n"),
    "requirements": ("requirements.txt", "numpy>2\n"),
    "setup": ("setup.py", FILES["setup.py"].replace("version='1'", "version='2'")),
    "R": ("R/x.R", "g <- function(z) z\n"),
    "readme": ("README.md", "```python\nimport pkg\npkg.f(2)\n```\n"),
    "program": ("run.py", "import argparse\np = argparse.ArgumentParser()\np.add_argument('--m')\n"),
    "configuration": ("configs/base.yaml", "seed: 2\n"),
    "data": ("data.csv", "1\n"),
    "removed": ("pkg/b.py", ""),
    "stub removed": ("pkg/g.pyi", ""),
}


@pytest.fixture
def repository(tmp_path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "repo" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "repo"


def change(repository: Path, kind: str) -> None:
    """Write or remove the file of a change."""
    name, text = CHANGES[kind]
    (repository / name).write_text(text) if text else (repository / name).unlink()


@pytest.mark.parametrize("kind", CHANGES)
def test_after_a_change_it_is_the_same_as_a_whole_one(repository, kind, tmp_path):
    cache = tmp_path / "kept"
    before = snapshot(repository, "lab", cache=cache)
    assert before == snapshot(repository, "lab")
    change(repository, kind)
    after = snapshot(repository, "lab", cache=cache)
    whole = snapshot(repository, "lab")
    assert after.to_json() == whole.to_json()
    assert after == whole
    assert after != before
    for name, text in FILES.items():
        (repository / name).write_text(text)
    assert snapshot(repository, "lab", cache=cache) == snapshot(repository, "lab")


def test_changes_one_after_the_other(repository, tmp_path):
    cache = tmp_path / "kept"
    for kind in CHANGES:
        if (repository / CHANGES[kind][0]).exists() or CHANGES[kind][1]:
            change(repository, kind)
            assert snapshot(repository, "lab", cache=cache) == snapshot(repository, "lab"), kind


CIRCLE = {
    "pkg/aa.py": "from pkg.m3 import c\nclass K(c): pass\n",
    "pkg/m1.py": "from pkg.m2 import *\nfrom pkg.e import Made\ndef a() -> Made: pass\n",
    "pkg/m2.py": "from pkg.m3 import *\nb = 2\ndef g() -> int: pass\n",
    "pkg/m3.py": "from pkg.m1 import *\nc = 3\n",
}


def test_circles_whose_answers_depend_on_the_order_of_questions(repository, tmp_path):
    for name, text in CIRCLE.items():
        (repository / name).write_text(text)
    cache = tmp_path / "kept"
    snapshot(repository, "lab", cache=cache)
    change(repository, "result has a subclass")
    assert snapshot(repository, "lab", cache=cache) == snapshot(repository, "lab")
    (repository / "pkg/aa.py").write_text("nothing = 1\n")
    assert snapshot(repository, "lab", cache=cache) == snapshot(repository, "lab")


def test_only_the_changed_file_is_read_again(repository, tmp_path):
    path, modules = tmp_path / "kept", 11
    first = Kept(path)
    python_api(Tree(repository), first)
    first.write()
    assert first.computed == modules
    (repository / "pkg/a.py").write_text(A + "def more(): pass\n")
    second = Kept(path)
    python_api(Tree(repository), second)
    second.close()
    assert second.computed == 1


def test_only_what_read_something_that_changed_is_linked_again(repository, tmp_path, monkeypatch):
    cache, made = tmp_path / "kept", []
    snapshot(repository, "lab", cache=cache)
    collect = Collector.fragment
    monkeypatch.setattr(Collector, "fragment", lambda self, name: (made.append(name), collect(self, name))[1])
    snapshot(repository, "lab", cache=cache)
    assert made == []
    (repository / "pkg/e.py").write_text(FILES["pkg/e.py"] + "# the end\n")
    snapshot(repository, "lab", cache=cache)
    assert made == []
    (repository / "pkg/e.py").write_text(FILES["pkg/e.py"] + "def more(): pass\n")
    snapshot(repository, "lab", cache=cache)
    assert made == ["pkg.e"]
    made.clear()
    (repository / "pkg/e.py").write_text(FILES["pkg/e.py"].replace("def deco(f)", "def deco(g)"))
    snapshot(repository, "lab", cache=cache)
    assert "pkg.d" in made
    assert "pkg.b" not in made


def test_a_file_is_read_again_although_size_and_time_are_as_before(repository, tmp_path):
    cache, file = tmp_path / "kept", repository / "pkg/a.py"
    for path in repository.rglob("*"):
        os.utime(path, ns=(10**18 + 5, 10**18 + 5))
    snapshot(repository, "lab", cache=cache)
    file.write_text(A.replace("def f(x)", "def f(y)"))
    os.utime(file, ns=(10**18 + 5, 10**18 + 5))
    assert snapshot(repository, "lab", cache=cache) == snapshot(repository, "lab")


def test_files_that_may_change_unseen_are_not_trusted(repository, monkeypatch):
    later, newest = max(((repository / name).stat().st_ctime_ns, name) for name in FILES)

    def trusted(clock: int) -> set[str]:
        monkeypatch.setattr("labagent.snapshot.walk.time.time_ns", lambda: clock)
        tree = Tree(repository)
        tree.content_sha256()
        return set(tree.trusted())

    assert newest not in trusted(later + 1)
    assert trusted(later + 10**10) == set(FILES)


def test_unchanged_files_are_not_opened(repository, tmp_path, monkeypatch):
    first = Tree(repository)
    first.content_sha256()
    monkeypatch.setattr("labagent.snapshot.walk.time.time_ns", lambda: 10**19)
    known = Tree(repository)
    known.content_sha256()
    second = Tree(repository)
    second.trust(known.trusted())
    for name in FILES:
        monkeypatch.setattr(Path, "open", lambda self, *rest, **more: pytest.fail(f"{self} was opened"))
        assert second.sha256(name) == first._hashes[name]
    assert second.content_sha256() == first.content_sha256()


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\0", b"no such thing" * 999])
def test_a_damaged_file_is_not_believed(repository, damage, tmp_path):
    cache = tmp_path / "kept"
    whole = snapshot(repository, "lab", cache=cache)
    cache.write_bytes(damage)
    assert Kept(cache).get("python", "states") is None
    assert snapshot(repository, "lab", cache=cache) == whole
    assert Kept(cache).get("python", "states") is not None


@pytest.mark.parametrize("kind", ["python link", "shelf", "python"])
def test_a_damaged_row_is_not_believed(repository, kind, tmp_path):
    cache = tmp_path / "kept"
    whole = snapshot(repository, "lab", cache=cache)
    with closing(sqlite3.connect(cache)) as rows, rows:
        there = rows.execute("SELECT name, body FROM kept WHERE kind = ?", (kind,)).fetchall()
        for name, body in there:
            other = (body.replace(b"pkg", b"gkp"), kind, name)
            rows.execute("UPDATE kept SET body = ? WHERE kind = ? AND name = ?", other)
        assert any(b"pkg" in body for _, body in there)
    assert snapshot(repository, "lab", cache=cache) == whole
    assert snapshot(repository, "lab", cache=cache) == whole


@pytest.mark.parametrize("at", [0.3, 0.6, 0.9])
def test_a_file_with_a_hole_is_not_believed(repository, at, tmp_path):
    cache = tmp_path / "kept"
    whole = snapshot(repository, "lab", cache=cache)
    data = bytearray(cache.read_bytes())
    start = int(len(data) * at)
    data[start : start + 9000] = bytes(9000)
    cache.write_bytes(data)
    assert snapshot(repository, "lab", cache=cache) == whole


def test_what_other_code_has_kept_is_not_used(repository, tmp_path, monkeypatch):
    cache = tmp_path / "kept"
    snapshot(repository, "lab", cache=cache)
    monkeypatch.setattr("labagent.snapshot.kept._reader", lambda: "other")
    assert Kept(cache).get("python", "states") is None


def test_a_file_that_another_process_writes_is_left_alone(repository, tmp_path, monkeypatch):
    cache = tmp_path / "kept"
    monkeypatch.setattr("labagent.snapshot.kept.WAIT", 0)
    whole = snapshot(repository, "lab", cache=cache)
    with closing(sqlite3.connect(cache, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert snapshot(repository, "lab", cache=cache) == whole
        other.execute("UPDATE kept SET digest = digest")
        other.execute("COMMIT")
    assert Kept(cache).get("python", "states") is not None


def test_a_repository_that_is_a_package_itself(repository):
    shutil.copy(repository / "pkg/a.py", repository / "__init__.py")
    assert "pkg.a.f" in snapshot(repository, "lab").objects
