"""Choosing exactly one skill for a target, or none."""

from labagent.select.choose import Candidate, select_skill

__all__ = ["Candidate", "select_skill"]
