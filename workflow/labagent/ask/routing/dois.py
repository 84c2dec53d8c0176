"""DOIs in a query for papers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from labagent.models.asking import Entity

BEFORE = r"(?:https?://)?(?:[\w-]+\.)*doi\.org/|\bdoi\s*[:：]?\s*|https?://[^\s\"]*?"
"""An address, or the word itself."""


def keep_dois(text: str, entities: Sequence[Entity], keep: Callable[[str], str]) -> str:
    """A text with each DOI as one term; split into words it would find other papers.

    Args:
        text: words of a question.
        entities: what was found in it.
        keep: gives the mark that stands for a finished term.
    """
    for entity in entities:
        if entity.namespace == "doi" and entity.written:
            mark = keep('"{}"[doi]'.format(entity.value.replace('"', "")))
            written = rf"(?:{BEFORE})?{re.escape(entity.written)}"
            text = re.sub(written, mark, text, count=1, flags=re.IGNORECASE)
    return text
