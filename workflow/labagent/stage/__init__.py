"""Stage: bring a lab's released artifacts and a target's data to where everything else reads them.

Nothing that is staged is ever run, built or imported. ``repositories/`` holds one module per kind of
repository, ``documents/`` turns papers, tutorials and issue threads into text that can be cited.
"""

from __future__ import annotations

from labagent.stage.data import stage_data
from labagent.stage.lab import stage_lab

__all__ = ["stage_data", "stage_lab"]
