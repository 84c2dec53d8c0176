"""Claude Code: ``claude --print --output-format stream-json``.

One JSON object a line: ``system`` (``subtype: init``), ``assistant`` (a message of the API: its blocks come
one a line, all with the id and the usage of the message), ``user`` (results of tools) and, last, ``result``
with ``total_cost_usd``, ``usage`` and ``modelUsage`` (those of helpers included), ``is_error`` and
``subtype`` (``success``, ``error_max_turns``, ``error_max_budget_usd``, ``error_during_execution``).
"""

from __future__ import annotations

import json
import re
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
    Total,
    Used,
    count,
    mapping,
    text_of,
)

COMMAND = (
    *("claude", "--print", "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"),
    *("--max-turns", "{turns}", "--max-budget-usd", "{usd}"),
)
INSTALL = "install it with: npm install -g @anthropic-ai/claude-code"
VARIABLES = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
BESIDE: tuple[str, ...] = ()

BYTES_PER_TOKEN = 3
"""Bytes of JSON and code a token stands for, at least; the run's own total takes the estimate's place."""
_STATUS = re.compile(r"(?:Error: )?(?:Command failed with )?[Ee]xit code:? (\d{1,3})\b")
_CAPS: dict[str, Any] = {"error_max_turns": "turns", "error_max_budget_usd": "usd"}


class Reader:
    """Reads one stream."""

    def __init__(self) -> None:
        self._written: dict[str, int] = {}

    def read(self, line: dict[str, Any], *, beside: bool) -> Iterable[Event]:
        """The events of a line."""
        if line.get("type") == "assistant":
            message = mapping(line.get("message"))
            yield from self._spent(str(message.get("id", "")), message)
            yield from _assistant(message)
        elif line.get("type") == "user":
            yield from _results(mapping(line.get("message")))
        elif line.get("type") == "result":
            yield from _result(line)

    def _spent(self, name: str, message: dict[str, Any]) -> Iterator[Event]:
        """Tokens of a message: its usage is that of its beginning, so what was written since is estimated."""
        if not isinstance(message.get("usage"), dict):
            return
        usage = _usage(message["usage"])
        written = len(json.dumps(message.get("content"), ensure_ascii=False).encode("utf-8", "replace"))
        self._written[name] = self._written.get(name, 0) + written
        completion = max(usage.completion_tokens, self._written[name] // BYTES_PER_TOKEN)
        usage = usage.model_copy(update={"completion_tokens": completion})
        yield Used(name, usage, str(message.get("model", "")))


def _assistant(message: dict[str, Any]) -> Iterator[Event]:
    """A message of the model, or a block of it."""
    for block in message.get("content") or ():
        block = mapping(block)
        if block.get("type") == "text":
            yield Said(str(block.get("text", "")))
        elif block.get("type") == "tool_use":
            name = str(block.get("name", ""))
            yield Asked(str(block.get("id", "")), as_command(name, mapping(block.get("input"))), name)


def _results(message: dict[str, Any]) -> Iterator[Event]:
    """Results of tools, in a message to the model."""
    content = message.get("content")
    for block in content if isinstance(content, list) else ():
        block = mapping(block)
        if block.get("type") == "tool_result":
            text = text_of(block.get("content"))
            yield Answered(
                str(block.get("tool_use_id", "")), _status(text) if block.get("is_error") else 0, text
            )


def _result(line: dict[str, Any]) -> Iterator[Event]:
    """The last line of a run."""
    models = [mapping(used) for used in mapping(line.get("modelUsage")).values()]
    usage = _sum(models) if models else _usage(mapping(line.get("usage")))
    if "total_cost_usd" in line or usage != Usage():
        yield Total(line.get("total_cost_usd"), usage if usage != Usage() else None)
    subtype, text = str(line.get("subtype", "")), text_of(line.get("result"))
    if line.get("is_error") or subtype.startswith("error"):
        errors = line.get("errors")
        more = [str(error) for error in errors] if isinstance(errors, list) else []
        named = "" if subtype == "success" else subtype
        yield Done(False, "; ".join(filter(None, (named, text, *more))), _CAPS.get(subtype, ""))
    else:
        yield Done(True, text)


def _usage(said: dict[str, Any]) -> Usage:
    """Tokens; what went to or came from the prompt cache is part of the prompt."""
    cached = count(said.get("cache_read_input_tokens"))
    fresh = count(said.get("input_tokens")) + count(said.get("cache_creation_input_tokens"))
    return Usage(
        prompt_tokens=fresh + cached,
        cached_tokens=cached,
        completion_tokens=count(said.get("output_tokens")),
    )


def _sum(models: list[dict[str, Any]]) -> Usage:
    """Tokens of all models together."""
    cached = sum(count(used.get("cacheReadInputTokens")) for used in models)
    fresh = sum(count(used.get(k)) for used in models for k in ("inputTokens", "cacheCreationInputTokens"))
    completion = sum(count(used.get("outputTokens")) for used in models)
    return Usage(prompt_tokens=fresh + cached, cached_tokens=cached, completion_tokens=completion)


def _status(text: str) -> int:
    """The exit status that a failed tool's text names, else 1."""
    found = _STATUS.match(text.strip())
    return int(found[1]) if found else 1


def as_command(tool: str, given: dict[str, Any]) -> str:
    """A tool's call as the shell command that does the same, so that an audit reads one language.

    Args:
        tool: its name.
        given: its input.
    """
    path = shlex.quote(str(given.get("file_path") or given.get("notebook_path") or given.get("path") or "."))
    if tool == "Bash":
        return str(given.get("command", ""))
    if tool == "Read":
        return f"cat {path}"
    if tool == "Write":
        return f"cat > {path} <<'END-OF-FILE'\n{given.get('content', '')}\nEND-OF-FILE"
    if tool in ("Grep", "Glob"):
        pattern = shlex.quote(str(given.get("pattern", "")))
        return f"grep -r {pattern} {path}" if tool == "Grep" else f"find {path} -path {pattern}"
    if tool == "WebFetch":
        return f"curl {shlex.quote(str(given.get('url', '')))}"
    return f"{tool} {path} {json.dumps(given, ensure_ascii=False)}" if given else tool
