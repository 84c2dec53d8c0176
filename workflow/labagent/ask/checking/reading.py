"""What a sentence states: numbers with units, identifiers, variants, sequences, dates; with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from labagent.ask.checking import words as lexicon
from labagent.ask.checking.texts import NUMBER, plain, value_of

URL = re.compile(r"https?://[^\s)\]>\"'，。；]+|www\.[^\s)\]>]+", re.IGNORECASE)
LINK = re.compile(r"\[([^\]\n]*)\]\(([^)\s]*)\)")
CITED = re.compile(r"\[\s*c\d+(?:\s*[,;]\s*c\d+)*\s*\]")
LETTERS = re.compile(r"(?<![A-Za-z0-9_])[A-Z*][A-Z*-]{7,}(?![A-Za-z0-9_])(?P<more>…|\.\.\.)?")
DATE = re.compile(r"(?<![\d-])(\d{4})-(\d{1,2})-(\d{1,2})(?![\d-])|(\d{4})年(\d{1,2})月(\d{1,2})日")
_MONTH = "|".join(sorted(lexicon.MONTHS, key=len, reverse=True))
SPOKEN_DATE = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<month>{_MONTH})\.?,?\s+(?P<year>\d{{4}})"
    rf"|(?P<month2>{_MONTH})\.?\s+(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<year2>\d{{4}}))\b",
    re.IGNORECASE,
)
MIXED = re.compile(
    r"(?<![A-Za-z0-9_./-])(?=[A-Za-z0-9α-ω:/_.'*+-]*[A-Za-zα-ω])(?=[A-Za-z0-9α-ω:/_.'*+-]*\d)"
    r"[A-Za-z0-9α-ω][A-Za-z0-9α-ω:/_.'*+-]*"
)
EXPONENT = re.compile(r"(?<![A-Za-z0-9_.,])(\d+(?:\.\d+)?)\s*[×x*]\s*10\s*\^?\s*([-+]?\d+)")
ATTACHED = re.compile(
    r"(?<![A-Za-z0-9_.,])(?P<number>[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?|[-+]?\d+(?:\.\d+)?)-?"
    r"(?P<unit>aa|nt|bp|kb|kbp|kda|da|mda|mb|residue|amino|nucleotide|base|fold|st|nd|rd|th)(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_SPELLED = "|".join(sorted((w for w in lexicon.SPELLED if " " not in w), key=len, reverse=True))
IN_WORDS = re.compile(
    rf"(?<![A-Za-z-])(?P<first>{_SPELLED})(?:[- ](?P<second>{_SPELLED}))?(?:[ -](?P<times>hundred|"
    rf"thousand|million))?(?![A-Za-z]|-prime)",
    re.IGNORECASE,
)
CHINESE = re.compile(
    r"(?<![一-鿿])?[零一二三四五六七八九两十百千万]+(?=\s*(?:个|处|条|种|项|篇|位|次|对|号|类|亚基|"
    r"氨基酸|残基|碱基|%|道尔顿))"
)
GROWN = re.compile(r"-\d+(?![A-Za-z0-9])")
"""What belongs to a name that a form of genes leaves out (``erbB-2``)."""
DOTTED = re.compile(r"(?<![\w.])\d+(?:\.(?:\d+|-)){2,}(?![\w])")
NAMED_NUMBER = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*:(?=[A-Za-z]|\d{4,})")
BEFORE_ONE = re.compile(r"\b(?:no|any|each|every|this|that|which|another|only|at least)\s+$", re.IGNORECASE)
ALONE_ONE = re.compile(
    r"\s*(?:of\b|another|or the other|can\b|may\b|must\b|letter|hand|should|is\b|that\b|which\b|with\b|-)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Token:
    """Something a sentence states. ``kind``: number, name, letters, date, url. ``text`` is as it stands."""

    kind: str
    text: str
    start: int
    end: int
    value: float = 0.0
    decimals: int = 0
    unit: str = ""
    scale: float = 1.0
    group: int = -1

    @property
    def span(self) -> tuple[int, int]:
        """Its place."""
        return self.start, self.end


@dataclass
class Sentence:
    """A sentence in one form of each character, with its tokens in order; ``left`` is it with those blank."""

    text: str
    tokens: list[Token] = field(default_factory=list)
    left: str = ""

    def of(self, kind: str) -> list[Token]:
        """Tokens of a kind."""
        return [t for t in self.tokens if t.kind == kind]


def read(text: str) -> Sentence:
    """A sentence with all it states."""
    body = LINK.sub(lambda m: f"{m[1]} {m[2]}", text)
    body = plain(CITED.sub(" ", body)).replace("`", " ").replace("**", "  ")
    sentence = Sentence(body, [], body)
    for find in (
        _urls,
        _dates,
        _letters,
        _variants,
        _identifiers,
        _exponents,
        _attached,
        _mixed,
        _dotted,
        _numbers,
        _spelled,
    ):
        for token in sorted(find(sentence.left), key=lambda t: t.start):
            if sentence.left[token.start : token.end].strip():
                sentence.tokens.append(token)
                sentence.left = _blank(sentence.left, token)
    sentence.tokens.sort(key=lambda t: t.start)
    sentence.tokens = _grouped([_with_unit(sentence.text, t) for t in sentence.tokens], sentence.text)
    return sentence


def _blank(text: str, token: Token) -> str:
    """The text without a token, everything else where it is."""
    return text[: token.start] + " " * (token.end - token.start) + text[token.end :]


def _urls(text: str) -> Iterator[Token]:
    """Addresses."""
    for match in URL.finditer(text):
        kept = match[0].rstrip(".,;:!?")
        yield Token("url", kept, match.start(), match.start() + len(kept))


def _dates(text: str) -> Iterator[Token]:
    """Days, as ``2025-06-18``."""
    for match in DATE.finditer(text):
        year, month, day = [int(g) for g in match.groups() if g]
        yield Token("date", f"{year:04d}-{month:02d}-{day:02d}", *match.span())
    for match in SPOKEN_DATE.finditer(text):
        year, day = int(match["year"] or match["year2"]), int(match["day"] or match["day2"])
        month = lexicon.MONTHS[(match["month"] or match["month2"]).casefold()]
        yield Token("date", f"{year:04d}-{month:02d}-{day:02d}", *match.span())


def _letters(text: str) -> Iterator[Token]:
    """Stretches of residues or bases."""
    for match in LETTERS.finditer(text):
        letters = match[0].removesuffix(match["more"] or "").rstrip("-")
        end = match.start() + len(letters) + len(match["more"] or "")
        yield Token("letters", letters + ("…" if match["more"] else ""), match.start(), end)


def _variants(text: str) -> Iterator[Token]:
    """Variants, as HGVS."""
    from labagent.tools.variants.finding import find_variants

    if not any(c.isdigit() for c in text):
        return
    for found in find_variants(text[:20_000]):
        yield Token("variant", found.hgvs, found.start, found.start + len(found.written))


def _identifiers(text: str) -> Iterator[Token]:
    """Identifiers and genes by their form, organisms by name."""
    from labagent.tools.naming.finding import find_names

    for found in find_names(text):
        kind = "organism" if found.namespace == "organism" else "name"
        end = found.start + len(found.written)
        if found.namespace == "pmid":
            yield Token("pmid", found.value, found.start, end)
        elif found.namespace == "gene" and not any(c.isdigit() for c in found.value) and not found.certain:
            continue
        else:
            grown = GROWN.match(text, end) if found.namespace == "gene" else None
            end = grown.end() if grown else end
            yield Token(
                kind, found.value if kind == "organism" else text[found.start : end], found.start, end
            )


def _exponents(text: str) -> Iterator[Token]:
    """Powers of ten."""
    for match in EXPONENT.finditer(text):
        yield Token("number", match[0], *match.span(), value=float(match[1]) * 10.0 ** int(match[2]))


def _attached(text: str) -> Iterator[Token]:
    """Numbers with a unit or an ending grown on."""
    for match in ATTACHED.finditer(text):
        written = match["number"]
        unit = match["unit"].casefold()
        known = lexicon.UNITS.get(
            {"residue": "residues", "amino": "aa", "nucleotide": "nt", "base": "nt"}.get(unit, unit),
            ("", 1.0),
        )
        yield _number(written, match.start(), match.end(), *known)


def _mixed(text: str) -> Iterator[Token]:
    """Words of letters and digits, that are names of something."""
    for match in MIXED.finditer(text):
        word = match[0].rstrip(".:'+/-")
        if ":" in word and not NAMED_NUMBER.match(word):
            word = word.partition(":")[0]
        if any(c.isdigit() for c in word) and not re.fullmatch(r"[-+]?[\d.,]+", word):
            yield Token("name", word, match.start(), match.start() + len(word))


def _dotted(text: str) -> Iterator[Token]:
    """Numbers of several parts, such as those of enzymes, which are names."""
    for match in DOTTED.finditer(text):
        yield Token("name", match[0], *match.span())


def _numbers(text: str) -> Iterator[Token]:
    """Numbers in digits."""
    for match in NUMBER.finditer(text):
        yield _number(match[0], *match.span())


def _number(written: str, start: int, end: int, unit: str = "", scale: float = 1.0) -> Token:
    """A number in digits."""
    decimals = len(written.partition(".")[2].split("e")[0].split("E")[0])
    return Token("number", written, start, end, value_of(written), decimals, unit, scale)


def _spelled(text: str) -> Iterator[Token]:
    """Numbers in words. ``one`` counts where it counts something."""
    for match in IN_WORDS.finditer(text):
        first, second = match["first"].casefold(), (match["second"] or "").casefold()
        alone = BEFORE_ONE.search(text[: match.start()]) or ALONE_ONE.match(text[match.end() :])
        if first == "one" and not match["times"] and alone:
            continue
        value = float(lexicon.SPELLED[first] + lexicon.SPELLED.get(second, 0))
        value *= lexicon.TIMES.get((match["times"] or "").casefold(), 1)
        yield Token("number", match[0], *match.span(), value=value)
    for match in CHINESE.finditer(text):
        yield Token("number", match[0], *match.span(), value=float(_chinese(match[0])))


def _chinese(digits: str) -> int:
    """The value of a number in Chinese."""
    total = section = current = 0
    for digit in digits:
        if digit in ("十", "百", "千"):
            section += (current or 1) * {"十": 10, "百": 100, "千": 1000}[digit]
            current = 0
        elif digit == "万":
            total, section, current = (total + section + current) * 10_000, 0, 0
        else:
            current = lexicon.CHINESE[digit]
    return total + section + current


def _with_unit(text: str, token: Token) -> Token:
    """A number with the unit behind it."""
    if token.kind != "number" or token.unit:
        return token
    rest = text[token.end :]
    blanks = len(rest) - len(rest.lstrip(" -"))
    behind = rest[blanks : blanks + 20].casefold() if blanks <= 1 else ""
    times = re.match(r"(thousand|million)\s+|百万", behind)
    factor = 1.0
    if times and token.text[:1].isdigit():
        factor = 1000.0 if times[0].startswith("thousand") else 1e6
        behind = behind[times.end() :]
    for unit, (base, scale) in sorted(lexicon.UNITS.items(), key=lambda item: -len(item[0])):
        if behind.startswith(unit) and not (
            unit.isascii() and unit[-1].isalpha() and behind[len(unit) : len(unit) + 1].isalnum()
        ):
            return replace(token, unit=base, scale=scale * factor)
    return replace(token, scale=factor)


LISTING = re.compile(
    r"\s*(?:,|;|、|/|-|to|and|or|与|和|及|至|到|through|and residues?|and positions?|(?:, )"
    r"?respectively|=)+\s*(?:and|or|residues?|at)?\s*"
)


def _grouped(tokens: list[Token], text: str) -> list[Token]:
    """Numbers that a list or a range joins have one group."""
    made: list[Token] = []
    last: Token | None = None
    for number, token in enumerate(tokens):
        if token.kind == "number":
            joined = last is not None and bool(LISTING.fullmatch(text[last.end : token.start]))
            token = replace(token, group=last.group if joined and last else number)
            last = token
        made.append(token)
    return made
