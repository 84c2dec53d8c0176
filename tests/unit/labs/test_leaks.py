"""No published value stands in anything an agent, or the author of a skill, can see."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from labagent.files import list_files
from labagent.inputs.load import Inputs
from labagent.models.sources import ArtifactManifest

ROOT = Path(__file__).parents[3]
VISIBLE = ("skills", "config", "memory", "benchmarks/metric/tasks", "benchmarks/metric/protocols")
ELSEWHERE = {
    "pydeseq2": {"docs/source/_static/logo.svg"},
    "lifelines": {
        f"lifelines/datasets/{name}"
        for name in (
            "CuZn-LeftCensoredDataset.csv",
            "divorce.dat",
            "lung.csv",
            "merrell1955.csv",
            "regression.csv",
        )
    },
}
"""Files of the labs in which another number happens to be equal: data of no target, and a drawing."""

Search = Callable[[str, Mapping[str, tuple[float, int]]], dict[str, list[str]]]


def values(inputs: Inputs, skill: str = "", target: str = "") -> dict[str, tuple[float, int]]:
    """Published values (of one lab, of one target), each with its significant digits as published."""
    found = {}
    for name, row in inputs.targets.items():
        if row.family == "metric" and skill in ("", row.skill) and target in ("", name):
            for reference in inputs.references[name].values():
                shown = f"{abs(reference.value):.{reference.decimals or 0}f}"
                digits = len(shown.replace(".", "").lstrip("0"))
                found[f"{name}: {reference.quantity}"] = (reference.value, digits)
    return found


def text_of(path: Path) -> str:
    """The text of a file, unpacked where it is compressed; bytes that are no text are dropped."""
    raw = path.read_bytes()
    return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8", "ignore")


@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        ("-0.37942", True),
        ("about -0.379", True),
        ("coef = 0.3794", True),
        ("x=.37942", True),
        ("-3.794e-1", True),
        ("0.379422166", True),
        ("value_0.379", True),
        ("(0.3795)", False),
        ("-0.38", False),
        ("1.37942", False),
        ("0.37942.1", False),
        ("37942", False),
    ],
)
def test_search_sees_roundings(text: str, leaks: bool, find_values: Search) -> None:
    assert bool(find_values(text, {"x": (-0.37942, 5)})) is leaks


def test_search_passes_over_short_numbers(find_values: Search) -> None:
    assert not find_values("3 genes at 0.05; 15 of 50", {"x": (15.0, 2)})


def test_each_target_is_searchable(inputs: Inputs) -> None:
    """At least one value of each target is long enough to be found."""
    for name, target in inputs.targets.items():
        if target.family == "metric":
            assert any(digits >= 3 for _, digits in values(inputs, target=name).values()), name


def test_nothing_visible_holds_a_value(inputs: Inputs, find_values: Search) -> None:
    files = [path for place in VISIBLE for path in list_files(ROOT / place)]
    assert len(files) > 50
    published = values(inputs)
    leaks = {str(p.relative_to(ROOT)): hits for p in files if (hits := find_values(text_of(p), published))}
    assert not leaks


def test_staged_sources_hold_no_value(staged: Path, inputs: Inputs, find_values: Search) -> None:
    leaks = {}
    for skill in inputs.labs:
        root, published = staged / "artifacts" / skill / "repository", values(inputs, skill)
        for path in list_files(root):
            name = path.relative_to(root).as_posix()
            if name not in ELSEWHERE.get(skill, ()) and (hits := find_values(text_of(path), published)):
                leaks[f"{skill}: {name}"] = hits
    assert not leaks


def test_staged_data_hold_no_value(staged: Path, inputs: Inputs, find_values: Search) -> None:
    for name, target in inputs.targets.items():
        if target.family == "metric":
            files = list_files(staged / "data" / name / "files")
            assert len(files) == len(target.data), name
            for path in files:
                assert not find_values(text_of(path), values(inputs, target=name)), (name, path.name)


def test_every_seal_takes_files(staged: Path, inputs: Inputs) -> None:
    for lab in inputs.labs.values():
        manifest = ArtifactManifest.read(staged / "artifacts" / lab.skill / "manifest.json")
        assert not [w for w in manifest.warnings if "matches no file" in w], lab.skill
