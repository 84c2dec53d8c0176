"""Work on a sequence is asked for, but none is given: it is asked for."""

from __future__ import annotations

import re

from labagent.ask.routing.reading import Read
from labagent.ask.routing.rules import Decision

ORDER = 85
WORK = re.compile(
    r"^\W*(?:please\s+|can you\s+|could you\s+)?(?:(?:get|give|compute|calculate|find|show|"
    r"what is)\s+(?:me\s+)?(?:the\s+)?)?(?:translate|reverse[- ]?complement|transcribe|"
    r"gc[- ]?content|align|find (?:the )?orfs?|open reading frames?)\b(?!.*\b(?:papers?|evolution|across|"
    r"between species)\b)|"
    r"^\W*(?:请|帮我)?(?:翻译|反向互补|转录|比对)",
    re.IGNORECASE,
)


def decide(read: Read) -> Decision | None:
    """Route ``sequence``."""
    if not WORK.match(read.text) or read.leftover or read.of("uniprot", "refseq_protein", "name", "gene"):
        return None
    return Decision(
        "sequence",
        f"{read.aspects('s')[0] if read.aspects('s') else 'work'} on a sequence that is not given",
        asks="sequence",
    )
