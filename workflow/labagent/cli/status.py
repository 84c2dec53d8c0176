"""``labagent status``: how far a run is, what it has cost, when it will end."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Group

    from labagent.operations.progress import Progress

HELP = "how far a run is: entries by state, running ones, costs, estimated end; writes nothing"
SHOWN = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    from labagent.operations.slices import add_options

    parser.add_argument("--root", type=Path, default=Path(), help="the workflow's folder (default: here)")
    parser.add_argument("--json", action="store_true", help="machine-readable output")
    parser.add_argument(
        "--watch",
        nargs="?",
        type=float,
        const=5.0,
        metavar="SECONDS",
        help="look again and again (every 5 s)",
    )
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Look, and print; with ``--watch`` until interrupted."""
    if args.json:
        print(json.dumps(facts(args), indent=2, sort_keys=True))
        return 0
    from labagent.cli._tables import table_console

    if args.watch is None:
        table_console().print(_page(facts(args)))
        return 0
    from rich.live import Live

    try:
        with Live(_page(facts(args)), auto_refresh=False) as live:
            while True:
                time.sleep(max(args.watch, 0.2))
                live.update(_page(facts(args)), refresh=True)
    except KeyboardInterrupt:
        return 0


def facts(args: argparse.Namespace) -> dict[str, Any]:
    """All that is shown, as JSON values.

    Args:
        args: ``root`` and the options of a slice.

    Raises:
        InputError: the inputs have faults, or an option names something unknown.
    """
    from labagent.llm.book import state_of
    from labagent.operations.progress import estimate, read_progress
    from labagent.operations.slices import chosen_inputs
    from labagent.operations.states import STATES
    from labagent.workflow import leftovers

    root = args.root.resolve()
    inputs = chosen_inputs(root, args)
    progress, attempts = read_progress(inputs, root / inputs.config.results)
    running, started = leftovers.running(root), leftovers.started(root)
    now = time.time()
    ends = estimate(progress, attempts, started, now) if running and started else None
    total, book, spending = progress.total, progress.book, inputs.config.spending
    return {
        "workflow": running,
        "entries": {"planned": sum(total.values()), **{state: total[state] for state in STATES}},
        "attempts": _attempts(progress),
        "arms": {
            arm: {
                **{state: count for state, count in counts.items() if count},
                "mean_seconds": round(progress.mean_seconds[arm], 1),
            }
            for arm, counts in progress.entries.items()
        },
        "running": list(progress.running),
        "cost": {
            "spent_usd": round(book.spent_usd, 6),
            "estimated_usd": round(book.estimated_usd, 6),
            "possible_usd": round(book.possible_usd, 6),
            "reserved_usd": round(book.held_usd, 6),
            "total_usd": spending.total_usd,
            "calls": book.calls,
            "by": {name: round(usd, 6) for name, usd in sorted(book.by.items())},
            "text": state_of(book, spending),
        },
        "usage": book.usage.model_dump(),
        "seconds_of_work_left": _rounded(progress.seconds_of_work),
        "at_once": _rounded(ends.at_once) if ends else None,
        "seconds_left": _rounded(ends.seconds_left) if ends else None,
        "ends": _clock(now + ends.seconds_left) if ends and ends.seconds_left is not None else None,
    }


def _attempts(progress: Progress) -> dict[str, int]:
    """How many attempts there are to make, and how many have a result."""
    planned = sum(sum(counts.values()) for counts in progress.attempts.values())
    left = sum(progress.attempts_left(arm) for arm in progress.attempts)
    return {"planned": planned, "with_result": planned - left}


def _page(found: dict[str, Any]) -> Group:
    """The same for people."""
    from rich.console import Group
    from rich.table import Table

    table = Table("arm", "planned", *(state for state in _shown(found)))
    for arm, counts in found["arms"].items():
        planned = sum(count for name, count in counts.items() if name != "mean_seconds")
        table.add_row(arm, str(planned), *(str(counts.get(state, 0)) for state in _shown(found)))
    if len(found["arms"]) > 1:
        table.add_section()
        entries = found["entries"]
        table.add_row("all", str(entries["planned"]), *(str(entries[state]) for state in _shown(found)))
    return Group(table, "\n".join(_lines(found)))


def _shown(found: dict[str, Any]) -> list[str]:
    """States that stand in the table: the usual ones, and those that occur."""
    usual = ("done", "running", "waiting")
    return [
        name for name, count in found["entries"].items() if name != "planned" and (count or name in usual)
    ]


def _lines(found: dict[str, Any]) -> list[str]:
    """What stands below the table."""
    usage, cost = found["usage"], found["cost"]
    lines = [
        f"workflow: {found['workflow'] or 'none is running here'}",
        f"attempts with a result: {found['attempts']['with_result']} of {found['attempts']['planned']}",
        f"cost: {cost['text']}",
        f"calls: {cost['calls']}, {usage['prompt_tokens']} + {usage['completion_tokens']} tokens",
    ]
    lines += [f"  {name}: US$ {usd:.4f}" for name, usd in cost["by"].items() if len(cost["by"]) > 1]
    running = found["running"]
    if running:
        more = f" and {len(running) - SHOWN} more" if len(running) > SHOWN else ""
        lines.append(f"running: {', '.join(running[:SHOWN])}{more}")
    if found["ends"]:
        at_once = f"at {found['at_once']:.1f} attempts at a time, as since the start"
        lines.append(f"ends about {found['ends']}, in {_span(found['seconds_left'])} ({at_once})")
    elif found["seconds_of_work_left"]:
        lines.append(f"left: {_span(found['seconds_of_work_left'])} of run time, one attempt at a time")
    return lines


def _clock(when: float) -> str:
    """A time of day here."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(when))


def _span(seconds: float) -> str:
    """A length of time in its two largest units."""
    minutes = int(seconds // 60)
    if minutes < 1:
        return f"{seconds:.0f} s"
    hours, days = minutes // 60, minutes // 1440
    if days:
        return f"{days} d {hours % 24} h"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"


def _rounded(value: float | None) -> float | None:
    """A number of seconds or attempts."""
    return None if value is None else round(value, 2)
