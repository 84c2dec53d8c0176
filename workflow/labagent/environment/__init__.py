"""Environments of targets: a shared, locked base and a private layer for each run."""

from labagent.environment.build import build_environment, choose_builder
from labagent.environment.failures import failure_class
from labagent.environment.layer import Layer, create_layer
from labagent.environment.spec import CondaRequirement, EnvironmentSpec, default_spec, read_spec

__all__ = [
    "CondaRequirement",
    "EnvironmentSpec",
    "Layer",
    "build_environment",
    "choose_builder",
    "create_layer",
    "default_spec",
    "failure_class",
    "read_spec",
]
