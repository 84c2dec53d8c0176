"""An answer as Markdown: sentences with links to what they cite, and where it is from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from labagent.models.asking import CallRecord, PlanStep, Statement

PMID = re.compile(r"PMID:? ?(\d{1,9})")
SHOWN = 60
SKIPPED = (("Not done", "未进行"), ("Nothing found", "没有结果"), ("Failed", "失败"))
KINDS = {"skipped": 0, "empty": 1, "error": 2}


def render(
    statements: Sequence[Statement],
    blocks: Sequence[str],
    calls: Sequence[CallRecord],
    steps: Sequence[PlanStep],
    language: str,
) -> str:
    """The text of an answer.

    Args:
        statements: its sentences; ``cites`` become links after each.
        blocks: texts to print as they are.
        calls: all calls.
        steps: the plan's steps; those that gave nothing are said.
        language: ``en`` or ``zh``.
    """
    known = {call.id: call for call in calls}
    lines = [f"- {linked(s.text)}{_cites(s, known)}" for s in statements]
    for block in blocks:
        lines += ["", "```text", block.rstrip("\n"), "```"]
    zh = language == "zh"
    if len(steps) > 1:
        missing = [s for s in steps if s.status in KINDS]
        lines += [f"- {SKIPPED[KINDS[s.status]][zh]}: {s.name}{_why(s)}" for s in missing]
    cited = [call for call in calls if call.id in set(_ids(statements))]
    if cited:
        lines += ["", "来源:" if zh else "Sources:", *(_source(call) for call in cited)]
    return "\n".join(lines) + "\n"


def linked(text: str) -> str:
    """A sentence whose PubMed ids are links; sequences in code stay as they are."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else PMID.sub(_paper, p) for p in parts)


def _paper(match: re.Match[str]) -> str:
    """A PubMed id as a link."""
    return f"[PMID: {match[1]}](https://pubmed.ncbi.nlm.nih.gov/{match[1]}/)"


def _why(step: PlanStep) -> str:
    """Why a step gave nothing."""
    return f" ({step.note})" if step.note else ""


def _ids(statements: Sequence[Statement]) -> Iterator[str]:
    """Ids that are cited, each once, in order."""
    yield from dict.fromkeys(id for s in statements for id in s.cites)


def _cites(statement: Statement, known: dict[str, CallRecord]) -> str:
    """The citations behind a sentence."""
    return "".join(f" {_link(known[id])}" for id in statement.cites if id in known)


def _link(call: CallRecord) -> str:
    """A citation: a link to the page of the entry, where there is one."""
    url = _url(call)
    return f"[{call.id}]({url})" if url else f"[{call.id}]"


def _url(call: CallRecord) -> str:
    """The page of what a call found; addresses of the databases alone."""
    result = call.result or {}
    url = str(result.get("url") or "")
    if not url and len(result.get("papers") or ()) == 1:
        url = str(result["papers"][0].get("url") or "")
    allowed = ("https://www.uniprot.org/", "https://rest.uniprot.org/", "https://pubmed.ncbi.nlm.nih.gov/")
    return url if url.startswith(allowed) and not re.search(r"[\s<>()]", url) else ""


def _source(call: CallRecord) -> str:
    """One call: tool, what it was asked, who answered, when."""
    asked = ", ".join(
        f"{k}={_short(v)}" for k, v in call.arguments.items() if v not in ("", None, [], "auto")
    )
    when = f", {call.retrieved}" if call.retrieved else ""
    return f"- [{call.id}] {call.tool} {call.version} ({asked}): {call.source or call.status}{when}"


def _short(value: object) -> str:
    """An argument on a line, long ones cut."""
    text = " ".join(str(value).split()).replace("`", "'")
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
