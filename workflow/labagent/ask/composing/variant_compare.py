"""``variant.compare`` in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from labagent.ask.composing._voice import KINDS, KINDS_ZH, UNITS, Voice, plural
from labagent.models.asking import Statement

SHOWN = 20
LONG = 40
"""Letters of a change that are shown."""
KIND_ZH = {
    "substitution": "替换",
    "nonsense": "无义(提前终止)",
    "synonymous": "同义",
    "deletion": "缺失",
    "insertion": "插入",
    "duplication": "重复",
    "delins": "缺失插入",
    "frameshift": "移码",
    "extension": "延伸",
    "start_loss": "起始密码子丢失",
    "inversion": "倒位",
}


def one(kind: str) -> str:
    """A kind with its article: ``an insertion``, ``a nonsense change``."""
    noun = f"{kind} change" if kind in ("nonsense", "synonymous") else kind.replace("_", " ")
    return f"{'an' if noun[0] in 'aeio' else 'a'} {noun}"


def say(voice: Voice) -> Iterator[Statement]:
    """What differs, as HGVS; of coding DNA the codons and the protein, too."""
    r = voice.result
    kind, (en, zh) = r["type"], UNITS[r["type"]]
    if not r["n_differences"]:
        yield voice.fact(
            f"The two {KINDS[kind]} sequences are identical: 0 differences, identity "
            f"{voice.figure(r['identity_percent'])} %.",
            f"两条{KINDS_ZH[kind]}序列相同:0 处差异,一致性 {voice.figure(r['identity_percent'])} %。",
        )
        return
    many = r["n_differences"] != 1
    yield voice.fact(
        f"The mutant differs from the wild type in {r['n_differences']:,} difference{'s' * many}: "
        f"{r['hgvs']}.",
        f"突变型与野生型之间有 {r['n_differences']:,} 处差异:{r['hgvs']}。",
    )
    for difference in r["differences"][:SHOWN]:
        yield _difference(voice, difference, kind)
    yield voice.fact(
        f"The wild type is {r['wild_type_length']:,} {en} long, the mutant {r['mutant_length']:,} {en}; "
        f"{plural(r['changed_residues'], 'residue')} changed.",
        f"野生型长度为 {r['wild_type_length']:,} {zh},突变型长度为 {r['mutant_length']:,} {zh};共 "
        f"{r['changed_residues']:,} 个残基变化。",
    )
    share = voice.figure(r["identity_percent"])
    yield voice.fact(f"Identity: {share} %.", f"一致性:{share} %。")
    for codon in r["codons"][:SHOWN]:
        yield voice.fact(
            f"Codon {codon['codon']:,}: {codon['wild_type']} becomes {codon['mutant']}, "
            f"{codon['amino_acid']} becomes "
            f"{codon['new_amino_acid']} ({codon['effect']}).",
            f"第 {codon['codon']:,} 个密码子:{codon['wild_type']} 变为 {codon['mutant']},"
            f"{codon['amino_acid']} 变为 "
            f"{codon['new_amino_acid']}({codon['effect']})。",
        )
    if r["protein_hgvs"]:
        yield voice.fact(
            f"Predicted consequence for the protein: {r['protein_hgvs']}.",
            f"对蛋白质的预测影响:{r['protein_hgvs']}。",
        )
    for note in r["notes"]:
        yield voice.fact(f"Note: {note}.", f"说明:{note}。")


def _difference(voice: Voice, difference: dict[str, Any], kind: str) -> Statement:
    """One difference: kind, place, what stood there, what stands there."""
    first, last = difference["first"], difference["last"]
    where = f"{first:,}" if first == last else f"{first:,}-{last:,}"
    old, new = difference["wild_type"], difference["mutant"]
    name, what = difference["hgvs"], difference["kind"].replace("_", " ")
    place_en = "residue" if kind == "protein" else "base"
    change_en = f"{old} becomes {new}" if old and new else f"{old} is missing" if old else f"{new} is put in"
    change_zh = f"{old} 变为 {new}" if old and new else f"缺失 {old}" if old else f"插入 {new}"
    if difference["kind"] == "insertion":
        where_en, where_zh = f"between positions {first:,} and {last:,}", f"位置 {first:,} 与 {last:,} 之间"
    else:
        where_en = f"at {place_en}{'s' * (first != last)} {where}"
        where_zh = f"位置 {where}"
    if old and new and difference["kind"] != "substitution":
        more_en, more_zh = exchanged(old, new, kind)
        change_en, change_zh = f"{change_en}: {more_en}", f"{change_zh}:{more_zh}"
    return voice.fact(
        f"{name + ': ' if name else ''}{what} {where_en}, {change_en}.",
        f"{name + ':' if name else ''}{KIND_ZH.get(difference['kind'], what)}({what}),{where_zh},"
        f"{change_zh}。",
    )


def exchanged(old: str, new: str, kind: str) -> tuple[str, str]:
    """How many residues or bases are deleted and inserted, and which, in both languages."""
    noun, zh = ("residue", "个氨基酸") if kind == "protein" else ("base", "个碱基")
    parts = [(old, "deleted", "被删去"), (new, "inserted", "被插入")]
    en = [f"{plural(len(x), noun)} ({_cut(x)}) {done}" for x, done, _ in parts if x]
    return ", ".join(en), ",".join(f"{len(x):,} {zh}({_cut(x)}){done}" for x, _, done in parts if x)


def _cut(letters: str) -> str:
    """Letters, of many the first."""
    return letters if len(letters) <= LONG else letters[:LONG] + "…"
