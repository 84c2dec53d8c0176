"""``labagent memory``: look at lessons, match an output, check, judge and promote them, exchange them."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labagent.memory.store import Memory
    from labagent.models.memory import Lesson

HELP = "lessons: list, match an output, statistics, audit, judge choices, promote, export, import, compact"
NEEDS_ARM = {"promote", "import", "judge", "compact"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    texts = {
        "list": "all lessons of the library and, with --arm, of that arm",
        "match": "class, signature and lessons for a failing output (a file, or standard input)",
        "stats": "counts by class, scope and status",
        "audit": "lessons without evidence or with poor outcomes, and lines that cannot be read",
        "promote": "copy lessons of an arm into the reviewed library",
        "judge": "what the scores of an arm's runs say of the choices these declared",
        "export": "write lessons and their outcomes to a file for another lab",
        "import": "take in a file of another lab; each line is checked",
        "compact": "fold an arm's events into one line a lesson; nothing is lost, the state is the same",
    }
    for action, text in texts.items():
        sub = actions.add_parser(action, help=text, description=text)
        sub.add_argument("--arm", default="", help="add the events of this arm", required=action in NEEDS_ARM)
        sub.add_argument("--root", type=Path, default=Path(), help="the workflow's folder (default: here)")
        sub.add_argument("--json", action="store_true", help="machine-readable output")
        if action in {"list", "stats"}:
            sub.add_argument("--class", dest="failure_class", default="", help="only this failure class")
        if action == "match":
            sub.add_argument("file", nargs="?", type=Path, help="the output (default: standard input)")
            sub.add_argument("--command", default="", help="the command that failed")
            sub.add_argument("--status", type=int, help="its exit status")
            sub.add_argument("--skill", default="", help="also recipe lessons of this skill")
            sub.add_argument("--limit", type=int, default=3, help="lessons to show (default: 3)")
        if action == "promote":
            sub.add_argument("ids", nargs="+", metavar="ID", help="ids of lessons, as list shows them")
        if action == "judge":
            sub.add_argument("--all", action="store_true", help="compare with the runs of all arms")
        if action in {"export", "import"}:
            sub.add_argument("file", type=Path, help="JSON lines, one event a line")
        if action == "export":
            sub.add_argument("ids", nargs="*", metavar="ID", help="only these lessons (default: all)")
        if action == "compact":
            sub.add_argument("--expand", action="store_true", help="the other way: one line an event again")
        if action == "import":
            sub.add_argument("--lab", required=True, help="name of the sender, kept with each lesson")


def run(args: argparse.Namespace) -> int:
    """Carry out one action; the exit status is 1 where ``audit`` found, or ``import`` refused something."""
    memory = _open(args.root, args.arm)
    actions = {
        "list": _list,
        "match": _match,
        "stats": _stats,
        "audit": _audit,
        "promote": _promote,
        "judge": _judge,
        "export": _export,
        "import": _import,
        "compact": _compact,
    }
    return actions[args.action](args, memory)


def _open(root: Path, arm: str) -> Memory:
    """The library with an arm's events; without an arm the library alone."""
    from labagent.inputs.load import load_config
    from labagent.memory.store import open_memory
    from labagent.models.config import MemorySettings

    has_config = (root / "config" / "config.yaml").is_file()
    settings = load_config(root).memory if has_config else MemorySettings()
    return open_memory(settings, arm or ".none", "live", root=root)


def _list(args: argparse.Namespace, memory: Memory) -> int:
    """Print the lessons."""
    lessons = [x for x in memory.state() if args.failure_class in {"", x.failure_class}]
    if args.json:
        _print_json([x.model_dump(mode="json") for x in lessons])
    else:
        for lesson in lessons:
            _show(lesson)
    return 0


def _match(args: argparse.Namespace, memory: Memory) -> int:
    """Print what the memory says of an output."""
    from labagent.errors import InputError, InputFault
    from labagent.memory.match import match

    try:
        data = args.file.read_bytes() if args.file else sys.stdin.buffer.read()
    except OSError as error:
        raise InputError([InputFault(str(args.file), f"cannot be read: {error.strerror}")]) from error
    found = match(
        data.decode("utf-8", "replace"),
        memory.state(),
        command=args.command,
        status=args.status,
        skill=args.skill,
        limit=args.limit,
    )
    value = found.model_dump(mode="json")
    value["class"] = value["failure_class"]
    if args.json:
        _print_json(value)
        return 0
    print(f"class      {found.failure_class}\nsignature  {found.signature}\nkey line   {found.key_line}")
    for lesson in found.lessons:
        _show(lesson)
    return 0


