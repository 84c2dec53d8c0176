"""``variant.apply`` in words."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.ask.composing._voice import Voice
from labagent.ask.composing.variant_compare import KIND_ZH, exchanged
from labagent.models.asking import Statement


def say(voice: Voice) -> Iterator[Statement]:
    """The changed sequence, whole."""
    r = voice.result
    letters = voice.sequence(r["sequence"], whole=True)
    kind = r["kind"].replace("_", " ")
    yield voice.fact(
        f"The sequence with {r['hgvs']} ({kind}): {letters}.",
        f"带有 {r['hgvs']}({KIND_ZH.get(r['kind'], kind)})的序列:{letters}。",
    )
    if r["removed"] + r["added"] and r["kind"] not in ("substitution", "nonsense"):
        protein = r["variant"]["level"] == "p"
        en, zh = exchanged(r["removed"], r["added"], "protein" if protein else "dna")
        yield voice.fact(f"By {r['hgvs']}: {en}.", f"{r['hgvs']}:{zh}。")
    unit = ("aa", "个氨基酸(aa)") if r["variant"]["level"] == "p" else ("nt", "个碱基(nt)")
    yield voice.fact(
        f"Its length is {r['length_after']:,} {unit[0]}; before the change it was "
        f"{r['length_before']:,} {unit[0]}.",
        f"其长度为 {r['length_after']:,} {unit[1]};改变之前长度为 {r['length_before']:,} {unit[1]}。",
    )
    if r["shifted"]:
        yield voice.fact(
            f"By the three-prime rule of HGVS the variant is named {r['shifted']} places further on "
            f"than it was written.",
            f"按 HGVS 的靠后命名规则,该变异的命名位置比书写位置后移 {r['shifted']} 位。",
        )
    for note in r["notes"]:
        yield voice.fact(f"Note: {note}.", f"说明:{note}。")
