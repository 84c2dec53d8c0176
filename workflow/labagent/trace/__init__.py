"""The trace of a run: an append-only record of every call, command and observation."""

from labagent.trace.costs import Costs, costs, lost_call, sum_costs
from labagent.trace.reader import read_trace, scan_trace, verify_chain
from labagent.trace.writer import TraceWriter

__all__ = [
    "Costs",
    "TraceWriter",
    "costs",
    "lost_call",
    "read_trace",
    "scan_trace",
    "sum_costs",
    "verify_chain",
]
