"""``labagent tools``: the registered tools, and one call of one of them."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labagent.models.ask_settings import Ask
    from labagent.models.asking import StoreMode
    from labagent.tools.calling import Caller

HELP = "list the tools that answer questions, or call one"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    listing = actions.add_parser("list", help="all tools: name, version, safety level, what it does")
    listing.add_argument("--json", action="store_true", help="with the schemas of arguments and results")
    calling = actions.add_parser("call", help="call a tool; prints its reply as JSON")
    calling.add_argument("name", help="such as sequence.stats")
    calling.add_argument("--json", metavar="ARGUMENTS", help="arguments, a JSON object (default: from stdin)")
    calling.add_argument("--offline", action="store_true", help="refuse tools marked network")
    calling.add_argument(
        "--backend",
        action="append",
        default=[],
        dest="backends",
        metavar="NAME",
        help="where proteins and papers are looked up, in this order: facts, live, mirror:FILE, "
        "recorded:FILE (default: ask.backends of config/config.yaml, else facts); may be given several times",
    )
    calling.add_argument("--store", type=Path, metavar="DIR", help="keep calls here, and look them up")
    calling.add_argument(
        "--mode",
        choices=("live", "record", "replay", "auto"),
        help="what is done with the store (default: auto with --store, else live: nothing)",
    )


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
    """Print one call; 0 for a result, 2 for an error."""
    from labagent.cli import EXIT_ERROR

    text = sys.stdin.read() if args.json is None else args.json
    arguments: Any = None
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError) as error:
        print(f"labagent: the arguments are no JSON: {error}", file=sys.stderr)
    record = _caller(args).call(args.name, arguments)
    print(json.dumps(record.model_dump(mode="json"), ensure_ascii=False, indent=2))
    return 0 if record.status == "ok" else EXIT_ERROR


def _caller(args: argparse.Namespace) -> Caller:
    """The caller that the arguments ask for."""
    from labagent.tools.configured import make_caller
    from labagent.tools.registry import EVERY_SAFETY

    safety = EVERY_SAFETY - ({"network"} if args.offline else set())
    mode: StoreMode = args.mode or ("auto" if args.store else "live")
    here = Path.cwd()
    return make_caller(_ask(here), here, backends=args.backends, mode=mode, folder=args.store, safety=safety)


def _ask(root: Path) -> Ask:
    """What the configuration says, where there is one."""
    from labagent.inputs.load import load_config
    from labagent.models.ask_settings import Ask

    return load_config(root).ask if (root / "config" / "config.yaml").is_file() else Ask()
