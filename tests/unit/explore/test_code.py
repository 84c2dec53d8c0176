"""Reading examples: names, plots, chains of blocks, data files."""

from __future__ import annotations

import ast

import pytest

from labagent.explore.cleaning import parse, without_plots
from labagent.explore.names import defined, used
from labagent.explore.network import network_uses
from labagent.explore.requirements import needs
from labagent.explore.usage import chains
from labagent.models.snapshot import Dependency, Example, Snapshot


def body(code):
    return ast.parse(code).body


NAMES = [
    ("x = 1\ny = x", set(), {"x", "y"}),
    ("df = df.dropna()", {"df"}, {"df"}),
    ("for i in range(3):\n    print(i, z)", {"z"}, {"i"}),
    ("a = [k for k in ks]", {"ks"}, {"a"}),
    ("def f(x):\n    return x + later\nlater = 1", set(), {"f", "later"}),
    ("def f(x):\n    return x + never", {"never"}, {"f"}),
    ("g = lambda q: q + w", {"w"}, {"g"}),
    ("import a.b as c, d.e\nc(d)", set(), {"c", "d"}),
    ("n += 1", {"n"}, {"n"}),
    ("with open('x') as s:\n    t = s.read()", set(), {"s", "t"}),
    ("class A(B):\n    c = D", {"B", "D"}, {"A"}),
]


@pytest.mark.parametrize(("code", "needed", "bound"), NAMES)
def test_names(code, needed, bound):
    assert used(body(code)) == needed
    assert defined(body(code)) == bound


PLOTS = [
    ("import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.set_xlabel('x')\ny = 1", "y = 1"),
    ("model.fit(x).plot()", "model.fit(x)"),
    ("m.plot()", ""),
    ("m.show(1)\nprint(m)", "print(m)"),
    ("from lab import plot_it, fit\nplot_it(fit)\nz = fit(1)", "from lab import fit\nz = fit(1)"),
    ("import seaborn as sns, lab\nsns.heatmap(lab.x())\nq = lab.x()", "import lab\nq = lab.x()"),
    ("for c in cs:\n    ax.plot(c)\n    s = f(c)", "for c in cs:\n    s = f(c)"),
    ("for c in cs:\n    ax.plot(c)", ""),
    ("def draw_all(m):\n    m.plot()\ndraw_all(m)\nk = 1", "k = 1"),
    ("df\ndf.head()\n'text'", "df.head()"),
]


@pytest.mark.parametrize(("code", "left"), PLOTS)
def test_plots_are_taken_out(code, left):
    assert "\n".join(ast.unparse(s) for s in without_plots(body(code))) == left


def test_prompts_and_magics_are_read_past():
    tree = parse(">>> x = f(1)\n3\n>>> for i in x:\n...     g(i)\n")
    assert ast.unparse(tree) == "x = f(1)\nfor i in x:\n    g(i)"
    assert ast.unparse(parse("%matplotlib inline\n!pip install x\ny = 1\ndf?")) == "y = 1"
    assert parse("this is no python") is None


def example(code, line, file="README.md"):
    return Example(language="python", code=code, file=file, first_line=line, last_line=line, origin="readme")


def test_later_blocks_bring_the_earlier_ones_they_need():
    blocks = (
        example("x = load()", 1),
        example("other = 1", 2),
        example("m = Model(x)", 3),
        example("m.fit()", 4),
        example("print(m.score)", 5),
        example("z = 1", 1, "docs/a.md"),
    )
    lab = Snapshot(skill="x", language="python", examples=blocks)
    found = {tuple(b.first_line for b in chain) for chain in chains(lab) if chain[0].file == "README.md"}
    assert (1, 3, 4, 5) in found
    assert (2,) in found
    assert not any(set(lines) >= {2, 5} for lines in found)


NETWORK_USES = [
    ("import urllib.request as r", ["urllib.request"]),
    ("from urllib import request", ["urllib.request"]),
    ("from urllib.parse import quote", []),
    ("from tdc.benchmark_group import admet_group\ng = admet_group(path='x')", ["tdc", "admet_group"]),
    ("import gdown, wget", ["gdown", "wget"]),
    ("from huggingface_hub import hf_hub_download as h", ["huggingface_hub"]),
    ("x = sns.load_dataset('iris')", ["load_dataset"]),
    ("x = fetch_california_housing()", ["fetch_california_housing"]),
    ("request.urlretrieve(a, b)", ["urlretrieve"]),
    ("pd.read_csv('https://example.org/a.csv')", ["an address is read"]),
    ("from .requests import get\nimport requests_of_mine\nx = prefetch(1)", []),
]


@pytest.mark.parametrize(("code", "found"), NETWORK_USES)
def test_the_network_is_seen(code, found):
    assert list(network_uses(ast.parse(code), (), ())) == found


def test_the_labs_own_names_are_not_the_network():
    tree = ast.parse("from datasets import load_dataset\nx = load_dataset('bundled')\ny = fetch_it()")
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert list(network_uses(tree, {"datasets"}, calls)) == ["fetch_it"]


def api(**fields):
    return Snapshot(skill="x", language="python", modules=("tinylab",), **fields)


def dependency(name, specifier="", **more):
    return Dependency(name=name, specifier=specifier, ecosystem="python", file="setup.py", line=3, **more)


def test_a_lab_on_the_index_is_pinned_and_brings_its_dependencies():
    declared = (dependency("scikit-learn", ">=1.0,<2"), dependency("numpy", ">=1.20"))
    found = needs(api(dependencies=declared), "pypi:TinyLab==1.2 sha256:ab", ("sklearn", "tinylab"))
    assert found.environment()["dependencies"] == [
        "python=3.11",
        "pip",
        {"pip": ["TinyLab==1.2", "scikit-learn>=1.0,<2"]},
    ]


def test_a_lab_that_is_not_on_the_index_lists_all_it_declares():
    declared = (dependency("numpy", ">=1.20"), dependency("sphinx", extra="docs"), dependency("setuptools"))
    found = needs(api(dependencies=declared, requires_python=">=3.8,<3.11"), "git x@1", ("tinylab",))
    assert not found.installed
    assert found.environment()["dependencies"] == ["python=3.10", "pip", {"pip": ["numpy>=1.20"]}]
