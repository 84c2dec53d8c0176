"""Names of proteins as people say them, and what is no gene although it is written like one.

``proteins.tsv``: a name, the human gene symbol where it is one gene's product, and how it is written
(regular expressions
divided by `` | ``). Adding a name is adding a row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import resources

from labagent.tools.naming.symbols import KNOWN

WORDS = frozenset(
    """
    ACE ACT APP ARE BAD BID CAPS CAST CAT CLIP CLOCK COIL DEC END FAR FAST FAT FIND FLASH GAS HAND HO
    IMPACT JUN
    KIT LAMP LARGE MAIL MARCH MAX MET NAIL PALM PER PIGS PINK POLE PROM RAN REST SEPT SET SHE SKI SON STAR
    TANK
    TIM TRAP WARS WAS WISH
    """.split()
)
"""Symbols of genes that are words, months or abbreviations too."""
FAMILIES = re.compile(
    r"(?:SLC\d{1,2}A\d{1,2}|SLCO\d[A-C]\d|ABC[A-G]\d{1,2}|CYP\d{1,2}[A-Z]\d{1,2}|UGT\d[AB]\d{1,2}|"
    r"COL\d{1,2}A\d|"
    r"CD\d{1,3}[A-Z]?|IL\d{1,2}[ABR]?[A-Z]?\d?|CXC[LR]\d{1,2}|CC[LR]\d{1,2}|TNF(?:R?SF)\d{1,2}[A-Z]?|"
    r"FGF(?:R\d|\d{1,2})|"
    r"WNT\d{1,2}[AB]?|FZD\d{1,2}|SOX\d{1,2}|FOX[A-S]\d[A-Z]?|HOX[A-D]\d{1,2}|PAX\d|GATA\d|STAT\d[AB]?|JAK\d|"
    r"TYK2|"
    r"MAP[23]?K\d{1,2}|AKT\d|PIK3[CR][A-G1-6]\d?|PTPN\d{1,2}|DUSP\d{1,2}|PRKC[A-Z]|PRKA[ABG]\d|CAMK\d[A-Z]?|"
    r"CDK\d{1,2}|CCN[A-Z]\d|CDKN\d[A-D]|E2F\d|CASP\d{1,2}|BCL\d[A-Z]?\d{0,2}|TRIM\d{1,2}|USP\d{1,2}|"
    r"UBE\d[A-Z]\d?|"
    r"PSM[A-G]\d{1,2}|RP[SL]\d{1,2}[A-Z]?|MRP[SL]\d{1,2}|NDUF[A-Z]{1,2}\d{1,2}|ATP\d{1,2}[A-Z]\d?|"
    r"COX\d{1,2}[A-Z]?\d?|"
    r"RAB\d{1,2}[A-Z]?|ARHGAP\d{1,2}|ADAM(?:TS)?\d{1,2}|MMP\d{1,2}|TIMP\d|SERPIN[A-Z]\d{1,2}|KRT\d{1,2}|"
    r"MYH\d{1,2}|"
    r"MYL\d|TUB[ABG]\d?[A-Z]?|ACT[ABGN]\d?|KCN[A-Z]\d{1,2}|SCN\d{1,2}[AB]|CACNA\d[A-Z]|TRP[ACMV]\d|"
    r"GRI[AKN]\d?[A-D]?\d?|"
    r"GABR[A-Z]\d|CHRN[A-Z]\d|HTR\d[A-F]|DRD\d|ADRA?[AB]?\d[A-D]?|GPR\d{1,3}|OR\d{1,2}[A-Z]\d{1,2}|"
    r"ZNF\d{1,3}|TMEM\d{1,3}|"
    r"LRP\d[B]?|NOTCH\d|DLL\d|SMAD\d|BMP\d{1,2}[AB]?|BMPR\d[AB]?|TGFB[R]?\d|EPH[AB]\d|EFN[AB]\d|"
    r"ITG[ABDEL]\w{1,2}|"
    r"CDH\d{1,2}|PCDH\d{1,2}|CLDN\d{1,2}|GJ[ABC]\d|HDAC\d{1,2}|SIRT\d|KDM\d[A-D]|KMT\d[A-F]|DNMT\d[ABL]?|"
    r"TET\d|BRD\d|"
    r"SMARC[A-E]\d|ARID\d[AB]|CHD\d|PARP\d{1,2}|RAD5\d[A-D]?|FANC[A-W]\d?|XRCC\d|ERCC\d|MSH\d|MLH\d|"
    r"POL[A-Z]\d?|"
    r"TOP\d[AB]|MCM\d{1,2}|ORC\d|HSP[A-Z]\d{1,2}[A-Z]{0,2}\d?|DNAJ[ABC]\d{1,2}|PPP\d[A-Z]{1,2}\d?[A-Z]?|"
    r"NLRP\d{1,2}|"
    r"TLR\d{1,2}|IRF\d|NFKB\d|APO[ABCELM]\d?|FABP\d|ALDH\d[A-Z]\d|ADH\d[A-C]?|GST[AMPT]\d|SULT\d[A-Z]\d|"
    r"MUC\d{1,2}[A-Z]*|"
    r"HLA-[A-Z]{1,3}\d?|MT-(?:ND\d[L]?|CO\d|ATP\d|CYB|T[A-Z]\d?|RNR\d)|H[1-4]-\d{1,2}|PNPLA\d|LGR\d|PCSK\d|"
    r"MC\dR|"
    r"FOXO\d[A-Z]?|MYO\d{1,2}[A-Z]|DYRK\d[AB]|AURK[ABC]|PLK\d|NEK\d{1,2}|ROCK\d|PAK\d|LATS\d|YAP1|TEAD\d|"
    r"GLI\d|PTCH\d)"
)
"""Symbols of HGNC's gene groups: a stem and numbers (https://www.genenames.org/data/genegroup/)."""
KNOWN_SMALL = frozenset(
    s.lower()
    for s in KNOWN
    if (len(s) >= 4 and s not in WORDS and s not in {"SHH", "TERC", "CALR"}) or s in {"ALB", "APC"}
)
"""Symbols that are recognised in small letters too, where something speaks for a gene."""


@dataclass(frozen=True)
class ProteinName:
    """A name, the human gene (or none), what matches it."""

    name: str
    gene: str
    words: str


def _rows() -> tuple[ProteinName, ...]:
    """All names."""
    text = resources.files(__package__).joinpath("proteins.tsv").read_text(encoding="utf-8")
    return tuple(ProteinName(*line.split("\t")) for line in text.splitlines()[1:])


NAMES = _rows()
CHINESE = re.compile("[\u3400-\u9fff]")


def _any_of(chinese: bool) -> str:
    """One group a name, of its words in one of the scripts."""
    groups = []
    for number, row in enumerate(NAMES):
        words = [w for w in row.words.split(" | ") if bool(CHINESE.search(w)) is chinese]
        if words:
            groups.append(f"(?P<n{number}>{'|'.join(words)})")
    return "|".join(groups)


LATIN = re.compile(rf"(?<![A-Za-z0-9_])(?:{_any_of(False)})(?![A-Za-z0-9_])", re.IGNORECASE)
HAN = re.compile(_any_of(True), re.IGNORECASE)


def find_proteins(text: str) -> list[tuple[re.Match[str], ProteinName]]:
    """Names of proteins in a text, in its order."""
    matches = list(LATIN.finditer(text))
    if CHINESE.search(text):
        matches += HAN.finditer(text)
    return [(m, NAMES[int(str(m.lastgroup)[1:])]) for m in sorted(matches, key=lambda m: m.start())]
