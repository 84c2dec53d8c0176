"""Queries in PubMed's syntax, as they are asked of SQLite's full-text search (FTS5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from labagent.errors import ToolError
from labagent.tools.literature.records import SearchArguments
from labagent.tools.literature.syntax import EVER, Both, But, Either, Node, Term, Years, parse_query
from labagent.tools.mirrors.words import phrase

COLUMNS = {
    "title": "{title} :", "text": "- {years language} :", "abstract": "{abstract} :", "author": "{authors} :",
    "journal": "{journal} :", "mesh": "{mesh} :", "type": "{types} :", "language": "{language} :",
    "pmid": "{pmid} :", "doi": "{doi} :",
}  # fmt: skip
"""Columns of the fields of a query; words without a field are looked for in all but years and language."""
OLDEST, NEWEST = 1500, 2200
"""Years that are looked for."""
MOST_TERMS = 200
NEVER = '"none"'
OPERATORS = {Both: "AND", Either: "OR", But: "NOT"}
UNEXPANDED = "MeSH headings are looked for as written, without the narrower ones"


@dataclass(frozen=True)
class Asked:
    """A query: its tree, the same in words, and what was left out or is done otherwise than by PubMed."""

    tree: Node
    written: str
    notes: tuple[str, ...]


def read(query: SearchArguments, lacking: frozenset[str] = frozenset()) -> Asked:
    """A query with its years.

    Args:
        query: as the tool has it.
        lacking: fields that the source keeps nothing of: conditions on them are left out, and noted.

    Raises:
        ToolError: ``input``: it cannot be read, is too long, or nothing is left to look for.
    """
    parsed = parse_query(query.query)
    if len(list(_leaves(parsed))) > MOST_TERMS:
        raise _fault(query, f"more than {MOST_TERMS} terms")
    notes: list[str] = []
    tree = _kept(parsed, lacking, notes)
    if tree is None:
        raise _fault(query, f"nothing is left to look for; {'; '.join(notes)}")
    if query.from_year or query.to_year:
        tree = Both(tree, Years(query.from_year or 0, query.to_year or EVER))
    if any(isinstance(leaf, Term) and leaf.field == "mesh" for leaf in _leaves(tree)):
        notes.append(UNEXPANDED)
    return Asked(tree, _written(tree), tuple(dict.fromkeys(notes)))


def expression(tree: Node) -> str:
    """A tree for FTS5."""
    match tree:
        case Years(first, last):
            span = range(max(first, OLDEST), min(last, NEWEST) + 1)
            stated = " OR ".join(f'"{year}"' for year in span)
            return f"({{years}} : ({stated or NEVER}))"
        case Term(words, field, open_end):
            return f"({COLUMNS[field]} {_phrase(words, field, open_end)})"
        case _:
            left, right = expression(tree.left), expression(tree.right)
            return f"({left} {OPERATORS[type(tree)]} {right})"


def _phrase(words: tuple[str, ...], field: str, open_end: bool) -> str:
    """The words of a term. An author's initials are one word and may go on; PubMed ids are alternatives."""
    if field == "pmid":
        return "(" + " OR ".join(phrase([word]) for word in words) + ")"
    if field != "author" or len(words) < 2:
        return phrase(words, prefix=open_end)
    name = list(words)
    while len(name) > 2 and len(name[-1]) == len(name[-2]) == 1:
        name[-2:] = [name[-2] + name[-1]]
    stated = " ".join(name)
    return f'"{stated}"' + (" *" if open_end or len(name[-1]) < 3 else "")


def _kept(tree: Node, lacking: frozenset[str], notes: list[str]) -> Node | None:
    """A tree without conditions on what the source does not keep."""
    match tree:
        case Term(_, field, _) if field in lacking:
            notes.append(f"left out, for this source keeps nothing of it: {_written(tree)}")
            return None
        case Both(left, right) | Either(left, right) | But(left, right):
            before, after = _kept(left, lacking, notes), _kept(right, lacking, notes)
            if before is None or after is None:
                return before if isinstance(tree, But) else before or after
            return type(tree)(before, after)
        case _:
            return tree


def _leaves(tree: Node) -> Iterator[Term | Years]:
    """Terms and years, from right to left; without recursion, for a query may be long."""
    open_ = [tree]
    while open_:
        node = open_.pop()
        if isinstance(node, Term | Years):
            yield node
        else:
            open_ += [node.left, node.right]


def _written(tree: Node) -> str:
    """A tree in PubMed's syntax."""
    match tree:
        case Years(first, last):
            return f"{first}[dp]" if first == last else f"{first}:{last}[dp]"
        case Term(words, field, open_end):
            stated = f'"{" ".join(words)}"' if len(words) > 1 else words[0]
            return stated + ("*" if open_end else "") + ("" if field == "text" else f"[{field}]")
        case _:
            return f"({_written(tree.left)} {OPERATORS[type(tree)]} {_written(tree.right)})"


def _fault(query: SearchArguments, message: str) -> ToolError:
    """A query that cannot be asked."""
    shown = query.query[:80]
    allowed = "fewer terms, or other fields"
    return ToolError("input", f"{shown!r}: {message}", field="query", value=shown, allowed=allowed)
