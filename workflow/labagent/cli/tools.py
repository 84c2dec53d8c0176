"""``labagent tools``: the registered tools, and one call of one of them."""

from __future__ import annotations

import argparse
import json
import sys

HELP = "list the tools that answer questions, or call one"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="all tools: name, version, safety level, what it does")
    listing.add_argument("--json", action="store_true", help="with the schemas of arguments and results")
    calling = actions.add_parser("call", help="call a tool; prints its reply as JSON")
    calling.add_argument("name", help="such as sequence.stats")
    calling.add_argument("--json", metavar="ARGUMENTS", help="arguments, a JSON object (default: from stdin)")
    calling.add_argument("--offline", action="store_true", help="refuse tools that use the network")


def run(args: argparse.Namespace) -> int:
    """List or call."""
    return _list(args.json) if args.action == "list" else _call(args)


def _list(as_json: bool) -> int:
    """Print all tools."""
    from labagent.tools import registry

    tools = registry().values()
    if as_json:
        print(json.dumps([t.spec().model_dump(mode="json") for t in tools], indent=2))
        return 0
    width = max(len(t.name) for t in tools)
    for made in tools:
        print(f"{made.name:<{width}}  {made.version}  {made.safety:<7}  {made.summary}")
    return 0


def _call(args: argparse.Namespace) -> int:
    """Print one reply; 0 for a result, 2 for an error."""
    from labagent.cli import EXIT_ERROR
    from labagent.tools import call
    from labagent.tools.registry import EVERY_SAFETY

    text = sys.stdin.read() if args.json is None else args.json
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError) as error:
        arguments = None
        print(f"labagent: the arguments are no JSON: {error}", file=sys.stderr)
    reply = call(args.name, arguments, safety=EVERY_SAFETY - ({"network"} if args.offline else set()))
    print(json.dumps(reply.model_dump(mode="json"), ensure_ascii=False, indent=2))
    return 0 if reply.status == "ok" else EXIT_ERROR
