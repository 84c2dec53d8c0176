"""The five metrics of an answer, as functions of the task and the answer alone.

* accuracy: the outcome is the right one and every gold value stands in the answer; beside it the published
  strict rule (every keyword is a substring);
* tools: every expected tool was called, by its exact name; where nothing is asked, none was called;
* citations: every factual sentence cites a call; and they are valid: the call is in the trace, succeeded,
  and its result holds the sentence's numbers and identifiers;
* trace: complete;
* failure: the system failed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from labagent.biobench import wording
from labagent.biobench.answered import Answered, Called, Stated
from labagent.models.biobench import (
    BiobenchTask,
    BooleanGold,
    Gold,
    IdentifierGold,
    NumberGold,
    SequenceGold,
    StringGold,
    TaskScore,
)

NO_ANSWER = ("ask", "refuse", "not_found")
RUN = re.compile(r"(?<![A-Za-z0-9_])[A-Z]{12,}(?![A-Za-z0-9_])")
"""What is taken for a sequence in a sentence: too long for an acronym."""
IDENTIFIERS = tuple(re.compile(p) for n, p in wording.PATTERNS.items() if n != "pdb")


def score(task: BiobenchTask, answer: Answered) -> TaskScore:
    """All metrics of one answer."""
    missing = [gold.model_dump_json() for gold in task.gold if not holds(gold, answer.text)]
    factual = [s for s in answer.statements if s.factual]
    return TaskScore(
        task=task.id,
        split=task.split,
        category=task.category,
        outcome_right=outcome_right(task, answer),
        missing=tuple(missing),
        accurate=outcome_right(task, answer) and not missing,
        strict=strict(task, answer) if task.published else None,
        route_right=answer.route == task.route,
        tools_right=tools_right(task, answer.calls),
        factual=len(factual),
        cited=sum(bool(s.cites) for s in factual),
        valid=sum(valid_citation(s, answer.calls) for s in factual),
        trace_complete=answer.trace_complete,
        failed=answer.outcome == "failed",
        unflagged=sum(gives_value(s.text, task) for s in answer.statements if not s.factual),
    )


def outcome_right(task: BiobenchTask, answer: Answered) -> bool:
    """Whether it was answered, asked back, refused or not found as the task wants."""
    if answer.outcome == "failed":
        return False
    allowed = {"any": ("answer", *NO_ANSWER), "no_answer": NO_ANSWER}.get(task.outcome, (task.outcome,))
    return answer.outcome in allowed


def holds(gold: Gold, text: str) -> bool:
    """Whether one gold value stands in an answer's text."""
    if isinstance(gold, NumberGold):
        return wording.says_number(
            text,
            gold.name,
            gold.value,
            tolerance=gold.tolerance,
            unit=gold.unit,
            absolute=gold.absolute,
        )
    if isinstance(gold, IdentifierGold):
        return wording.says_identifier(text, gold.value)
    if isinstance(gold, StringGold):
        plain = wording.certain(text)
        return any(wording.says(text, phrase) or wording.says(plain, phrase) for phrase in gold.accepted)
    if isinstance(gold, SequenceGold):
        return wording.says_sequence(text, gold.value, gold.prefix)
    if isinstance(gold, BooleanGold):
        denied = any(wording.says(text, phrase) for phrase in gold.denies)
        return not denied and any(wording.says(text, phrase) for phrase in gold.says)
    named = wording.identifiers(text, gold.namespace)
    if not gold.values:
        return len(named) >= gold.minimum
    hits = {value for value in gold.values if wording.says_identifier(text, value)}
    outside = named - set(gold.values) if gold.only else set()
    return len(hits) >= gold.minimum and not outside


def strict(task: BiobenchTask, answer: Answered) -> bool:
    """The published strict rule: every keyword is a substring of the answer; without keywords it holds."""
    text = wording.published_form(answer.text)
    return all(wording.spelled(keyword).casefold() in text for keyword in task.keywords)


def tools_right(task: BiobenchTask, calls: Sequence[Called]) -> bool:
    """Whether the expected tools were called by exactly these names; a call that failed counts as called.

    A refused variant shows in the failure of the very call that is expected.
    """
    if task.route == "none":
        return not calls
    called = {call.tool for call in calls}
    return all(called & set(tool.split("|")) for tool in task.tools)


def valid_citation(statement: Stated, calls: Sequence[Called]) -> bool:
    """Whether a sentence cites calls that are there and succeeded, and whose results hold what it says.

    Looked for are its numbers, identifiers, variants (in either notation) and sequences.
    """
    by_id = {call.id: call for call in calls}
    cited = [by_id.get(identifier) for identifier in statement.cites]
    results = [call.result for call in cited if call is not None and call.result is not None]
    if not cited or len(results) != len(cited):
        return False
    whole = "\n".join(json.dumps(result, ensure_ascii=False) for result in results)
    return _names_in(statement.text, whole) and _numbers_in(statement.text, results)


def gives_value(sentence: str, task: BiobenchTask) -> bool:
    """Whether a sentence, which is no question, has an identifier, variant, sequence or number of its own."""
    if sentence.rstrip().endswith(("?", "?")):
        return False
    asked = "\n".join((*task.history, task.question))
    plain = wording.certain(sentence)
    named = {name for pattern in (*IDENTIFIERS, RUN) for name in pattern.findall(plain)}
    return (
        any(name not in asked for name in named)
        or not wording.variants(plain) <= wording.variants(asked)
        or not {n for n, _ in wording.numbers(plain)} <= {n for n, _ in wording.numbers(asked)}
    )


def _names_in(sentence: str, whole: str) -> bool:
    """Whether every identifier, variant and sequence of a sentence stands in the results."""
    named = {name for pattern in IDENTIFIERS for name in pattern.findall(sentence)}
    variants = {form.casefold() for form in wording.variants(sentence)}
    known = {form.casefold() for form in wording.variants(whole)}
    runs = set(RUN.findall(sentence))
    return (
        all(wording.says_identifier(whole, name) for name in named)
        and variants <= known
        and all(run in whole for run in runs)
    )


def _numbers_in(sentence: str, results: Iterable[Any]) -> bool:
    """Whether every number of a sentence is one of a result, rounded as the sentence rounds it."""
    known = [value for result in results for value in _values(result)]
    plain = re.sub(r"https?://\S+|PMID:?\s*\d+", " ", sentence)
    return all(
        any(abs(abs(number) - abs(value)) <= half for value in known)
        for number, half in _stated_numbers(plain)
    )


def _stated_numbers(sentence: str) -> Iterable[tuple[float, float]]:
    """Numbers of a sentence, each with half a unit of its last decimal."""
    for match in wording.NUMBER.finditer(sentence):
        if wording.AFTER.match(sentence, match.end()):
            digits = match.group().replace(",", "").replace("−", "-")
            decimals = len(digits.partition(".")[2])
            yield float(digits), 0.5 * 10.0**-decimals + 1e-9 if decimals else 1e-9


def _values(result: Any) -> Iterable[float]:
    """All numbers of a JSON value, those in texts and the lengths of lists included."""
    if isinstance(result, bool) or result is None:
        return
    if isinstance(result, int | float):
        yield float(result)
    elif isinstance(result, str):
        yield from (number for number, _ in wording.numbers(result))
    elif isinstance(result, dict):
        for value in result.values():
            yield from _values(value)
    else:
        yield float(len(result))
        for value in result:
            yield from _values(value)
