"""Questions: routing, plans, tool calls, cited answers, their traces."""
