"""From a run folder to a score: statuses, verdicts, and nothing read that should not be."""

import json

import pytest

from labagent.errors import InfrastructureError, InputError, LabagentError
from labagent.models.run import EnvironmentRecord
from labagent.scoring.scorers import known_scorers, load_scorer


@pytest.mark.parametrize(
    ("value", "within_sd", "within_band", "as_good"),
    [
        (0.276, True, True, True),
        (0.281, True, True, True),
        (0.271, True, True, True),
        (0.2811, False, True, False),
        (0.2709, False, True, True),
        (0.2898, False, True, False),
        (0.28981, False, False, False),
        (0.1, False, False, True),
    ],
)
def test_within_sd_is_two_sided_and_as_good_one_sided(bench, value, within_sd, within_band, as_good):
    bench.file("answer.json", json.dumps({"q": value}))
    record = bench.score()
    (q,) = record.quantities
    assert (q.within_sd, q.within_band, q.as_good) == (within_sd, within_band, as_good)
    assert (record.status, record.within, q.criterion) == ("scored", within_sd, "sd")
    assert (q.value, q.basis, q.limit) == (value, "self-reported", 0.005)


def test_rounding_is_the_floor_of_the_sd(bench):
    bench.reference = {"value": "0.92", "sd": "0.0", "sd_kind": "seeds"}
    bench.metric, bench.direction = "auroc", "higher"
    bench.file("answer.json", '{"q": 0.9249}')
    assert bench.score().within
    bench.file("answer.json", '{"q": 0.9251}')
    assert not bench.score().within


@pytest.mark.parametrize(
    ("reference", "direction", "value", "criterion", "within"),
    [
        ({"value": "2", "tolerance": "0.1", "tolerance_kind": "abs"}, "match", 2.1, "tolerance", True),
        ({"value": "2", "tolerance": "0.1", "tolerance_kind": "rel"}, "match", 2.2, "tolerance", True),
        ({"value": "-2", "tolerance": "0.1", "tolerance_kind": "rel"}, "match", -2.21, "tolerance", False),
        ({"value": "-2"}, "match", -2.1, "band", True),
        ({"value": "0"}, "match", 1e-9, "band", False),
        ({"value": "0"}, "match", 0, "band", True),
        ({"value": "2", "sd": "1", "sd_kind": "se"}, "match", 2.5, "sd", True),
        ({"value": "2", "sd": "1", "sd_kind": "se", "tolerance": "0.1", "tolerance_kind": "abs"},
         "match", 2.5, "tolerance", False),
        ({"value": "2", "sd": "1", "sd_kind": "se", "tolerance": "0.1", "tolerance_kind": "abs"},
         "higher", 2.5, "sd", True),
    ],
)  # fmt: skip
def test_each_reference_has_its_own_criterion(bench, reference, direction, value, criterion, within):
    bench.reference, bench.direction = reference, direction
    bench.file("answer.json", json.dumps({"q": value}))
    (q,) = bench.score().quantities
    assert (q.criterion, q.within) == (criterion, within)
    assert (q.as_good is None) == (direction == "match")


def test_values_near_large_numbers_are_compared_fairly(bench):
    bench.reference = {"value": "1000000.276", "sd": "0.005", "sd_kind": "seeds"}
    bench.file("answer.json", '{"q": 1000000.281}')
    assert bench.score().within


@pytest.mark.parametrize("status", ["failed", "capped"])
def test_a_run_that_did_not_complete_is_never_within(bench, status):
    bench.run(status=status, ended_by="turns", reason="60 turns were used")
    bench.file("answer.json", '{"q": 0.276}')
    record = bench.score()
    assert (record.status, record.within, record.reason) == (status, False, "60 turns were used")
    assert record.quantities[0].value == 0.276
    assert not record.quantities[0].within


def test_a_run_without_an_environment_has_no_output(bench):
    bench.run(status="env_failed", ended_by="env_failed", try_folder="", reason="no R here")
    record = bench.score()
    assert (record.status, record.reason) == ("env_failed", "no R here")
    assert [q.value for q in record.quantities] == [None]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "no such file"),
        ('{"q": NaN}', "not a finite"),
        ("", "is empty"),
        ('{"q": "0.276"}', "not a number"),
    ],
)
def test_a_bad_answer_is_unscorable_with_its_reason(bench, content, reason):
    if content is not None:
        bench.file("answer.json", content)
    record = bench.score()
    assert (record.status, record.within) == ("unscorable", False)
    assert reason in record.reason
    assert record.quantities[0].as_good is False


def test_a_link_to_the_reference_is_not_read(bench):
    secret = bench.root / "secret.json"
    secret.write_text('{"q": 0.276}')
    (bench.output / "answer.json").symlink_to(secret)
    assert "leads out" in bench.score().reason


def test_only_the_try_that_counts_is_read(bench):
    bench.file("answer.json", '{"q": 0.276}')
    second = bench.run_folder / "try-2" / "output"
    second.mkdir(parents=True)
    (second / "answer.json").write_text('{"q": 0.5}')
    bench.run(try_folder="try-2", tries=2)
    assert bench.value() == 0.5


def test_broken_machinery_is_no_outcome(bench):
    bench.run(try_folder="../../../../..")
    with pytest.raises(InfrastructureError, match="leads out"):
        bench.score()
    bench.run(target="other")
    with pytest.raises(InfrastructureError, match="of other, not of t"):
        bench.score()
    (bench.run_folder / "run.json").write_text("{")
    with pytest.raises(InfrastructureError, match="no record of a run"):
        bench.score()


