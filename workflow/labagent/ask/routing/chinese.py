"""Chinese words of a question as English terms: PubMed has few others.

``terms_zh.tsv`` has the terms; adding one is adding a row. What is in no list is kept and said, never
dropped in silence.
"""

from __future__ import annotations

import re
from importlib import resources

RUN = re.compile("[\u3400-\u9fff]+")
STOPS = sorted(
    """
    请问 请 帮我 帮忙 帮 我想 我要 想要 需要 给我 给出 告诉我 告诉 查找 查询 查一下 查阅 查 搜索 搜 检索
    寻找 找到 找出 找一下 找 列出 列举
    提供 推荐 获取 看看 介绍 概述 总结 综述一下 归纳 概括 分析 了解 知道 一下 一些 几篇 相关 有关 关于 方面
    领域 进展 研究进展 最新 最近
    近期 近年来 近年 目前 当前 现有 已有 发表 发布 报道 文献综述 文献 论文 文章 研究 资料 期刊 杂志 的 了
    吗 呢 吧 啊 和 与 及 以及 并且 并 或 或者 还有 然后 再 中 在 上
    里 对 对于 为 为了 是 有 没有 哪些 哪个 哪里 什么 怎么 怎样 如何 为什么 多少 几 是否 能 可以 会 这个
    那个 这些 那些 该 它 它们 其 之间 间 等 从 自 到 至
    由 被 把 将 用 使用 通过 进行 做 个 种 篇 条 项 年 起 以来 之后 以后 之前 以前 前 后 所有 全部 主要
    关系 关联 应用 情况 问题 内容 意义 特点 特征 背景 现状 动态 成果 综合 不同 以及其 其中 当中 中的 上的 里的
    方法 策略
    近几年 近十年 近五年 这几年 找几篇 发现 证据 报告 过程 探讨 讨论 解释 说明 阐述 梳理 评述 整理 汇总 阅读
    参与
    导致 引起 造成 产生 具有 存在 可能 例如 及其 等等 相关性 评估 评价 条目 数据库 登录号 或许
    重要 新 我 你 您 我们 相应 这 那 此 影响 作用 角色 扮演
    """.split(),
    key=len,
    reverse=True,
)


def _terms() -> dict[str, str]:
    """Chinese words with the English for them."""
    text = resources.files(__package__).joinpath("terms_zh.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return dict(rows)


TERMS = _terms()
KNOWN = frozenset(TERMS) | frozenset(STOPS)
LOOSE = frozenset(s for s in STOPS if len(s) == 1) - frozenset("的了吗呢吧啊和与及或在是请查找从该")
"""Single signs that begin longer words as often as they stand alone (中 in 中药)."""
LONGEST = max(map(len, KNOWN))


def _known(run: str, at: int) -> str:
    """The longest known word at a place, or nothing."""
    return next((run[at : at + n] for n in range(LONGEST, 0, -1) if run[at : at + n] in KNOWN), "")


def segments(run: str) -> list[tuple[str, bool]]:
    """Terms of a run of Chinese in its order, the longest known word first.

    Returns:
        The English for a word that is known, an empty string for one that says nothing to a search; a run of
        characters in no list stays as it is, with false.
    """
    found: list[tuple[str, bool]] = []
    unknown, at = "", 0
    while at < len(run):
        word = _known(run, at)
        if len(word) == 1 and word in LOOSE and at + 1 < len(run) and not _known(run, at + 1):
            word = ""  # the first sign of a longer word that is in no list
        if not word:
            unknown += run[at]
            at += 1
            continue
        if unknown:
            found.append((unknown, False))
            unknown = ""
        term = "" if word not in TERMS else TERMS[word].strip('"') and TERMS[word]
        found.append((term, True))
        at += len(word)
    if unknown:
        found.append((unknown, False))
    return found
