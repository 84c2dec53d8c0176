"""What is said where nothing is called: a question back, or what can be asked."""

from __future__ import annotations

from labagent.ask.conditions import Composed
from labagent.models.asking import Routing, Statement

CAN = (
    "No question that the tools can answer was found in this text. What can be asked: statistics, "
    "translation, reading "
    "frames, reverse complement or alignment of a sequence; a protein by UniProt accession, gene or "
    "name; a variant "
    "such as KRAS G12D, or a wild type and a mutant; papers on a topic, or a PubMed id.",
    "这段文字中没有工具可以回答的问题。可以询问:序列的统计、翻译、阅读框、反向互补或比对;按 UniProt "
    "登录号、基因或名称查询蛋白质;"
    "变异(如 KRAS G12D)或野生型与突变型的比较;某一主题的文献或 PubMed 编号。",
)
MORE = (
    "The question does not say what it is about clearly enough. Please name the sequence, protein, "
    "variant or topic.",
    "问题没有说明所指的对象。请给出序列、蛋白质、变异或主题。",
)


def unanswered(routing: Routing) -> Composed:
    """A question back; it is not answered before it is put otherwise."""
    zh = routing.language == "zh"
    text = routing.asks or (CAN if routing.route == "none" else MORE)[zh]
    statement = Statement(text=text, factual=False)
    return Composed("ask", routing, text, statements=(statement,))
