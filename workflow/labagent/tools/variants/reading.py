"""Reading variants: HGVS at the levels p, c, g, n and m, and the short forms people write (G12D, ΔF508)."""

from __future__ import annotations

import re
from collections.abc import Callable
from re import Match
from typing import cast

from labagent.errors import ToolError
from labagent.tools.variants.records import MAX_POSITION, Level, Position, Variant, VariantKind
from labagent.tools.variants.residues import ONE, THREE, one, single

NAMES = "|".join(sorted(ONE, key=len, reverse=True))
AA = rf"(?:{NAMES}|[A-Z*])"
AAS = rf"(?:(?:{NAMES})+|[A-Z*]+)"
NUMBER = r"[1-9]\d{0,8}"
STOP = rf"(?:Ter|Stop|\*|X)({NUMBER}|\?)?"
PLACE = rf"([-*]?)({NUMBER})([+-]{NUMBER})?"
BASES = "[ACGTURYSWKMBDHVN]+"
REFERENCE = r"[A-Za-z][A-Za-z0-9_.-]{0,40}"
FLAGS = re.IGNORECASE
FORMS = (
    "p.Gly12Asp, p.(Gly12Asp), G12D, W24*, p.Phe508del, ΔF508, K2_T3insA, p.Gly4_Gln6dup, C28delinsWV, "
    "p.Glu23ValfsTer17, p.Met1ext-5, p.Ter110GlnextTer17, p.=, p.?, p.0; c.35G>A, c.68_69del, c.88+1G>T, "
    "c.-14G>C, c.*32G>A, ins, dup, delins, inv, the same with g., n., m."
)


def read_variant(text: str) -> Variant:
    """One variant that is all of ``text``.

    Raises:
        ToolError: ``input``: no notation that is known; the message lists the forms.
    """
    found = HGVS.fullmatch(text.strip())
    variant = None
    if found:
        level = cast(Level, found["level"].lower())
        body, predicted = _bare(found["body"])
        variant = _read(level, body)
        reference = found["reference"] or ""
    elif not re.match(r"\s*[a-z]\.", text):
        body, predicted = _bare(text.strip())
        variant, reference = _read("p", body), ""
    if variant is None:
        raise ToolError(
            "input", f"{text[:60]!r} is no variant", field="variant", value=text[:60], allowed=FORMS
        )
    return variant.model_copy(update={"reference": reference, "predicted": predicted})


HGVS = re.compile(
    rf"(?:(?P<reference>{REFERENCE})\s?(?:\((?P<gene>[A-Za-z][A-Za-z0-9-]{{0,20}})\))?\s?:\s?)?"
    r"(?P<level>[pcgnm])\.\s?(?P<body>\S{1,5000})"
)


def _bare(body: str) -> tuple[str, bool]:
    """The body without its parentheses; whether it had some."""
    if body.startswith("(") and body.endswith(")"):
        return body[1:-1], True
    return body, False


def _read(level: Level, body: str) -> Variant | None:
    """The body of a variant, or ``None``."""
    rows = PROTEIN if level == "p" else NUCLEOTIDE
    for pattern, make in rows:
        found = pattern.fullmatch(body)
        if found:
            return make(level, found)
    return None


Maker = Callable[[Level, Match[str]], Variant | None]


def _residue(name: str, number: str) -> Position | None:
    """A residue with its number."""
    letter = single(name) if name.upper() in ONE or name.upper() in THREE else ""
    return Position(base=int(number), residue=letter) if letter else None


def _whole(level: Level, found: Match[str]) -> Variant | None:
    """``=``, ``?``, ``0``."""
    kinds: dict[str, VariantKind] = {"=": "synonymous", "?": "unknown", "0": "no_protein"}
    return Variant(level=level, kind=kinds[found[0][0]])


def _substitution(level: Level, found: Match[str]) -> Variant | None:
    """``Gly12Asp``, ``W24*``, ``Met1?``, ``Cys123=``."""
    start = _residue(found[1], found[2])
    if start is None:
        return None
    if found[3] == "?":
        return (
            Variant(level=level, kind="start_loss", start=start)
            if (start.residue, start.base) == ("M", 1)
            else None
        )
    new = start.residue if found[3] == "=" else single(found[3])
    if new == start.residue:
        return Variant(level=level, kind="synonymous", start=start)
    if start.residue == "*":
        return None
    return Variant(level=level, kind="nonsense" if new == "*" else "substitution", start=start, inserted=new)


def _range(level: Level, found: Match[str]) -> Variant | None:
    """``Phe508del``, ``Gly4_Gln6dup``, ``K2_T3insA``, ``C28delinsWV``, with what was lost perhaps stated."""
    start = _residue(found[1], found[2])
    end = _residue(found[3], found[4]) if found[3] else None
    if start is None or (found[3] and (end is None or end.base <= start.base)):
        return None
    word, tail = found[5].lower(), found[6] or ""
    new = ""
    if word in ("ins", "delins"):
        new = one(tail) if tail else ""
        if not new or (word == "ins" and (end is None or end.base != start.base + 1)):
            return None
    elif tail and (end is not None or one(tail) != start.residue):
        return None
    kinds: dict[str, VariantKind] = {
        "del": "deletion",
        "dup": "duplication",
        "ins": "insertion",
        "delins": "delins",
    }
    return Variant(level=level, kind=kinds[word], start=start, end=end, inserted=new)


