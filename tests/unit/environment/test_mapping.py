import shutil

import pytest

from labagent.environment.mapping import _r, plan
from labagent.environment.outcome import BuildFailed
from labagent.environment.pythons import find_python, interpreters
from labagent.environment.spec import EnvironmentSpec, parse_spec


def spec(*conda: str) -> EnvironmentSpec:
    return parse_spec("dependencies: " + str(list(conda)), "test")


def test_names_are_those_of_the_index() -> None:
    got = plan(spec("pytorch=2.1", "matplotlib-base", "scikit-learn", "libgcc-ng", "git"))
    assert set(got.requirements) == {
        "torch==2.1.*",
        "matplotlib",
        "scikit-learn",
        "pip",
        "setuptools",
        "wheel",
    }
    assert got.mapped["git"].endswith("/git")


def test_what_the_specification_pins_is_not_added_again() -> None:
    assert plan(spec("setuptools<60")).requirements == ("pip", "setuptools<60", "wheel")


def test_a_program_that_is_missing_is_named() -> None:
    with pytest.raises(BuildFailed, match='plink2: the program "plink2"') as error:
        plan(spec("plink2"))
    assert error.value.failure == "missing_command"


@pytest.mark.skipif(not shutil.which("Rscript"), reason="no R on this machine")
def test_the_machine_s_r_and_its_packages() -> None:
    got = plan(spec("r-base", "r-mass", "R-Matrix>=1"))
    assert got.mapped["r-base"].startswith("R ") and got.mapped["r-mass"].startswith("R package MASS ")
    assert got.mapped["r-matrix"].startswith("R package Matrix ")
    for wanted in ("r-nosuchpackage", "bioconductor-nosuchpackage", "r-mass=1.0", "r-base=2.1"):
        with pytest.raises(BuildFailed, match=wanted.split("=")[0]) as error:
            plan(spec(wanted))
        assert error.value.failure == "r_package_missing"


def test_no_r_at_all_is_a_missing_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("labagent.environment.mapping.find_command", lambda *_: None)
    _r.cache_clear()
    try:
        with pytest.raises(BuildFailed, match="R is not on this machine") as error:
            plan(spec("r-mass"))
        assert error.value.failure == "missing_command"
    finally:
        _r.cache_clear()


def test_the_newest_python_that_fits() -> None:
    have = [python.version for python in interpreters()]
    newest = have[-1]
    minor = ".".join(newest.split(".")[:2])
    assert find_python(f"={minor}", "3.11")[0].version == newest
    assert find_python(f">={minor}", "3.11")[0].version == newest
    python, remark = find_python(f"={minor}.99", "3.11")
    assert python.version == newest and f"{minor}.99 was asked for" in remark
    with pytest.raises(BuildFailed, match="it has .*" + newest) as error:
        find_python("=3.99", "3.11")
    assert error.value.failure == "python_version"
