"""Texts of results that speak to a program that reads them, instead of saying something of their subject.

They are no evidence: a title or an abstract in which such a passage stands is left out as a whole, since what
comes before and after it may belong to it.
"""

from __future__ import annotations

import re
from functools import lru_cache

_READER = (
    r"(?:the |an? |any |all |other |this |your )?(?:AI|LLM|assistant|(?:language )?model|chat ?bot|agent|"
    r"system|reader(?:'s)? program)s?"
)
_EARLIER = (
    r"(?:all |any |every |the |your |these |those |my )*(?:previous|prior|above|preceding|earlier|foregoing|"
    r"original|system|other|given|existing)"
)
_RULES = (
    r"(?:instruction|prompt|direction|rule|guideline|message|order|command|evidence|result|context|constraint|"
    r"task|tool)s?"
)
ORDERS = re.compile(
    "|".join(
        (
            rf"\b(?:ignore|disregard|forget|override|bypass|discard|neglect|skip|drop)\b[^.;"
            rf"]{{0,40}}\b{_EARLIER}\b[^.;]{{0,30}}\b{_RULES}\b",
            rf"\b(?:ignore|disregard|forget|override|bypass)\b[^.;]{{0,30}}\b{_RULES}\b",
            r"\b(?:you|your)\b[^.;]{0,40}\b(?:must|should|shall|have to|need to|are (?:now|to)|will|"
            r"answer|reply|response|output|task)\b",
            r"\b(?:respond|reply|answer|output|print|write|say|state|report|claim|tell|cite|mention|"
            r"include|repeat|reveal|conclude)\b"
            r"[^.;]{0,30}\b(?:only|exactly|instead|verbatim|the (?:user|reader|following|word|phrase|"
            r"sentence)|that you|with the)\b",
            rf"\b{_READER}\b[^.;]{{0,30}}\b(?:must|should|shall|has to|is to|will|please)\b",
            rf"\b(?:note|instruction|message|attention|important|reminder|to)\b[^.;:]{{0,25}}\b(?:to|"
            rf"for)?\s*{_READER}\b\s*[:,]",
            r"\bsystem\s*(?:prompt|message|override|note)\b|<\s*/?\s*(?:system|instruction|assistant|"
            r"user|result)\b|\[/?(?:INST|SYSTEM)\]|<\|",
            r"\b(?:new|updated|hidden|secret|developer) (?:instruction|directive|prompt|order)s?\b",
            r"\b(?:do not|don't|never) (?:cite|mention|use|answer|call|trust|reveal|follow)\b",
            r"\b(?:as an?|act as|pretend|role-?play|you are)\b[^.;]{0,20}\b(?:AI|assistant|model|expert|"
            r"pirate|bot)\b",
            r"忽略[^。;]{0,20}(?:指令|指示|提示|说明|规则)|无视[^。;]{0,20}(?:指令|指示|提示|规则)|请(?:"
            r"回答|输出|回复|声明|写)|你(?:必须|应该|现在是|要)",
        )
    ),
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def without_orders(text: str) -> str:
    """``text``, or nothing where it holds a passage that gives its reader orders."""
    return "" if ORDERS.search(text) else text


def gives_orders(text: str) -> bool:
    """Whether a text holds such a passage."""
    return ORDERS.search(text) is not None
