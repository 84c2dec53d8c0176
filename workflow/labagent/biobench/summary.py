"""Metrics over a set of answers, beside the echo baseline on the same tasks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from labagent.biobench.answered import echo
from labagent.biobench.scoring import score
from labagent.models.biobench import BiobenchSummary, BiobenchTask, Share, TaskScore
from labagent.report.statistics import share_interval


def summarise(scores: Sequence[TaskScore], tasks: Iterable[BiobenchTask]) -> BiobenchSummary:
    """Shares with their intervals; ``tasks`` are those of ``scores``.

    Sentences are the unit of ``cited`` and ``valid``, tasks that of all other shares.
    """
    echoes = [score(task, echo(task.question)) for task in tasks]
    factual = sum(s.factual for s in scores)
    return BiobenchSummary(
        accuracy=_share([s.accurate for s in scores]),
        strict=_share([s.strict for s in scores if s.strict is not None]),
        routes=_share([s.route_right for s in scores]),
        tools=_share([s.tools_right for s in scores]),
        cited=_of(sum(s.cited for s in scores), factual),
        valid=_of(sum(s.valid for s in scores), factual),
        trace=_share([s.trace_complete for s in scores]),
        failures=_share([s.failed for s in scores]),
        echo_accuracy=_share([s.accurate for s in echoes]),
        echo_strict=_share([s.strict for s in echoes if s.strict is not None]),
    )


def _share(values: Sequence[bool]) -> Share:
    """How many hold."""
    return _of(sum(values), len(values))


def _of(hits: int, total: int) -> Share:
    """A share with Wilson's interval."""
    interval = share_interval(hits, total)
    return Share(hits=hits, total=total, low=interval.low, high=interval.high)
