"""The user's files as one validated whole: config, labs, targets, references, benchmark families."""

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
    "TargetInputs",
    "load_config",
    "load_inputs",
    "load_lab",
    "load_labs",
    "load_target",
    "skill_origin",
]
