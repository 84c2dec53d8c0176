"""``sequence.stats`` in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labagent.ask.composing._voice import KINDS, KINDS_ZH, Voice, named, plural, size, upper
from labagent.models.asking import Statement

FIGURES = ("gc", "mass", "pi", "gravy", "extinction", "composition")
ALIKE = {"charge": "pi"}
BRIEF = frozenset({"length", "type", "count"})
"""Aspects that the first sentences answer."""


def say(voice: Voice) -> Iterator[Statement]:
    """Each record: what it is, how long, the figures that are asked for (all, where none is)."""
    records = voice.result["records"]
    if len(records) > 1:
        lengths = voice.several([str(r["length"]) for r in records])
        yield voice.fact(
            f"There are {len(records)} sequence records, of length {lengths}.",
            f"共有 {len(records)} 条序列记录,长度分别为 {lengths}。",
        )
    asked = {ALIKE.get(a, a) for a in voice.aspects} & set(FIGURES)
    for number, record in enumerate(records, start=1):
        who = named(voice, record["name"], number, len(records))
        yield from _what(voice, record, who)
        for figure in FIGURES:
            if figure in asked or not (asked or voice.aspects & BRIEF):
                yield from SAY[figure](voice, record, who)
        for note in record["notes"]:
            yield voice.fact(f"Note on {who}: {note}.", f"关于{who}的说明:{note}。")


def _what(voice: Voice, record: dict[str, Any], who: str) -> Iterator[Statement]:
    """Type and length, with every doubt about the type."""
    kind, length = record["type"], size(voice, record["length"], record["type"])
    sure = record["certain"]
    en = f"{upper(who)} is {'' if sure else 'probably '}{KINDS[kind]}, {length} long."
    zh = f"{who}{'是' if sure else '很可能是'}{KINDS_ZH[kind]}序列,长度为 {length}。"
    yield voice.fact(en, zh)
    if record["type_note"] and not record["certain"]:
        yield voice.fact(
            f"The type of {who} is not certain: {record['type_note']}.",
            f"{who}的类型并不确定:{record['type_note']}。",
        )
    if record["gaps"]:
        yield voice.fact(
            f"{upper(who)} has {plural(record['gaps'], 'gap character')}, not counted in its length.",
            f"{who}含 {record['gaps']} 个空位(gap),不计入长度。",
        )
    if record["stops"]:
        yield voice.fact(
            f"{upper(who)} has {plural(record['stops'], 'stop')} (*), no residue: it counts neither in "
            f"length nor in mass.",
            f"{who}含 {record['stops']} 个终止符(*),它不是残基,不计入长度和质量。",
        )


def _gc(voice: Voice, record: dict[str, Any], who: str) -> Iterator[Statement]:
    """GC share."""
    if record["gc_percent"] is not None:
        share = voice.figure(record["gc_percent"])
        yield voice.fact(
            f"GC content of {who}: {share} % of {record['gc_counted']:,} bases counted.",
            f"{who}的 GC 含量:{share} %(计入 {record['gc_counted']:,} 个碱基)。",
        )


def _mass(voice: Voice, record: dict[str, Any], who: str) -> Iterator[Statement]:
    """Mass, up to the first stop where that differs, and of both strands."""
    mass = record["mass"]
    if mass["da"] is None:
        yield voice.fact(
            f"The mass of {who} cannot be given ({mass['note']}).", f"无法给出{who}的质量({mass['note']})。"
        )
        return
    yield voice.fact(
        f"Mass of {who}: {voice.figure(mass['da'])} Da ({mass['note']}).",
        f"{who}的分子量(质量):{voice.figure(mass['da'])} Da({mass['note']})。",
    )
    short = record["mass_to_first_stop"]
    if short and short["da"] is not None and short["da"] != mass["da"]:
        yield voice.fact(
            f"Mass of {who} up to its first stop: {voice.figure(short['da'])} Da ({short['note']}).",
            f"{who}到第一个终止符为止的质量:{voice.figure(short['da'])} Da({short['note']})。",
        )
    double = record["mass_double_strand"]
    if double and double["da"] is not None:
        yield voice.fact(
            f"Mass of both strands: {voice.figure(double['da'])} Da ({double['note']}).",
            f"双链的质量:{voice.figure(double['da'])} Da({double['note']})。",
        )


def _pi(voice: Voice, record: dict[str, Any], who: str) -> Iterator[Statement]:
    """Isoelectric point."""
    if record["isoelectric_point"] is not None:
        value = voice.figure(record["isoelectric_point"])
        yield voice.fact(f"Isoelectric point (pI) of {who}: {value}.", f"{who}的等电点(pI):{value}。")


def _gravy(voice: Voice, record: dict[str, Any], who: str) -> Iterator[Statement]:
    """Mean hydropathy."""
    if record["gravy"] is not None:
        value = voice.figure(record["gravy"], 3)
        yield voice.fact(f"Mean hydropathy (GRAVY) of {who}: {value}.", f"{who}的平均疏水性(GRAVY):{value}。")


def _extinction(voice: Voice, record: dict[str, Any], who: str) -> Iterator[Statement]:
    """Extinction coefficients."""
    if record["extinction_reduced"] is not None:
        yield voice.fact(
            f"Extinction coefficient of {who}: {record['extinction_reduced']:,} M⁻¹ cm⁻¹ with reduced "
            f"cysteines, "
            f"{record['extinction_cystines']:,} M⁻¹ cm⁻¹ with all cysteines in cystines.",
            f"{who}的消光系数:半胱氨酸全部还原时 {record['extinction_reduced']:,} M⁻¹ cm⁻¹,"
            f"全部形成胱氨酸时 {record['extinction_cystines']:,} M⁻¹ cm⁻¹。",
        )
        yield voice.remark("Extinction coefficients are those at 280 nm.", "消光系数均指 280 nm 处的数值。")


def _composition(voice: Voice, record: dict[str, Any], who: str) -> Iterator[Statement]:
    """How often each letter occurs."""
    counts = voice.several([f"{letter} {n}" for letter, n in record["composition"].items()])
    yield voice.fact(f"Composition of {who}: {counts}.", f"{who}的组成:{counts}。")


SAY = {
    "gc": _gc,
    "mass": _mass,
    "pi": _pi,
    "gravy": _gravy,
    "extinction": _extinction,
    "composition": _composition,
}
