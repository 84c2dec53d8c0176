"""What ``labagent trace`` does with the folder of an answer."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path


def verify(args: argparse.Namespace) -> int:
    """Check an answer; the exit status is 1 where something is wrong."""
    from labagent.ask.verifying import verify_answer

    found = verify_answer(_folder(args.place), Path.cwd())
    if args.json:
        print(json.dumps([{**asdict(found), "trace": str(found.trace)}], indent=2, ensure_ascii=False))
    else:
        state = "; ".join(found.faults) or "whole"
        print(f"{found.trace}: {found.events} events, {state}")
    return int(bool(found.faults))


def replay(args: argparse.Namespace) -> int:
    """Make an answer again from what was kept; the exit status is 1 where a byte differs."""
    from labagent.ask.replaying import replay_answer

    found = replay_answer(_folder(args.place), Path.cwd(), args.store)
    if args.json:
        print(json.dumps(asdict(found), indent=2, ensure_ascii=False))
        return int(bool(found.differences))
    for difference in found.differences:
        print(f"differs: {difference}")
    state = "not equal" if found.differences else "equal, byte by byte"
    print(f"{found.calls} calls, {found.replies} replies: {state}")
    return int(bool(found.differences))


def _folder(place: Path) -> Path:
    """The folder of an answer."""
    return place if place.is_dir() else place.parent
