"""The helper that a drafted skill brings along to collect numbers."""

from __future__ import annotations

import importlib.util
import json
import math
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest


@pytest.fixture
def harvest():
    path = files("labagent.explore") / "resources" / "harvest.py"
    spec = importlib.util.spec_from_file_location("harvest", str(path))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Model:
    def __init__(self):
        self.alpha = 0.5
        self._hidden = 1
        self.name = "text"
        self.flag = True
        self.coef_ = np.array([1.0, 2.0])
        self.self_reference = self

    @property
    def summary(self):
        return pd.DataFrame({"coef": [1.5, math.nan]}, index=["age", "sex"])

    @property
    def broken(self):
        raise ValueError

    def method(self):
        return 1


def test_what_numbers_are_found(harvest):
    found = harvest.harvest(Model())
    assert found == {
        "alpha": 0.5,
        "coef_": {"rows": 2, "0": 1.0, "1": 2.0},
        "summary": {"rows": 2, "columns": 1, "coef": {"age": 1.5}},
    }


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, 3),
        (np.float32(0.5), 0.5),
        (np.array(2), 2),
        (True, None),
        (np.bool_(True), None),
        (math.inf, None),
        ("3", None),
        ([1, "a", [2]], {"0": 1, "2": {"0": 2}}),
        ({"a.b": 1, ("x", "y"): 2, 1.0: 3}, {"a.b": 1, "x.y": 2, "1": 3}),
        (pd.Series([1, 2], index=["a", "a"]), {"rows": 2, "0": 1, "1": 2}),
        (pd.DataFrame(index=range(3000), columns=range(10)), {"rows": 3000, "columns": 10}),
        (np.zeros((2, 2)), {"rows": 2, "columns": 2, "0": {"0": 0.0, "1": 0.0}, "1": {"0": 0.0, "1": 0.0}}),
        (len, None),
    ],
)
def test_values(harvest, value, expected):
    assert harvest.harvest(value) == expected


def test_saving_lists_what_gave_nothing(harvest, tmp_path, capsys):
    harvest.save({"x": 1, "y": "text"}, str(tmp_path / "out.json"))
    assert json.loads((tmp_path / "out.json").read_text()) == {"x": 1}
    assert "no numbers in: y" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="no number"):
        harvest.save({"y": "text"}, str(tmp_path / "none.json"))


def test_a_file_that_is_not_staged_is_named(harvest, tmp_path, monkeypatch):
    (tmp_path / "b.csv").write_text("")
    monkeypatch.setenv("LABAGENT_DATA", str(tmp_path))
    assert harvest.data_path("b.csv") == str(tmp_path / "b.csv")
    with pytest.raises(SystemExit, match=r"a\.csv is not staged; staged is: b\.csv"):
        harvest.data_path("a.csv")
