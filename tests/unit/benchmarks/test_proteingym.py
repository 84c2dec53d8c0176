"""ProteinGym: published averages from published values, a blind choice, regions, references."""

import csv
import random
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from labagent.cli import main
from labagent.errors import InfrastructureError, InputError
from labagent.inputs import load_leaderboard, place_among, pool
from labagent.scoring.predictions import Label
from labagent.scoring.proteingym.assays import load_assays
from labagent.scoring.proteingym.choice import choose
from labagent.scoring.proteingym.headline import headline
from labagent.scoring.proteingym.regions import parse_variant, parts, read_burial
from labagent.scoring.proteingym.targets import write_targets
from labagent.scoring.scorers import load_scorer


@pytest.fixture(scope="module")
def assays(gym):
    return load_assays(gym)


@pytest.fixture(scope="module")
def published(gym):
    return load_leaderboard(gym)


def test_headline_averages_of_all_models_to_three_decimals(gym, assays, published):
    by_method: dict[str, dict[str, float]] = {}
    for row in published:
        by_method.setdefault(row.method, {})[row.board] = row.value
    with (Path(gym.folder) / "headline.tsv").open(encoding="utf-8") as stream:
        table = list(csv.DictReader((x for x in stream if not x.startswith("#")), delimiter="\t"))
    assert len(table) == len(by_method) == 97
    for line in table:
        ours = headline(by_method[line["method"]], assays)
        assert f"{ours.average:.3f}" == line["average"], line["method"]
        for category, value in ours.categories.items():  # averaged there before rounding: half a unit apart
            assert value == pytest.approx(float(line[category.lower()]), abs=0.0005001)


def test_headline_by_definition(assays):
    two = [a for a in assays if (a.uniprot, a.selection) == ("BLAT_ECOLX", "OrganismalFitness")][:2]
    other = next(a for a in assays if a.selection == "Stability")
    scores = {two[0].assay: 0.2, two[1].assay: 0.6, other.assay: 0.5}
    found = headline(scores, assays)
    assert found.average == pytest.approx((np.mean([0.2, 0.6]) + 0.5) / 2)
    assert (found.assays, sorted(found.categories)) == (3, sorted({two[0].selection, "Stability"}))
    assert headline({}, assays) is None


def test_published_scores(published, assays):
    assert len({r.board for r in published}) == len(assays) == 217
    assert len(published) == 217 * 97 - 17  # blanks of Protriever are no values
    assert {r.sd for r in published} == {None}


def test_choice_is_seeded_balanced_nested_and_blind(gym, assays, tmp_path):
    (tmp_path / "assays.tsv").write_text((Path(gym.folder) / "assays.tsv").read_text())
    alone = load_assays(gym.model_copy(update={"folder": str(tmp_path)}))  # no published score in reach
    assert choose(alone, 13, 1) == choose(assays, 13, 1)
    ten, thirteen = choose(assays, 10, 1), choose(assays, 13, 1)
    assert thirteen[:10] == ten
    shuffled = random.Random(3).sample(assays, len(assays))
    assert choose(shuffled, 13, 1) == thirteen
    assert choose(assays, 13, 2) != thirteen
    assert len({a.uniprot for a in thirteen}) == 13
    selections = [a.selection for a in ten]
    assert {s: selections.count(s) for s in selections} == dict.fromkeys(
        ("Activity", "Binding", "Expression", "OrganismalFitness", "Stability"), 2
    )
    assert sorted(a.assay for a in choose(assays, 217, 1)) == sorted(a.assay for a in assays)
    for size in (0, 218):
        with pytest.raises(InputError, match="from 1 to 217"):
            choose(assays, size, 1)


