"""Steps on sequences: which tool answers which aspect."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from labagent.ask.slots import Slot, Slots
from labagent.ask.work import Done, Step, Work, outcome_of
from labagent.models.asking import CallRecord

TRANSLATE = "sequence.translate"
REVERSE = "sequence.reverse_complement"
ORFS = "sequence.orfs"
ALIGN = "sequence.align"
STATS = "sequence.stats"
TOOLS = {
    TRANSLATE: ("translate", "six_frames"),
    REVERSE: ("reverse_complement", "complement"),
    ORFS: ("orfs", "codons"),
    ALIGN: ("align", "compare"),
}
MORE = "six_frames"
UNSAID = frozenset({"papers", "identify", "transcribe", "name"})
"""Aspects that no tool on sequences answers."""
REMARKS = {
    "identify": (
        "Which protein or organism a sequence is from is not answered here: no tool searches by sequence. "
        "What the sequence itself says follows.",
        "这里没有按序列检索的工具,因此不能回答该序列来自哪种蛋白质或物种;以下是序列本身的信息。",
    ),
    "transcribe": (
        "No tool transcribes: the RNA of a coding strand has U for T and is otherwise the same.",
        "没有转录工具:编码链的 RNA 以 U 代 T,其余相同。",
    ),
    "complement": (
        "The complement is given from its own 5' end, as the reverse complement.",
        "互补链按其自身 5' 端方向给出,即反向互补序列。",
    ),
}
"""What is said of aspects that are answered otherwise, or not."""
ONE_FRAME = [1]
ALL_FRAMES = [1, 2, 3, -1, -2, -3]
SHORTEST_ORF = 1


def steps(slots: Slots) -> list[Step]:
    """One step a tool; statistics where nothing else is asked for."""
    tools = [tool for tool, aspects in TOOLS.items() if slots.asks(*aspects)]
    if ALIGN in tools and len(slots.sequences) < 2:
        tools.remove(ALIGN)
    known = {aspect for aspects in TOOLS.values() for aspect in aspects} | UNSAID
    if not tools or (slots.aspects - known):
        tools.insert(0, STATS)
    return [Step(tool, partial(_act, tool=tool)) for tool in tools]


def text_of(slot: Slot) -> str:
    """A sequence as it was written, with its header where it has one."""
    return str(slot.fact("text") or slot.value)


def type_of(slot: Slot) -> str:
    """The type stated in the question, else ``auto``."""
    return str(slot.fact("declared") or "auto")


def together(sequences: Sequence[Slot]) -> Slot | None:
    """Several FASTA records as one text, so that a tool reads them as they were given."""
    if len(sequences) < 2 or any(s.fact("format") != "fasta" or s.fact("role") for s in sequences):
        return None
    text = "\n".join(text_of(s).strip() for s in sequences)
    first = sequences[0].entity
    return Slot(first.model_copy(update={"facts": first.facts | {"text": text}}))


def _act(work: Work, tool: str) -> Done:
    """Call one tool on every sequence of the question (on two of them for an alignment)."""
    sequences = work.slots.sequences
    for aspect, remark in REMARKS.items():
        if work.slots.asks(aspect) and not work.told:
            work.say(*remark)
    if tool == ALIGN:
        first, second = sequences[:2]
        how = {name: work.slots.parameter(name) for name in ("matrix", "mode")}
        return done(work, [work.call(ALIGN, a=text_of(first), b=text_of(second), **how)])
    joined = together(sequences)
    calls = [_call(work, tool, slot) for slot in ([joined] if joined else sequences)]
    return done(work, calls)


def _call(work: Work, tool: str, slot: Slot) -> CallRecord:
    """One tool on one sequence."""
    text, declared, table = text_of(slot), type_of(slot), work.slots.parameter("table")
    if tool == TRANSLATE:
        stated = work.slots.parameter("frame")
        frames = ALL_FRAMES if work.slots.asks(MORE) else [int(stated)] if stated else ONE_FRAME
        return work.call(tool, sequence=text, type=declared, frames=frames, table=table)
    if tool == ORFS:
        least = work.slots.parameter("min_length")
        found = work.call(tool, sequence=text, type=declared, table=table, min_length=least)
        if found.result is not None and not found.result["total"] and not least:
            return work.call(tool, sequence=text, type=declared, table=table, min_length=SHORTEST_ORF)
        return found
    return work.call(tool, sequence=text, type=declared)


def done(work: Work, calls: list[CallRecord]) -> Done:
    """Tell all calls; the step is an error where none of them came out."""
    for call in calls:
        work.tell(call)
    failed = [call for call in calls if call.status == "error"]
    for call in failed:
        work.end(outcome_of(call))
    if failed:
        return Done("error", "; ".join(c.error.message for c in failed if c.error))
    return Done("ok")
