"""The tolerance scorer on the shipped problem: staged as the workflow stages it, scored as it scores."""

import json
import random
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from labagent.inputs import load_config, load_target
from labagent.models.family import Family
from labagent.models.run import RunRecord, SandboxRecord
from labagent.models.tables import Reference, Target
from labagent.reproduce.finish import missing_answers
from labagent.scoring.score import score_attempt
from labagent.scoring.scorers import load_scorer
from labagent.stage.data import stage_data

ROOT = Path(__file__).resolve().parents[3]
PROBLEM = ROOT / "benchmarks/genebench_pro/problems/donor-effect"
RIGHT = {"effect": 0.62, "direction": "up", "persons": 8, "opposite": True}


class Bench:
    """One attempt on a target of the shipped problem."""

    def __init__(self, root, name):
        self.found = load_target(ROOT, load_config(ROOT), name, scoring=True)
        self.root, self.output = root, root / "runs/try-1/output"
        self.output.mkdir(parents=True)
        RunRecord(
            arm="a", target=name, attempt=1, status="completed", ended_by="success", agent="offline",
            try_folder="try-1", sandbox=SandboxRecord(kind="none", requested="auto", network="open"),
        ).write(root / "runs/run.json")  # fmt: skip

    def stage(self):
        """The data as a run sees it."""
        manifest = stage_data(
            self.found.target, self.root / "data", base=ROOT, artifacts=self.root, cache=self.root / "cache"
        )
        assert manifest.status == "staged", manifest.reason
        return self.root / "data/files"

    def run(self, script):
        """Run a script of the problem on the staged data, as an agent would run its own."""
        command = [sys.executable, "-B", PROBLEM / script, self.stage(), self.output / "answer.json"]
        subprocess.run(command, check=True)

    def answer(self, content):
        text = content if isinstance(content, bytes) else json.dumps(content).encode()
        (self.output / "answer.json").write_bytes(text)

    def score(self):
        found = self.found
        return score_attempt(
            run_folder=self.root / "runs", target=found.target, references=found.references,
            labels=found.labels, family=found.family,
        )  # fmt: skip

    def missed(self):
        return [c.criterion for q in self.score().quantities for c in q.criteria if c.verdict == "missed"]


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path, "donor-effect")


@pytest.fixture
def blind(tmp_path):
    return Bench(tmp_path, "donor-effect-no-donor")


def test_the_data_is_what_its_script_generates(tmp_path):
    subprocess.run([sys.executable, "-B", PROBLEM / "generate.py", tmp_path, "20260"], check=True)
    assert (tmp_path / "cells.csv").read_bytes() == (PROBLEM / "data/cells.csv").read_bytes()
    subprocess.run([sys.executable, "-B", PROBLEM / "generate.py", tmp_path, "20261"], check=True)
    assert (tmp_path / "cells.csv").read_bytes() != (PROBLEM / "data/cells.csv").read_bytes()


@pytest.mark.parametrize("seed", range(1, 7))
def test_the_question_has_the_same_answer_on_other_data(tmp_path, seed):
    subprocess.run([sys.executable, "-B", PROBLEM / "generate.py", tmp_path, str(seed)], check=True)
    said = {}
    for script in ("solution.py", "alternatives/from_genotypes.py", "ablations/pooled.py"):
        out = tmp_path / "answer.json"
        subprocess.run([sys.executable, "-B", PROBLEM / script, tmp_path, out], check=True)
        said[script] = json.loads(out.read_text())
    solution, blind, pooled = said.values()
    assert abs(solution["effect"] - 0.55) < 0.15 and solution["opposite"] is True
    assert abs(blind["effect"] - solution["effect"]) < 0.05 and blind["persons"] == 8
    assert pooled["effect"] < 0


@pytest.mark.parametrize("name", ["donor-effect", "donor-effect-no-donor"])
def test_the_sound_ways_pass_and_the_pooled_one_fails(tmp_path, name):
    bench = Bench(tmp_path, name)
    bench.run("alternatives/from_genotypes.py")
    record = bench.score()
    assert (record.status, record.within, bench.missed()) == ("scored", True, [])
    assert record.quantities[0].group == "differential-expression"


def test_pooling_the_cells_gets_the_wrong_sign(bench):
    bench.run("ablations/pooled.py")
    record = bench.score()
    assert (record.status, record.within) == ("scored", False)
    assert bench.missed() == ["effect", "direction", "opposite"]
    assert sum(c.earned for q in record.quantities for c in q.criteria) == 1


def test_the_withheld_column_is_nowhere_in_what_the_run_sees(blind):
    staged = blind.stage()
    (file,) = [p for p in staged.rglob("*") if p.is_file()]
    text = file.read_text()
    whole = (PROBLEM / "data/cells.csv").read_text()
    assert text.splitlines()[0] == whole.splitlines()[0].replace("donor,", "")
    assert not [name for name in ("donor", *(f"P{i}" for i in range(1, 9))) if name in text]
    assert len(text.splitlines()) == len(whole.splitlines())
    first = file.read_bytes()
    shutil.rmtree(blind.root / "data")
    assert next(blind.stage().iterdir()).read_bytes() == first
    task = Path(blind.found.target.task).read_text().lower()
    assert "donor" not in task


