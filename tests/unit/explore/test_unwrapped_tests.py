"""Tests of a lab become usage where nothing better exists."""

from __future__ import annotations

import pytest

from labagent.explore.data_files import Repository
from labagent.explore.trial import Trial
from labagent.explore.unwrapped_tests import unwrapped
from labagent.models.config import EnvironmentSettings, SandboxSettings

UNITTEST = """import unittest
import os
from tinylab import Line, load_growth
FACTOR = 2.0
UNUSED = 3.0


class TestLine(unittest.TestCase):
    def setUp(self):
        self.x, self.y = load_growth()
        self.line = Line()

    def test_slope(self):
        \'\'\'Says nothing.\'\'\'
        fitted = self.line.fit(self.x, self.y)
        self.assertAlmostEqual(FACTOR * fitted.slope_, 3.96, places=2)
        with self.assertRaises(TypeError):
            fitted.predict("text")
        for x in [1]:
            self.assertTrue(True)
        assert len(fitted.predict([5])) == 1

    def test_with_a_method(self):
        self.helper()
"""
PYTEST = """import pytest
from tinylab import Line, load_growth


@pytest.fixture
def growth():
    return load_growth()


@pytest.fixture
def odd(growth):
    if growth:
        return 1
    return 2


@pytest.mark.parametrize(("intercept", "slope"), [(False, 2.0), (True, 1.98)])
def test_fit(growth, intercept, slope):
    x, y = growth
    line = Line(intercept=intercept).fit(x, y)
    assert line.slope_ == pytest.approx(slope, abs=0.1)


def test_odd(odd):
    assert Line().fit([1, odd], [1, 2]).slope_ == 1


def test_unknown(capsys):
    assert Line().fit([1, 2], [1, 2]).slope_ == 1
"""


def codes(tmp_path, text):
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/test_line.py").write_text(text)
    found = list(unwrapped(Repository(tmp_path, ["tests/test_line.py"])))
    return found, ["\n".join(piece.code for piece in chain) for chain in found]


def test_a_method_of_unittest_is_taken_out_with_its_set_up(tmp_path):
    chains, found = codes(tmp_path, UNITTEST)
    assert found == [
        "from tinylab import Line, load_growth\nFACTOR = 2.0\n"
        "self_x, self_y = load_growth()\nself_line = Line()\n"
        "fitted = self_line.fit(self_x, self_y)\n"
        "checked_1 = FACTOR * fitted.slope_\n"
        "for x in [1]:\n    pass\n"
        "checked_2 = fitted.predict([5])"
    ]
    assert [(piece.first_line, piece.last_line) for piece in chains[0]] == [(3, 3), (4, 4), (9, 11), (13, 21)]


def test_fixtures_and_the_first_row_of_a_table_bind_arguments(tmp_path):
    found = codes(tmp_path, PYTEST)[1]
    assert found == [
        "from tinylab import Line, load_growth\n"
        "intercept, slope = (False, 2.0)\ngrowth = load_growth()\n"
        "x, y = growth\nline = Line(intercept=intercept).fit(x, y)\nchecked_1 = line.slope_"
    ]


@pytest.mark.parametrize("text", [UNITTEST, PYTEST])
def test_a_lab_with_nothing_but_tests_ends_in_a_skill_that_runs(text, files, draft, project, tmp_path):
    files["README.md"], files["tests/test_line.py"] = "# tinylab\n", text
    trial = Trial(EnvironmentSettings(), SandboxSettings(), project, tmp_path / "trial.log")
    record, _, _, folder = draft(files, trial=trial)
    assert record.status == "drafted", record.reason
    assert "load_growth()" in (folder / "references/run.md").read_text()
    assert "tests/test_line.py" in (folder / "SKILL.md").read_text()


def test_tests_come_after_all_else(files, draft):
    files["tests/test_line.py"] = UNITTEST
    folder = draft(files)[3]
    assert "tests/test_line.py" not in (folder / "SKILL.md").read_text()
