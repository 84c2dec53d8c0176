"""PubMed's query syntax: read into a tree, and matched with a paper.

As PubMed does (https://pubmed.ncbi.nlm.nih.gov/help/): AND, OR and NOT are of equal rank and read from left
to right, parentheses go first, words side by side are joined by AND, a tag (``[ti]``) belongs to the words
before it, ``*`` at the end of a word stands for any ending. PubMed's translation into MeSH terms is not done
here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from labagent.errors import ToolError
from labagent.tools.literature.words import STOP_WORDS, words_of

TAGS: dict[str, str] = {
    **dict.fromkeys(("ti", "title"), "title"),
    **dict.fromkeys(("tiab", "title/abstract", "tw", "text word", "all", "all fields", ""), "text"),
    **dict.fromkeys(("ab", "abstract"), "abstract"),
    **dict.fromkeys(("au", "author", "1au", "lastau", "author - first", "author - last"), "author"),
    **dict.fromkeys(("ta", "journal", "jour"), "journal"),
    **dict.fromkeys(("mh", "mesh", "mesh terms", "majr", "mesh major topic"), "mesh"),
    **dict.fromkeys(("pt", "publication type", "ptyp"), "type"),
    **dict.fromkeys(("la", "lang", "language"), "language"),
    **dict.fromkeys(("dp", "pdat", "date - publication", "publication date"), "year"),
    **dict.fromkeys(("pmid", "uid"), "pmid"),
    **dict.fromkeys(("doi", "aid", "lid"), "doi"),
}
"""PubMed's tags, by the field of a paper that they search. Other tags are refused, never ignored."""
EVER = 3000
"""The year that stands for "no end" in PubMed's ranges."""
TOKEN = re.compile(
    r'\s*(?:(?P<open>\()|(?P<close>\))|"(?P<phrase>[^"]*)"|\[(?P<tag>[^\]]*)\]|(?P<colon>:)|'
    r'(?P<word>[^\s()"\[\]:]+))'
)
YEAR = re.compile(r"(\d{4})(?:/\d{1,2}){0,2}")
DEEPEST = 50


@dataclass(frozen=True)
class Term:
    """Words that stand together in a field; ``open_end``: the last may go on."""

    words: tuple[str, ...]
    field: str = "text"
    open_end: bool = False


@dataclass(frozen=True)
class Years:
    """Years of publication, both included."""

    first: int
    last: int


@dataclass(frozen=True)
class Both:
    """AND."""

    left: Node
    right: Node


@dataclass(frozen=True)
class Either:
    """OR."""

    left: Node
    right: Node


@dataclass(frozen=True)
class But:
    """NOT: the left without the right."""

    left: Node
    right: Node


Node = Term | Years | Both | Either | But
OPERATORS: dict[str, type[Both] | type[Either] | type[But]] = {"AND": Both, "OR": Either, "NOT": But}


def parse_query(text: str) -> Node:
    """A query as a tree.

    Raises:
        ToolError: ``input``: quotes, brackets or parentheses do not match, an operator has nothing to
            join, a tag is not known, or nothing is left to look for; the message says which.
    """
    reader = _Reader(_tokens(text))
    node = reader.expression(0)
    if reader.place < len(reader.tokens):
        raise _wrong("a parenthesis is closed that was not opened", ")")
    if node is None:
        raise _wrong("nothing to look for", text)
    return node


def matches(node: Node, paper: Mapping[str, Sequence[str]], year: int | None) -> bool:
    """Whether a paper fits.

    Args:
        node: a tree from :func:`parse_query`.
        paper: words (:func:`words_of`) by field; ``text`` holds those that untagged words are looked for in.
        year: of publication; ``None`` fits no range.
    """
    match node:
        case Term(words, field, open_end):
            return _stands_in(words, paper.get(field, ()), open_end)
        case Years(first, last):
            return year is not None and first <= year <= last
        case Both(left, right):
            return matches(left, paper, year) and matches(right, paper, year)
        case Either(left, right):
            return matches(left, paper, year) or matches(right, paper, year)
        case But(left, right):
            return matches(left, paper, year) and not matches(right, paper, year)


def terms_of(node: Node) -> list[Term]:
    """The terms that a paper should have (none of those behind NOT), in order; for ranking."""
    match node:
        case Term():
            return [node]
        case Years():
            return []
        case But(left, _):
            return terms_of(left)
        case Both(left, right) | Either(left, right):
            return terms_of(left) + terms_of(right)


def _stands_in(words: Sequence[str], text: Sequence[str], open_end: bool) -> bool:
    """Whether the words follow each other; written together or apart makes no difference."""
    joined = "".join(words)
    for start in range(len(text)):
        built = ""
        for end in range(start, min(len(text), start + len(words) + 2)):
            built += text[end]
            if built == joined or (open_end and end - start + 1 >= len(words) and built.startswith(joined)):
                return True
            if not joined.startswith(built):
                break
    return False


@dataclass(frozen=True)
class _Token:
    """A piece of a query."""

    kind: str
    text: str