def test_bundled_targets_are_the_choice_of_thirteen(gym, assays, inputs, tmp_path):
    targets = [t for t in inputs.targets.values() if t.family == "proteingym"]
    assert [t.target for t in targets] == [f"pg-{a.assay}" for a in choose(assays, 13, 1)]
    write_targets(gym, choose(assays, 13, 1), folder=tmp_path)
    for name in ("targets.tsv", "references.tsv"):
        with (Path(gym.folder) / name).open(encoding="utf-8") as stream:
            assert stream.read() == (tmp_path / name).read_text(encoding="utf-8")
    for target in targets:
        text = Path(target.task).read_text(encoding="utf-8")
        (ref,) = inputs.references[target.target].values()
        assert f"{ref.value:.3f}" not in text and ref.method not in text and "$" not in text
        assert "higher prediction means a higher measured score" in " ".join(text.split())


def test_references_of_one_method_or_the_best(gym, assays, published, tmp_path):
    chosen = choose(assays, 4, 5)
    write_targets(gym, chosen, method="GEMME", folder=tmp_path, prefix="x")
    with (tmp_path / "references.tsv").open(encoding="utf-8") as stream:
        lines = list(csv.DictReader(stream, delimiter="\t"))
    values = {(r.board, r.method): r.value for r in published}
    assert [float(x["value"]) for x in lines] == [values[a.assay, "GEMME"] for a in chosen]
    assert all(x["target"].startswith("x-") for x in lines)
    write_targets(gym, chosen, folder=tmp_path)
    with (tmp_path / "references.tsv").open(encoding="utf-8") as stream:
        best = list(csv.DictReader(stream, delimiter="\t"))
    assert [float(x["value"]) for x in best] == [
        max(v for (b, _), v in values.items() if b == a.assay) for a in chosen
    ]
    lgk = [a for a in assays if a.assay == "LGK_LIPST_Klesmith_2015"]
    with pytest.raises(InputError, match="Protriever"):
        write_targets(gym, lgk, method="Protriever", folder=tmp_path)


def test_place_among_97(published):
    board = pool(published, "LGK_LIPST_Klesmith_2015")
    assert len(board) == 96
    values = sorted((r.value for r in board), reverse=True)
    found = place_among(values[40] + 0.0004, board, "higher")
    assert found.rank == 1 + sum(v > values[40] for v in values) + values.count(values[40]) / 2
    assert found.of == 97


def names_and_pairs():
    rng = np.random.default_rng(4)
    names = [f"A{p}{r}" for p in range(1, 121) for r in "VDGP"] + [f"A{p}V:A{p + 1}D" for p in range(1, 41)]
    labels = rng.normal(size=len(names)).round(3)
    predictions = (labels + rng.normal(size=len(names))).round(3)
    pairs = [(Label(repr(float(a))), repr(float(b))) for a, b in zip(labels, predictions, strict=True)]
    return names, labels, predictions, pairs


def test_regions_equal_scipy_on_the_same_rows():
    names, labels, predictions, pairs = names_and_pairs()
    burial = {i: 0.1 if i <= 60 else 0.9 for i in range(1, 121)}
    found = {(p.kind, p.part): p for p in parts(names, pairs, burial)}
    single = np.array([":" not in n for n in names])
    position = np.array([int(n[1:].split(":")[0][:-1]) for n in names])
    last = np.array([n[-1] for n in names])
    whole = {
        ("window", "1-50"): (position <= 50) & ~((position == 50) & ~single),
        ("window", "101-150"): position > 100,
        ("depth", "1"): single,
        ("depth", "2"): ~single,
        ("class", "to proline"): single & (last == "P"),
        ("class", "within a group"): single & (last == "V"),
        ("class", "between groups"): single & (last == "D"),
        ("burial", "buried"): (position <= 60) & single | ~single,
        ("burial", "exposed"): position > 60,
    }
    for key, rows in whole.items():
        expected = spearmanr(labels[rows], predictions[rows]).statistic
        assert (found[key].n, found[key].value) == (rows.sum(), pytest.approx(expected, abs=1e-12)), key
    for kind in ("window", "depth", "class", "burial"):
        assert sum(p.n for k, p in found.items() if k[0] == kind) == len(names)


