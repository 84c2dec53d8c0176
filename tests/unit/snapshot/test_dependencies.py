from __future__ import annotations

import pytest


def rows(snap, ecosystem="python"):
    return [
        (d.name, d.specifier, d.extra, d.file, d.line) for d in snap.dependencies if d.ecosystem == ecosystem
    ]


def test_pyproject(take):
    snap = take({"pyproject.toml": """\
        [project]
        name = "lab"
        version = "1.2"
        description = "Does it."
        requires-python = ">=3.9"
        dependencies = [
            "numpy>=1.2",
            "pandas[performance] ; python_version < '3.12'",
        ]
        [project.scripts]
        lab-run = "lab.cli:main"
        [project.optional-dependencies]
        dev = ["pytest"]
        [dependency-groups]
        docs = ["sphinx==7", {include-group = "dev"}]
        [tool.poetry.dependencies]
        python = "^3.9"
        scipy = "^1.1"
        torch = {version = "2.0", optional = true}
        mine = {git = "https://example.org/x.git"}
        [tool.poetry.group.test.dependencies]
        hypothesis = "*"
    """})  # fmt: skip
    assert rows(snap) == [
        ("numpy", ">=1.2", "", "pyproject.toml", 7),
        ("pandas", '; python_version < "3.12"', "", "pyproject.toml", 8),
        ("pytest", "", "dev", "pyproject.toml", 13),
        ("sphinx", "==7", "docs", "pyproject.toml", 15),
        ("scipy", "^1.1", "", "pyproject.toml", 18),
        ("torch", "2.0", "optional", "pyproject.toml", 19),
        ("mine", "@ https://example.org/x.git", "", "pyproject.toml", 20),
        ("hypothesis", "", "test", "pyproject.toml", 22),
    ]
    assert (snap.distribution, snap.version, snap.summary, snap.requires_python) == (
        "lab",
        "1.2",
        "Does it.",
        ">=3.9",
    )
    assert [(e.name, e.target) for e in snap.entry_points] == [("lab-run", "lab.cli:main")]


SETUP = """\
from setuptools import setup
import os
here = os.path.dirname(__file__)
{above}
setup(name="lab", version="3", python_requires=">=3.8",
      install_requires={value},
      extras_require={{"dev": ["pytest>=7"]}},
      entry_points={{"console_scripts": ["lab = lab.cli:main"]}})
"""


BASE = [("numpy", "reqs/base.txt", 2)]
WITH = 'with open(os.path.join(here, "reqs", "base.txt")) as f:\n    R = f.read().splitlines()'
CALL = 'def read(n):\n    return [l.strip() for l in open(n)]\nR = read("reqs/base.txt")'
FUNCTION = 'def required():\n    return open("reqs/base.txt").read().split()'
BOUND = 'REQ = ["numpy>=1"]\nREQ2 = ["scipy"]'


@pytest.mark.parametrize(
    ("above", "value", "expected"),
    [
        ("", '["numpy>=1", "scipy"]', [("numpy", "setup.py", 6), ("scipy", "setup.py", 6)]),
        (BOUND, "REQ + REQ2", [("numpy", "setup.py", 4), ("scipy", "setup.py", 5)]),
        ("", 'open("reqs/base.txt").read().splitlines()', BASE),
        (WITH, "R", BASE),
        (CALL, "R", BASE),
        (FUNCTION, "required()", BASE),
    ],
)
def test_setup_py_is_read_not_run(take, above, value, expected):
    snap = take({"setup.py": SETUP.format(above=above, value=value), "reqs/base.txt": "# base\nnumpy>=1\n"})
    required = [(n, f, line) for n, _, extra, f, line in rows(snap) if not extra]
    assert set(expected) <= set(required)
    assert any(row[0] == "pytest" and row[2] == "dev" for row in rows(snap))
    assert (snap.distribution, snap.version, snap.requires_python) == ("lab", "3", ">=3.8")
    assert [(e.name, e.target) for e in snap.entry_points] == [("lab", "lab.cli:main")]


def test_setup_py_with_a_dictionary(take):
    text = "from setuptools import setup\nkw = dict(name='lab', install_requires=['numpy'])\nsetup(**kw)\n"
    snap = take({"setup.py": text})
    assert rows(snap) == [("numpy", "", "", "setup.py", 2)]
    assert snap.distribution == "lab"


def test_scripts_and_a_version_in_the_code(take):
    call = "setup(version=lab.__version__, scripts=['scripts/lab-run'])"
    text = f"from setuptools import setup\nimport lab\n{call}\n"
    snap = take({"setup.py": text, "lab/__init__.py": "", "lab/_metadata.py": "__version__ = '2.4.2'\n"})
    assert snap.version == "2.4.2"
    assert [(e.name, e.target) for e in snap.entry_points] == [("lab-run", "scripts/lab-run")]


