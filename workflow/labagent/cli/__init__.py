"""The ``labagent`` command. Each module of this package is one command; adding one is adding a file.

A command module offers ``HELP`` (one line), ``add_arguments(parser)`` and ``run(args) -> int`` (the exit
status), and imports nothing heavy at its top: what it needs is imported inside ``run``. Modules whose
name starts with an underscore are helpers. Underscores in names become hyphens (``skill_new`` →
``skill-new``). ``INTERNAL = True`` marks commands that the workflow's rules call; ``--help`` lists them
apart.
"""

from __future__ import annotations

import sys

from labagent.cli._client import ask_server

TYPE_CHECKING = False  # not from typing: a tenth of what a job pays to ask the server
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from types import ModuleType

EXIT_ERROR = 2
EXIT_INFRASTRUCTURE = 75  # EX_TEMPFAIL: trying again later may help


def command_modules() -> dict[str, ModuleType]:
    """All commands by name."""
    import importlib
    import pkgutil

    names = [m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")]
    return {n.replace("_", "-"): importlib.import_module(f"{__name__}.{n}") for n in sorted(names)}


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    import argparse

    from labagent import __version__

    parser = argparse.ArgumentParser(
        prog="labagent",
        description="Keeps a lab's methods alive. The main job is the workflow: snakemake --cores N.",
    )
    parser.add_argument("--version", action="version", version=f"labagent {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    modules = command_modules()
    for internal in (False, True):
        for name, module in modules.items():
            if getattr(module, "INTERNAL", False) is internal:
                prefix = "(called by the workflow) " if internal else ""
                sub = commands.add_parser(name, help=prefix + module.HELP, description=module.HELP)
                module.add_arguments(sub)
                sub.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command: that of this process in the workflow's warm server where there is one, else here."""
    if argv is None:
        status = ask_server(sys.argv[1:])
        if status is not None:
            return status
    return run_command(sys.argv[1:] if argv is None else argv)


def run_command(words: Sequence[str], parser: argparse.ArgumentParser | None = None) -> int:
    """Run one command here. Errors raised on purpose are shown as one message, without a traceback."""
    from labagent.errors import InfrastructureError, LabagentError

    args = (parser or build_parser()).parse_args(words)
    try:
        return int(args.run(args))
    except InfrastructureError as error:
        print(f"labagent: infrastructure: {error}", file=sys.stderr)
        return EXIT_INFRASTRUCTURE
    except LabagentError as error:
        print(f"labagent: {error}", file=sys.stderr)
        return EXIT_ERROR
    except BrokenPipeError:
        return 0
