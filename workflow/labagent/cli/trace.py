"""``labagent trace``: read a run's trace, check that it is whole, make a recorded run again."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labagent.errors import InputError, InputFault

if TYPE_CHECKING:
    from labagent.models.run import RunRecord

HELP = "show the trace of a run, check that it is whole, or make a recorded run again"
WIDTH = 160
LINES = 12
SHOWN = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``trace show``, ``trace verify`` and ``trace replay``."""
    commands = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions = {
        "show": "print the events, readably",
        "verify": "check that events, files, recorded calls and sums are whole",
        "replay": "run the commands again with the recorded replies, no call made, and compare",
    }
    for name, text in actions.items():
        sub = commands.add_parser(name, help=text)
        sub.add_argument(
            "place",
            metavar="RUN",
            type=Path,
            help="an attempt's folder, a try's folder, run.json or trace.jsonl; or the folder of an answer",
        )
        sub.add_argument("--json", action="store_true", help="machine-readable output")
        if name == "replay":
            kept = "of an answer: where its calls were kept, if not where the trace says"
            sub.add_argument("--store", type=Path, metavar="DIR", help=kept)
        if name == "show":
            sub.add_argument("--full", action="store_true", help="do not shorten long texts")


def run(args: argparse.Namespace) -> int:
    """Show, verify or replay; the exit status is 1 when something is wrong, or differs in a replay."""
    if _is_answer(args):
        from labagent.cli import _answers

        if args.action != "show":
            act = _answers.verify if args.action == "verify" else _answers.replay
            return act(args)
    if args.action == "replay":
        return _replay(args.place, args.json)
    if args.action == "verify":
        return _verify(args.place, args.json)
    record = _record(args.place)
    nothing_ran = record is not None and not record.try_folder
    paths = _traces(args.place) if nothing_ran else find_traces(args.place)
    if record and nothing_ran and not args.json:
        print(f"{record.status} ({record.ended_by}): {record.reason or 'no reason given'}")
        print("nothing ran" + ("; the trace below is of an earlier try" if paths else ""))
    return _show(paths, args.json, args.full)


def _is_answer(args: argparse.Namespace) -> bool:
    """Whether a place is an answer; nothing of answers is loaded for others."""
    folder = args.place if args.place.is_dir() else args.place.parent
    if args.action == "show" or not any((folder / n).is_file() for n in ("answer.json", "trace.jsonl")):
        return False
    if (folder / "run.json").is_file() or folder.name.startswith("try-"):
        return False
    from labagent.ask.verifying import is_answer

    return is_answer(args.place)


def _record(place: Path) -> RunRecord | None:
    """The record of an attempt, where that is what was asked for and it has ended."""
    from labagent.models.base import first_fault
    from labagent.models.run import RunRecord

    path = place if place.name == "run.json" else place / "run.json"
    if not path.is_file():
        return None
    try:
        return RunRecord.read(path)
    except ValueError as error:
        raise InputError([InputFault(str(path), f"is no record of a run: {first_fault(error)}")]) from error


def find_traces(place: Path) -> list[Path]:
    """The traces a user means, tries in order.

    Args:
        place: an attempt's folder, a try's folder, a ``run.json`` or a ``trace.jsonl``.

    Raises:
        InputError: no trace is there.
    """
    found = _traces(place)
    if not found:
        message = "no trace here; give results/runs/<arm>/<target>/<attempt>, a try in it, or a trace.jsonl"
        raise InputError([InputFault(str(place), message)])
    return found


def _traces(place: Path) -> list[Path]:
    """The traces of a place, tries in order; none where none is there."""
    folder = place.parent if place.name == "run.json" else place
    found = [folder] if folder.is_file() else sorted(folder.glob("trace.jsonl"))
    tries = sorted(folder.glob("try-*/trace.jsonl"), key=lambda p: int(p.parent.name.partition("-")[2]))
    return found or tries


