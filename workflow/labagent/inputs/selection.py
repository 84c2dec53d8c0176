"""Which targets run."""

from __future__ import annotations

from collections.abc import Mapping

from labagent.models.config import Selection
from labagent.models.family import Family
from labagent.models.tables import Target


def is_selected(target: Target, selection: Selection, families: Mapping[str, Family]) -> bool:
    """Whether a target passes ``selection``.

    A family that is ``opt_in`` runs only where it or the target is named.
    """
    family = families.get(target.family)
    if family and family.opt_in and not (selection.families or target.target in selection.targets):
        return False
    return (
        (not selection.families or target.family in selection.families)
        and (not selection.targets or target.target in selection.targets)
        and (not selection.skills or target.skill in selection.skills)
    )