def _stats(args: argparse.Namespace, memory: Memory) -> int:
    """Print counts."""
    from collections import Counter

    lessons = [x for x in memory.state() if args.failure_class in {"", x.failure_class}]
    counts = {
        "lessons": len(lessons),
        "by_class": dict(sorted(Counter(x.failure_class for x in lessons).items())),
        "by_scope": dict(sorted(Counter(x.scope for x in lessons).items())),
        "by_status": dict(sorted(Counter(x.status for x in lessons).items())),
        "successes": sum(x.successes for x in lessons),
        "failures": sum(x.failures for x in lessons),
    }
    if args.json:
        _print_json(counts)
    else:
        for name, value in counts.items():
            text = ", ".join(f"{k} {v}" for k, v in value.items()) if isinstance(value, dict) else value
            print(f"{name:10} {text}")
    return 0


def _audit(args: argparse.Namespace, memory: Memory) -> int:
    """Print what deserves a look."""
    from labagent.memory.audit import audit

    findings = audit(memory)
    if args.json:
        _print_json([vars(finding) for finding in findings])
    else:
        for finding in findings:
            print(f"{finding.subject}: {finding.problem}: {finding.detail}")
    return 1 if findings else 0


def _promote(args: argparse.Namespace, memory: Memory) -> int:
    """Copy lessons into the library, for review in the next commit."""
    from labagent.memory.audit import promote

    events = promote(memory, args.ids)
    if args.json:
        _print_json([event.model_dump(mode="json") for event in events])
    else:
        print(f"{len(events)} added to {memory.library}; look at the change before you commit it")
    return 0


def _judge(args: argparse.Namespace, memory: Memory) -> int:
    """Compare declared choices and scores."""
    from labagent.workflow.judging import judge_arm

    events = judge_arm(args.root, args.arm, everyone=args.all)
    if args.json:
        _print_json([event.model_dump(mode="json") for event in events])
    else:
        new = [event for event in events if event.event == "lesson"]
        print(f"{len(new)} new judgments, {len(events) - len(new)} outcomes added to {memory.live}")
    return 0


def _export(args: argparse.Namespace, memory: Memory) -> int:
    """Write a file for another lab."""
    from labagent.memory.exchange import export_events, write_export

    events = export_events(memory, args.ids)
    write_export(args.file, events)
    lessons = len({event.id for event in events if event.event == "lesson"})
    if args.json:
        _print_json({"lessons": lessons, "events": len(events)})
    else:
        print(f"{lessons} lessons in {len(events)} events written to {args.file}")
    return 0


def _import(args: argparse.Namespace, memory: Memory) -> int:
    """Take in a file of another lab."""
    from labagent.memory.exchange import import_events
    from labagent.workflow.judging import published

    done = import_events(memory, args.file, lab=args.lab, published=published(args.root))
    refused = [vars(item) for item in done.refused]
    if args.json:
        _print_json({"lessons": len(done.lessons), "outcomes": len(done.outcomes), "refused": refused})
    else:
        for item in done.refused:
            print(f"{args.file}, line {item.line}: refused: {item.reason}")
        print(f"{len(done.lessons)} lessons and {len(done.outcomes)} outcomes added to {memory.live}")
    return 1 if refused else 0


def _compact(args: argparse.Namespace, memory: Memory) -> int:
    """Fold events into a snapshot, or back."""
    from labagent.memory.snapshot import compact

    done = compact(memory.live, expand=args.expand)
    if args.json:
        _print_json(vars(done))
    else:
        left = f"; {done.unreadable} unreadable lines are left as they are" if done.unreadable else ""
        sizes = f"{done.bytes_before} bytes, now {done.bytes_after}"
        print(f"{memory.live}: {done.events} events of {done.lessons} lessons, {sizes}{left}")
    return 0


def _show(lesson: Lesson) -> None:
    """A lesson for the terminal."""
    counts = f"{lesson.successes} good, {lesson.failures} bad"
    print(f"\n{lesson.id}  {lesson.status}  {lesson.scope}  {counts}\n  when  {lesson.signature}")
    print("  fix   " + lesson.fix.replace("\n", "\n        "))
    if lesson.why:
        print(f"  why   {lesson.why}")


def _print_json(value: Any) -> None:
    """JSON on standard output."""
    print(json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False))