def test_departures_are_listed_beside_the_score(bench):
    protocol = bench.root / "protocol.yaml"
    protocol.write_text(
        "seeds: [1, 2, 3, 4, 5]\nversions: {NumPy: '1.26', scipy: '1.11.4', rdkit: '2023.9'}\n"
    )
    bench.protocol = str(protocol)
    bench.environment = EnvironmentRecord(
        status="ready", builder="venv", lock=("numpy==1.26.4", "scipy==1.13.0", "zlib")
    )
    bench.answer = "q=p.csv"
    bench.withhold("id,label\na,1\nb,2\n")
    bench.file("p.csv", "id,prediction,split\na,1,1\nb,2,1\na,1,2\nb,2,2\n")
    bench.file("departures.json", '[{"item": "depth", "published": 9, "ours": 3, "severity": "major"}, "x"]')
    rows = [(d.item, d.published, d.ours, d.severity, d.origin) for d in bench.score().departures]
    assert rows == [
        ("seeds", "5", "2", "major", "measured"),
        ("version of scipy", "1.11.4", "1.13.0", "minor", "measured"),
        ("version of rdkit", "2023.9", "not installed", "note", "measured"),
        ("depth", "9", "3", "major", "declared"),
        ("", "", "x", "note", "declared"),
    ]


def version_departures(bench, versions, **environment):
    protocol = bench.root / "protocol.yaml"
    protocol.write_text(f"versions: {json.dumps(versions)}\n")
    bench.protocol = str(protocol)
    bench.environment = EnvironmentRecord.model_validate(
        {"status": "ready", "builder": "venv", **environment}
    )
    return [(d.item, d.ours, d.severity) for d in bench.score().departures]


def test_versions_of_r_are_those_of_the_machine_and_of_the_layer(bench):
    wanted = {"R": "4.2.2", "susieR": "0.12.36", "Matrix.utils": "0.9.7", "DESeq2": "1.34.0"}
    mapped = {"r-base": "R 4.2.2", "r-susier": "R package susieR 0.12.35"}
    mapped["r-matrix.utils"] = "R package Matrix.utils 0.9.8"
    bench.run()
    assert version_departures(bench, wanted, lock=("pip==25.0",), mapped=mapped) == [
        ("version of susieR", "0.12.35", "note"),
        ("version of Matrix.utils", "0.9.8", "note"),
        ("version of DESeq2", "not recorded", "note"),
    ]
    bench.run(installed=("r:susieR==0.12.36", "r:matrix_utils==0.9.7", "r:DESeq2==1.34.0"))
    assert version_departures(bench, wanted, lock=("pip==25.0",), mapped=mapped) == []


def test_a_run_can_install_another_version_than_it_was_given(bench):
    bench.run(installed=("Scikit_Learn==1.5.0",))
    given = ("scikit-learn==1.4.0", "r-base==4.3.1", "r-susier==0.12.35")
    wanted = {"scikit.learn": "1.4.0", "R": "4.2.2", "susieR": "0.12.35", "r-susieR": "0.12.35"}
    assert version_departures(bench, wanted, lock=given) == [
        ("version of scikit.learn", "1.5.0", "minor"),
        ("version of R", "4.3.1", "minor"),
    ]


@pytest.mark.parametrize(
    "content", ["{", '{"a": 1}', "[[], 1, null, {}]", '[{"item": {"deep": [1]}, "severity": 5}]']
)
def test_any_declared_departure_is_survived(bench, content):
    bench.file("answer.json", '{"q": 0.276}')
    bench.file("departures.json", content)
    assert bench.score().departures


def test_a_wrong_protocol_is_the_users_fault(bench):
    bench.file("answer.json", '{"q": 0.276}')
    protocol = bench.root / "protocol.yaml"
    bench.protocol = str(protocol)
    protocol.write_text("- a\n")
    with pytest.raises(InputError, match="must be a mapping"):
        bench.score()


def test_scorers_are_found_by_name():
    assert "metric" in known_scorers()
    with pytest.raises(LabagentError, match=r'unknown scorer "nope"; allowed: .*metric'):
        load_scorer("nope")


def test_settings_and_metrics_are_checked_before_anything_runs(bench, tmp_path):
    from labagent.models.family import Family
    from labagent.models.tables import Reference, Target

    scorer = load_scorer("metric")
    labels = tmp_path / "labels.csv"
    labels.write_text("id,label\na,1\n")
    target = Target(target="t", family="f", task="t.md", answer="q=predictions.csv")
    reference = Reference(target="t", quantity="q", metric="nonsense", direction="match", value=1, source="s")
    wrong = Family(name="f", folder="f", scorer="metric", title="F", settings={"ddof": 3, "dof": 1})
    faults = scorer.check(wrong, target, {"q": reference}, labels)
    assert [f.partition(":")[0] for f in faults] == [
        "settings.ddof",
        "settings.dof",
        'unknown metric "nonsense"; allowed',
    ]
    fine = Family(name="f", folder="f", scorer="metric", title="F")
    reported = Target(target="t", family="f", task="t.md", answer="q=answer.json:q")
    assert scorer.check(fine, reported, {"q": reference}, None) == []


def test_predictions_need_labels_that_can_be_read(tmp_path):
    from labagent.models.family import Family
    from labagent.models.tables import Reference, Target

    family = Family(name="f", folder="f", scorer="metric", title="F")
    target = Target(target="t", family="f", task="t.md", answer="q=predictions.csv")
    reference = Reference(target="t", quantity="q", metric="mae", direction="lower", value=1, source="s")
    scorer = load_scorer("metric")
    assert "needs labels/t.csv" in scorer.check(family, target, {"q": reference}, None)[0]
    labels = tmp_path / "labels.csv"
    labels.write_text("id,y\na,1\n")
    assert "label" in scorer.check(family, target, {"q": reference}, labels)[0]
