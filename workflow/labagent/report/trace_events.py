"""A trace as a reader wants it: what was shown, run, printed and paid, in order and of bounded size."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from labagent.report.inert import printed, shortened, visible

EVENTS = 400  # of a try: the first half and the last half
LINE = 4_000_000  # bytes of an event that is read
FACT = 300  # characters of a fact
TITLES = {
    "start": "The try begins",
    "probe": "Machine",
    "lessons": "Lessons shown",
    "usage": "Model call",
    "reply": "Reply",
    "command": "Command",
    "observation": "Output",
    "locus": "Step file read",
    "retry": "Model call repeated",
    "unusable": "Unusable reply",
    "missing": "Success claimed, answer incomplete",
    "final": "The agent’s last word",
    "cap": "Cap reached",
    "lesson": "Lesson kept",
    "withheld": "Lesson withheld",
    "memory": "Memory not written",
    "end": "End",
}
LONG = ("command", "text", "reason", "faults")
HIDDEN = frozenset(
    {
        "seq",
        "time",
        "event",
        "chain",
        "turn",
        "hash",
        "sha256",
        "parameters",
        "finish_reason",
        *LONG,
    }
)
LEFT_OUT = frozenset({"request"})
HEAD = frozenset({"arm", "target", "attempt", "agent", "model", "budget"})
"""What the top of the page says of a run already."""


@dataclass(frozen=True)
class Block:
    """A text: its beginning, how many characters are left out, its end."""

    head: str
    omitted: int
    tail: str


@dataclass(frozen=True)
class Item:
    """One event. ``at`` is in seconds since the try began; ``failed`` marks outputs of failed commands."""

    seq: int
    kind: str
    title: str
    turn: int
    at: float
    facts: list[tuple[str, str]]
    text: str = ""
    lessons: list[Mapping[str, str]] = field(default_factory=list)
    failed: bool = False
    block: Block | None = None


@dataclass(frozen=True)
class Try:
    """One try of an attempt: its events, and how many in the middle are not shown."""

    name: str
    first: list[Item]
    omitted: int
    last: list[Item]
    budget: list[tuple[str, str]]

    @property
    def items(self) -> list[Item]:
        """All items that are shown."""
        return [*self.first, *self.last]


def read_try(folder: Path) -> Try:
    """One try's events, bounded; what cannot be read is said, never raised."""
    known = _known_lessons(folder / "memory.json")
    first: list[Item] = []
    last: deque[Item] = deque(maxlen=EVENTS // 2)
    began, dropped, budget = 0.0, 0, {}
    for event in _events(folder / "trace.jsonl"):
        kind = str(event.get("event", "?"))
        time = _number(event.get("time"))
        began = began or time
        if kind == "start" and isinstance(event.get("budget"), dict):
            budget = event["budget"]
        if kind in LEFT_OUT:
            continue
        item = _item(event, kind, time - began, known)
        if len(first) < EVENTS // 2:
            first.append(item)
        else:
            dropped += len(last) == EVENTS // 2
            last.append(item)
    caps = [(visible(str(k)).replace("_", " "), _short(v)) for k, v in budget.items() if v is not None]
    return Try(folder.name, first, dropped, list(last), caps)


def fitted(tries: list[Try], budget: int, most: int = 6000) -> list[Try]:
    """Tries with their texts as blocks that together stay below ``budget`` characters."""
    texts = [item.text for t in tries for item in t.items if item.text]
    each = max(400, min(most, budget // max(len(texts), 1)))

    def cut(items: list[Item]) -> list[Item]:
        return [replace(i, text="", block=Block(*shortened(i.text, each))) if i.text else i for i in items]

    return [replace(t, first=cut(t.first), last=cut(t.last)) for t in tries]


def _item(event: Mapping[str, Any], kind: str, at: float, known: Mapping[str, Mapping[str, str]]) -> Item:
    """One event: its short facts and its long text."""
    text = next((event[name] for name in LONG if event.get(name)), "")
    text = "\n".join(map(str, text)) if isinstance(text, list) else str(text)
    ids = event.get("ids") if isinstance(event.get("ids"), list) else []
    return Item(
        seq=int(_number(event.get("seq"))),
        kind=kind if kind in TITLES else "other",
        title=TITLES.get(kind, visible(kind[:60])),
        turn=int(_number(event.get("turn"))),
        at=max(at, 0.0),
        facts=_observed(event) if kind == "observation" else _facts(event),
        text=printed(text),
        lessons=[
            known.get(str(i), {"id": visible(str(i)[:40]), "signature": "", "fix": ""}) for i in ids or []
        ],
        failed=kind == "observation" and event.get("status") not in (0, None),
    )


def _observed(event: Mapping[str, Any]) -> list[tuple[str, str]]:
    """How a command ended, how long it took, how much it printed and what of that the agent was not shown."""
    facts = [("exit status", _short(event.get("status")))]
    if event.get("timed_out"):
        facts.append(("ended by", "its time limit"))
    facts += [(name, _short(event[name])) for name in ("signal", "limit") if event.get(name)]
    facts += [
        ("took", f"{_short(event.get('seconds'))} s"),
        ("printed", f"{_short(event.get('bytes'))} bytes"),
    ]
    if event.get("omitted"):
        facts.append(("left out of what the agent saw", f"{_short(event['omitted'])} bytes"))
        facts.append(("whole output", f"observations/{_short(event.get('file'))}"))
    return facts


def _facts(event: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The event's short values."""
    facts: list[tuple[str, str]] = []
    known = HEAD if event.get("event") == "start" else {"ids"}
    for name, value in event.items():
        if name in known:
            continue
        if name == "usage" and isinstance(value, dict):
            facts += [(str(k).replace("_", " "), _short(v)) for k, v in value.items() if v]
        elif name == "cost_usd":
            facts.append(("cost", "unknown" if value is None else f"{_short(value)} US$"))
        elif name in ("facts", "sandbox") and isinstance(value, dict):
            facts += [(visible(str(k)[:60]).replace("_", " "), _short(v)) for k, v in value.items() if v]
        elif name not in HIDDEN and value not in ("", None, [], {}, False):
            digest = name.endswith("sha256") and isinstance(value, str)
            facts.append((visible(str(name)[:60]).replace("_", " "), _short(value[:12] if digest else value)))
    return facts


def _events(path: Path) -> Iterator[dict[str, Any]]:
    """Events of a trace line by line; lines that are no event, or too long, are told as such."""
    try:
        with path.open("rb") as stream:
            while line := stream.readline(LINE):
                if not line.endswith(b"\n"):
                    yield from _overlong(stream, len(line))
                    continue
                try:
                    event = json.loads(line.decode("utf-8", errors="replace"))
                except (ValueError, RecursionError):
                    event = None
                yield event if isinstance(event, dict) else {"event": "unreadable line"}
    except FileNotFoundError:
        return


def _overlong(stream: Any, size: int) -> Iterator[dict[str, Any]]:
    """A line without an end: the torn tail of a killed writer, or an event too long to be shown."""
    torn = size < LINE
    while not torn and (rest := stream.readline(LINE)):
        size += len(rest)
        if rest.endswith(b"\n"):
            break
    yield {"event": "torn last line" if torn else "event too long to be shown", "bytes": size}


def _known_lessons(path: Path) -> dict[str, Mapping[str, str]]:
    """The lessons the run could know, by id."""
    try:
        found = json.loads(path.read_bytes())["lessons"]
        return {
            str(lesson["id"]): {
                name: printed(str(lesson.get(name, "")))[:1500] for name in ("id", "signature", "fix")
            }
            for lesson in found
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}


def _short(value: Any) -> str:
    """A value on one line, cut where it is long."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    text = visible(" ".join(text.split()))
    return text if len(text) <= FACT else text[: FACT - 1] + "…"


def _number(value: Any) -> float:
    """A number, 0 for anything else."""
    ok = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e15
    return float(value) if ok else 0.0