def _show(paths: list[Path], as_json: bool, full: bool) -> int:
    """Print all events."""
    from labagent.trace import costs, read_trace

    if as_json:
        traces = [{"trace": str(p), "costs": _costs(costs(p)), "events": read_trace(p)} for p in paths]
        print(json.dumps(traces, indent=2, ensure_ascii=False))
        return 0
    for path in paths:
        print(f"== {path}")
        for event in read_trace(path):
            print(_line(event, full))
        total = costs(path)
        price = "unknown" if total.usd is None else f"US$ {total.usd:.4f}"
        print(f"   {total.calls} model calls, {total.tokens} tokens, {price}")
    return 0


def _verify(place: Path, as_json: bool) -> int:
    """Check each trace with what belongs to it, and the record against all of them."""
    from labagent.reproduce.verify import verify_record, verify_try

    reports: list[dict[str, Any]] = [
        {**asdict(found), "trace": str(found.trace)} for found in map(verify_try, find_traces(place))
    ]
    record = place if place.name == "run.json" else place / "run.json"
    if record.is_file():
        reports.append({"record": str(record), "faults": verify_record(record)})
    faulty = any(report["faults"] for report in reports)
    if as_json:
        print(json.dumps(reports, indent=2))
        return int(faulty)
    for report in reports:
        state = "whole" if not report["faults"] else "; ".join(report["faults"])
        if "record" in report:
            print(f"{report['record']}: {'adds up' if not report['faults'] else state}")
        else:
            killed = "" if report["ended"] else " (no end: this try was killed)"
            print(f"{report['trace']}: {report['events']} events, {state}{killed}")
    return int(faulty)


def _replay(place: Path, as_json: bool) -> int:
    """Make a recorded attempt again, and print what differs."""
    from labagent.workflow.attempts import replay
    from labagent.workflow.session import current_config

    root = Path.cwd()
    done = replay(root, current_config(root), place)
    found = done.comparison
    if as_json:
        places = {"recorded": str(done.recorded), "replayed": str(done.again)}
        print(json.dumps({**places, **asdict(found)}, indent=2, ensure_ascii=False))
        return int(bool(found.differences))
    print(f"recorded: {done.recorded}\nreplayed: {done.again}")
    for note in found.notes:
        print(f"note: {note}")
    for difference in found.differences[:SHOWN]:
        print(f"differs: {difference}")
    if len(found.differences) > SHOWN:
        print(f"and {len(found.differences) - SHOWN} more")
    what = f"{found.commands} commands, {found.answers} answer files, {found.events} events"
    print(f"{what}: {'not equal' if found.differences else 'equal but for times'}")
    return int(bool(found.differences))


def _costs(total: Any) -> dict[str, Any]:
    """Costs as JSON values."""
    return {"calls": total.calls, "usd": total.usd, "usage": total.usage.model_dump()}


def _line(event: dict[str, Any], full: bool) -> str:
    """One event as text: its short facts on a line, its longer texts below."""
    texts = {k: str(event[k]) for k in ("command", "text", "reason") if event.get(k)}
    hidden = {"seq", "time", "event", "chain", *texts}
    facts = {k: v for k, v in event.items() if k not in hidden and v not in ("", None, [], {}, False)}
    shown = " ".join(f"{k}={v if isinstance(v, str) else json.dumps(v)}" for k, v in facts.items())
    head = f"{event.get('seq', '?'):>4} {event['event']:<12} {shown}"
    body = [_indented(text, full) for text in texts.values()]
    return "\n".join([head if full else head[:WIDTH], *body])


def _indented(text: str, full: bool) -> str:
    """A text below its event, shortened unless all is asked for."""
    lines = text.splitlines()
    if not full and len(lines) > LINES:
        lines = [*lines[: LINES // 2], f"[... {len(lines) - LINES} lines ...]", *lines[-LINES // 2 :]]
    return "\n".join(f"     | {line if full else line[:WIDTH]}" for line in lines)
