"""Which targets run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from labagent.models.config import Selection
from labagent.models.family import Family
from labagent.models.tables import Reference, Target

if TYPE_CHECKING:
    from labagent.inputs.load import Inputs


def is_selected(target: Target, selection: Selection, families: Mapping[str, Family]) -> bool:
    """Whether a target passes ``selection``.

    A family that is ``opt_in`` runs only where it or the target is named.
    """
    return not is_dormant(target, selection, families) and (
        (not selection.families or target.family in selection.families)
        and (not selection.targets or target.target in selection.targets)
        and (not selection.skills or target.skill in selection.skills)
    )


def is_dormant(target: Target, selection: Selection, families: Mapping[str, Family]) -> bool:
    """Whether a target's family is ``opt_in`` and neither it nor the target is named."""
    family = families.get(target.family)
    named = target.family in selection.families or target.target in selection.targets
    return bool(family and family.opt_in and not named)


def awake_references(inputs: Inputs) -> dict[str, dict[str, Reference]]:
    """References without those of families that do not run: what a skill or lesson must not tell.

    The hundreds of three-digit values of a whole leaderboard occur by chance in any text.
    """
    chosen = inputs.config.selection
    asleep = {t.target for t in inputs.targets.values() if is_dormant(t, chosen, inputs.families)}
    return {name: rows for name, rows in inputs.references.items() if name not in asleep}
