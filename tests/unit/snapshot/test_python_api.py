from __future__ import annotations

import pytest

from labagent.models.snapshot import Snapshot


def names(snap, path):
    return [p.name for p in snap.objects[path].parameters]


def test_functions_with_kinds_and_defaults(take):
    snap = take({"pkg/__init__.py": "", "pkg/m.py": '''
        def f(a, /, b: int = 3, *rest, c="x", **more):
            """Say it.

            More."""
        async def g(): pass
        h = lambda x, y=2: x
        k = f
        N = 4
        def _private(): pass
    '''})  # fmt: skip
    f = snap.objects["pkg.m.f"]
    assert [(p.name, p.kind, p.default, p.annotation) for p in f.parameters] == [
        ("a", "positional_only", None, None),
        ("b", "positional", "3", "int"),
        ("rest", "var_positional", None, None),
        ("c", "keyword_only", "'x'", None),
        ("more", "var_keyword", None, None),
    ]
    assert (f.kind, f.file, f.line, f.summary) == ("function", "pkg/m.py", 2, "Say it.")
    assert names(snap, "pkg.m.h") == ["x", "y"]
    assert snap.objects["pkg.m.k"].name == "pkg.m.f"
    assert "pkg.m.N" in snap.constants
    assert not any("_private" in name for name in snap.objects)
    assert snap.modules == ("pkg", "pkg.m")
    assert snap.language == "python"


def test_reexports_count_where_they_can_be_imported(take):
    snap = take({
        "src/pkg/__init__.py": "from .a import *\nfrom ._impl import Model as M\nfrom . import sub\n",
        "src/pkg/a.py": "__all__ = ['f', '_g', 'late']\ndef f(x): pass\ndef _g(y): pass\ndef h(): pass\n",
        "src/pkg/_impl.py": "class Model:\n    def __init__(self, n=1): pass\n    def fit(self, X): pass\n",
        "src/pkg/sub/__init__.py": "from pkg.a import f\nimport numpy as np\n",
    })  # fmt: skip
    assert {"pkg.f", "pkg.a.f", "pkg.a._g", "pkg.a.h", "pkg.sub.f", "pkg.M", "pkg.M.fit"} <= set(snap.objects)
    assert "pkg.h" not in snap.objects
    assert not any(name.startswith("pkg._impl") for name in [*snap.objects, *snap.modules])
    assert snap.objects["pkg.M"].name == "pkg._impl.Model"
    assert names(snap, "pkg.M.fit") == ["X"]
    assert "pkg.a.late" in snap.dynamic
    assert not any("np" in name for name in [*snap.objects, *snap.constants, *snap.modules])


def test_a_name_that_is_also_a_submodule(take):
    snap = take({
        "pkg/__init__.py": "from .Tool import Tool\n",
        "pkg/Tool.py": "class Tool:\n    def run(self, x): pass\n",
    })  # fmt: skip
    assert names(snap, "pkg.Tool.run") == ["x"]
    assert "pkg.Tool.Tool" in snap.objects


def test_classes(take):
    snap = take({"m.py": '''
        import dataclasses, attr, enum
        from dataclasses import dataclass, field
        from typing import NamedTuple
        import outside
        class Base:
            def __init__(self, a, *, b=1): self.w = 2
            def go(self, n): pass
            @classmethod
            def make(cls, text): pass
            @staticmethod
            def pure(v): pass
            @property
            def size(self): return 1
            def _hidden(self): pass
            def clash(self, __x): pass
        class Child(Base):
            def go(self, n, m): pass
        @dataclass
        class Data:
            x: int
            y: list = field(default_factory=list)
        @attr.s(auto_attribs=True)
        class Attrs:
            x: int
            _y: int = 3
        class Point(NamedTuple):
            x: float
            y: float = 0.0
        class Color(enum.Enum):
            RED = 1
        class Fault(ValueError): pass
        class Net(outside.Module):
            def forward(self, x): pass
        class New:
            def __new__(cls, q): pass
    '''})  # fmt: skip
    assert names(snap, "m.Base") == ["a", "b"]
    assert names(snap, "m.Child") == ["a", "b"]
    assert (names(snap, "m.Child.go"), snap.objects["m.Child.go"].inherited) == (["n", "m"], False)
    assert snap.objects["m.Child.make"].inherited
    assert (names(snap, "m.Base.make"), names(snap, "m.Base.pure")) == (["text"], ["v"])
    assert names(snap, "m.Base.clash") == ["_Base__x"]
    assert {"m.Base.size", "m.Base.w", "m.Child.size"} <= set(snap.constants)
    assert names(snap, "m.Data") == ["x", "y"]
    assert names(snap, "m.Attrs") == ["x", "y"]
    assert snap.objects["m.Attrs"].parameters[1].default == "3"
    assert names(snap, "m.Point") == ["x", "y"]
    assert names(snap, "m.Color") == ["value"]
    assert names(snap, "m.New") == ["q"]
    assert set(snap.dynamic) == {"m.Net"}
    assert "m.Net.forward" in snap.objects


