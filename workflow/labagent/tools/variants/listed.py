"""Several variants in one notation: ``V600E/K``, ``c.[76A>C;83G>C]``, ``p.[Arg175His];[Arg248Gln]``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from labagent.errors import ToolError
from labagent.tools.variants.reading import AA, REFERENCE, read_variant
from labagent.tools.variants.records import FoundVariant, Variant
from labagent.tools.variants.residues import single
from labagent.tools.variants.writing import hgvs, short

OTHERS = re.compile(rf"(?:/(?:{AA})){{1,18}}(?![A-Za-z0-9_/])", re.IGNORECASE)
ALLELE = re.compile(
    rf"(?<![A-Za-z0-9_.])(?:(?P<reference>{REFERENCE})\s?(?:\((?P<gene>[A-Za-z][A-Za-z0-9-]{{0,20}})\))?\s?:\s?)?"
    r"(?P<level>[pcgnm])\.(?P<parts>\[[^\]\[\s]{1,1000}\](?:\(?;\)?\[[^\]\[\s]{1,1000}\]){0,3})"
)
PART = re.compile(r"[^\[\];]+")


def other_exchanges(found: FoundVariant, text: str) -> Iterator[FoundVariant]:
    """The further residues of ``V600E/K``: each an exchange of its own at the same place."""
    if found.variant.level != "p" or found.variant.kind not in ("substitution", "nonsense"):
        return
    match = OTHERS.match(text, found.start + len(found.written))
    if match is None:
        return
    at = match.start()
    if not all(name[:1].isupper() or name == "*" for name in match[0][1:].split("/")):
        return
    for name in match[0][1:].split("/"):
        at += 1
        letter = single(name)
        kind = "nonsense" if letter == "*" else "substitution"
        variant = found.variant.model_copy(update={"kind": kind, "inserted": letter})
        note = f"written {found.written}{match[0]}"
        yield _found(variant, text[at : at + len(name)], at, found.gene, (*found.notes, note), found.certain)
        at += len(name)


def alleles(text: str) -> Iterator[FoundVariant]:
    """The variants of alleles in brackets, each on its own; a bracket that holds anything else is none."""
    for match in ALLELE.finditer(text):
        prefix = f"{match['reference']}:" if match["reference"] else ""
        parts = list(PART.finditer(match["parts"].replace("(;)", "];[")))
        try:
            read = [read_variant(f"{prefix}{match['level']}.{part[0].strip('()')}") for part in parts]
        except ToolError:
            continue
        note = f"one of {len(read)} variants of an allele written {match[0][:80]}"
        for number, variant in enumerate(read):
            written = match[0] if number == 0 else parts[number][0]
            start = match.start() if number == 0 else match.start("parts") + parts[number].start()
            yield _found(variant, written, start, match["gene"] or "", (note,), True)


def _found(
    variant: Variant, written: str, start: int, gene: str, notes: tuple[str, ...], certain: bool
) -> FoundVariant:
    """A variant as it stands in a text."""
    return FoundVariant(
        written=written,
        start=start,
        variant=variant,
        hgvs=hgvs(variant),
        short=short(variant),
        gene=gene,
        notes=notes,
        certain=certain,
    )
