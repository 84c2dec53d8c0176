"""Choosing a skill without a model: which name and description share the task's words."""

from __future__ import annotations

import re
from collections.abc import Mapping

WORD = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
# Words of every task and description; they tell skills from one another as little as "the" does.
COMMON = frozenset(
    """
    a an and answer are as at be by can data do each file for from given how if in into is it its
    json method no not of on one or result run skill so task than that the their then this to use
    used value what when where which with write you your
    """.split()
)
MIN_SHARED = 2


def rank(task: str, skills: Mapping[str, str]) -> tuple[str | None, str]:
    """The skill whose words fit a task best (BM25), or none.

    Args:
        task: the task text.
        skills: description by name.

    Returns:
        A name and the reason with the scores; ``None`` where no skill shares two words with the task. Equal
        scores go by name.
    """
    from rank_bm25 import BM25Plus

    names = sorted(skills)
    corpus = [_words(f"{name.replace('-', ' ')} {skills[name]}") for name in names]
    query = sorted(set(_words(task)))
    scores = BM25Plus([words or [""] for words in corpus]).get_scores(query)
    shared = [len(set(words) & set(query)) for words in corpus]
    order = sorted(range(len(names)), key=lambda i: (-round(float(scores[i]), 6), names[i]))
    order = [i for i in order if shared[i] >= MIN_SHARED]
    if not order:
        return None, f"no skill shares {MIN_SHARED} words with the task"
    best = ", ".join(f"{names[i]} {scores[i]:.3f}" for i in order[:3])
    return names[order[0]], f"words of the task (BM25): {best}"


def _words(text: str) -> list[str]:
    """The telling words of a text, plural s taken off."""
    found = (word for word in WORD.findall(text.lower()) if word not in COMMON and len(word) > 1)
    return [w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in found]
