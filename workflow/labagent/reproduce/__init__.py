"""Attempting targets: the loop, its two agents, and what a run leaves."""

from labagent.reproduce.attempt import Attempt, MemoryChoice
from labagent.reproduce.run import reproduce

__all__ = ["Attempt", "MemoryChoice", "reproduce"]
