"""The store of tool calls: content-addressed files, safe for many processes."""

from labagent.tools.store.calls import CallStore, Stored, call_key

__all__ = ["CallStore", "Stored", "call_key"]
