"""``variant.effect`` in words: figures, labelled as heuristics; no verdict."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.ask.composing._voice import Voice
from labagent.ask.composing.variant_compare import one
from labagent.models.asking import Statement

NAMES_ZH = {
    "BLOSUM62": "BLOSUM62 分值",
    "Grantham distance": "Grantham 距离",
    "hydropathy": "疏水性变化(hydropathy)",
    "charge": "电荷变化(charge)",
    "volume": "体积变化(volume)",
}
LABEL_ZH = (
    "以上数值只是对氨基酸交换的启发式指标(heuristics),不能说明该变异是否致病,"
    "其中没有来自患者、实验或结构的证据。"
)
CHANGES = frozenset({"hydropathy", "charge", "volume"})


def say(voice: Voice) -> Iterator[Statement]:
    """The variant, each figure with its scale and source, the label."""
    r = voice.result
    kind = r["kind"].replace("_", " ")
    yield voice.fact(f"{r['hgvs']} is {one(r['kind'])}.", f"{r['hgvs']} 的类型:{kind}。")
    for figure in r["evidence"]:
        name = figure["name"]
        value = _signed(voice, figure["value"], name)
        unit = f" {figure['unit']}" if figure["unit"] else ""
        change = " change" if name in CHANGES else ""
        yield voice.fact(
            f"{name}{change}: {value}{unit} (scale: {figure['scale']}; {figure['source']}).",
            f"{NAMES_ZH.get(name, name)}:{value}{unit}(范围:{figure['scale']};{figure['source']})。",
        )
    if r["flags"]:
        yield voice.fact(
            f"Of the exchange: {'; '.join(r['flags'])}.", f"关于该交换:{'; '.join(r['flags'])}。"
        )
    yield voice.fact(f"These are {r['label']}.", LABEL_ZH)
    for note in r["notes"]:
        yield voice.fact(f"Note: {note}.", f"说明:{note}。")


def _signed(voice: Voice, value: float, name: str) -> str:
    """A figure; changes carry their sign."""
    text = voice.figure(value)
    return f"+{text}" if name in CHANGES and value > 0 else text
