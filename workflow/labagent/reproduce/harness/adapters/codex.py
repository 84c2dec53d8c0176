"""Codex: ``codex exec --json``.

One JSON object a line: ``thread.started``, ``turn.started``, ``item.started`` / ``item.completed`` with an
``item`` (``command_execution`` with ``command``, ``aggregated_output``, ``exit_code``; ``file_change``,
``mcp_tool_call``, ``web_search``, ``agent_message``, ``reasoning``), ``turn.completed`` with the ``usage`` of
the whole thread so far (cached tokens within the input), ``turn.failed``, ``error``.

Nothing is said of tokens before a turn ends, so the rollout file that Codex writes beside it is read, too:
its ``token_count`` events hold ``total_token_usage``, its ``turn_context`` the model. US$ it never says.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from typing import Any

from labagent.models.run import Usage
from labagent.reproduce.harness.events import (
    Answered,
    Asked,
    Done,
    Event,
    Said,
    Used,
    count,
    mapping,
    text_of,
)

COMMAND = (
    *("codex", "exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"),
    "-",
)
INSTALL = "install it with: npm install -g @openai/codex"
VARIABLES: dict[str, str] = {}
BESIDE = (".codex/sessions/*/*/*/rollout-*.jsonl",)


class Reader:
    """Reads one stream, and the rollout beside it."""

    def __init__(self) -> None:
        self._model = ""
        self._asked: set[str] = set()

    def read(self, line: dict[str, Any], *, beside: bool) -> Iterable[Event]:
        """The events of a line."""
        if beside:
            yield from self._rollout(str(line.get("type", "")), mapping(line.get("payload")))
            return
        kind = str(line.get("type", ""))
        if kind in ("item.started", "item.completed"):
            yield from self._item(mapping(line.get("item")), ended=kind == "item.completed")
        elif kind == "turn.completed":
            yield from self._used(mapping(line.get("usage")))
            yield Done(True)
        elif kind in ("turn.failed", "error"):
            yield Done(False, str(mapping(line.get("error")).get("message") or line.get("message") or kind))

    def _rollout(self, kind: str, payload: dict[str, Any]) -> Iterator[Event]:
        """Tokens and the model, as the rollout has them."""
        if kind == "turn_context":
            self._model = str(payload.get("model") or self._model)
        if payload.get("type") == "token_count":
            yield from self._used(mapping(mapping(payload.get("info")).get("total_token_usage")))

    def _used(self, said: dict[str, Any]) -> Iterator[Event]:
        """Tokens of the whole thread."""
        usage = Usage(
            prompt_tokens=count(said.get("input_tokens")),
            cached_tokens=min(count(said.get("cached_input_tokens")), count(said.get("input_tokens"))),
            completion_tokens=count(said.get("output_tokens")),
        )
        if usage != Usage():
            yield Used("thread", usage, self._model)

    def _item(self, item: dict[str, Any], *, ended: bool) -> Iterator[Event]:
        """A message, or a tool's call and its end."""
        kind, name = str(item.get("type", "")), str(item.get("id", ""))
        if kind in ("reasoning", "todo_list"):
            return
        if kind == "agent_message":
            if ended:
                yield Said(str(item.get("text", "")))
            return
        if kind == "error":
            yield Said(str(item.get("message", "")))
            return
        if name not in self._asked:
            self._asked.add(name)
            yield Asked(name, _as_command(kind, item), "shell" if kind == "command_execution" else kind)
        if ended:
            yield Answered(name, _status(item), _output(item))


def _status(item: dict[str, Any]) -> int | None:
    """The exit status of a command; 0 or 1 for other tools."""
    code = item.get("exit_code")
    if isinstance(code, int) and not isinstance(code, bool):
        return code
    return 1 if item.get("status") in ("failed", "declined") else 0


def _output(item: dict[str, Any]) -> str:
    """What a call gave."""
    result = mapping(item.get("result"))
    error = mapping(item.get("error")).get("message", "")
    return str(item.get("aggregated_output") or text_of(result.get("content")) or error)


def _as_command(kind: str, item: dict[str, Any]) -> str:
    """A call as the shell command that does the same."""
    if kind == "command_execution":
        return unwrapped(str(item.get("command", "")))
    if kind == "file_change":
        changes = [mapping(change) for change in item.get("changes") or ()]
        told = (
            f"{change.get('kind', 'change')} {shlex.quote(str(change.get('path', '')))}" for change in changes
        )
        return "apply_patch " + " ".join(told)
    if kind == "web_search":
        return f"web_search {shlex.quote(str(item.get('query', '')))}"
    rest = {key: value for key, value in item.items() if key not in ("id", "type", "status", "result")}
    return f"{kind} {json.dumps(rest, ensure_ascii=False)}"


def unwrapped(command: str) -> str:
    """A command without the ``bash -lc`` that Codex puts around it."""
    try:
        words = shlex.split(command)
    except ValueError:
        return command
    shell = len(words) == 3 and words[0].rpartition("/")[2] in ("bash", "sh", "zsh")
    return words[2] if shell and words[1] in ("-lc", "-c") else command
