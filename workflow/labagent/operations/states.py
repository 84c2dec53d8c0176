"""The words for what an attempt can be, apart from what reads them: command lines need nothing else."""

STATES = (
    "done",
    "tainted",
    "capped",
    "failed",
    "env_failed",
    "unscorable",
    "to_score",
    "running",
    "interrupted",
    "waiting",
)
"""What an entry can be: ``done`` was scored; ``to_score`` ran and waits for its score; ``interrupted`` has
tries without a result and is attempted again by the next start."""
OVER = frozenset({"done", "tainted", "capped", "failed", "env_failed", "unscorable"})
"""Those that will not be attempted again by themselves."""
