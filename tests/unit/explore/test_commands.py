"""Commands of a lab's scripts as usage: which are found, and a whole draft of one."""

from __future__ import annotations

import pytest

from labagent.explore.command_usage import command_usages
from labagent.explore.commands import interpreter_of
from labagent.explore.data_files import Repository
from labagent.files import list_files
from labagent.snapshot import snapshot

SCRIPT = '''"""Slope of a line through points."""
import argparse

from tools.reading import read_points


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("table")
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--out", default="slope.csv")
    options = parser.parse_args()
    points = read_points(options.table)[options.skip:]
    n = len(points)
    mx, my = (sum(p[i] for p in points) / n for i in (0, 1))
    slope = sum((x - mx) * (y - my) for x, y in points) / sum((x - mx) ** 2 for x, y in points)
    print(f"slope of {n} points: {slope:.6f}")
    with open(options.out, "w") as stream:
        stream.write(f"points,slope\\n{n},{slope}\\n")


if __name__ == "__main__":
    main()
'''
FILES = {
    "README.md": """# lineslope

```
pip install -r requirements.txt
python slope.py data/points.csv --skip 1 --out <your file>
```

```
python slope.py missing/other.csv
```
""",
    "slope.py": SCRIPT,
    "tools/__init__.py": "",
    "tools/reading.py": """import csv


def read_points(name):
    with open(name) as stream:
        return [(float(x), float(y)) for x, y in list(csv.reader(stream))[1:]]
""",
    "data/points.csv": "x,y\n" + "".join(f"{i},{2.0 * i + i % 3}\n" for i in range(1, 15)),
    "bare.py": 'print(open("data/points.csv").read())\nif __name__ == "__main__":\n    print(1)\n',
}


@pytest.fixture
def found(tmp_path):
    def run(files):
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text)
        paths = [path.relative_to(tmp_path).as_posix() for path in list_files(tmp_path)]
        return command_usages(snapshot(tmp_path, "lineslope"), Repository(tmp_path, paths))

    return run


def test_commands_are_found_and_judged(found):
    usages = found(FILES)
    assert [(u.command.text, bool(u.problems)) for u in usages] == [
        ("python slope.py data/points.csv --skip 1", False),
        ("python bare.py", False),
        ("python slope.py missing/other.csv", True),
    ]
    best = usages[0]
    assert best.modules == ("slope.py", "tools/__init__.py", "tools/reading.py")
    assert [file.path for file in best.read] == ["data/points.csv"]
    assert best.where == "README.md:5"
    assert "missing/other.csv" in usages[2].problems[0]


def test_scripts_that_need_what_nobody_gives_are_no_usage(found):
    files = {**FILES, "bare.py": "import sys\nif __name__ == '__main__':\n    print(sys.argv[1])\n"}
    assert "python bare.py" not in {u.command.text for u in found(files)}
    files["bare.py"] = FILES["bare.py"].replace(
        "print(1)", "import requests\n    requests.get('https://x.org')"
    )
    bare = next(u for u in found(files) if u.command.text == "python bare.py")
    assert any("needs the network" in problem for problem in bare.problems)


def test_functions_that_a_script_does_not_run_do_not_count(found):
    unused = "def other():\n    import requests\n    return requests.get('https://x.org')\n\n\n"
    files = {**FILES, "bare.py": unused + FILES["bare.py"]}
    bare = next(u for u in found(files) if u.command.text == "python bare.py")
    assert not bare.problems


def test_a_draft_of_a_command_passes_all_tiers(draft, check):
    made = draft(FILES)
    record, _, _, folder = made
    assert record.status == "drafted", record.reason
    text = (folder / "references" / "run.md").read_text()
    assert "python slope.py data/points.csv --skip 1 2>&1" in text
    verdict = check(made)
    assert verdict.status == "valid", verdict.reason
    found = next(c for c in verdict.tiers[2].checks if c.id == "perturbation")
    assert "numbers changed in points.csv" in found.message
    assert "slope.py.<module>" in found.message


PACKAGED = {
    "pyproject.toml": """[project]
name = "lineslope"
version = "0.3"

[project.scripts]
lineslope = "lineslope.cli:main"
""",
    "README.md": "# lineslope\n\n```bash\nlineslope data/points.csv --skip 1\nlineslope --help\n```\n",
    "lineslope/__init__.py": "",
    "lineslope/cli.py": SCRIPT.replace("from tools.reading", "from lineslope.reading"),
    "lineslope/reading.py": FILES["tools/reading.py"],
    "data/points.csv": FILES["data/points.csv"],
}


def test_a_console_command_is_called_without_being_installed(draft, check):
    made = draft(PACKAGED)
    record, _, _, folder = made
    assert record.status == "drafted", record.reason
    text = (folder / "references" / "run.md").read_text()
    assert "from lineslope.cli import main as main" in text
    assert "data/points.csv --skip 1 2>&1" in text
    verdict = check(made)
    assert verdict.status == "valid", verdict.reason
    found = next(c for c in verdict.tiers[2].checks if c.id == "perturbation")
    assert "lineslope.cli.main" in found.message


def test_scripts_that_setup_py_installs_are_commands_wherever_documents_show_them(found):
    script = "#!/usr/bin/env python3\n" + SCRIPT
    files = {name: text for name, text in FILES.items() if name not in {"README.md", "slope.py", "bare.py"}}
    files |= {
        "setup.py": "from setuptools import setup\nsetup(name='lineslope', scripts=['scripts/slope'])\n",
        "scripts/slope": script,
        "guide/use.rst": "Use\n===\nslope is a program. Call::\n\n   slope data/points.csv --skip 1\n",
        "guide/other.Rmd": "```{r, engine='bash'}\nslope data/points.csv --skip 2 > out.txt\nslope -h\n```\n",
    }
    (usage,) = [u for u in found(files) if not u.problems]
    assert usage.command.text == "python scripts/slope data/points.csv --skip 1"
    assert usage.where == "guide/use.rst:5"
    assert [file.path for file in usage.read] == ["data/points.csv"]


def test_the_program_of_a_script_is_what_its_first_line_names():
    lines = [
        "#! /usr/bin/python3.7 -u",
        "#!/usr/bin/env Rscript",
        "#!/bin/bash",
        "#!/usr/bin/perl",
        "import os",
    ]
    assert [interpreter_of(line) for line in lines] == ["python", "Rscript", "bash", "", ""]