def test_credit_is_a_quantitys_and_the_verdict_is_of_all(bench):
    bench.answer(RIGHT)
    assert bench.score().within
    for name, wrong in (("effect", 0.70), ("direction", "down"), ("persons", 7), ("opposite", False)):
        bench.answer({**RIGHT, name: wrong})
        record = bench.score()
        assert (record.status, record.within, bench.missed()) == ("scored", False, [name])
        assert sum(c.earned for q in record.quantities for c in q.criteria) == 3


def test_the_edge_of_the_tolerance_is_within(bench):
    value = bench.found.references["effect"].value
    for shift, within in ((0.05, True), (-0.05, True), (0.0501, False), (-0.0501, False)):
        bench.answer({**RIGHT, "effect": value + shift})
        assert bench.score().within is within, shift


def test_extra_keys_are_never_counted(bench):
    extra = {f"effect_{i}": 0.64 for i in range(2000)}
    bench.answer({**RIGHT, **extra, "effects": [0.64], "": None})
    assert bench.score().within
    wrong = {**RIGHT, "effect": 0.1}
    bench.answer({**extra, **wrong, "Effect": 0.64, "effect ": 0.64, "answer": {"effect": 0.64}})
    assert (bench.score().within, bench.missed()) == (False, ["effect"])


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"\xff", "not UTF-8"),
        (b"{", "is not JSON"),
        (b"[0.64]", "must hold one JSON object"),
        (b'{"effect": 0.64, "effect": 0.1}', "given twice"),
        (b"[" * 100_000, "is not usable JSON"),
        (b'{"x": "' + b"y" * (17 << 20) + b'"}', "larger than 16 MiB"),
        ({**RIGHT, "effect": "0.64"}, "not a number"),
        ({**RIGHT, "effect": None}, "not a number"),
        ({**RIGHT, "effect": [0.64, 0.1]}, "not a number"),
        ({**RIGHT, "effect": float("nan")}, "not a finite number"),
        ({**RIGHT, "direction": True}, "must be a text"),
        ({**RIGHT, "direction": "up " * 100}, "at most 200 characters"),
        ({**RIGHT, "opposite": 1}, "must be true or false"),
        ({**RIGHT, "persons": True}, "not a number"),
        ({k: v for k, v in RIGHT.items() if k != "persons"}, 'has no "persons"'),
    ],
)
def test_what_cannot_be_read_is_unscorable_and_earns_nothing(bench, content, reason):
    bench.answer(content)
    record = bench.score()
    assert (record.status, record.within) == ("unscorable", False)
    assert reason in record.reason
    rows = [c for q in record.quantities for c in q.criteria]
    assert len(rows) == 4 and sum(c.earned for c in rows) <= 3


def test_the_loop_lets_a_run_end_with_answers_that_are_no_numbers(bench):
    contract = bench.found.target.answer
    assert [q.name for q in contract if q.exact] == ["direction", "persons", "opposite"]
    bench.answer(RIGHT)
    assert missing_answers(bench.output, contract) == []
    for wrong in ({"direction": None}, {"direction": "u" * 201}, {"opposite": [1]}, {"effect": "0.6"}):
        bench.answer({**RIGHT, **wrong})
        assert len(missing_answers(bench.output, contract)) == 1, wrong


def test_text_is_compared_without_case_and_outer_blanks(bench):
    for text, within in ((" UP\n", True), ("up", True), ("ups", False), ("not up", False)):
        bench.answer({**RIGHT, "direction": text})
        assert bench.score().within is within


def test_no_answer_breaks_the_scorer(bench):
    rng = random.Random(5)
    base = json.dumps(RIGHT).encode()
    for _ in range(150):
        content = bytearray(base)
        for _ in range(rng.randint(1, 6)):
            content[rng.randrange(len(content))] = rng.choice(b'\x00\xff{}[]",:.0123eE-tfn')
        bench.answer(bytes(content[: rng.randint(1, len(content))]))
        assert bench.score().status in ("scored", "unscorable")


def test_settings_and_sheets_are_checked(tmp_path):
    scorer = load_scorer("tolerances")
    target = Target(target="t", family="f", task="t", answer="a=x.json:a;b=x.csv")
    common = {"target": "t", "metric": "m", "direction": "match", "source": "s"}
    references = {
        "a": Reference(quantity="a", value="2", tolerance=0.1, tolerance_kind="abs", **common),
        "b": Reference(quantity="b", value="2", **common),
    }
    sheet = tmp_path / "t.yaml"
    sheet.write_text("exact: {a: up, c: 1}")
    family = Family(name="f", folder="f", scorer="tolerances", title="F", settings={"x": 1})
    assert [f.partition(" ")[0] for f in scorer.check(family, target, references, sheet)] == [
        "settings.x:", "answer", "answer", "exact:", "reference", "reference",
    ]  # fmt: skip
    assert 'answer "a" must end in !' in scorer.check(family, target, references, sheet)[2]
    sheet.write_text("exact: [a]")
    assert "no sheet of exact fields" in scorer.check(family, target, {}, sheet)[-1]
    sheet.write_text("exact: {a: up}\nspelling: 1\n")
    said = scorer.check(family, target, {}, sheet)[-1]
    assert said == f'{sheet}: is no sheet of exact fields: "spelling": is not a known key'
    sheet.write_text("exact: {a: up}\nexact: {a: down}\n")
    assert 'line 2: the key "exact" stands twice' in scorer.check(family, target, {}, sheet)[-1]