def test_small_constant_and_unreadable_parts_say_why():
    pairs = [(Label(str(i)), "1") for i in range(30)]
    found = parts([f"A{i}V" for i in range(1, 30)] + ["del5"], pairs)
    assert [(p.part, p.n, p.value, p.reason) for p in found if p.kind == "depth"] == [
        ("1", 29, None, "all predictions are equal"),
        ("unreadable", 1, None, "fewer than 20 variants"),
    ]
    assert parse_variant("A4P:D9N")[1].position == 9
    assert parse_variant("a4p") is None


def test_burial_table(tmp_path):
    path = tmp_path / "b.csv"
    assert read_burial(path) is None
    path.write_text("position,rsa\n3,0.5\n")
    assert read_burial(path) == {3: 0.5}
    for wrong in ("position\n3\n", "position,rsa\nx,0.5\n", "position,rsa\n3,1.5\n"):
        path.write_text(wrong)
        with pytest.raises(InfrastructureError):
            read_burial(path)


def test_sign_is_never_turned_and_regions_stand_in_the_score(gym, new_bench):
    bench = new_bench(gym, {"metric": "spearman", "direction": "higher", "board": ""})
    names = [f"A{i}V" for i in range(1, 41)]
    bench.write(
        "id,prediction\n" + "".join(f"{n},{-i}\n" for i, n in enumerate(names)),
        "id,label\n" + "".join(f"{n},{i}\n" for i, n in enumerate(names)),
    )
    score = bench.score()
    assert score.value == pytest.approx(-1.0)
    assert {(p.kind, p.part, round(p.value, 9)) for p in score.parts} == {
        ("window", "1-50", -1.0), ("depth", "1", -1.0), ("class", "within a group", -1.0),
    }  # fmt: skip
    assert score.splits == {}


def test_check(gym, inputs, tmp_path):
    scorer, target = load_scorer("proteingym"), inputs.targets["pg-CCR5_HUMAN_Gill_2023"]
    fine = inputs.references[target.target]
    labels = tmp_path / "l.csv"
    labels.write_text("id,label\nA1V,0.5\n")
    assert scorer.check(gym, target, fine, labels) == []
    assert "benchmarks fetch proteingym" in scorer.check(gym, target, fine, None)[0]
    for changes, said in (
        ({"board": "x"}, "no assay"),
        ({"direction": "lower"}, "higher is better"),
        ({"sd": 0.005, "sd_kind": "bootstrap"}, "no SD of a value"),
    ):
        wrong = {"spearman": fine["spearman"].model_copy(update=changes)}
        assert said in scorer.check(gym, target, wrong, labels)[0]


def test_regions_belong_to_their_variants_in_any_order(gym, new_bench):
    names, labels, predictions, pairs = names_and_pairs()
    bench = new_bench(gym, {"metric": "spearman", "direction": "higher", "board": ""})
    truth = "id,label\n" + "".join(f"{n},{float(y)!r}\n" for n, y in zip(names, labels, strict=True))
    rows = [f"{n},{float(p)!r}\n" for n, p in zip(names, predictions, strict=True)]
    bench.write("id,prediction\n" + "".join(rows), truth)
    score = bench.score()
    assert score.value == pytest.approx(spearmanr(labels, predictions).statistic, abs=1e-12)
    direct = {(p.kind, p.part): (p.n, p.value) for p in parts(names, pairs)}
    found = {(p.kind, p.part): (p.n, p.value) for p in score.parts}
    assert found.keys() == direct.keys()
    assert all(found[k] == (n, v and pytest.approx(v, abs=1e-12)) for k, (n, v) in direct.items())
    bench.write("id,prediction\n" + "".join(random.Random(1).sample(rows, len(rows))))
    assert bench.score() == score


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["proteingym", "--method", "Nope"], 'no method is called "Nope"; there are'),
        (["metric"], "metric: has no assays.tsv to choose from"),
    ],
)
def test_a_choice_that_cannot_be_made_says_why(words, said, capsys):
    root = str(Path(__file__).parents[3])
    assert main(["benchmarks", "--root", root, "choose", *words]) == 2
    told = capsys.readouterr()
    assert said in told.err and not told.out
