"""Statements against the results they cite. The same check for sentences of templates and of a model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from labagent.ask.checking import naming
from labagent.ask.checking.judging import Judge
from labagent.ask.checking.leaves import Evidence, Leaf, leaves_of
from labagent.ask.checking.reading import Sentence, Token, read
from labagent.ask.checking.texts import WORD
from labagent.models.asking import CallRecord, Statement

if TYPE_CHECKING:
    from labagent.llm import Trace

__all__ = ["Checker", "checked", "states_something"]
ENOUGH = 2 / 3
"""Share of the telling words of a sentence that have to stand in what it cites."""
SPARE = 2
"""Characters of Chinese that no list of words has and that may stand in a sentence."""
LONGEST = 20_000
LONGEST_NAMING = 2000
"""Characters of a text that says which organism something is of."""


class Checker:
    """Checks sentences against the calls of one trace."""

    def __init__(self, calls: Sequence[CallRecord]) -> None:
        """Calls with a result, or with an error that says something, are evidence."""
        self._calls = {call.id: call for call in calls}
        self._leaves: dict[str, tuple[Leaf, ...]] = {}
        self._read: dict[tuple[str, ...], Evidence] = {}

    def faults(self, statement: Statement, *, free: bool = True) -> list[str]:
        """Why a statement is not supported by what it cites; empty where it is.

        Args:
            statement: a sentence with what it cites.
            free: its words are anybody's; those of a template need not be in the results but for its values.
        """
        if not statement.cites:
            return ["it cites no call"]
        unknown = [cite for cite in statement.cites if cite not in self._calls]
        if unknown:
            return [f"{cite} is no call of this trace" for cite in unknown]
        failed = [cite for cite in statement.cites if self._calls[cite].status != "ok"]
        if failed and statement.factual:
            return [f"{cite} has no result" for cite in failed]
        sentence = read(statement.text[:LONGEST])
        evidence = self._evidence(statement.cites)
        return list(dict.fromkeys(_faults(sentence, evidence, free)))

    def flagged(self, statement: Statement) -> Statement:
        """A remark that states what its cited results hold is a fact; other sentences are what they were."""
        fine = all(call and call.status == "ok" for call in map(self._calls.get, statement.cites))
        if statement.factual or not statement.cites or not fine or not states_something(statement.text):
            return statement
        held = not self.faults(statement, free=False)
        return statement.model_copy(update={"factual": True}) if held else statement

    def _evidence(self, cites: Sequence[str]) -> Evidence:
        """The values of the calls cited, read once."""
        key = tuple(sorted(set(cites)))
        if key not in self._read:
            for cite in key:
                if cite not in self._leaves:
                    self._leaves[cite] = leaves_of(self._calls[cite])
            self._read[key] = Evidence([self._calls[c] for c in key], [self._leaves[c] for c in key])
        return self._read[key]


def checked(
    statements: Sequence[Statement], calls: Sequence[CallRecord], trace: Trace
) -> tuple[tuple[Statement, ...], tuple[str, ...]]:
    """The statements of templates that hold, and the texts of those that do not; both are in the trace."""
    checker = Checker(calls)
    kept, dropped, told = [], [], []
    for given in statements:
        statement = checker.flagged(given)
        faults = checker.faults(statement, free=False) if statement.factual else []
        told.append({"text": statement.text, "cites": statement.cites, "faults": faults})
        if faults:
            dropped.append(statement.text)
        else:
            kept.append(statement)
    trace.event("check", statements=told, dropped=len(dropped))
    return tuple(kept), tuple(dropped)


def states_something(text: str) -> bool:
    """Whether a sentence holds numbers, identifiers or names, whatever it is called."""
    sentence = read(text[:LONGEST])
    if sentence.tokens:
        return True
    nothing = Evidence(())
    told = any(naming.unheld(sentence, nothing)) or naming.coverage(sentence, nothing) < 1.0
    return told or len(naming.chinese_left(sentence, nothing)) > SPARE


def _faults(sentence: Sentence, evidence: Evidence, free: bool) -> Iterable[str]:
    """All that a sentence states and the evidence does not hold."""
    judge = Judge(sentence, evidence)
    for token in sentence.tokens:
        size = token.end - token.start
        said = [v for v in judge.verbatim if v[0] <= token.start and token.end <= v[1] > v[0] + size]
        if not said and not judge.labels(token) and (fault := _token(judge, token, evidence)):
            yield fault
    yield from naming.unheld(sentence, evidence, [v[:2] for v in judge.verbatim])
    if free and naming.coverage(sentence, evidence) < ENOUGH:
        yield "much of what it says is in no cited result"
    if free and len(rest := naming.chinese_left(sentence, evidence)) > SPARE:
        yield f"{rest} is in no cited result; write names and terms as the results have them"


def _token(judge: Judge, token: Token, evidence: Evidence) -> str:
    """Why one token is not held; empty where it is."""
    if token.kind == "number":
        return judge.number(token)
    if token.kind == "url":
        held = any(leaf.value == token.text for leaf in evidence.texts)
        return "" if held else f"{token.text} is the address of no cited result"
    if token.kind == "letters":
        letters = token.text.removesuffix("…")
        return judge.held(
            token, evidence.sequences(letters, begins=token.text.endswith("…")) or evidence.holding(letters)
        )
    if token.kind == "date":
        return judge.held(token, [leaf for leaf in evidence.texts if leaf.value.startswith(token.text)])
    if token.kind == "organism":
        return judge.held(token, _organism(token, evidence))
    if token.kind == "pmid":
        leaves = [x for x in evidence.texts if x.value == token.text and {"pmid", "pmids"} & set(x.names)]
        return judge.held(token, leaves)
    if token.kind == "variant":
        return judge.held(token, _variant(token, evidence))
    if token.text.casefold() in naming.general():
        return ""
    return judge.held(token, evidence.holding(token.text))


def _variant(token: Token, evidence: Evidence) -> list[Leaf]:
    """Texts that have a variant, in either notation."""
    from labagent.errors import ToolError
    from labagent.tools.variants.reading import read_variant
    from labagent.tools.variants.writing import short

    names = {token.text, token.text.replace("(", "").replace(")", "")}
    try:
        variant = read_variant(token.text)
        names.add(short(variant))
    except ToolError:
        pass
    bare = {n.removeprefix("p.") for n in names}
    return [leaf for name in sorted(names | bare) if name for leaf in evidence.holding(name)]


def _organism(token: Token, evidence: Evidence) -> list[Leaf]:
    """Texts that name an organism, by its scientific or another name."""
    from labagent.tools.naming.organisms import ORGANISMS

    found = next((o for o in ORGANISMS if o.name == token.text), None)
    names = (token.text.casefold(), *(w.casefold() for w in (found.words if found else ())))
    return [
        leaf
        for name in dict.fromkeys(names)
        for leaf in evidence.by_word.get((WORD.findall(name) or [""])[0], ())
        if len(leaf.value) <= LONGEST_NAMING and name in leaf.value.casefold()
    ]
