"""Calls put into words, each by the module of its tool."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from types import ModuleType

from labagent.ask.composing._voice import Voice
from labagent.ask.work import Told, Work
from labagent.models.asking import Statement

ROUNDED = (
    "Figures with decimals are rounded to the decimals shown.",
    "带小数的数值四舍五入到所示的小数位。",
)
WHY = {
    "mismatch": ("This contradicts the sequence", "这与序列矛盾"),
    "range": ("This position is not in the sequence", "该位置不在序列之内"),
    "input": ("This cannot be read as what it should be", "无法按要求读取"),
    "limit": ("This is too much for the tool", "超出工具的限制"),
    "ambiguous": ("There is more than one reading", "有多种解读"),
    "not_found": ("Not found", "没有找到"),
    "unavailable": ("The source cannot be reached", "无法访问数据来源"),
    "refused": ("This tool may not run here", "这里不允许运行该工具"),
}


@dataclass(frozen=True)
class Spoken:
    """Sentences, and texts to be printed as they are."""

    statements: tuple[Statement, ...]
    blocks: tuple[str, ...] = ()


def speak(work: Work) -> Spoken:
    """All that a plan has to tell, in its order; a sentence is said once."""
    statements: list[Statement] = []
    blocks: list[str] = []
    rounded = False
    for told in work.told:
        if isinstance(told, Statement):
            statements.append(told)
            continue
        voice = Voice(
            told.call, work.slots.language, work.slots.aspects, told.focus, question=work.slots.question
        )
        statements += _of(voice)
        rounded |= voice.rounded
        if text := _block(told, voice):
            blocks.append(text)
    if rounded:
        statements.append(Statement(text=ROUNDED[work.slots.language == "zh"], factual=False))
    return Spoken(tuple(dict.fromkeys(statements)), tuple(blocks))


def _of(voice: Voice) -> Iterator[Statement]:
    """One call in words; of a failed one why it failed."""
    if voice.call.status == "error":
        yield from failure(voice)
    else:
        yield from module_of(voice.call.tool).say(voice)


def failure(voice: Voice) -> Iterator[Statement]:
    """Why a call has no result, and what is allowed."""
    error = voice.call.error
    if error is None:
        return
    en, zh = WHY.get(error.code, ("The tool failed", "工具出错"))
    tool = voice.call.tool
    yield voice.remark(f"{en}: {error.message} ({tool}).", f"{zh}:{error.message}({tool})。")
    allowed = "; ".join(dict.fromkeys(f.allowed for f in error.faults if f.allowed))
    if allowed:
        yield voice.remark(f"Possible here: {allowed}.", f"可用的是:{allowed}。")
    for hint in error.hints:
        yield voice.remark(f"Hint: {hint}.", f"提示:{hint}。")


def module_of(tool: str) -> ModuleType:
    """The module that puts a tool's results into words; a general one for tools without."""
    name = f"labagent.ask.composing.{tool.replace('.', '_')}"
    if importlib.util.find_spec(name) is None:
        name = "labagent.ask.composing._any"
    return importlib.import_module(name)


def _block(told: Told, voice: Voice) -> str:
    """What a call has to print as it is."""
    if told.call.status == "error":
        return ""
    found = getattr(module_of(told.call.tool), "block", None)
    return str(found(voice)) if found else ""
