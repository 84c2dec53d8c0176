"""The real files of Biopython's source distribution (SwissProt, Entrez, Medline) that tests read.

``LABAGENT_BIOPYTHON_TESTS`` names its folder ``Tests``; without it the distribution of the installed version
is fetched from the package index and checked, as labs of ``pypi:`` are. Nothing of it is part of the project.
"""

from __future__ import annotations

import os
import shutil
from importlib.metadata import version
from pathlib import Path

import pytest

from labagent.errors import InfrastructureError
from labagent.stage.repositories import Request, fetch

FOLDERS = ("SwissProt", "Entrez", "Medline")


def biopython_files(scratch: Path) -> Path:
    """The folder ``Tests``; skips the test where there is none and the package index cannot be reached."""
    if given := os.environ.get("LABAGENT_BIOPYTHON_TESTS"):
        return Path(given)
    target, cache = scratch / "biopython", scratch / "cache"
    request = Request(f"pypi:biopython=={version('biopython')}", None, "", target, cache)
    try:
        fetch(request)
    except InfrastructureError as error:
        pytest.skip(f"Biopython's source distribution is not to be had: {error}")
    shutil.rmtree(cache)
    for folder in FOLDERS:
        (target / "Tests" / folder).rename(scratch / folder)
    shutil.rmtree(target)
    return scratch
