import subprocess
import sys

import pytest

from labagent.memory.classify import classify
from labagent.models.memory import Match
from labagent.reproduce.repairs import _table, repairs_for


def failing_output(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    return done.stderr


def repairs(text):
    return [move.command for move in repairs_for(classify(text), text)]


def test_every_row_is_well_formed():
    assert _table()
    for repair in _table():
        limits = set(repair.where) | set(repair.pattern.groupindex)
        assert repair.names <= limits, f"{repair.template}: each group must be limited"


def test_a_missing_module_installs_its_distribution():
    assert repairs(failing_output("import nosuchmodule")) == ["python -m pip install nosuchmodule"]
    assert repairs("ModuleNotFoundError: No module named 'skimage'")[0].endswith("scikit-image")


def test_a_missing_folder_is_made():
    text = failing_output("open('made/by/nobody/x.txt', 'w')")
    assert repairs(text) == ["mkdir -p made/by/nobody"]


def test_a_missing_file_in_the_current_folder_has_no_repair():
    assert repairs(failing_output("open('x.txt')")) == []


@pytest.mark.parametrize(
    "text",
    [
        "ModuleNotFoundError: No module named 'x; rm -rf ~'",
        "ModuleNotFoundError: No module named '$(touch pwned)'",
        "FileNotFoundError: [Errno 2] No such file or directory: '/etc/x/y'",
        "FileNotFoundError: [Errno 2] No such file or directory: '../../x/y'",
    ],
)
def test_hostile_output_gives_no_command(text):
    assert not [c for c in repairs(text) if "rm -rf ~" in c or "$(" in c or "/etc" in c or ".." in c]


def test_a_folder_is_one_shell_word():
    match = Match(
        failure_class="file_not_found", signature="", key_line="", groups={"folder": "a b; touch pwned"}
    )
    assert [move.command for move in repairs_for(match, "x")] == ["mkdir -p 'a b; touch pwned'"]


def test_numpy_two_is_pinned_back():
    text = "AttributeError: `np.float_` was removed in the NumPy 2.0 release. Use `np.float64` instead."
    assert repairs(text) == ["python -m pip install 'numpy<2'"]
