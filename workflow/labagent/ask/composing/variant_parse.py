"""``variant.parse`` in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labagent.ask.composing._voice import Voice, plural
from labagent.ask.composing.variant_compare import KIND_ZH, one
from labagent.models.asking import Statement
from labagent.tools.variants.legacy import has_tradition


def say(voice: Voice) -> Iterator[Statement]:
    """How each variant is written as HGVS recommends; older numbering."""
    r = voice.result
    if not r["variants"]:
        yield voice.fact("0 variants are read in this text.", "这段文字中读到 0 个变异。")
    for found in r["variants"]:
        yield from _variant(voice, found)
    for hint in r["legacy"]:
        if not has_tradition(hint["gene"]):
            why = hint["reason"].partition(";")[0]
            yield voice.remark(
                f"A hint only: {why}; without the start methionine counted, {hint['hgvs']} would be meant.",
                f"仅为提示:{why};若不计起始甲硫氨酸,所指应为 {hint['hgvs']}。",
            )
            continue
        yield _older(voice, hint)
    for note in r["notes"]:
        yield voice.fact(f"Note: {note}.", f"说明:{note}。")


def _variant(voice: Voice, found: dict[str, Any]) -> Iterator[Statement]:
    """One variant: HGVS, short form, kind, gene, doubts."""
    kind = found["variant"]["kind"]
    short = found["short"] if found["short"] != found["hgvs"] else ""
    gene = found["gene"]
    reference = found["variant"]["reference"]
    en = f"{found['written']} is read as {found['hgvs']}" + (f" (short form {short})" if short else "")
    zh = f"{found['written']} 读作 {found['hgvs']}" + (f"(简写 {short})" if short else "")
    en += (
        f", {one(kind)}" + (f", in {gene}" if gene else "") + (f", on {reference}" if reference else "") + "."
    )
    zh += f",类型:{KIND_ZH.get(kind, kind)}({kind.replace('_', ' ')})"
    zh += (f",基因 {gene}" if gene else "") + (f",参考序列 {reference}" if reference else "") + "。"
    yield voice.fact(en, zh)
    yield from _extent(voice, found)
    for note in found["notes"]:
        yield voice.fact(f"Note on {found['written']}: {note}.", f"关于 {found['written']} 的说明:{note}。")


def _extent(voice: Voice, found: dict[str, Any]) -> Iterator[Statement]:
    """How much is lost or doubled, and how much stands in its place."""
    variant, count = found["variant"], found.get("spans")
    if count is None or variant["level"] == "r":
        return
    protein = variant["level"] == "p"
    unit, unit_zh = ("residue", "个残基") if protein else ("base", "个碱基")
    doubled = variant["kind"] == "duplication"
    en = f"{found['hgvs']}: {plural(count, unit)} {'duplicated' if doubled else 'deleted'}"
    zh = f"{found['hgvs']}:{'重复' if doubled else '缺失'} {count} {unit_zh}"
    if variant["inserted"]:
        en += f", {variant['inserted']} in {'its' if count == 1 else 'their'} place"
        zh += f",代之以 {variant['inserted']}"
    yield voice.fact(f"{en}.", f"{zh}。")


def _older(voice: Voice, hint: dict[str, Any]) -> Statement:
    """A number of the mature chain; where only the gene speaks for it, that it may be one."""
    name = f"{hint['gene']} {hint['written']}" if hint["gene"] else hint["written"]
    further = plural(hint["offset"], "residue")
    if hint["basis"] == "known gene":
        return voice.fact(
            f"{name} may count in an older (legacy) numbering, of the mature chain; counted from the start "
            f"codon it would then be {hint['hgvs']}, {further} further on ({hint['reason']}).",
            f"{name} 可能采用旧的(legacy)编号,即按成熟链计数;若是如此,从起始密码子计数应为 {hint['hgvs']},"
            f"后移 {hint['offset']} 个残基({hint['reason']})。",
        )
    return voice.fact(
        f"{name} counts in an older (legacy) numbering, of the mature chain: counted from the start "
        f"codon it is {hint['hgvs']}, {further} further on ({hint['reason']}).",
        f"{name} 采用旧的(legacy)编号,按成熟链计数;从起始密码子计数应为 {hint['hgvs']},"
        f"后移 {hint['offset']} 个残基({hint['reason']})。",
    )
