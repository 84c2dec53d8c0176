"""Tier 2: R calls and shell commands against the snapshot of the lab."""

from __future__ import annotations

import ast
import shutil

import pytest

from labagent.skills.calls import call_sites
from labagent.skills.calls import faults as call_faults
from labagent.skills.validate import validate_skill
from labagent.snapshot import snapshot

TRAIN = """import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--rate", default=0.1)
parser.add_argument("-v", "--verbose", action="store_true")
commands = parser.add_subparsers()
commands.add_parser("fit").add_argument("--alpha")
fit = commands.add_parser("show")
fit.add_argument("--width")
"""
R_FILES = {
    "rpkg/DESCRIPTION": "Package: tinyr\nVersion: 1.0\n",
    "rpkg/NAMESPACE": "export(shrink)\nexport(open)\n",
    "rpkg/R/a.R": "shrink <- function(x, lambda = 1, scale = TRUE) x\nopen <- function(x, ...) x\n",
    "tools/train.py": TRAIN,
}


@pytest.fixture
def refused(artifacts, skill, tmp_path, project):
    """Failed checks of tier 2 (which need no resolving) of the good skill with one more block."""
    folder = tmp_path / "staged"
    shutil.copytree(artifacts, folder)
    for name, text in R_FILES.items():
        path = folder / "repository" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    snap = snapshot(folder / "repository", "tiny-mean")

    def run(language: str, code: str):
        locus = skill / "references" / "data.md"
        start = locus.read_text().count("\n") + 2
        locus.write_text(f"{locus.read_text()}\n```{language}\n{code}```\n")
        verdict = validate_skill(
            skill,
            origin="curated",
            snapshot=snap,
            artifacts=folder,
            root=project,
            log=tmp_path / "log",
            tier=2,
            all_tiers=True,
            skip=frozenset({"resolve"}),
        )
        checks = verdict.tiers[1].checks
        return [(c.id, (c.line or 0) - start, c.message) for c in checks if c.status == "failed"]

    return run


@pytest.mark.parametrize(
    ("code", "line", "message"),
    [
        ("tinyr::shrnk(1)\n", 1, "did you mean shrink"),
        ("x <- 1\ntinyr::shrink(x, lamda = 2)\n", 2, 'no argument "lamda"'),
        ("library(tinyr)\ny <- shrink(1, 2,\n  TRUE, 4)\n", 2, "at most 3 arguments"),
        ("library(tinyr)\n1 |> shrink(2, TRUE, 4)\n", 2, "at most 3 arguments"),
    ],
)
def test_r_calls(refused, code, line, message):
    [(check, at, said)] = refused("r", code)
    assert (check, at) == ("r-api", line)
    assert message in said


needs_r = pytest.mark.skipif(shutil.which("Rscript") is None, reason="no R here")
SHRINKS = "library(tinyr)\nx <- shrinks(1)\n"


@needs_r
@pytest.mark.parametrize(
    ("code", "line", "message"),
    [
        (
            SHRINKS,
            2,
            '"shrinks" is defined neither here nor by R, the lab, or an attached package; did you mean',
        ),
        ("library(tinyr)\ny <- sapply(1:3, sqrt)\nz <- regress(y)\n", 3, '"regress" is defined neither'),
        ("library(absent.package)\nload('x.rda')\nx <- shrimk(1)\n", 3, "did you mean shrink?"),
        ("for (p in 1) f <- function(a) nowhere(a)\n", 1, '"nowhere"'),
    ],
)
def test_r_functions_that_nothing_defines(refused, code, line, message):
    [(check, at, said)] = refused("r", code)
    assert (check, at) == ("r-names", line)
    assert message in said