def test_setup_cfg(take):
    snap = take({"setup.cfg": """\
        [tox]
        a = b
        [metadata]
        name = lab
        version = attr: lab.__version__
        [options]
        python_requires = >=3.7
        install_requires =
            numpy >= 1.0
            # why
            scipy; python_version < "3"
        [options.extras_require]
        dev =
            tox
        [options.entry_points]
        console_scripts =
            lab = lab.cli:main
    """})  # fmt: skip
    assert rows(snap) == [
        ("numpy", ">=1.0", "", "setup.cfg", 9),
        ("scipy", '; python_version < "3"', "", "setup.cfg", 11),
        ("tox", "", "dev", "setup.cfg", 14),
    ]
    assert (snap.version, snap.requires_python) == ("", ">=3.7")
    assert [e.name for e in snap.entry_points] == ["lab"]


def test_requirements_files(take):
    snap = take({
        "requirements.txt": "--index-url https://x.example\nnumpy==1.2 --hash=sha256:00\n"
        "-r more/extra.lst\ngit+https://example.org/a.git#egg=alpha\n./local\n",
        "more/extra.lst": "scipy  # why\n-r ../requirements.txt\n",
        "requirements-dev.txt": "pytest\n",
        "docs/requirements.txt": "sphinx\n",
    })  # fmt: skip
    assert rows(snap) == [
        ("sphinx", "", "docs", "docs/requirements.txt", 1),
        ("scipy", "", "", "more/extra.lst", 1),
        ("pytest", "", "dev", "requirements-dev.txt", 1),
        ("numpy", "==1.2", "", "requirements.txt", 2),
        ("alpha", "@ git+https://example.org/a.git", "", "requirements.txt", 4),
    ]


def test_conda_environment_and_pipfile(take):
    snap = take({
        "environment.yml": "name: x\ndependencies:\n  - python=3.9\n  - conda-forge::numpy>=1.2\n"
        "  - pip:\n    - torch==1.4\n",
        "Pipfile": '[packages]\nrequests = "*"\n[dev-packages]\npytest = ">=7"\n',
        "ci.yaml": "dependencies: [x]\n",
        "broken.yaml": "a: [",
        "lab.yml": "name: lab\nchannels: [defaults]\ndependencies:\n  - r-base\n",
    })  # fmt: skip
    assert snap.unreadable == ()
    assert rows(snap, "conda") == [
        ("python", "=3.9", "", "environment.yml", 3),
        ("numpy", ">=1.2", "", "environment.yml", 4),
        ("r-base", "", "", "lab.yml", 4),
    ]
    assert rows(snap) == [
        ("requests", "", "", "Pipfile", 2),
        ("pytest", ">=7", "dev", "Pipfile", 4),
        ("torch", "==1.4", "", "environment.yml", 6),
    ]


DESCRIPTION = """\
Package: lab
Version: 0.1
Title: What It Does
License: MIT + file LICENSE
Depends: R (>= 3.5),
    methods
Imports: Matrix (>= 1.2), ggplot2
LinkingTo: Rcpp
Suggests: testthat,
    knitr
SystemRequirements: GNU make, libgsl
"""


def test_description(take):
    snap = take({"DESCRIPTION": DESCRIPTION, "NAMESPACE": ""})
    assert rows(snap, "r") == [
        ("R", ">= 3.5", "", "DESCRIPTION", 5),
        ("methods", "", "", "DESCRIPTION", 6),
        ("Matrix", ">= 1.2", "", "DESCRIPTION", 7),
        ("ggplot2", "", "", "DESCRIPTION", 7),
        ("Rcpp", "", "", "DESCRIPTION", 8),
        ("testthat", "", "suggests", "DESCRIPTION", 9),
        ("knitr", "", "suggests", "DESCRIPTION", 10),
    ]
    assert [r[0] for r in rows(snap, "system")] == ["GNU make", "libgsl"]
    assert (snap.distribution, snap.version, snap.summary, snap.licence) == (
        "lab",
        "0.1",
        "What It Does",
        "MIT",
    )


INFO = """\
Metadata-Version: 2.1
Name: lab
Version: 7
Requires-Dist: numpy>=1
Requires-Dist: x; extra == 'dev'

Text
"""


def test_pkg_info_is_a_fallback(take):
    snap = take({"PKG-INFO": INFO})
    assert rows(snap) == [("numpy", ">=1", "", "PKG-INFO", 4), ("x", "", "dev", "PKG-INFO", 5)]
    assert snap.version == "7"
    snap = take({"requirements.txt": "scipy\n"})
    assert [r[0] for r in rows(snap)] == ["scipy"]


@pytest.mark.parametrize("name", ["pyproject.toml", "setup.cfg", "setup.py", "environment.yml", "Pipfile"])
def test_broken_files_are_listed(take, name):
    snap = take({name: "[broken\n\t: = (", "requirements.txt": "numpy\n"})
    assert name in [u.file for u in snap.unreadable]
    assert [r[0] for r in rows(snap)] == ["numpy"]
