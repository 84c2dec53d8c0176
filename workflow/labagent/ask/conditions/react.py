"""Free tool use: a model calls the same tools as it likes, one a turn, at most ``HOPS`` of them.

Nothing is routed, planned or checked. Results are cut, and the cut is said.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from labagent.ask.conditions import Asked, Composed
from labagent.ask.conditions._talking import Said, ask, prompt, read_reply, sentences, turns
from labagent.models.asking import CallRecord, PlanStep, RouteName, Routing

if TYPE_CHECKING:
    from labagent.llm import Message

NEEDS_MODEL = True
HOPS = 6
REPLY_TOKENS = 800
RESULT_CHARACTERS = 4000
"""Hops, tokens and characters as in the published ablation."""
ROUTES: dict[str, RouteName] = {
    "sequence": "sequence",
    "variant": "mutation",
    "uniprot": "protein",
    "pubmed": "literature",
}


def answer(asked: Asked) -> Composed:
    """Let the model call tools until it answers, or its hops are used up."""
    system = prompt("react", tools=_tools(asked), hops=HOPS)
    messages: list[Message] = [{"role": "system", "content": system}, *turns(asked)]
    calls: list[CallRecord] = []
    for left in range(HOPS, -1, -1):
        reply = ask(asked, messages, REPLY_TOKENS)
        said = read_reply(reply.text)
        if said.kind == "answer":
            return _answered(said, calls)
        if left == 0:
            break
        told = _called(asked, said, calls) if said.kind == "call" else prompt("react_again", fault=said.fault)
        messages += [
            {"role": "assistant", "content": reply.text.strip() or "(empty)"},
            {"role": "user", "content": f"{told}\n\n{prompt('react_left', left=left - 1)}"},
        ]
    text = f"No answer within {HOPS} turns of free tool use."
    return Composed("failed", _routing(calls), text, steps=_steps(calls))


def _called(asked: Asked, said: Said, calls: list[CallRecord]) -> str:
    """Call the tool a reply asks for; what the model is told of it."""
    done = asked.caller.call(said.tool, said.arguments)
    calls.append(done)
    value = (
        done.result if done.status == "ok" else done.error and done.error.model_dump(exclude_defaults=True)
    )
    whole = json.dumps(value, ensure_ascii=False)
    return prompt(
        "react_result",
        call=done,
        text=whole[:RESULT_CHARACTERS],
        cut=max(0, len(whole) - RESULT_CHARACTERS),
        whole=len(whole),
    )


def _answered(said: Said, calls: list[CallRecord]) -> Composed:
    """The model's answer; ids it cites stay as they are, also those of no call."""
    steps, statements = _steps(calls), sentences(said.text)
    return Composed(said.outcome, _routing(calls), said.text, steps=steps, statements=statements)


def _routing(calls: list[CallRecord]) -> Routing:
    """The route that the tools it called speak for: that of most calls, the first one where they tie."""
    seen = Counter(ROUTES[space] for c in calls if (space := c.tool.partition(".")[0]) in ROUTES)
    route: RouteName = seen.most_common(1)[0][0] if seen else "none"
    return Routing(route=route, reason="free tool use: the route of most calls", decided_by="model")


def _steps(calls: list[CallRecord]) -> tuple[PlanStep, ...]:
    """A step a call."""
    return tuple(
        PlanStep(name=call.tool, calls=(call.id,), status="ok" if call.status == "ok" else "error")
        for call in calls
    )


def _tools(asked: Asked) -> list[dict[str, str]]:
    """What the prompt says of each tool that may run here."""
    from labagent.tools.registry import registry

    return [
        {
            "name": tool.name,
            "summary": tool.summary,
            "arguments": json.dumps(tool.arguments.model_json_schema(), ensure_ascii=False, sort_keys=True),
        }
        for tool in registry().values()
        if tool.safety in asked.caller.safety
    ]
