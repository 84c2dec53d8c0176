"""What a model's reply asks for."""

from __future__ import annotations

import re

from labagent.reproduce.turns import Action, Run, Say

# The closing fence must be as long as the opening one, so that a command may write Markdown when its block
# is opened with more backticks.
BLOCK = re.compile(r"^(?P<fence>`{3,})bash[ \t]*\n(?P<code>.*?)^(?P=fence)[ \t]*$", re.DOTALL | re.MULTILINE)


def parse_reply(text: str) -> Action:
    """The command of a reply with exactly one ``bash`` block; any other reply is text alone."""
    blocks = list(BLOCK.finditer(text))
    if len(blocks) != 1 or not blocks[0]["code"].strip():
        return Say(BLOCK.sub("", text) if blocks else text)
    block = blocks[0]
    says = f"{text[: block.start()].strip()}\n{text[block.end() :].strip()}".strip()
    return Run(block["code"].removesuffix("\n"), says=says)
