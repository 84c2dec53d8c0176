"""Steps on sequences: which tool answers which aspect."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from labagent.ask.plans import _chains
from labagent.ask.plans._chains import ALIGN, ORFS, REVERSE, STATS, TRANSLATE
from labagent.ask.plans._proteins import look_up, parts_for
from labagent.ask.slots import Slot, Slots
from labagent.ask.work import Done, Step, Work, outcome_of
from labagent.models.asking import CallRecord, Entity

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
    """One step a tool; statistics where nothing else is asked for. Some work on what an earlier one made."""
    tools = [tool for tool, aspects in TOOLS.items() if slots.asks(*aspects)]
    if _chains.bare(slots):
        tools = [STATS, REVERSE, TRANSLATE]
    with_entry = ALIGN in tools and len(slots.sequences) == 1 and bool(slots.proteins)
    if ALIGN in tools and len(slots.sequences) < 2:
        tools.remove(ALIGN)
    of_protein = _chains.wants_protein_figures(slots)
    if of_protein and not {TRANSLATE, ORFS} & set(tools):
        tools.insert(0, TRANSLATE)
    known = {aspect for aspects in TOOLS.values() for aspect in aspects} | UNSAID
    own = _chains.wants_own_figures(slots) if of_protein else True
    if STATS not in tools and own and not with_entry and (not tools or (slots.aspects - known)):
        tools.insert(0, STATS)
    made = _chained(slots, [Step(tool, partial(_act, tool=tool)) for tool in tools])
    if of_protein:
        source = TRANSLATE if TRANSLATE in tools else ORFS
        made.append(Step("sequence.stats of the protein", _protein_figures, needs=(source,)))
    if with_entry:
        entry = Step("entry", _entry)
        made += [entry, Step(ALIGN, _align_with_entry, needs=("entry",))]
    return made


def _chained(slots: Slots, made: list[Step]) -> list[Step]:
    """Steps in the order they depend on: what the other strand codes for, proteins that are aligned."""
    names = [step.name for step in made]
    if REVERSE in names and TRANSLATE in names and not _chains.bare(slots):
        made.sort(key=lambda step: step.name == TRANSLATE)
        then = Step(TRANSLATE, _translate_reverse, needs=(REVERSE,))
        keep = [step for step in made if step.name != TRANSLATE]
        made = [*keep, then] if _chains.translates_reverse(slots) else [*made, then]
    if ALIGN in names and TRANSLATE in names and _chains.nucleotides(slots):
        made = [step for step in made if step.name != ALIGN]
        made.append(Step(ALIGN, _align_proteins, needs=(TRANSLATE,)))
    return made


def _made(letters: str, kind: str) -> Slot:
    """A sequence that a tool made."""
    return Slot(Entity(namespace="sequence", value=letters, facts={"text": letters, "declared": kind}))


def _translate_reverse(work: Work) -> Done:
    """What the other strand codes for."""
    strands = [_made(r["reverse_complement"], r["type"]) for r in work.found.get(REVERSE, [])]
    return done(
        work,
        [_call(work, TRANSLATE, slot) for slot in strands],
        of=("the reverse complement", "反向互补序列"),
    )


def _proteins(work: Work) -> list[str]:
    """The proteins that were translated, each up to its first stop; else that of the longest frame."""
    frames = [r["frames"][0]["to_first_stop"] for r in work.found.get(TRANSLATE, []) if r["frames"]]
    return [p for p in frames or work.found.get(ORFS, [])[:1] if p]


def _protein_figures(work: Work) -> Done:
    """Figures of each protein that was translated."""
    proteins = _proteins(work)
    if not proteins:
        return Done("empty", "no protein is translated before the first stop")
    calls = [work.call(STATS, sequence=p, type="protein") for p in proteins]
    return done(work, calls, of=("the translated protein", "翻译所得的蛋白质"))


def _align_proteins(work: Work) -> Done:
    """The proteins of two sequences, end to end."""
    proteins = _proteins(work)
    if len(proteins) < 2:
        return Done("empty", "there are no two proteins to align")
    return done(work, [work.call(ALIGN, a=proteins[0], b=proteins[1], type="protein", **_scoring(work))])


def _entry(work: Work) -> Done:
    """The entry that a sequence is aligned with."""
    proteins, came = look_up(work, work.slots.proteins, parts_for(frozenset({"align"})))
    work.found["proteins"] = proteins
    for protein in proteins:
        work.tell(protein.entry, asked=protein.slot, search=protein.search)
    return came


def _align_with_entry(work: Work) -> Done:
    """The sequence of the question against those of entries."""
    records = [p.record for p in work.found.get("proteins", []) if p.record.get("sequence")]
    if not records:
        return Done("empty", "no entry has a sequence to align with")
    slot = work.slots.sequences[0]
    how = {"type": "protein" if slot.fact("type") == "protein" else type_of(slot), **_scoring(work)}
    others = [f">{r['accession']}\n{r['sequence']}" for r in records]
    return done(work, [work.call(ALIGN, a=text_of(slot), b=other, **how) for other in others])


def _scoring(work: Work) -> dict[str, object]:
    """How the question wants two sequences to be aligned."""
    return {name: work.slots.parameter(name) for name in ("matrix", "mode")}


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


def _contradict(work: Work) -> None:
    """Say, once, where letters are of another type than the question calls them."""
    names = {"dna": "DNA", "rna": "RNA", "protein": "protein"}
    for slot in work.slots.sequences:
        stated, own = (names.get(str(slot.fact(fact)), "") for fact in ("stated", "type"))
        said = f"The question calls the sequence {stated}, but its letters are {own}: it is read as {own}."
        if stated and own and not work.told:
            zh = f"问题称该序列为 {stated},但其字母属于 {own}:按 {own} 读取。".replace("protein", "蛋白质")
            work.say(said, zh)


def _act(work: Work, tool: str) -> Done:
    """Call one tool on every sequence of the question (on two of them for an alignment)."""
    sequences = work.slots.sequences
    for aspect, remark in REMARKS.items():
        if work.slots.asks(aspect) and not work.told:
            work.say(*remark)
    if tool == ALIGN:
        first, second = sequences[:2]
        how = {"type": _chains.stated_type(work.slots), **_scoring(work)}
        return done(work, [work.call(ALIGN, a=text_of(first), b=text_of(second), **how)])
    _contradict(work)
    joined = together(sequences)
    calls = [_call(work, tool, slot) for slot in ([joined] if joined else sequences)]
    results = [call.result or {} for call in calls]
    work.found[tool] = (
        [orf["protein"] for r in results for orf in r.get("orfs", [])]
        if tool == ORFS
        else [record for r in results for record in r.get("records", [])]
    )
    return done(work, calls, short=_chains.bare(work.slots))


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


def done(work: Work, calls: list[CallRecord], **focus: object) -> Done:
    """Tell all calls; the step is an error where one of them failed."""
    for call in calls:
        work.tell(call, **focus)
    failed = [call for call in calls if call.status == "error"]
    for call in failed:
        work.end(outcome_of(call))
    if failed:
        return Done("error", "; ".join(c.error.message for c in failed if c.error))
    return Done("ok")
