from pathlib import Path

import pytest

from labagent.environment import read_spec
from labagent.environment.spec import default_spec
from labagent.environment.versions import specifiers
from labagent.errors import InputError


def test_the_parts_of_a_specification(tmp_path: Path) -> None:
    path = tmp_path / "environment.yaml"
    path.write_text(
        "name: x\nchannels: [conda-forge, bioconda]\ndependencies:\n"
        "  - python=3.10\n  - numpy>=1.26,<2\n  - bioconda::samtools =1.19\n  - R-base\n  - pip\n"
        "  - pip:\n    - torch==2.1\n    - pkg @ git+https://example.org/x.git@abc\n"
    )
    spec = read_spec(path)
    assert spec.channels == ("conda-forge", "bioconda") and spec.python == "=3.10"
    assert [(p.name, p.version) for p in spec.conda] == [
        ("numpy", ">=1.26,<2"),
        ("samtools", "=1.19"),
        ("r-base", ""),
    ]
    assert spec.pip == ("torch==2.1", "pkg @ git+https://example.org/x.git@abc")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("- numpy\n", "must be a mapping with dependencies, is a list"),
        ("", "is a missing value"),
        ("a:\n\t- b\n", "environment.yaml, line 2: is no YAML"),
        ("dependencies: numpy\n", '"dependencies": must be a list, is a text'),
        ("channels: [x]\n", '"dependencies": must be a list, is a missing value'),
        ("dependencies: [{conda: [x]}]\n", "the only mapping among the dependencies is pip"),
        ("dependencies: [{pip: ['--index-url http://x']}]\n", "no options, no local paths"),
        ("dependencies: [{pip: ['x @ file:///etc']}]\n", "no options, no local paths"),
        ("dependencies: [{pip: ['x @ git+file:///etc']}]\n", "no options, no local paths"),
        ("dependencies: [{pip: ['x @ FILE:///etc']}]\n", "no options, no local paths"),
        ("dependencies: [{pip: ['x @ ./lab']}]\n", "no options, no local paths"),
        ("dependencies: [{pip: ['x @ https://me:word@x.org/x.whl']}]\n", "no passwords"),
        ("channels: ['file:///c']\ndependencies: []\n", "a channel is a name or an address"),
        ("channels: [../c]\ndependencies: []\n", "a channel is a name or an address"),
        ("dependencies: [{pip: ['../lab']}]\n", "no options, no local paths"),
        ("dependencies: [3.4]\n", "3.4 is no requirement"),
        ("dependencys: []\ndependencies: []\n", 'key "dependencys" is not known'),
    ],
)
def test_each_fault_is_named(text: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "environment.yaml").write_text(text)
    with pytest.raises(InputError) as error:
        read_spec(tmp_path / "environment.yaml")
    assert fault in str(error.value)


def test_all_faults_are_listed(tmp_path: Path) -> None:
    (tmp_path / "e.yaml").write_text("dependencies: [1, {pip: ['-e .']}]\nnope: 1\n")
    with pytest.raises(InputError) as error:
        read_spec(tmp_path / "e.yaml")
    assert len(error.value.faults) == 3


def test_the_default_environment_is_packaged() -> None:
    assert {part.name for part in default_spec().conda} == {"numpy", "pandas", "scipy"}


@pytest.mark.parametrize(
    ("conda", "index"),
    [
        ("", ""),
        ("=1.2", "==1.2.*"),
        ("1.2.*", "==1.2.*"),
        ("=1.2.*", "==1.2.*"),
        ("==1.2", "==1.2"),
        ("=1.2.3=py310_0", "==1.2.3"),
        ("1.2.3 py310_0", "==1.2.3"),
        (">=1, <2", ">=1,<2"),
        (">=1.2.*", ">=1.2"),
        ("!=1.3", "!=1.3"),
    ],
)
def test_versions_as_the_index_writes_them(conda: str, index: str) -> None:
    assert specifiers(conda) == index
