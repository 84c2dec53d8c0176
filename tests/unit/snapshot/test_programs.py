from __future__ import annotations

import pytest

from labagent.snapshot.query import configuration_of, programs_of

ARGPARSE = """
import argparse
parser = argparse.ArgumentParser(description="Train it")
group = parser.add_argument_group("model")
group.add_argument("-r", "--rate", type=float, default=0.1, help="learning rate")
parser.add_argument("data")
parser.add_argument("--verbose", action="store_true")
parser.add_argument("--mode", choices=["a", "b"], required=True)
"""
COMMANDS = """
import argparse
parser = argparse.ArgumentParser()
sub = parser.add_subparsers(dest="command")
fit = sub.add_parser("fit", help="fit it")
fit.add_argument("--alpha", default=1)
sub.add_parser("show")
"""
CLICK = """
import click
@click.group()
def cli(): ...
@cli.command("go")
@click.option("-n", "--number", default=3, help="how many")
@click.option("--fast/--slow", default=True)
@click.argument("path")
def go(number, fast, path): ...
"""
TYPER = """
import typer
app = typer.Typer()
@app.command()
def main(name: str, count: int = typer.Option(1, "--count", "-c"), loud: bool = False): ...
"""
DOCOPT = '''"""Do it.

Usage:
  do.py <file> [--fast] [--k=<n>]

Options:
  -q, --quiet   Say nothing.
  --k=<n>       Neighbours [default: 3].
"""
from docopt import docopt
docopt(__doc__)
'''
R = """
library(optparse)
option_list <- list(make_option(c("-i", "--input"), type = "character", default = NULL),
                    make_option("--flag", action = "store_true", default = FALSE))
"""


@pytest.mark.parametrize(
    ("file", "text", "names"),
    [
        ("t.py", ARGPARSE, {"": ["--mode", "--rate", "--verbose", "-r", "data"]}),
        ("t.py", COMMANDS, {"": [], "fit": ["--alpha"], "show": []}),
        ("t.py", CLICK, {"": [], "go": ["--fast", "--number", "--slow", "-n", "path"]}),
        ("t.py", TYPER, {"": ["--count", "--loud", "--no-loud", "-c", "name"]}),
        ("t.py", DOCOPT, {"": ["--fast", "--k", "--quiet", "-q"]}),
        ("t.R", R, {"": ["--flag", "--input", "-i"]}),
    ],
)
def test_options_of_programs(take, file, text, names):
    snap = take({file: text})
    assert all(program.complete for program in snap.programs)
    found = {p.command: sorted(n for o in p.options for n in o.names) for p in snap.programs}
    assert found == names


def test_what_an_option_says(take):
    options = {o.names[-1]: o for o in take({"t.py": ARGPARSE}).programs[0].options}
    rate, verbose, mode = options["--rate"], options["--verbose"], options["--mode"]
    assert (rate.default, rate.help, rate.line, rate.takes_value) == ("0.1", "learning rate", 5, True)
    assert not verbose.takes_value
    assert mode.choices == ("a", "b")
    assert mode.required
    assert options["data"].required


@pytest.mark.parametrize(
    "text",
    [
        "import argparse\nfrom base import parent\np = argparse.ArgumentParser(parents=[parent])\n",
        "import argparse\nfrom base import add\np = argparse.ArgumentParser()\nadd(p)\n",
        "import argparse\np = argparse.ArgumentParser()\nknown, rest = p.parse_known_args()\n",
    ],
)
def test_options_that_other_files_add_are_not_denied(take, text):
    assert [p.complete for p in take({"t.py": text}).programs] == [False]


def test_asking_for_programs(take):
    snap = take(
        {
            "pyproject.toml": '[project]\nname = "lab"\n[project.scripts]\nlab-train = "lab.train:main"\n',
            "lab/__init__.py": "",
            "lab/train.py": ARGPARSE,
            "tools/run.py": COMMANDS,
            "other/run.py": ARGPARSE,
        }
    )
    assert {p.file for p in programs_of(snap, "lab-train")} == {"lab/train.py"}
    assert {p.file for p in programs_of(snap, "lab.train")} == {"lab/train.py"}
    assert {p.file for p in programs_of(snap, "./tools/run.py")} == {"tools/run.py"}
    assert programs_of(snap, "run.py") == ()
    assert programs_of(snap, "lab-test") == ()


def test_configuration_with_its_defaults(take):
    snap = take(
        {
            "configs/base.yaml": "model:\n  rate: 0.1\n  sizes: [1, 2]\n",
            "settings.toml": "[run]\nseed = 3\n",
            "config.json": '{"a": {"b": "c"}}',
            "train.gin": "Model.depth = 3  # layers\n",
            "configs/broken.yaml": "a: [\n",
            "pyproject.toml": "[tool.x]\na = 1\n",
        }
    )
    assert {c.file: c.values for c in snap.configuration} == {
        "config.json": {"a.b": "c"},
        "configs/base.yaml": {"model.rate": "0.1", "model.sizes": "[1, 2]"},
        "settings.toml": {"run.seed": "3"},
        "train.gin": {"Model.depth": "3"},
    }
    assert [(c.file, value) for c, value in configuration_of(snap, "run.seed")] == [("settings.toml", "3")]
