"""What each costly step took."""

from collections.abc import Iterator

from labagent.models.run import RunRecord, Usage
from labagent.report.study import Study
from labagent.report.tables import Cell, Row

TITLE = "Costs"
CAPTION = "Model cost, tokens and wall time of each step. A price that is unknown is unknown, not 0."
ORDER = 90
SHOWN = False
COLUMNS = {
    "stage": "explore, select, environment or reproduce",
    "by": "the arm or explorer",
    "of": "the target or skill",
    "attempt": "the attempt, for reproduce",
    "tries": "tries, killed ones included",
    "turns": "turns",
    "prompt_tokens": "tokens sent",
    "cached_tokens": "of those, tokens read from the service's cache",
    "prefix_share": "share of the tokens sent that a prefix cache could have served",
    "completion_tokens": "tokens received",
    "cost_usd": "US$, or unknown",
    "wall_s": "wall time in seconds",
}


def rows(study: Study) -> Iterator[Row]:
    """Rows by stage, in the order of the flow."""
    for draft in study.drafts:
        cost = _cost(draft.cost_usd)
        yield (
            "explore",
            draft.explorer,
            draft.skill,
            None,
            None,
            None,
            None,
            None,
            None,
            None,
            cost,
            draft.seconds,
        )
    for entry in study.entries:
        if entry.selection:
            cost = _cost(entry.selection.cost_usd)
            yield "select", entry.arm, entry.target, None, None, None, None, None, None, None, cost, None
    for entry in study.entries:
        if entry.environment and not entry.environment.reused:
            wall = entry.environment.seconds
            yield "environment", entry.arm, entry.target, None, None, None, None, None, None, None, None, wall
    for _, attempt in study.attempts():
        if attempt.run:
            yield _run(attempt.run)


def _run(run: RunRecord) -> Row:
    """One attempt."""
    return (
        "reproduce",
        run.arm,
        run.target,
        run.attempt,
        run.tries,
        run.turns,
        run.usage.prompt_tokens,
        run.usage.cached_tokens,
        _share(run.usage),
        run.usage.completion_tokens,
        _cost(run.cost_usd),
        run.wall_seconds,
    )


def _share(usage: Usage) -> Cell:
    """What part of the prompts was the beginning of the one before; nothing where none was sent."""
    return round(usage.prefix_tokens / usage.prompt_tokens, 3) if usage.prompt_tokens else None


def _cost(usd: float | None) -> Cell:
    """A cost, or the word for not knowing it."""
    return "unknown" if usd is None else usd
