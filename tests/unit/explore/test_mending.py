"""What is changed in a draft's environment when it fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import labagent
from labagent.explore.era import Resolver, era_python
from labagent.explore.mending import Mender
from labagent.explore.requirements import add_requirement, pip_requirements
from labagent.memory import open_memory
from labagent.models.config import EnvironmentSettings, MemorySettings

REMOVED = "TypeError: read_csv() got an unexpected keyword argument 'delim_whitespace'"
RUN = "tier 3, run: references/run.md, line 18: exit status 1: "


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "environment.yaml").write_text(
        "dependencies:\n- python=3.11\n- pip:\n  - pandas\n  - numpy==2.0.0\n"
    )
    return tmp_path


def test_requirements_take_the_place_of_looser_ones(folder):
    assert add_requirement(folder, "pandas<3")
    assert not add_requirement(folder, "pandas<3")
    assert not add_requirement(folder, "pandas")
    assert not add_requirement(folder, "numpy<2"), "an exact pin is kept"
    assert add_requirement(folder, "xlrd")
    assert pip_requirements(folder) == ["numpy==2.0.0", "pandas<3", "xlrd"]


def test_a_missing_module_is_added_and_remembered(folder, tmp_path):
    mender = Mender("")
    said = mender.mend(folder, f"{RUN}ModuleNotFoundError: No module named 'sklearn'", "")
    assert said == "added scikit-learn"
    other = tmp_path / "other"
    other.mkdir()
    (other / "environment.yaml").write_text("dependencies:\n- python=3.11\n- pip\n")
    mender.prepare(other)
    assert pip_requirements(other) == ["scikit-learn"]


def test_the_memory_s_fix_is_applied(folder):
    root = Path(labagent.__file__).parents[2]
    lessons = open_memory(MemorySettings(), "test", "off", root=root).state() or (
        open_memory(MemorySettings(), "test", "frozen", root=root).state()
    )
    said = Mender("", lessons).mend(folder, RUN + REMOVED, f"Traceback\n{REMOVED}\n")
    assert "pandas<3" in said
    assert "pandas<3" in pip_requirements(folder)


def test_a_folder_that_a_command_misses_is_made(folder):
    root = Path(labagent.__file__).parents[2]
    lessons = open_memory(MemorySettings(), "test", "frozen", root=root).state()
    (folder / "references").mkdir()
    run = folder / "references" / "run.md"
    run.write_text("# Run\n\n```bash\ncd source\npython main.py\n```\n")
    output = "FileNotFoundError: [Errno 2] No such file or directory: 'logs/models/best.txt'\n"
    said = Mender("", lessons).mend(folder, f"{RUN}{output.strip()}", f"Traceback\n{output}")
    assert said == "made the folder logs/models, which the command expects"
    assert "cd source\nmkdir -p logs/models\npython main.py\n" in run.read_text()
    outside = output.replace("logs/models", "/etc/models")
    assert Mender("", lessons).mend(folder, f"{RUN}{outside.strip()}", outside) == ""


def test_names_of_the_standard_library_that_moved_are_put_right(folder, tmp_path):
    (folder / "references").mkdir()
    run = folder / "references" / "run.md"
    run.write_text("# Run\n\n```bash\ncd source\npython main.py\n```\n")
    source = tmp_path / "source"
    source.mkdir()
    (source / "main.py").write_text("from collections import Iterable\nprint(isinstance([], Iterable))\n")
    reason = f"{RUN}ImportError: cannot import name 'Iterable' from 'collections' (/x/__init__.py)"
    assert Mender("").mend(folder, reason, "") == "Iterable is imported from where it is now"
    block = run.read_text().split("```bash\n")[1].split("```")[0]
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.stdout == "True\n", done.stderr
    assert Mender("").mend(folder, reason, "") == "", "once"


def test_a_python_that_is_not_here_gives_way(folder):
    text = (folder / "environment.yaml").read_text().replace("python=3.11", "python=3.5")
    (folder / "environment.yaml").write_text(text)
    reason = "tier 2, resolve: environment.yaml, line 2: python_version: no Python ==3.5.* on this machine"
    assert "Python 3.11 instead" in Mender("").mend(folder, reason, "")
    assert (folder / "environment.yaml").read_text() == text.replace("3.5", "3.11")


def test_other_refusals_are_not_mended(folder):
    old = f"{RUN}ModuleNotFoundError: No module named 'importlib.metadata'"
    assert Mender("").mend(folder, old, "") == "", "a part of a later Python is no package"
    assert Mender("2023-05-01").mend(folder, "tier 3, perturbation: does not depend", "") == ""
    assert Mender("").mend(folder, f"{RUN}ValueError: x", "") == ""


def test_versions_of_the_lab_s_days(tmp_path):
    resolver = Resolver(EnvironmentSettings(), tmp_path, tmp_path / "era.log")
    pins = dict(pin.split("==") for pin in resolver.pins(["six", "packaging"], "3.11", "2023-06-01"))
    assert pins == {"six": "1.16.0", "packaging": "23.1"}
    assert resolver.pins(["six"], "3.11", "2001-01-01") == ("six==1.16.0",), "not before Python's own days"
    assert resolver.pins(["six"], "3.11", "") == ()
    assert resolver.pins(["six==99"], "3.11", "2023-06-01") == ()
    assert resolver.pins(["six"], "3.2", "2023-06-01") == ()


def test_the_python_of_the_lab_s_days():
    days = ("2018-09-06", "2021-10-26", "2024-12-09", "")
    assert [era_python(day) for day in days] == ["3.7", "3.9", "3.12", ""]


def test_what_cannot_be_built_is_left_out_and_said(folder, tmp_path):
    text = "# Environment\n\n```python\nfor name in ['numpy', 'pandas']:\n    print(name)\n```\n"
    other = tmp_path / "other"
    for place in (folder, other):
        (place / "references").mkdir(parents=True)
        (place / "references" / "environment.md").write_text(text)
    (other / "environment.yaml").write_text((folder / "environment.yaml").read_text())
    reason = "tier 3, build: environment.yaml, line 3: x: error: Failed to build `Pandas==3.0` cause: y"
    mender = Mender("", era_tried=True, loosened=True)
    assert mender.mend(folder, reason, "") == "left out pandas, which cannot be built here"
    mender.prepare(other)
    for place in (folder, other):
        assert pip_requirements(place) == ["numpy==2.0.0"]
        said = (place / "references" / "environment.md").read_text()
        assert "for name in ['numpy']:" in said
        assert said.count("The lab declares `pandas`, which cannot be built here") == 1
    assert mender.mend(folder, reason, "") == ""
    assert mender.mend(folder, f"{RUN}ModuleNotFoundError: No module named 'pandas'", "") == ""
    elsewhere = reason.replace("Pandas", "six")
    assert mender.mend(folder, elsewhere, "") == ""