def _tokens(text: str) -> list[_Token]:
    """The pieces of a query."""
    found, place = [], 0
    text = text.translate({0x201C: '"', 0x201D: '"', 0xFF08: "(", 0xFF09: ")", 0x3000: " "}).rstrip()
    while place < len(text):
        match = TOKEN.match(text, place)
        if match is None:
            raise _wrong("a quote or bracket is not closed", text[place : place + 40])
        kind = str(match.lastgroup)
        found.append(_Token(kind, match[kind]))
        place = match.end()
    return found


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens, self.place = tokens, 0

    def expression(self, depth: int) -> Node | None:
        """Everything up to a closing parenthesis or the end."""
        if depth > DEEPEST:
            raise _wrong(f"more than {DEEPEST} parentheses inside each other", "(")
        node, join, word = None, Both, ""
        waiting: type[Both] | type[Either] | type[But] = join
        while (token := self._look()) is not None and token.kind != "close":
            if token.kind == "word" and token.text in OPERATORS:
                if word or (node is None and token.text != "NOT"):
                    raise _wrong("an operator has nothing to join", token.text)
                waiting, word = OPERATORS[token.text], token.text
                self.place += 1
                continue
            operand = self._operand(depth)
            if operand is None:  # a word that PubMed leaves out, with the operator before it
                waiting, word = Both, ""
                continue
            if node is None and word == "NOT":
                raise _wrong("NOT needs something before it", "NOT")
            node = operand if node is None else waiting(node, operand)
            waiting, word = Both, ""
        if word:
            raise _wrong("an operator has nothing to join", word)
        return node

    def _operand(self, depth: int) -> Node | None:
        """A parenthesis, a phrase, or a run of words with the tag behind it."""
        token = self.tokens[self.place]
        if token.kind == "open":
            self.place += 1
            inner = self.expression(depth + 1)
            closing = self._look()
            if closing is None:
                raise _wrong("a parenthesis is not closed", "(")
            self.place += 1
            return inner
        if token.kind == "tag":
            raise _wrong("a tag stands behind nothing", f"[{token.text}]")
        return self._run()

    def _run(self) -> Node | None:
        """Words up to an operator, parenthesis or tag; a phrase stands alone."""
        run: list[_Token] = []
        while (token := self._look()) is not None and token.kind in ("word", "phrase", "colon"):
            if token.kind == "word" and token.text in OPERATORS:
                break
            run.append(token)
            self.place += 1
            tag = self._tag()
            if tag is not None:
                return self._tagged(run, tag)
        nodes = [n for t in run for n in [_term(t.text, "text")] if n is not None and t.kind != "colon"]
        return _all(nodes)

    def _tagged(self, run: list[_Token], tag: str) -> Node | None:
        """A run that ends with a tag; ``"2019"[dp] : "2023"[dp]`` goes on behind it."""
        field = TAGS.get(tag.strip().casefold())
        if field is None:
            known = ", ".join(f"[{t}]" for t in TAGS if len(t) in (2, 4))
            raise _wrong("a tag that is not known", f"[{tag}]", known)
        if field == "year":
            if (token := self._look()) is not None and token.kind == "colon":
                return self._rest_of_range(run)
            return _years(run)
        phrases = [i for i, t in enumerate(run) if t.kind == "phrase"]
        if run[-1].kind == "phrase" or phrases:
            cut = phrases[-1] + (run[-1].kind != "phrase")
            before = [_term(t.text, "text") for t in run[:cut] if t.kind != "colon"]
            return _all([n for n in (*before, _term(" ".join(t.text for t in run[cut:]), field)) if n])
        return _term(" ".join(t.text for t in run if t.kind != "colon"), field)

    def _rest_of_range(self, run: list[_Token]) -> Node:
        """The end of a range whose beginning was tagged."""
        colon = self.tokens[self.place]
        self.place += 1
        token = self._look()
        if token is None or token.kind not in ("word", "phrase"):
            raise _wrong("a range without an end", run[-1].text)
        self.place += 1
        self._tag()
        return _years([*run, colon, token])

    def _tag(self) -> str | None:
        """A tag that stands here."""
        token = self._look()
        if token is None or token.kind != "tag":
            return None
        self.place += 1
        return token.text

    def _look(self) -> _Token | None:
        """The next token."""
        return self.tokens[self.place] if self.place < len(self.tokens) else None


def _term(text: str, field: str) -> Term | None:
    """Words as a term; ``None`` for one that PubMed leaves out."""
    words = tuple(words_of(text))
    if not words or (len(words) == 1 and words[0] in STOP_WORDS and field == "text"):
        return None
    return Term(words, field, text.endswith("*"))


def _all(nodes: Sequence[Node]) -> Node | None:
    """Nodes joined by AND."""
    joined: Node | None = None
    for node in nodes:
        joined = node if joined is None else Both(joined, node)
    return joined


def _years(run: Sequence[_Token]) -> Node:
    """``2019``, ``2019:2023`` or ``2019/05:2023/01/31`` as years, behind words that go before them."""
    dates = [i for i, t in enumerate(run) if YEAR.fullmatch(t.text)]
    ranged = len(run) >= 3 and run[-2].kind == "colon"
    used = run[-3:] if ranged else run[-1:]
    years = [int(m[1]) for t in used for m in [YEAR.fullmatch(t.text)] if m]
    if not dates or len(years) != (2 if ranged else 1) or years[0] > years[-1]:
        raise _wrong("no year or range of years", "".join(t.text for t in used), "2024[dp], 2019:2023[dp]")
    before = [n for t in run[: len(run) - len(used)] for n in [_term(t.text, "text")] if n]
    found = _all([*before, Years(years[0], years[-1])])
    assert found is not None
    return found


def _wrong(why: str, what: str, allowed: str = "") -> ToolError:
    """A query that cannot be read."""
    return ToolError(
        "input",
        f"the query cannot be read: {why} ({what[:60]})",
        field="query",
        value=what[:60],
        allowed=allowed or 'PubMed syntax: words, "phrases", AND, OR, NOT, ( ), [ti] [tiab] [au] [dp]',
    )
