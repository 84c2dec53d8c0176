"""``sequence.orfs`` in words."""

from __future__ import annotations

from collections.abc import Iterator

from labagent.ask.composing._voice import Voice, plural
from labagent.models.asking import Statement

SHOWN = 5


def say(voice: Voice) -> Iterator[Statement]:
    """How many there are, and the longest of them."""
    orfs, total = voice.result["orfs"], voice.result["total"]
    least = voice.call.arguments["min_length"]
    start = voice.call.arguments["start"]
    table = f"{voice.result['table']} ({voice.result['table_name']})"
    if not orfs:
        yield voice.fact(
            f"There is no open reading frame (0 found on both strands, NCBI genetic code {table}).",
            f"没有找到开放阅读框(正反链上共 0 个,NCBI 遗传密码表 {table})。",
        )
    else:
        yield voice.fact(
            f"{plural(total, 'open reading frame')} found on both strands (NCBI genetic code {table}).",
            f"正反链上共有 {total} 个开放阅读框(NCBI 遗传密码表 {table})。",
        )
    yield voice.remark(
        f"An open reading frame here begins with {start if start == 'ATG' else start + ' start codons'},"
        f" ends with a "
        f"stop codon and has at least {least} residues.",
        f"这里的开放阅读框以 {start} 开始、以终止密码子结束,至少 {least} 个残基。",
    )
    for number, orf in enumerate(orfs[:SHOWN], start=1):
        where = f"{orf['start']}-{orf['end']}"
        letters = voice.sequence(orf["protein"], whole=voice.asks("sequence", "protein") or number == 1)
        yield voice.fact(
            f"Frame {orf['frame']:+d}, positions {where}, start codon {orf['start_codon']}"
            + (f", stop codon {orf['stop_codon']}" if orf["stop_codon"] else ", without a stop codon")
            + f": {orf['length']:,} residues (aa), {letters}.",
            f"阅读框 {orf['frame']:+d},位置 {where},起始密码子 {orf['start_codon']}"
            + (f",终止密码子 {orf['stop_codon']}" if orf["stop_codon"] else ",没有终止密码子")
            + f":{orf['length']:,} 个氨基酸残基(aa),{letters}。",
        )
    if total > SHOWN:
        yield voice.fact(
            f"The longest are shown, of {total} open reading frames in all.",
            f"以上只列出最长的,总共 {total} 个开放阅读框。",
        )
