"""The user's files as one validated whole: config, labs, targets, references, benchmark families."""

from labagent.inputs.leaderboards import Place, load_boards, load_leaderboard, place_among, pool
from labagent.inputs.load import (
    Inputs,
    TargetInputs,
    load_config,
    load_inputs,
    load_lab,
    load_labs,
    load_target,
    skill_origin,
)

__all__ = [
    "Inputs",
    "Place",
    "TargetInputs",
    "load_boards",
    "load_config",
    "load_inputs",
    "load_lab",
    "load_labs",
    "load_leaderboard",
    "load_target",
    "place_among",
    "pool",
    "skill_origin",
]
