"""What the tests of the bundled labs share: the tables, and the search for a value in text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from labagent.environment import build_environment
from labagent.errors import InfrastructureError
from labagent.explore.drafting import explore
from labagent.inputs.load import Inputs, load_inputs
from labagent.models.config import EnvironmentSettings, Explorer
from labagent.snapshot import snapshot
from labagent.stage.data import stage_data
from labagent.stage.lab import stage_lab

ROOT = Path(__file__).parents[3]
NUMBER = re.compile(r"(?<![\d.])(?P<digits>\d+(?:\.\d+)?|\.\d+)(?:[eE](?P<power>[-+]?\d{1,2}))?(?!\d|\.\d)")
LEAST = 3  # significant digits below which a number says nothing (a count of 7, an alpha of 0.05)

Search = Callable[[str, Mapping[str, tuple[float, int]]], dict[str, list[str]]]


@pytest.fixture(scope="session")
def inputs() -> Inputs:
    return load_inputs(ROOT)


@pytest.fixture(scope="session")
def find_values() -> Search:
    return find


@pytest.fixture(scope="session")
def staged(inputs: Inputs, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All labs and the data of all targets as the workflow stages them: ``artifacts/`` and ``data/``."""
    folder = tmp_path_factory.mktemp("staged")
    cache = ROOT / ".labagent" / "cache"
    try:
        for lab in inputs.labs.values():
            stage_lab(lab, folder / "artifacts" / lab.skill, base=ROOT, cache=cache)
    except InfrastructureError as error:
        pytest.skip(f"the package index cannot be reached: {error}")
    for target in inputs.targets.values():
        if target.family == "metric":
            place = folder / "data" / target.target
            stage_data(target, place, base=ROOT, artifacts=folder / "artifacts", cache=cache)
    return folder


def find(text: str, values: Mapping[str, tuple[float, int]]) -> dict[str, list[str]]:
    """Numbers of ``text`` that are one of ``values``: exact, rounded, cut, or with more digits.

    ``values``: name → value and how many significant digits of it were published.
    """
    wanted = {name: pair for name, pair in values.items() if pair[1] >= LEAST and pair[0] != 0}
    hits: dict[str, list[str]] = {}
    for shown, number, digits in numbers(text):
        for name, (value, published) in wanted.items():
            if abs(number - abs(value)) <= abs(value) / 10 and _same(number, digits, abs(value), published):
                hits.setdefault(name, []).append(shown)
    return hits


def numbers(text: str) -> Iterator[tuple[str, float, int]]:
    """Each number of a text: as written, its size, and its significant digits."""
    for match in NUMBER.finditer(text):
        digits = match["digits"].replace(".", "").lstrip("0")
        if len(digits) >= LEAST:
            yield match[0], float(match["digits"] + "e" + (match["power"] or "0")), len(digits)


def _same(number: float, digits: int, value: float, published: int) -> bool:
    """Whether two numbers agree to the digits both have."""
    shared = min(digits, published)
    forms = {_rounded(value, shared), _cut(value, shared)}
    return bool({_rounded(number, shared), _cut(number, shared)} & forms)


def _rounded(number: float, digits: int) -> float:
    """A number to so many significant digits."""
    return float(f"{number:.{digits - 1}e}")


def _cut(number: float, digits: int) -> float:
    """A number cut, not rounded, to so many significant digits."""
    if number == 0:
        return 0.0
    power = digits - 1 - math.floor(math.log10(number))
    return _rounded(math.floor(number * 10.0**power + 1e-9) / 10.0**power, digits)


@pytest.fixture(scope="session")
def skills(staged: Path, inputs: Inputs) -> dict[str, Path]:
    """The folder of each lab's skill: the curated ones, and the drafts of the labs that are explored."""
    found = {}
    for lab in inputs.labs.values():
        found[lab.skill] = ROOT / "skills" / lab.skill
        if lab.source == "explore":
            artifacts, drafts = staged / "artifacts" / lab.skill, staged / "drafts" / lab.skill
            record = explore(
                lab,
                artifacts=artifacts,
                snapshot=snapshot(artifacts / "repository", lab.skill),
                explorer="offline",
                settings=Explorer(),
                model=None,
                destination=drafts,
            )
            assert record.status == "drafted", record.reason
            found[lab.skill] = drafts / "skill" / lab.skill
    return found


@pytest.fixture(scope="session")
def environments(skills: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The environment of each skill, built as a run has it, away from those of the project."""
    root = tmp_path_factory.mktemp("environments")
    settings = EnvironmentSettings(builder="venv")
    found = {}
    for skill, folder in skills.items():
        record = build_environment(
            folder / "environment.yaml", settings, root=root, log=root / f"{skill}.log"
        )
        assert record.status == "ready", f"{skill}: {record.reason}"
        found[skill] = root / record.prefix
    return found
