"""Variants in a sentence, with the gene stated with them and doubts about what the letters mean."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.errors import ToolError
from labagent.tools.naming.symbols import NO_GENES
from labagent.tools.variants.listed import ALLELE, alleles, other_exchanges
from labagent.tools.variants.meanings import MEANINGS
from labagent.tools.variants.reading import HGVS, read_variant
from labagent.tools.variants.records import FoundVariant, Variant
from labagent.tools.variants.writing import hgvs, short

PREFIXED = re.compile(r"(?<![A-Za-z0-9_.])" + HGVS.pattern)
BARE = re.compile(r"(?:(?:delta|del)[ -])?[A-Za-z0-9_*Δ∆]+(?:fs\*\d+)?=?")
ONE_LETTER = re.compile(r"([A-Z])(\d+)([A-Z*])", re.IGNORECASE)
TRIMMED = 40
LONGEST_BARE = 80
AMINO = set("ACDEFGHIKLMNPQRSTVWY")
ACCESSION = re.compile(
    r"[A-Z]{2}_\d+(\.\d+)?|ENS[A-Z]*\d{11}(\.\d+)?|LRG_\d+\w*|[A-Z]\d[A-Z0-9]{3}\d\S*|chr\w+"
)


def find_variants(text: str) -> list[FoundVariant]:
    """All variants of a text in its order: with a prefix (``c.``, ``p.`` …) first, then short forms."""
    found = list(alleles(text))
    taken = [m.span() for m in ALLELE.finditer(text)] if found else []
    found += (f for f in _prefixed(text) if not any(a <= f.start < b for a, b in taken))
    taken += [(f.start, f.start + len(f.written)) for f in found]
    has_gene = any(f.gene for f in found) or _names_gene(text)
    for match in BARE.finditer(text):
        begin, end = match.span()
        if not any(a < end and begin < b for a, b in taken):
            made = _short_form(match[0], begin, has_gene)
            if made is not None:
                found.append(made)
    found += [more for f in found for more in other_exchanges(f, text)]
    return sorted(found, key=lambda f: f.start)


def _prefixed(text: str) -> Iterator[FoundVariant]:
    """Variants that state their level."""
    at = 0
    while match := PREFIXED.search(text, at):
        begin = match.start()
        variant, written = _longest(text, begin, match.start("body"), match.end())
        at = begin + len(written) if variant else match.start("body")
        if variant is None:
            continue
        gene = match["gene"] or ""
        if variant.reference and not ACCESSION.fullmatch(variant.reference):
            label = variant.reference.upper() in NO_GENES  # "MT: p.Gly12Asp"
            gene = gene or ("" if label else variant.reference)
            variant = variant.model_copy(update={"reference": ""})
        notes = []
        if ONE_LETTER.fullmatch(match["body"].strip("()")) and written.rstrip(")")[-1] in "xX":
            notes.append("X is read as a stop")
        yield FoundVariant(
            written=written,
            start=begin,
            variant=variant,
            hgvs=hgvs(variant),
            short=short(variant),
            gene=gene,
            notes=tuple(notes),
        )


def _longest(text: str, begin: int, body: int, end: int) -> tuple[Variant | None, str]:
    """The longest variant that ends at a word's end."""
    for stop in range(end, max(body, end - TRIMMED), -1):
        following = text[stop : stop + 1]
        if following.isascii() and (following.isalnum() or following == "_"):
            continue
        try:
            return read_variant(text[begin:stop]), text[begin:stop]
        except ToolError:
            continue
    return None, ""


def _short_form(word: str, begin: int, has_gene: bool) -> FoundVariant | None:
    """A variant without a prefix, or ``None``."""
    if len(word) > LONGEST_BARE or not any(c.isdigit() for c in word):
        return None
    try:
        variant = read_variant(word)
    except ToolError:
        return None
    if variant.start is None:
        return None
    notes, certain = [], True
    letters = ONE_LETTER.fullmatch(word)
    if letters:
        if letters[1].upper() not in AMINO or letters[3].upper() not in AMINO | {"*", "X"}:
            return None
        notes = list(_doubts(word, letters, has_gene))
        certain = not notes
        if letters[3] in "xX":
            notes.append("X is read as a stop")
        if {letters[1], letters[3]} <= set("ACGT"):
            notes.append("read as amino acids; an exchange of bases would be written c." + _bases(letters))
    return FoundVariant(
        written=word,
        start=begin,
        variant=variant,
        hgvs=hgvs(variant),
        short=short(variant),
        certain=certain,
        notes=tuple(notes),
    )


def _bases(letters: re.Match[str]) -> str:
    """``35G>A``."""
    return f"{letters[2]}{letters[1]}>{letters[3]}"


def _doubts(word: str, letters: re.Match[str], has_gene: bool) -> Iterator[str]:
    """What else a one-letter form may be."""
    if word.upper() in MEANINGS:
        yield f"{word} is usually {MEANINGS[word.upper()]}"
    elif int(letters[2]) < 10 and not has_gene:
        yield "so short a form may be a name; no gene or protein is stated"
    if not word.isupper():
        yield "lower case"


def _names_gene(text: str) -> bool:
    """Whether a gene or protein stands in the text."""
    from labagent.tools.naming.finding import find_names

    found = find_names(text, variants=False)
    names = (f for f in found if not ONE_LETTER.fullmatch(f.written))  # G2M is no gene beside itself
    return any(f.namespace in ("gene", "uniprot", "uniprot_entry", "refseq_protein") for f in names)


def spanned(variant: Variant) -> int | None:
    """How many residues or bases are lost or doubled, where both ends are plain places of one numbering."""
    first, last = variant.start, variant.end or variant.start
    if variant.kind not in ("deletion", "delins", "duplication") or first is None or last is None:
        return None
    if first.offset or last.offset or first.anchor != last.anchor:
        return None
    return last.base - first.base + 1
