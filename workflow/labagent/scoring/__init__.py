"""Scoring: what a run left against the published value, from outside and after the fact."""
