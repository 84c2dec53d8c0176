"""A finished run of the toy project, made once and copied for each test that changes something."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import labagent
from support.toy import snakemake, toy_project


@pytest.fixture(scope="session")
def finished_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy project after a whole run, with its own copy of the package in ``package/``."""
    root = toy_project(tmp_path_factory.mktemp("toy") / "project")
    package = Path(labagent.__file__).parent
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(package, root / "package" / "labagent", ignore=ignore)
    snakemake(root, "--cores", "2", PYTHONPATH=str(root / "package"))
    return root


@pytest.fixture
def finished(finished_template: Path, tmp_path: Path) -> Path:
    """A copy of the finished project, times kept, that a test may change."""
    root = tmp_path / "project"
    shutil.copytree(finished_template, root, symlinks=True)
    environments = root / ".labagent" / "environments"
    shutil.rmtree(environments)
    environments.symlink_to(finished_template / ".labagent" / "environments")
    return root
