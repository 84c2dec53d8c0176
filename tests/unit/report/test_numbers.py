"""Numbers for people: as many digits as were published, or as the criterion can tell apart."""

import pytest

from labagent.models.tables import Reference
from labagent.report.numbers import beside, criterion, p_value, published


def reference(**fields) -> Reference:
    given = {"target": "t", "quantity": "q", "metric": "m", "direction": "match", "source": "s", **fields}
    return Reference.model_validate(given)


@pytest.mark.parametrize(
    ("fields", "text", "words", "ours"),
    [
        ({"value": "0.276", "sd": "0.005", "sd_kind": "seeds", "n": 5},
         "0.276 ± 0.005", "SD over seeds, n = 5", "0.2766"),
        ({"value": "0.632812315254828", "tolerance": ".02", "tolerance_kind": "rel", "unit": "log2"},
         "0.6328 log2 ± 2 %", "tolerance", "0.2766"),
        ({"value": "-0.37942", "tolerance": "5e-6", "tolerance_kind": "abs"},
         "-0.37942 ± 5e-06", "tolerance", "0.276644"),
        ({"value": "3", "tolerance": "0", "tolerance_kind": "abs"}, "3", "exact", "0.3"),
        ({"value": "0.9", "unit": "1/h"}, "0.9 1/h", "5 % band", "0.28"),
        ({"value": "2.5e-09"}, "2.5e-09", "5 % band", "0.27664"),
    ],
)  # fmt: skip
def test_published_and_ours(fields, text, words, ours):
    row = reference(**fields)
    assert published(row) == text
    assert criterion(row) == words
    if row.value > 1e-6:
        assert beside(0.276644, row) == ours


def test_whole_numbers_stay_whole():
    row = reference(value="15", tolerance="0", tolerance_kind="abs")
    assert beside(15.0, row) == "15"
    assert beside(15.5, row) == "15.5"


def test_p_values_are_never_zero():
    assert [p_value(p) for p in (1e-9, 0.012345, 0.5)] == ["< 0.0001", "0.012", "0.50"]
