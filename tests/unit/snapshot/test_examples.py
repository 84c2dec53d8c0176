from __future__ import annotations

import json


def listed(snap, origin=None):
    return [
        (e.origin, e.language, e.code, e.file, e.first_line, e.last_line)
        for e in snap.examples
        if origin in (None, e.origin)
    ]


README = """\
# Lab

```bash
$ pip install lab
Collecting lab
```

```python
import lab
lab.run(1)
```

~~~{r chunk, echo=FALSE}
library(lab)
~~~

```
plain output of 3 lines
```

```
conda install lab
```

>>> lab.run(2)
4
>>> x = lab.run(
...     3)
"""


def test_readme(take):
    snap = take({"README.md": README})
    assert listed(snap) == [
        ("readme", "bash", "pip install lab\n", "README.md", 4, 5),
        ("readme", "python", "import lab\nlab.run(1)\n", "README.md", 9, 10),
        ("readme", "r", "library(lab)\n", "README.md", 14, 14),
        ("readme", "bash", "conda install lab\n", "README.md", 22, 22),
        ("readme", "python", "lab.run(2)\nx = lab.run(\n    3)\n", "README.md", 25, 28),
    ]


RST = """\
Title
=====

.. code-block:: python
   :linenos:

   import lab
   if lab:
       lab.run()

Use it so::

    from lab import x
    x(1)

Install::

    $ pip install lab

Nothing::

    some prose

.. code:: r

    library(lab)
"""


def test_restructured_text(take):
    snap = take({"docs/use.rst": RST})
    assert listed(snap) == [
        ("docs", "python", "import lab\nif lab:\n    lab.run()\n", "docs/use.rst", 7, 9),
        ("docs", "python", "from lab import x\nx(1)\n", "docs/use.rst", 13, 14),
        ("docs", "bash", "pip install lab\n", "docs/use.rst", 18, 18),
        ("docs", "r", "library(lab)\n", "docs/use.rst", 26, 26),
    ]


SOURCE = '''\
def f():
    """F.

    >>> f()
    1
    >>> f(
    ... )
    """


def g():
    """G.

    >>> g()

    .. code:: python

        g(2)
    """
'''
TEST = """\
import pkg


def test_f():
    assert pkg.f(
        1
    )


X = 1
"""


def test_python_files(take):
    snap = take({
        "pkg/__init__.py": "",
        "pkg/a.py": SOURCE,
        "examples/plot_it.py": "import pkg\npkg.f()\n",
        "examples/old.py": "print 'x'\n",
        "tests/test_a.py": TEST,
    })  # fmt: skip
    assert listed(snap, "docstring") == [
        ("docstring", "python", "f()\nf(\n)\n", "pkg/a.py", 4, 7),
        ("docstring", "python", "g()\n", "pkg/a.py", 14, 14),
        ("docstring", "python", "g(2)\n", "pkg/a.py", 18, 18),
    ]
    assert listed(snap, "example") == [
        ("example", "python", "import pkg\npkg.f()\n", "examples/plot_it.py", 1, 3)
    ]
    assert listed(snap, "test") == [
        ("test", "python", "def test_f():\n    assert pkg.f(\n        1\n    )\n", "tests/test_a.py", 4, 7)
    ]


def notebook(*sources, language="python"):
    cells = [
        {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": s}
        for s in sources
    ]
    kernel = {"language_info": {"name": language}}
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": kernel, "cells": cells})


def test_notebooks(take):
    snap = take({
        "notebooks/a.ipynb": notebook("%matplotlib inline\nimport lab", "!pip install lab\nlab.run()"),
        "notebooks/r.ipynb": notebook("library(lab)", language="R"),
        "notebooks/bad.ipynb": "{",
    })  # fmt: skip
    assert listed(snap) == [
        ("notebook", "python", "import lab\n", "notebooks/a.ipynb", 1, 1),
        ("notebook", "bash", "pip install lab\n", "notebooks/a.ipynb", 2, 2),
        ("notebook", "python", "lab.run()\n", "notebooks/a.ipynb", 2, 2),
        ("notebook", "r", "library(lab)\n", "notebooks/r.ipynb", 1, 1),
    ]
    assert [u.file for u in snap.unreadable] == ["notebooks/bad.ipynb"]


DATA = ["data/a.txt", "pkg/data/config.json", "model.xml.gz", "results.json", "zoo.csv"]
OTHER = ["requirements.txt", "environment.yml", "package.json", "docs/page.txt", ".github/x.json"]
OTHER += ["x.egg-info/top_level.txt", "LICENSE.txt", "pkg/mod.py", "README.md"]


def test_data_files(take):
    snap = take(dict.fromkeys([*OTHER, *DATA], "x"))
    assert list(snap.data_files) == DATA