def test_what_is_set_at_run_time_is_dynamic(take):
    snap = take({
        "pkg/__init__.py": "def __getattr__(name): ...\n",
        "pkg/a.py": "for n in 'xy':\n    globals()[n] = n\n",
        "pkg/b.py": "from .a import *\nfrom .compiled import fast\n",
        "pkg/c.py": """
            import functools, click
            def loose(f):
                def inner(*args): return f(*args)
                return inner
            def tight(f):
                @functools.wraps(f)
                def inner(*args): return f(*args)
                return inner
            @loose
            def one(x): pass
            @tight
            def two(x): pass
            @click.command()
            def three(x): pass
            @loose
            class Four: pass
        """,
    })  # fmt: skip
    assert {"pkg", "pkg.a", "pkg.b", "pkg.c.one", "pkg.c.three", "pkg.c.Four"} <= set(snap.dynamic)
    assert "pkg.c.two" not in snap.dynamic
    assert names(snap, "pkg.c.one") == ["x"]


def test_files_that_do_not_parse_are_listed(take):
    snap = take({
        "pkg/__init__.py": "from .good import f\n",
        "pkg/good.py": "def f(x): pass\n",
        "pkg/old.py": "x = 1\nprint 'two'\n",
        "pkg/bad.py": "def f(:\n",
        "pkg/nul.py": "x = 1\0\n",
    })  # fmt: skip
    assert {u.file: u.reason for u in snap.unreadable}.keys() == {"pkg/old.py", "pkg/bad.py", "pkg/nul.py"}
    reasons = {u.file: u.reason for u in snap.unreadable}
    assert reasons["pkg/old.py"].startswith("line 2: Python 2 code")
    assert reasons["pkg/bad.py"].startswith("line 1: ")
    assert "pkg.f" in snap.objects


def test_nothing_is_run(take, tmp_path):
    mark = tmp_path / "ran"
    evil = f"open({str(mark)!r}, 'w')\n"
    take(
        {
            "pkg/__init__.py": evil,
            "setup.py": evil + "from setuptools import setup\nsetup(name='x')\n",
            "run.py": evil,
        }
    )
    assert not mark.exists()


@pytest.mark.parametrize(
    ("files", "modules"),
    [
        (
            ["train.py", "utils/io.py", "models/__init__.py", "setup_env.sh"],
            ["models", "train", "utils", "utils.io"],
        ),
        (["setup.py", "pkg/__init__.py", "pkg/a.py", "scripts/run.py"], ["pkg", "pkg.a"]),
        (["pyproject.toml", "single.py", "conftest.py"], ["single"]),
        (
            ["pyproject.toml", "google/cloud/lab/__init__.py"],
            ["google", "google.cloud", "google.cloud.lab"],
        ),
        (
            ["code/lab/__init__.py", "python-package/pyproject.toml", "python-package/xg/__init__.py"],
            ["lab", "xg"],
        ),
        (
            ["pkg/__init__.py", "pkg/tests/__init__.py", "pkg/tests/t.py", "docs/conf.py", "examples/e.py"],
            ["pkg"],
        ),
        (["pkg/__init__.py", "pkg/pyproject.toml", "pkg/a.py"], ["pkg", "pkg.a"]),
        (["my-scripts/run.py", "src/run2.py", "src/__init__.py"], ["run", "src", "src.run2"]),
    ],
)
def test_layouts(take, files, modules):
    snap = take(dict.fromkeys(files, ""))
    assert list(snap.modules) == modules


def test_declared_layout(take):
    snap = take({
        "pyproject.toml": '[tool.setuptools.packages.find]\nwhere = ["sources/py"]\n',
        "sources/py/lab/__init__.py": "",
    })  # fmt: skip
    assert snap.modules == ("lab",)


def test_stubs_tell_what_compiled_code_hides(take):
    snap = take({
        "pkg/__init__.py": "from .fast import speed\n",
        "pkg/fast.pyi": "def speed(a: int, b: int = ...) -> int: ...\n",
    })  # fmt: skip
    assert names(snap, "pkg.speed") == ["a", "b"]


def test_the_record_is_the_same_again_and_survives_the_file(take, tmp_path):
    files = {
        "pkg/__init__.py": "from .a import *\n",
        "pkg/a.py": "def f(): pass\n",
        "README.md": "```python\nf()\n```\n",
    }
    snap = take(files)
    assert take({}) == snap
    snap.write(tmp_path / "out/api.json")
    assert Snapshot.read(tmp_path / "out/api.json") == snap
    changed = take({"data.csv": "1"})
    assert changed.content_sha256 != snap.content_sha256


def test_an_empty_repository(take):
    snap = take({})
    assert snap.language == "none"
    assert snap.modules == ()


def test_what_functions_return(take):
    snap = take({
        "pkg/__init__.py": "from ._m import Model, fit, base\n",
        "pkg/_m.py": """
            from typing import Self
            class Result:
                def plot(self): pass
            class Base: pass
            class Model(Base):
                def go(self) -> Self: pass
                def run(self) -> "Result": pass
            def fit() -> Result: pass
            def base() -> Base: pass
            async def later() -> Result: pass
        """,
    })  # fmt: skip
    returned = {name: entry.returns for name, entry in snap.objects.items() if entry.returns}
    assert returned == {
        "pkg.Model.go": "pkg._m.Model",
        "pkg.Model.run": "pkg._m.Result",
        "pkg.fit": "pkg._m.Result",
    }
