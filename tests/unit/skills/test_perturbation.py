"""Tier 3 changes the lab's data and looks for a change of the checked output."""

from __future__ import annotations

import subprocess
import sys
from importlib import resources

import pytest

RUN, QUICK = "references/run.md", "assets/quickstart.yaml"


def replace(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def perturbation(verdict):
    return [c for c in verdict.tiers[2].checks if c.id == "perturbation"]


def test_what_shows_that_the_output_depends_on_the_data_is_kept(skill, check):
    verdict = check(skill)
    assert verdict.status == "valid", verdict.reason
    (found,) = perturbation(verdict)
    assert found.status == "passed"
    assert "1 of 1 checked numbers change with numbers changed in values.txt" in found.message
    assert "tinylab.Mean.fit" in found.message or "tinylab.fit" in found.message


def test_the_same_skill_gives_the_same_evidence(skill, check):
    first, second = (perturbation(check(skill))[0].message for _ in range(2))
    assert first == second


def fixed(skill):
    replace(skill / RUN, '"mean": model.mean', '"mean": 2.0')


def without_method(skill):
    replace(skill / RUN, "model.fit(values)", "model.mean = sum(values) / len(values)")
    replace(skill / RUN, "model = Mean(floor=floor)", "class model: pass")


def without_lab(skill):
    replace(skill / RUN, "model.fit(values)", "model.mean = sum(values) / len(values)")
    replace(skill / RUN, "model = Mean(floor=floor)", "class model: pass")
    plain = '[float(x) for x in open(os.path.join(os.environ["LABAGENT_DATA"], "values.txt")).read().split()]'
    called = 'load(os.path.join(os.environ["LABAGENT_DATA"], "values.txt"))'
    for path in (skill / RUN, skill / "references/data.md"):
        replace(path, called, plain)


def own_data(skill):
    replace(skill / QUICK, "data: [data/values.txt]", "data: []")
    called = 'load(os.path.join(os.environ["LABAGENT_DATA"], "values.txt"))'
    for path in (skill / RUN, skill / "references/data.md"):
        replace(path, called, "[1.0, 2.0, 3.0]")


def noise(skill):
    replace(
        skill / RUN,
        '"mean": model.mean',
        '"mean": model.mean * 0 + __import__("secrets").SystemRandom().random()',
    )


def fragile(skill):
    replace(skill / RUN, "model.fit(values)", "assert values == [0.1, 1.0, 2.0, 3.0]\nmodel.fit(values)")


REFUSED = {
    "a fixed answer": (
        fixed,
        "does not depend on the lab's data (values.txt). numbers changed in values.txt: all 1",
    ),
    "the method is not called": (without_method, "only functions that load data ran (tinylab.load)"),
    "the lab is not called": (without_lab, "no function of the lab's package ran"),
    "data made in code": (own_data, "reads no data file of the lab"),
    "noise": (noise, "nothing changes beyond what differs between equal runs"),
    "every change makes it fail": (fragile, "the run then fails (exit status 1: AssertionError)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_quick_start_that_shows_nothing_is_refused(name, skill, check):
    break_it, said = REFUSED[name]
    break_it(skill)
    verdict = check(skill)
    assert verdict.status == "refused"
    (found,) = perturbation(verdict)
    assert (found.status, found.file) == ("failed", QUICK)
    assert said in found.message


def test_data_inside_the_lab_s_package_is_changed_where_it_lies(skill, check):
    inside = skill / "assets/source/tinylab/sets"
    inside.mkdir()
    (inside / "values.txt").write_text("0.1\n1\n2\n3.5\n")
    before = (inside / "values.txt").read_text()
    replace(skill / QUICK, "data: [data/values.txt]", "data: []")
    called = 'load(os.path.join(os.environ["LABAGENT_DATA"], "values.txt"))'
    own = "load(os.path.join(os.path.dirname(__import__('tinylab').__file__), 'sets', 'values.txt'))"
    for path in (skill / RUN, skill / "references/data.md"):
        replace(path, called, own)
    verdict = check(skill)
    assert verdict.status == "valid", verdict.reason
    assert "numbers changed in values.txt" in perturbation(verdict)[0].message
    assert (inside / "values.txt").read_text() == before


def test_a_loader_of_many_functions_does_not_hide_the_method(skill, check):
    helpers = "".join(f"def part{n}(x):\n    return x\n\n\n" for n in range(40))
    calls = "".join(f"    part{n}(0)\n" for n in range(40))
    source = skill / "assets/source/tinylab/__init__.py"
    replace(source, "def load(name):\n", f"{helpers}def load(name):\n")
    replace(source, "    return [float", f"{calls}    return [float")
    assert "tinylab.Mean.fit" in perturbation(check(skill))[0].message


def test_random_numbers_without_a_seed_are_the_same_in_equal_runs(skill, check):
    replace(skill / RUN, '"mean": model.mean', '"mean": model.mean + __import__("random").random()')
    verdict = check(skill)
    assert verdict.status == "valid", verdict.reason


def test_printed_arguments_do_not_hide_that_varying_numbers_changed(skill, check):
    noisy = '"seeds": 20, "mean": model.mean * 1e6 + __import__("secrets").SystemRandom().random()'
    replace(skill / RUN, '"mean": model.mean', noisy)
    replace(skill / QUICK, "keys: [mean]", "keys: [mean, seeds]")
    verdict = check(skill)
    assert verdict.status == "valid", verdict.reason
    assert "1 of 1 checked numbers change" in perturbation(verdict)[0].message


def test_seeds_of_the_unseeded_generators_of_numpy(tmp_path):
    drawn = "r.rand(), r.default_rng().random(), r.default_rng(7).random()"
    code = f"from numpy import random as r; print({drawn})"
    folder = resources.files("labagent.skills").joinpath("resources")
    seeded = {"PYTHONPATH": str(folder), "LABAGENT_SEED": "20"}

    def said(variables):
        command = [sys.executable, "-c", code]
        return subprocess.run(
            command, env=variables, cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.split()

    one, other, free = said(seeded), said(seeded), said({})
    assert one == other
    assert one[2] == free[2]
    assert one[0] != free[0] and one[1] != free[1]


def test_a_quick_start_that_does_not_run_twice_is_not_said_to_be_independent_of_its_data(skill, tmp_path):
    from types import SimpleNamespace

    from labagent.skills.checks.perturbation import _Trial
    from labagent.skills.perturbing import Perturbed
    from labagent.skills.quick_run import Replaced

    class Slow(_Trial):
        def _run(self, name, replaced):
            return "ran longer than 900 s" if name.startswith("control") else {"mean": 2.0}

    slow = Slow(SimpleNamespace(), None, [], None, {"mean": 1.0})
    changed = Perturbed(Replaced(), ("values.txt",), ())
    with pytest.raises(Exception, match="ran longer than 900 s"):
        slow._changes("values", changed)
    assert slow.tried == []
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.setattr("labagent.skills.checks.perturbation.perturb", lambda *_: changed)
        slow.context = SimpleNamespace(work=tmp_path)
        finding = slow.finding()
    assert not finding.passed
    assert "not again on the same data (ran longer than 900 s)" in finding.message
