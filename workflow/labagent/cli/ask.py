"""``labagent ask``: a question, answered by tools, every fact with its source."""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from labagent.ask.sessions import Session
    from labagent.models.asking import AnswerRecord, StoreMode
    from labagent.models.config import Config, ModelSettings
    from labagent.tools.calling import Caller

HELP = "answer a question on sequences, proteins, variants or papers from tools, with citations"
OFFLINE = "offline"
ASKED, SESSIONS = "asked", "sessions"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("text", nargs="+", metavar="TEXT", help='the question; "-" reads standard input')
    parser.add_argument("--json", action="store_true", help="the whole record, and its facts as plain values")
    parser.add_argument("--session", metavar="ID", help="a conversation: earlier questions of it are known")
    parser.add_argument(
        "--model", metavar="NAME", help="a name under models, or offline (default: ask.model)"
    )
    parser.add_argument(
        "--backend",
        action="append",
        default=[],
        dest="backends",
        metavar="NAME",
        help="where proteins and papers are looked up, in this order: facts, live, mirror:FILE, "
        "recorded:FILE (default: ask.backends); may be given several times",
    )
    parser.add_argument("--store", type=Path, metavar="DIR", help="where calls are kept (default: ask.calls)")
    parser.add_argument(
        "--mode",
        choices=("live", "record", "replay", "auto"),
        help="what is done with the store (default: ask.store)",
    )
    parser.add_argument("--condition", default="full", metavar="NAME", help="how to answer (default: full)")
    parser.add_argument(
        "--out",
        type=Path,
        metavar="DIR",
        help=f"where answer.json, answer.md and trace.jsonl go (default: results/{ASKED}/<id> in a project, "
        "else nowhere)",
    )


def run(args: argparse.Namespace) -> int:
    """Answer; 0 for an answer or a question back, 1 where there is none."""
    root = Path.cwd()
    config = _config(root)
    question = sys.stdin.read() if args.text == ["-"] else " ".join(args.text)
    with _session(root, config, args.session) as session:
        record, folder = _answer(args, root, config, question, session.history if session else ())
        if session:
            session.add(record.question, record.id, record.outcome)
    _print(record, folder, args.json)
    return int(record.outcome in ("failed", "not_found", "refuse"))


def _config(root: Path) -> Config | None:
    """The configuration, where there is one."""
    from labagent.inputs.load import load_config

    return load_config(root) if (root / "config" / "config.yaml").is_file() else None


def _session(root: Path, config: Config | None, name: str | None) -> AbstractContextManager[Session | None]:
    """The conversation, where one is named."""
    if name is None:
        return nullcontext()
    from labagent.ask.sessions import open_session

    return open_session(root / (config.results if config else "results") / SESSIONS, name)


def _answer(
    args: argparse.Namespace, root: Path, config: Config | None, question: str, history: tuple[str, ...]
) -> tuple[AnswerRecord, Path | None]:
    """The answer, and the folder it was written to."""
    from labagent.ask import answer
    from labagent.ask.answering import answer_id

    folder: Path | None = args.out
    if folder is None and config is not None:
        folder = root / config.results / ASKED / answer_id(question, history)
    record = answer(
        question,
        caller=_caller(args, root, config),
        history=history,
        model=_model(args, config),
        condition=args.condition,
        folder=folder,
        max_steps=config.ask.max_steps if config else 5,
        fallback=True,
    )
    return record, folder


def _caller(args: argparse.Namespace, root: Path, config: Config | None) -> Caller:
    """The caller that the arguments ask for; outside of a project nothing is kept without a store."""
    from labagent.models.ask_settings import Ask
    from labagent.tools.configured import make_caller

    mode: StoreMode | None = args.mode or (None if config or args.store else "live")
    ask = config.ask if config else Ask()
    return make_caller(ask, root, backends=args.backends, mode=mode, folder=args.store)


def _model(args: argparse.Namespace, config: Config | None) -> ModelSettings | None:
    """The model's settings.

    Raises:
        InputError: there is no model of that name.
    """
    from labagent.errors import InputError, InputFault

    name = args.model or (config.ask.model if config else OFFLINE)
    if name == OFFLINE:
        return None
    models = config.models if config else {}
    if name not in models:
        message = f'"{name}" is no name under models; allowed: {", ".join([OFFLINE, *models])}'
        raise InputError([InputFault("config/config.yaml", message, column="models")])
    return models[name]


def _print(record: AnswerRecord, folder: Path | None, as_json: bool) -> None:
    """Print the answer, or all of its record."""
    if as_json:
        from labagent.ask.facts import facts_of

        value: dict[str, Any] = {**record.to_json(), "facts": facts_of(record)}
        value["folder"] = str(folder) if folder else ""
        print(json.dumps(value, ensure_ascii=False, indent=2))
        return
    print(record.text.rstrip("\n"))
    if folder:
        print(f"trace: {folder}", file=sys.stderr)
