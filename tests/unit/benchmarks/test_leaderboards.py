"""Leaderboard tables: what is wrong with them is said with its place."""

import pytest

from labagent.errors import InputError
from labagent.inputs import load_boards, load_leaderboard
from labagent.models.family import Family

LONG = "board\tmethod\tvalue\tsd\tranked\tsource\tdisputed\n"


@pytest.fixture
def family(tmp_path):
    return Family(name="f", folder=str(tmp_path), scorer="metric", title="F", leaderboard_source="a paper")


def faults(load, family):
    with pytest.raises(InputError) as caught:
        load(family)
    return " ".join(str(fault) for fault in caught.value.faults)


def test_none_long_and_wide(family, tmp_path):
    assert load_leaderboard(family) == [] and load_boards(family) == {}
    (tmp_path / "leaderboards.tsv").write_text(
        LONG + "b\tm\t0.50\t0.1\tno\ts\ta doubt\nc\tm\t1\t\tyes\ts\t\n"
    )
    first, second = load_leaderboard(family)
    assert (first.decimals, first.ranked, first.disputed, second.sd) == (2, False, "a doubt", None)
    assert load_leaderboard(family, "c") == [second]
    (tmp_path / "leaderboards-wide.tsv").write_text("# note\nboard\tm\tn\nb\t0.500\t\nc\t0.250\t-0.1\n")
    wide = load_leaderboard(family)
    assert [(r.board, r.method, r.value, r.decimals) for r in wide] == [
        ("b", "m", 0.5, 3), ("c", "m", 0.25, 3), ("c", "n", -0.1, 1),
    ]  # fmt: skip
    assert {r.source for r in wide} == {"a paper"}


def test_faults(family, tmp_path):
    (tmp_path / "leaderboards.tsv").write_text(LONG + "b\tm\thigh\t\tyes\ts\t\nb\tm\t1\t\tyes\ts\tdoubt\n")
    said = faults(load_leaderboard, family)
    assert "line 2" in said and "line 3" in said and "ranked must be no" in said
    wide = tmp_path / "leaderboards-wide.tsv"
    wide.write_text("board\tm\nb\tnan\nc\t1\t2\n")
    said = faults(load_leaderboard, family)
    assert '"nan" is no number' in said and "has 3 cells, not 2" in said
    wide.write_text("assay\tm\n")
    assert 'the first column must be "board"' in faults(load_leaderboard, family)
    (tmp_path / "boards.tsv").write_text("board\tmetric\tdirection\nb\tmae\tlower\nb\tmae\tlower\n")
    assert '"b" stands twice' in faults(load_boards, family)
