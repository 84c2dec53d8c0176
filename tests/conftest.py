"""What all tests share."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

# What lands must not depend on luck: the suite draws the same cases each time, and HYPOTHESIS_PROFILE=explore
# looks for new ones.
settings.register_profile("default", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("explore", deadline=None, max_examples=1000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

OPT_IN = {"local_model": "LABAGENT_TEST_MODEL_URL", "slurm": "LABAGENT_TEST_SLURM"}
"""Markers of tests that run only where a variable is set."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that ask a real model or start a cluster, unless the environment asks for them."""
    asked = [name for name, variable in OPT_IN.items() if not os.environ.get(variable)]
    left_out = [item for item in items if any(item.get_closest_marker(name) for name in asked)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
