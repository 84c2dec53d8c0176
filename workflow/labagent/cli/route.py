"""``labagent route``: how a question is read, and why."""

from __future__ import annotations

import argparse
import sys

TYPE_CHECKING = False  # not from typing: what is imported here is paid for by every command
if TYPE_CHECKING:
    from labagent.models.asking import Routing

HELP = "show how a question is read: route, entities, reason, what would be asked back"
SHORTENED = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("text", metavar="TEXT", help="a question; - reads it from stdin")
    parser.add_argument(
        "--history", nargs="+", default=[], metavar="TEXT", help="earlier turns, oldest first"
    )
    parser.add_argument("--json", action="store_true", help="the whole record as JSON")


def run(args: argparse.Namespace) -> int:
    """Print a routing."""
    from labagent.ask.routing import route

    text = sys.stdin.buffer.read().decode("utf-8", errors="replace") if args.text == "-" else args.text
    routing = route(text, args.history)
    if args.json:
        print(routing.model_dump_json(indent=2))
    else:
        _show(routing)
    return 0


def _show(routing: Routing) -> None:
    """For people."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    console.print(Text.assemble(("route  ", "dim"), (routing.route, "bold")))
    console.print(Text.assemble(("reason ", "dim"), f"{routing.reason} ({routing.decided_by})"))
    for name, value in (("asks", routing.asks), ("plan", routing.plan), ("query", routing.query)):
        if value:
            console.print(Text.assemble((f"{name:<7}", "dim"), value))
    if routing.aspects:
        console.print(Text.assemble(("asked  ", "dim"), ", ".join(routing.aspects)))
    if not routing.entities:
        return
    table = Table("what", "value", "written", "notes", box=None, pad_edge=False)
    for entity in routing.entities:
        doubt = [] if entity.certain else ["uncertain"]
        source = [f"from {entity.resolved_from}"] if entity.resolved_from else []
        notes = "; ".join([*doubt, *source, *entity.notes])
        table.add_row(
            *(Text(_short(c)) for c in (entity.namespace, entity.value, entity.written)), Text(notes)
        )
    console.print(table)


def _short(text: str) -> str:
    """A value that fits a column."""
    text = " ".join(text.split())
    return text if len(text) <= SHORTENED else f"{text[:SHORTENED]}… ({len(text)})"
