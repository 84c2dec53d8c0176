from pathlib import Path

import pytest

from labagent.environment import build_environment
from labagent.models.config import EnvironmentSettings
from labagent.models.run import EnvironmentRecord

SETTINGS = EnvironmentSettings(builder="venv", build_seconds=300)
SPEC = "dependencies: [python=3.11, six=1.16, {pip: [iniconfig]}]\n"


@pytest.fixture(scope="session")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project folder whose environments and package cache the tests share."""
    return tmp_path_factory.mktemp("project")


@pytest.fixture(scope="session")
def base(root: Path) -> EnvironmentRecord:
    """A small environment with six 1.16 and iniconfig."""
    spec = root / "environment.yaml"
    spec.write_text(SPEC)
    return build_environment(spec, SETTINGS, root=root, log=root / "base.log")