def _delta(level: Level, found: Match[str]) -> Variant | None:
    """``ΔF508``, ``F508Δ``, ``delF508``."""
    start = _residue(found[1], found[2])
    return Variant(level=level, kind="deletion", start=start) if start else None


def _frameshift(level: Level, found: Match[str]) -> Variant | None:
    """``Glu23ValfsTer17``, ``E23fs``, ``E23Vfs*?``; with ``Ter`` first it would be nonsense."""
    start = _residue(found[1], found[2])
    new = single(found[3]) if found[3] else ""
    if start is None or start.residue == "*" or new == "*":
        return None
    return Variant(
        level=level, kind="frameshift", start=start, inserted=new, count=_count(found[4], found[5])
    )


def _extension(level: Level, found: Match[str]) -> Variant | None:
    """``Met1ext-5``, ``Met1Valext-12``, ``Ter110GlnextTer17``."""
    start = _residue(found[1], found[2])
    new = single(found[3]) if found[3] else ""
    if start is None:
        return None
    if (start.residue, start.base) == ("M", 1) and found[6]:
        return Variant(level=level, kind="extension", start=start, inserted=new, count=-int(found[6]))
    if start.residue == "*" and new and found[4]:
        return Variant(
            level=level, kind="extension", start=start, inserted=new, count=_count(found[4], found[5])
        )
    return None


def _count(word: str | None, number: str | None) -> int | None:
    """Where the new stop is: ``None`` not said, 0 not known."""
    if not word:
        return None
    return int(number) if number and number != "?" else 0


def _position(anchor: str, number: str, offset: str | None) -> Position:
    """A nucleotide's place."""
    return Position(base=int(number), offset=int(offset or 0), anchor={"-": "5", "*": "3", "": ""}[anchor])


def order(position: Position) -> tuple[int, int]:
    """Places in the order of the transcript."""
    base = {"5": -position.base, "": position.base, "3": position.base + MAX_POSITION}[position.anchor]
    return base, position.offset


def _exchange(level: Level, found: Match[str]) -> Variant | None:
    """``35G>A``, ``88+1G>T``, ``76=``."""
    start = _position(found[1], found[2], found[3])
    old, new = (found[4] or "").upper(), (found[5] or "").upper()
    if not _allowed(level, start):
        return None
    if not new or old == new:
        return Variant(level=level, kind="synonymous", start=start, deleted=old)
    if len(old) != 1 or len(new) != 1:
        return None
    return Variant(level=level, kind="substitution", start=start, deleted=old, inserted=new)


def _nucleotides(level: Level, found: Match[str]) -> Variant | None:
    """``68_69delAG``, ``35dup``, ``4_5insT``, ``7_9delinsAC``, ``3_8inv``."""
    start = _position(found[1], found[2], found[3])
    end = _position(found[4], found[5], found[6]) if found[5] else None
    word, first, second = found[7].lower(), (found[8] or "").upper(), (found[9] or "").upper()
    if not _allowed(level, start) or (end and (not _allowed(level, end) or order(end) <= order(start))):
        return None
    if word == "del" and second:
        return Variant(level=level, kind="delins", start=start, end=end, deleted=first, inserted=second)
    if word == "ins":
        good = end is not None and first
        return Variant(level=level, kind="insertion", start=start, end=end, inserted=first) if good else None
    if word == "inv":
        return Variant(level=level, kind="inversion", start=start, end=end) if end and not first else None
    kind: VariantKind = "deletion" if word == "del" else "duplication"
    return Variant(level=level, kind=kind, start=start, end=end, deleted=first)


def _allowed(level: Level, position: Position) -> bool:
    """Only c. counts from a start or a stop codon; only transcripts have introns."""
    return (level == "c" or not position.anchor) and (level in "cn" or not position.offset)


PROTEIN: tuple[tuple[re.Pattern[str], Maker], ...] = (
    (re.compile(r"=|\?|0\??"), _whole),
    (re.compile(rf"({AA})({NUMBER})({AA}|\?|=)", FLAGS), _substitution),
    (re.compile(rf"(?:Δ|∆|del(?:ta)?)[\s-]?({AA})({NUMBER})", FLAGS), _delta),
    (re.compile(rf"({AA})({NUMBER})[Δ∆]", FLAGS), _delta),
    (re.compile(rf"({AA})({NUMBER})({AA})?fs({STOP})?", FLAGS), _frameshift),
    (re.compile(rf"({AA})({NUMBER})({AA})?ext(?:({STOP})|-({NUMBER}))", FLAGS), _extension),
    (re.compile(rf"({AA})({NUMBER})(?:_({AA})({NUMBER}))?(delins|del|dup|ins)({AAS})?", FLAGS), _range),
)
NUCLEOTIDE: tuple[tuple[re.Pattern[str], Maker], ...] = (
    (re.compile(r"=|\?"), _whole),
    (re.compile(rf"{PLACE}({BASES})?(?:>({BASES})|=)", FLAGS), _exchange),
    (re.compile(rf"{PLACE}(?:_{PLACE})?(del|dup|ins|inv)({BASES})?(?:ins({BASES}))?", FLAGS), _nucleotides),
)
