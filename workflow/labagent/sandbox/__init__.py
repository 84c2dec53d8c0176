"""Runs one shell command at a time, isolated where the machine allows it, and never leaves one running."""

from labagent.sandbox.machine import probe
from labagent.sandbox.observation import Observation, clean_text, observe
from labagent.sandbox.opening import find_command, find_on_host, open_sandbox
from labagent.sandbox.types import CommandResult, Guest, Limits, Mount, Sandbox
from labagent.sandbox.variables import allowed_variables, standard_variables

__all__ = [
    "CommandResult",
    "Guest",
    "Limits",
    "Mount",
    "Observation",
    "Sandbox",
    "allowed_variables",
    "clean_text",
    "find_command",
    "find_on_host",
    "observe",
    "open_sandbox",
    "probe",
    "standard_variables",
]