@needs_r
@pytest.mark.parametrize(
    "code",
    [
        "library(tinyr)\nx <- shrink(median(rnorm(3)))\nprint(head(x))\n",
        "twice <- function(f, x) f(f(x))\nprint(twice(sqrt, 16))\n",  # a parameter that is called
        "sapply(1:3, fun)\nfun(2)\n",  # a value, wherever it comes from
        "library(absent.package)\nregress(1)\n",  # a package that is not here may have it
        "for (p in c('a')) library(p, character.only = TRUE)\nregress(1)\n",
        "load('fits.rda')\nregress(1)\n",
        "x$regress(1)\nabsent::regress(1)\n",
        "library(stats4)\nmle(1)\n",
        "own(1)\n",  # a file of the skill defines it
    ],
)
def test_r_functions_that_may_be_there(refused, skill, code):
    (skill / "scripts").mkdir()
    (skill / "scripts" / "own.R").write_text("own <- function(x) x\n")
    assert refused("r", code) == []


@pytest.mark.parametrize(
    ("code", "line", "message"),
    [
        ("python tools/train.py --rat 1 --rte 2\n", 1, 'no option "--rte"'),
        ("set -e\nVAR=1 python -u train.py \\\n  --rate=2 --deep | head\n", 2, 'no option "--deep"'),
        ("python train.py fti\n", 1, "did you mean fit"),
        ("python train.py show --wide 2\n", 1, 'no option "--wide"'),
        ("python tools/test.py --rate 1\n", 1, 'no script "tools/test.py"'),
    ],
)
def test_shell_commands(refused, code, line, message):
    [(check, at, said)] = refused("bash", code)
    assert (check, at) == ("commands", line)
    assert message in said


def test_commands_that_python_starts(refused):
    code = "import subprocess, sys\nsubprocess.run([sys.executable, 'tools/train.py', '--deep', str(1)])\n"
    [(check, at, said)] = refused("python", code)
    assert (check, at) == ("commands", 2)
    assert '"--deep"' in said


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("r", "library(tinyr)\nshrink(1, lam = 2)\nopen(1, anything = 2)\nx$shrink(1, 2, 3, 4)\n"),
        ("r", "library(tinyr)\nshrink <- function(...) 1\nshrink(1, deep = 2)\nstats::shrink(1, deep = 2)\n"),
        ("r", "shrink(1, deep = 2)\ntinyr:::hidden(1)\n"),
        ("bash", "python tools/train.py -v --rate 1 fit --alpha 2 > out.txt\n"),
        ("bash", 'python "$LABAGENT_DATA/train.py" --help\npython train.py "$OPTION" -5\n'),
        ("bash", "cat > own.py <<'END'\npython train.py --deep\nEND\npython own.py --deep\n"),
        ("bash", "python -m json.tool --nothing x\npython -c 'train.py --deep'\ngrep --deep train.py\n"),
    ],
)
def test_what_is_right_or_not_the_labs_raises_nothing(refused, language, code):
    assert refused(language, code) == []


RETURNING = '''"""Annotated results."""
class Result:
    def plot(self, width=1): ...
class Model:
    def run(self, x) -> Result: ...
def fit(x) -> Model: ...
'''


@pytest.mark.parametrize(
    ("code", "faults"),
    [
        ("r = lab.fit(1).run(2)\nr.plot(wide=3)\n", [(3, 'no parameter "wide"')]),
        ("m = lab.fit(1)\nm.walk(2)\n", [(3, "lab.Model.walk does not exist")]),
        ("r = lab.fit(1).run(2)\nr.plot(width=3)\n", []),
    ],
)
def test_calls_on_what_functions_return(tmp_path, code, faults):
    (tmp_path / "lab.py").write_text(RETURNING)
    snap = snapshot(tmp_path, "lab")
    sites = call_sites(ast.parse(f"import lab\n{code}"), snap)
    found = [(site.line, text) for site in sites for text in call_faults(site, snap)]
    assert [line for line, _ in found] == [line for line, _ in faults]
    assert all(wanted in said for (_, said), (_, wanted) in zip(found, faults, strict=True))


def test_an_import_that_may_fail_is_not_judged(refused):
    code = "try:\n    from tinylab import Median as M\n"
    code += "except ImportError:\n    from tinylab import Mean as M\nM().fit([1])\n"
    assert refused("python", code) == []
    strict = refused("python", code.replace("ImportError", "KeyError"))
    assert [(name, line) for name, line, _ in strict] == [("api", 2)]
