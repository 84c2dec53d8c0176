"""The leak audit: whether a run saw what it should not, from its trace and its files, after the fact."""

from labagent.audit.audit import audit_attempt
from labagent.audit.facts import Facts

__all__ = ["Facts", "audit_attempt"]
