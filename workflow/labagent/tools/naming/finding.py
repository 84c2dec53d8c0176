"""All identifiers of a text: database identifiers by form, then genes and organisms in what is left."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.tools.naming import symbols
from labagent.tools.naming.organisms import HUMAN, MNEMONICS, ORGANISMS, Organism
from labagent.tools.naming.patterns import FORMS, NOT_PDB, Form
from labagent.tools.naming.records import Basis, Identifier

TRAILING = ".,;:!?)]}'，。；：）"
SEQUENCE_WORD = re.compile(r"[ACGTUN]{7,}|[A-Z]{15,}")
RODENTS = (10090, 10116)
BESIDE = 2
"""At most so many characters between an organism and the symbol that is its own."""
OF_WORD: dict[str, Organism] = {
    word: organism for organism in ORGANISMS for word in (*organism.words, organism.name.lower())
}


def _any_word(latin: bool) -> str:
    """The names in one script, the longest first."""
    words = sorted((w for w in OF_WORD if w.isascii() is latin), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, words))})"


ORGANISM_WORDS = (
    re.compile(rf"(?<![a-z0-9-]){_any_word(True)}(?![a-z0-9]|-\d)", re.IGNORECASE),
    re.compile(_any_word(False)),
)
Span = tuple[int, int]


def find_names(text: str, *, variants: bool = True) -> list[Identifier]:
    """Identifiers in the order of the text; none inside another, none inside a sequence or a variant.

    Args:
        text: any text.
        variants: leave out what is part of a variant (``G12D`` is no gene).
    """
    taken = [match.span() for match in SEQUENCE_WORD.finditer(text)]
    found: list[Identifier] = []
    for form in FORMS:
        for made in _of_form(form, text):
            span = (made.start, made.start + len(made.written))
            if not _inside(span, taken):
                taken.append(span)
                found.append(made)
    organisms = list(_organisms(text, taken))
    # only the notation of a variant is masked, not the gene in "KRAS:p.G12D"
    masked = taken + (_variant_spans(text) if variants else [])
    masked += [(o.start, o.start + len(o.written)) for o in organisms]
    found += organisms
    found += _genes(text, masked, organisms)
    return sorted(found, key=lambda f: f.start)


def _inside(span: Span, taken: list[Span]) -> bool:
    """Whether a span overlaps one that is taken."""
    return any(a < span[1] and span[0] < b for a, b in taken)


def _of_form(form: Form, text: str) -> Iterator[Identifier]:
    """What one form matches."""
    for match in form.pattern.finditer(text):
        written, value = match[0], match["value"]
        groups = match.groupdict()
        version = groups.get("version") or ""
        if form.namespace == "doi":
            value = written = _balanced(value)
        elif not form.upper:
            value = value.lower()
        value = value.upper() if form.upper else value
        doubt = _doubt(form, text, written, value)
        if doubt is None:
            continue
        if form.whole and version:
            value = f"{value}.{version}"
        yield Identifier(
            namespace=form.namespace,
            value=value.upper() if form.namespace == "pdb" and len(value) == 4 else value,
            written=written,
            start=match.start(),
            version=version,
            isoform=groups.get("isoform") or "",
            certain=not doubt,
            notes=tuple(filter(None, (doubt, _said(form, version, groups.get("isoform") or "")))),
        )


def _said(form: Form, version: str, isoform: str) -> str:
    """What is asked for beside the identifier itself."""
    if form.namespace != "uniprot":
        return ""
    parts = [f"isoform {isoform}"] if isoform else []
    parts += [f"sequence version {version}"] if version else []
    return ", ".join(parts)


def _doubt(form: Form, text: str, written: str, value: str) -> str | None:
    """Why a match is uncertain, empty where it is not, ``None`` where it is no identifier."""
    alone = text.strip(" \t\n" + TRAILING) == written
    if form.namespace == "uniprot_entry":
        return "" if value.rpartition("_")[2] in MNEMONICS else _lone(alone, "no organism code that is known")
    if (
        form.namespace == "uniprot"
        and written[0].islower()
        and not alone
        and not any(c.isdigit() for c in written[2:])
    ):
        return None
    if form.context:
        if NOT_PDB.fullmatch(written):
            return None
        named = any(word in text.lower() for word in form.context)
        if not named and not alone and not written.isupper():
            return None
        return "" if named or alone else "four characters that may be something else than a PDB entry"
    return ""


def _lone(alone: bool, why: str) -> str | None:
    """A doubt, where the identifier is all of the text."""
    return why if alone else None


def _balanced(doi: str) -> str:
    """A DOI without the punctuation of the sentence; parentheses that open in it stay."""
    while doi and doi[-1] in TRAILING and not (doi[-1] == ")" and doi.count("(") >= doi.count(")")):
        doi = doi[:-1]
    return doi


def _organisms(text: str, taken: list[Span]) -> Iterator[Identifier]:
    """Organisms by name; of overlapping names the longest."""
    places = [m for pattern in ORGANISM_WORDS for m in pattern.finditer(text)]
    used: list[Span] = []
    for match in sorted(places, key=lambda m: (m.start() - m.end(), m.start())):
        if not _inside(match.span(), used + taken):
            used.append(match.span())
            organism = OF_WORD[match[0].lower()]
            yield Identifier(
                namespace="organism",
                value=organism.name,
                written=match[0],
                start=match.start(),
                taxon=organism.taxon,
            )


def _one_organism(found: list[Identifier]) -> list[Identifier]:
    """The organisms stated, each once."""
    return list({f.value: f for f in found}.values())


def _variant_spans(text: str) -> list[Span]:
    """Where variants stand, without the gene before them."""
    from labagent.tools.variants.finding import find_variants

    spans = []
    for found in find_variants(text):
        prefix = re.match(r".*:\s?(?=[pcgnm]\.)", found.written)
        spans.append((found.start + (prefix.end() if prefix else 0), found.start + len(found.written)))
    return spans


def _genes(text: str, taken: list[Span], organisms: list[Identifier]) -> Iterator[Identifier]:
    """Gene symbols in what is left, each with its organism and where that comes from."""
    in_context = bool(symbols.CONTEXT.search(text))
    for match in symbols.GENE.finditer(text):
        word, span = match[0], match.span()
        while _inside(span, taken) and "-" in word:  # KRAS-G12D
            word = word.rpartition("-")[0]
            span = (span[0], span[0] + len(word))
        if _inside(span, taken):
            continue
        near = [o for o in organisms if o.taxon in RODENTS]
        doubt = _gene_doubt(word, text, in_context, bool(near), bool(organisms))
        if doubt is None:
            word, doubt = (
                word.partition("-")[0],
                _gene_doubt(word.partition("-")[0], text, in_context, bool(near), bool(organisms)),
            )
            span = (span[0], span[0] + len(word))
        if doubt is None:
            continue
        near_by = [o for o in organisms if 0 <= span[0] - o.start - len(o.written) <= BESIDE]
        organism, taxon, basis, notes = _organism_of(word, _one_organism(near_by or organisms))
        yield Identifier(
            namespace="gene",
            value=word,
            written=word,
            start=span[0],
            certain=not doubt,
            organism=organism,
            taxon=taxon,
            organism_basis=basis,
            notes=tuple(filter(None, (doubt, notes))),
        )


def _gene_doubt(word: str, text: str, in_context: bool, rodent: bool, organism: bool) -> str | None:
    """Empty for a sure gene, a doubt, or ``None`` for no gene."""
    alone = text.strip() == word
    if word.upper() in symbols.NO_GENES or len(word) < 2:
        return None
    if word in symbols.KNOWN or symbols.YEAST_LOCUS.fullmatch(word) or symbols.OPEN_FRAME.fullmatch(word):
        return ""
    if symbols.RODENT.fullmatch(word):
        known = word.upper() in symbols.KNOWN or word == "Trp53"
        if known and (rodent or alone or any(c.isdigit() for c in word)):
            return ""
        return "read as a rodent's symbol" if rodent and any(c.isdigit() for c in word) else None
    if word.islower() and word.upper() in symbols.KNOWN and any(c.isdigit() for c in word):
        return ""
    if symbols.BACTERIAL.fullmatch(word) and (organism or in_context or alone):
        return "" if organism else "spelled as in bacteria"
    if symbols.UPPER.fullmatch(word) and (any(c.isdigit() for c in word) or in_context or alone or organism):
        return "looks like a gene symbol; not among those known here"
    return None


def _organism_of(word: str, organisms: list[Identifier]) -> tuple[str, int | None, Basis, str]:
    """A gene's organism, its taxon, where that comes from, a note."""
    if len(organisms) == 1:
        return organisms[0].value, organisms[0].taxon, "stated", ""
    if len(organisms) > 1:
        return "", None, "", "more than one organism is named: " + ", ".join(o.value for o in organisms)
    if symbols.YEAST_LOCUS.fullmatch(word):
        return "Saccharomyces cerevisiae", 559292, "spelling", "a yeast locus"
    if symbols.RODENT.fullmatch(word):
        return "Mus musculus", 10090, "spelling", "spelled as in mouse; rat symbols look the same"
    if symbols.BACTERIAL.fullmatch(word):
        return "", None, "", "spelled as in bacteria; no organism is named"
    return HUMAN.name, HUMAN.taxon, "default", "human, since no organism is named"
