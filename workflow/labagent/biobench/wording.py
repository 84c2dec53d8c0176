"""Finding values in the text of an answer: numbers with units, identifiers, sequences, words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

NEAR = 80
"""How far (characters) from a number its unit or its name may stand."""

UNITS = {
    "nt": ("nt", "bp", "nucleotide", "base", "碱基", "核苷酸"),
    "aa": ("aa", "residue", "amino acid", "amino-acid", "氨基酸", "残基"),
    "%": ("%", "percent", "百分", "%"),
    "Da": ("da", "dalton", "g/mol", "道尔顿"),
    "M-1 cm-1": ("m-1", "m⁻¹", "m^-1", "cm"),
}
NAMES = {
    "differences": ("differ", "change", "identical", "差异", "不同", "变化", "处"),
    "records": ("record", "sequence", "条", "记录"),
    "identity": ("identi", "一致", "相同"),
    "gaps": ("gap", "空位", "缺口"),
    "deleted": ("delet", "missing", "缺失"),
    "blosum62": ("blosum",),
    "hydropathy_change": ("hydropath", "kyte", "疏水"),
    "pi": ("pi", "isoelectric", "等电点"),
    "gravy": ("gravy",),
    "gc": ("gc", "g+c"),
    "mass": ("mass", "weight", "质量", "分子量", "da"),
    "extinction": ("extinction", "absor", "消光"),
    "sequence_version": ("version", "版本"),
    "length": ("length", "long", "residue", "nt", "aa", "amino", "base", "bp", "长"),
}
"""Words of which one stands near a number of that name; a name that is not listed is not looked for."""

PATTERNS = {
    "pmid": r"(?:PMID:?\s*|pubmed(?:\.ncbi\.nlm\.nih\.gov)?[/:]\s*)(\d{1,9})",
    "pdb": r"(?<![A-Za-z0-9_.:-])([1-9](?=[A-Z0-9]*[A-Z])[A-Z0-9]{3})(?![A-Za-z0-9])",
    "go": r"(GO:\d{7})",
    "dbsnp": r"(?<![A-Za-z0-9])(rs\d+)",
    "uniprot": r"(?<![A-Za-z0-9])([OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2})(?![A-Za-z0-9])",
}
"""How an identifier of a namespace looks where any of them counts."""

ALONE = r"(?<![A-Za-z0-9_.])[-+−]?"
NUMBER = re.compile(rf"{ALONE}\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?|{ALONE}\d+(?:\.\d+)?")
AFTER = re.compile(
    r"(?:\s?(?:nt|bp|aa|da|kda|nucleotides?|residues?|bases?)\b)|(?![A-Za-z0-9_])", re.IGNORECASE
)
HGVS = re.compile(r"(?:p\.)?\(?([A-Z][a-z]{2})(\d+)([A-Z][a-z]{2}|\*|=)\)?")
PREDICTED = re.compile(r"p\.\(([A-Za-z0-9*=_]+)\)")
HGVS_SHORT = re.compile(r"(?<![A-Za-z0-9])([A-Z])(\d+)([A-Z*])(?![A-Za-z0-9])")
LATIN = "alpha beta gamma delta epsilon kappa lambda mu pi sigma tau omega".split()
GREEK = dict(zip("αβγδεκλμπστω", LATIN, strict=True))
THREE = "Ala Cys Asp Glu Phe Gly His Ile Lys Leu Met Asn Pro Gln Arg Ser Thr Val Trp Tyr Ter".split()
ONE = dict(zip(THREE, "ACDEFGHIKLMNPQRSTVWY*", strict=True))
LONG = {one: three for three, one in ONE.items()}


def numbers(text: str) -> Iterator[tuple[float, str]]:
    """Numbers that stand alone, each with what stands around it (lower case).

    Digits inside identifiers, variants and versions are no numbers; thousands may be set off by commas.
    """
    for match in NUMBER.finditer(text):
        if AFTER.match(text, match.end()):
            around = text[max(0, match.start() - NEAR) : match.end() + NEAR]
            yield float(match.group().replace(",", "").replace("−", "-")), around.casefold()


def says_number(
    text: str, name: str, value: float, *, tolerance: float = 0.0, unit: str = "", absolute: bool = False
) -> bool:
    """Whether ``text`` gives the quantity, near its unit and its name."""
    slack = tolerance + 1e-9 * max(1.0, abs(value))
    wanted = [words for words in (UNITS.get(unit, ()), NAMES.get(name, ())) if words]
    for found, around in numbers(text):
        near = abs(abs(found) - abs(value)) if absolute else abs(found - value)
        if near <= slack and all(any(_word(w).search(around) for w in words) for words in wanted):
            return True
    return False


def says_identifier(text: str, value: str) -> bool:
    """Whether an identifier stands whole: not as part of a longer one, an isoform or a version of it."""
    whole = rf"(?<![A-Za-z0-9_]){re.escape(value)}(?![A-Za-z0-9_]|-\d)"
    return re.search(whole, text) is not None


def identifiers(text: str, namespace: str) -> set[str]:
    """All identifiers of a namespace in ``text``; none of a namespace whose form is not known."""
    pattern = PATTERNS.get(namespace)
    return set(re.findall(pattern, text, re.IGNORECASE if namespace == "pmid" else 0)) if pattern else set()


def says(text: str, phrase: str) -> bool:
    """Whether a phrase stands in ``text``, in any case; a short one as a word of its own."""
    return _word(phrase.casefold()).search(text.casefold().replace("−", "-")) is not None


def says_sequence(text: str, value: str, prefix: bool) -> bool:
    """Whether a sequence stands in ``text``, white space aside, and (but for a prefix) ends there."""
    end = "" if prefix else r"(?![A-Za-z])"
    return re.search(r"(?<![A-Za-z])" + r"\s*".join(map(re.escape, value)) + end, text) is not None


@cache
def _word(phrase: str) -> re.Pattern[str]:
    """A phrase that begins a word and, up to three letters long, is one (or its plural).

    One with a digit ends there, too: ``p.Arg3His`` is not in ``p.Arg3Hisfs``, ``V60`` not in ``V600``.
    """
    begin = r"(?<![a-z])" if phrase[:1].isascii() and phrase[:1].isalnum() else ""
    short = phrase.isascii() and phrase.isalpha() and len(phrase) <= 3
    coded = any(c.isdigit() for c in phrase) and phrase[-1:].isascii() and phrase[-1:].isalnum()
    end = r"s?(?![a-z])" if short else r"(?![a-z0-9])" if coded else ""
    return re.compile(begin + re.escape(phrase) + end)


def spelled(text: str) -> str:
    """``text`` with Greek letters spelled out."""
    return "".join(GREEK.get(letter, letter) for letter in text)


def certain(text: str) -> str:
    """``text`` with predicted consequences, ``p.(Arg3His)``, written as ``p.Arg3His``: the same variant."""
    return PREDICTED.sub(r"p.\1", text)


def variants(text: str) -> set[str]:
    """Substitutions named in ``text``, as ``p.Gly12Asp``."""
    full, brief = HGVS.findall(text), HGVS_SHORT.findall(text)
    long = {f"p.{a}{place}{LONG.get(b, b)}" for a, place, b in full if a in ONE and (b in ONE or b in "*=")}
    return long | {f"p.{LONG[a]}{place}{LONG[b]}" for a, place, b in brief if a in LONG and b in LONG}


def published_form(text: str) -> str:
    """``text`` as the published strict rule reads it: lower case, Greek spelled out, HGVS in both forms."""
    plain = spelled(text)
    full, brief = HGVS.findall(plain), HGVS_SHORT.findall(plain)
    short = [ONE[a] + place + ONE.get(b, b) for a, place, b in full if a in ONE and (b in ONE or b in "*=")]
    long = [f"p.{LONG[a]}{place}{LONG[b]}" for a, place, b in brief if a in LONG and b in LONG]
    return " ".join([plain, *short, *long]).casefold()
