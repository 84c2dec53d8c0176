"""Leaderboard tables: what is wrong with them is said with its place."""

import pytest

from labagent.errors import InputError
from labagent.inputs import Inputs, load_boards, load_leaderboard
from labagent.models.config import Config
from labagent.models.family import Family
from labagent.models.tables import Reference, Target
from labagent.workflow.session import check_scorers

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
    assert "line 2" in said and "line 3" in said
    wide.write_text("# note\nboard\tm\nb\t1\nb\t2\n")
    assert 'line 4, "board": "b" stands twice' in faults(load_leaderboard, family)
    wide.write_bytes(b"board\tm\nb\t1\xff\n")
    assert "is not UTF-8 text (byte 11)" in faults(load_leaderboard, family)
    wide.write_text("assay\tm\n")
    assert 'the first column must be "board"' in faults(load_leaderboard, family)
    (tmp_path / "boards.tsv").write_text("board\tmetric\tdirection\nb\tmae\tlower\nb\tmae\tlower\n")
    assert '"b" stands twice' in faults(load_boards, family)


def test_a_fault_that_only_the_report_would_meet_is_told_before_anything_runs(tmp_path):
    """The report reads leaderboards last; tables of a family are told once, not for each of its targets."""
    family = Family(name="f", folder=str(tmp_path), scorer="tdc_admet", title="F")
    fields = {"quantity": "q", "metric": "mae", "direction": "lower", "value": "1", "source": "s"}
    references, targets, labels = {}, {}, {}
    for name, method in (("t", "m"), ("u", "nobody")):
        place = {"target": name, "board": "b", "method": method}
        references[name] = {"q": Reference.model_validate({**fields, **place})}
        targets[name] = Target(target=name, family="f", task="t.md", answer="q=p.csv")
        labels[name] = tmp_path / "labels.csv"
    labels["t"].write_text("id,label\na,1\nb,2\n")
    config, tables = Config(arms={"a": {}}), dict.fromkeys("tu", "r")
    inputs = Inputs(tmp_path, config, {}, targets, references, {"f": family}, labels, tables)
    boards, rows = tmp_path / "boards.tsv", tmp_path / "leaderboards.tsv"
    boards.write_text("board\tmetric\tdirection\nb\tmae\tlower\n")
    rows.write_text(LONG + "b\tm\t0.50\t\tyes\ts\t\n")
    said = faults(check_scorers, inputs)
    assert said == 'r, "method": target "u": method "nobody" has no published row on board "b"'
    rows.write_text(LONG + "b\tm\tnan\t\tyes\ts\t\n")
    assert faults(check_scorers, inputs).count("finite number") == 1
    rows.write_text(LONG + "c\tm\t0.50\t\tyes\ts\t\n")
    assert 'board "b" has no row' in faults(check_scorers, inputs)
    rows.unlink()
    boards.write_text("board\tmetric\tdirection\nb\tmae\tup\n")
    assert faults(check_scorers, inputs).count("'up'") == 1
