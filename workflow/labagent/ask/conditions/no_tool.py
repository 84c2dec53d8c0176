"""A model alone: what it says without tools, evidence or a source."""

from __future__ import annotations

from labagent.ask.conditions import Asked, Composed
from labagent.ask.conditions._talking import ask, prompt, read_reply, sentences, turns
from labagent.models.asking import Routing

NEEDS_MODEL = True
REPLY_TOKENS = 512
"""As in the published ablation."""


def answer(asked: Asked) -> Composed:
    """Ask once; a reply that is no JSON is taken as the answer's text."""
    messages = [{"role": "system", "content": prompt("no_tool")}, *turns(asked)]
    reply = ask(asked, messages, REPLY_TOKENS)
    said = read_reply(reply.text)
    text = said.text if said.kind == "answer" else reply.text.strip()
    routing = Routing(route="none", reason="a model alone: nothing was routed", decided_by="model")
    if not text:
        return Composed("failed", routing, "The model gave an empty reply.")
    outcome = said.outcome if said.kind == "answer" else "answer"
    return Composed(outcome, routing, text, statements=sentences(text))
