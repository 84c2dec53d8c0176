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


REMOVED = "AttributeError: module 'nosuch.part' has no attribute 'old'\n"
LOOK = "python -m pip index versions nosuch"
SAID = "nosuch (3.1)\nAvailable versions: 3.1, 3.0, 2.8, 1.11\n  INSTALLED: 3.1\n  LATEST:    3.1\n"


def test_what_no_row_repairs_is_searched_for_among_older_releases():
    match = classify(REMOVED)
    assert [(m.command, m.looks) for m in repairs_for(match, REMOVED)] == [(LOOK, True)]
    found = [move.command for move in repairs_for(match, REMOVED, seen={LOOK: SAID})]
    assert found[:2] == ["python -m pip install 'nosuch<3'", "python -m pip install 'nosuch<2'"]


def test_a_look_that_failed_gives_no_candidates():
    assert list(repairs_for(classify(REMOVED), REMOVED, seen={LOOK: ""})) == []


def test_a_search_comes_after_what_a_row_knows():
    text = "AttributeError: module 'numpy' has no attribute 'float'\n"
    moves = list(repairs_for(classify(text), text))
    assert [move.looks for move in moves] == [False, True]


@pytest.mark.parametrize("lab", ["nosuch", "nosuch-figures"])
def test_no_other_release_of_the_lab_itself_is_looked_for(lab):
    assert list(repairs_for(classify(REMOVED), REMOVED, lab=lab)) == []
    assert list(repairs_for(classify(REMOVED), REMOVED, lab="nosuchlab"))
