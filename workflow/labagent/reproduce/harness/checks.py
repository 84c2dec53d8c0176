"""What is wrong with a harness: in its configuration, and on this machine."""

from __future__ import annotations

from labagent.errors import LabagentError
from labagent.models.config import Harness
from labagent.reproduce.harness.adapters import load_adapter
from labagent.reproduce.harness.places import programs, unset, wrong_mounts
from labagent.sandbox import find_on_host


def fault(harness: Harness) -> str:
    """Why a harness can never run, empty where it may: an unknown adapter, no command."""
    try:
        adapter = load_adapter(harness.adapter)
    except LabagentError as error:
        return str(error)
    if not harness.command and not adapter.COMMAND:
        return f'adapter "{harness.adapter}" has no usual command; write one'
    return ""


def missing(harness: Harness) -> str:
    """What a harness lacks on this machine before it can be started, empty where nothing is lacking."""
    reasons = list(wrong_mounts(harness))
    if names := unset(harness):
        reasons.append(f"not set in the environment: {', '.join(names)}")
    return "; ".join(reasons)


def missing_here(harness: Harness) -> str:
    """As :func:`missing`, with its program looked for on this machine's PATH: what ``doctor`` says."""
    if reason := fault(harness) or missing(harness):
        return reason
    adapter = load_adapter(harness.adapter)
    program = (harness.command or adapter.COMMAND)[0]
    return (
        ""
        if find_on_host(program, programs(harness))
        else f"{program} is neither on PATH nor in mounts; {adapter.INSTALL}"
    )
