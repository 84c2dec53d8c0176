"""Nothing to answer: no words, a greeting, a question about this program or about something else
altogether."""

from __future__ import annotations

import re

from labagent.ask.routing.reading import Read
from labagent.ask.routing.rules import Decision

ORDER = 10
WORD = re.compile(r"[^\W\d_]{2,}|[\u3400-\u9fff]")
CHAT = re.compile(
    r"\W*(?:(?:hi|hello|hey|hello there|good (?:morning|afternoon|evening|day)|"
    r"thanks?(?: you)?(?: very much| a lot| so much)?|ok(?:ay)?|yes|no|bye|goodbye|help|"
    r"test|testing|hello world|how are you(?: doing)?(?: today)?|who are you|what are you|what can (?:you|"
    r"i) (?:do|ask)(?: for me| here| you)?|what do you do|"
    r"how (?:do i|does this|to) (?:use|work)(?: (?:this|it))?|please|sorry|why|what|how|start|"
    r"你好|您好|嗨|谢谢|再见|帮助|你是谁|你能做什么|你会什么|怎么用|早上好|好的|测试)(?:\W+(?:there|"
    r"labagent|everyone|all|team))?\W*)+",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(
    r"\b(?:weather|forecast|joke|poem|song|lyrics|recipe|cook(?:ing)?|football|soccer|basketball|movie|film|"
    r"stock (?:price|market)|bitcoin|"
    r"horoscope|what time is it|what day is (?:it|today)|capital of|president of|prime minister|"
    r"ignore (?:all |the |your )*(?:previous|prior|above) instructions|"
    r"system prompt|write (?:me )?(?:a |an )?(?:essay|story|code|program|e-?mail|letter)|translate .* (?:to|"
    r"into) (?:french|german|spanish|chinese|english|japanese))\b|"
    r"天气|笑话|写一?首诗|唱歌|菜谱|足球|电影|股票|几点了",
    re.IGNORECASE,
)


def decide(read: Read) -> Decision | None:
    """Route ``none``."""
    if read.sequences or [e for e in read.all if e.namespace not in ("organism", "parameter")]:
        return None
    if read.problem:
        return None
    if not WORD.search(read.text):
        return Decision("none", "no words")
    if CHAT.fullmatch(read.text):
        return Decision("none", "a greeting, or a question about this program")
    if match := ELSEWHERE.search(read.text):
        return Decision("none", f"{match[0]!r} is nothing that the tools here know of")
    return None
