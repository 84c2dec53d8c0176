"""Texts of results that speak to a program that reads them, instead of saying something of their subject.

They are no evidence: a title or an abstract in which such a passage stands is left out as a whole, since what
comes before and after it may belong to it.
"""

from __future__ import annotations

import re
from functools import lru_cache

_READER = (
    r"(?:the |an? |any |all |other |this |your )?(?:AI|LLM|(?:AI )?assistant|(?:large )?(?:language|AI) "
    r"model|chat ?bot|AI agent|reader(?:'s)? program)s?"
)
_EARLIER = (
    r"(?:all |any |every |the |your |these |those |my )*(?:previous|prior|above|preceding|earlier|foregoing|"
    r"original|system|other|given|existing)"
)
_RULES = (
    r"(?:instruction|prompt|direction|rule|guideline|message|order|command|evidence|result|context|constraint|"
    r"task|tool)s?"
)
_BEGIN = r"(?:^|[.!?:;\n\"'(\[*#>-]\s*|\b(?:please|then|now|instead)[,:]?\s+)"
_EXACTLY = r"(?:that\b|only\b|exactly\b|instead\b|verbatim\b|nothing\b|\s*[\"'“‘:])"
ORDERS = re.compile(
    "|".join(
        (
            rf"\b(?:ignore|disregard|forget|override|bypass|discard|neglect|skip|drop)\b[^.;]{{0,40}}\b{_EARLIER}\b"
            rf"[^.;]{{0,30}}\b{_RULES}\b",
            rf"\b(?:ignore|disregard|forget|override|bypass)\b[^.;]{{0,30}}\b{_RULES}\b",
            r"\b(?:you|your)\b[^.;]{0,40}\b(?:must|should|shall|have to|need to|are (?:now|to)|will|answer|"
            r"reply|response|output|task|instructions?)\b",
            r"\b(?:must|should|shall|will|do|are|if|when|as) you\b",
            rf"{_BEGIN}(?:respond|reply|answer|output|print|write|say)(?:\s*:|\s+(?:with|in|as|to|{_EXACTLY}))",
            rf"{_BEGIN}(?:state|tell|claim|repeat|reveal|conclude|report|mention|cite|include|add|append)"
            rf"(?:\s*:|\s+(?:{_EXACTLY}|the (?:user|reader|word|phrase|sentence|following)\b))",
            r"\bthe (?:only |correct |right |final |true |full )*(?:answer|reply|response)s?\b[^.;]{0,30}"
            r"\b(?:is|are|be|must|should|shall|has to|to (?:any|this|the|every|all))\b",
            rf"\b{_READER}\b[^.;]{{0,30}}\b(?:must|should|shall|has to|have to|is to|are to|please)\b",
            rf"\b(?:note|instruction|message|attention|important|reminder|memo|to)\b[^.;:]{{0,25}}{_READER}\s*[:,]",
            r"\bsystem\s*(?:prompt|message|override|note)\b|<\s*/?\s*(?:system|instruction|assistant|user|results?|"
            r"question)\b|\[/?(?:INST|SYSTEM)\]|<\||^\s*(?:system|assistant|user)\s*:",
            r"\b(?:new|updated|hidden|secret|developer) (?:instruction|directive|prompt|order)s?\b",
            r"\b(?:do not|don't|never) (?:cite|mention|use|answer|call|trust|reveal|follow)\b",
            r"\b(?:act as|pretend|role-?play|you are)\b[^.;]{0,20}"
            r"\b(?:AI|assistant|model|expert|pirate|bot)\b",
            r"忽略[^。;]{0,20}(?:指令|指示|提示|说明|规则)|无视[^。;]{0,20}(?:指令|指示|提示|规则)|"
            r"请(?:回答|输出|回复|声明|写)|你(?:必须|应该|现在是|要)",
        )
    ),
    re.IGNORECASE | re.MULTILINE,
)


@lru_cache(maxsize=8192)
def without_orders(text: str) -> str:
    """``text``, or nothing where it holds a passage that gives its reader orders."""
    return "" if ORDERS.search(text) else text


def gives_orders(text: str) -> bool:
    """Whether a text holds such a passage."""
    return ORDERS.search(text) is not None
