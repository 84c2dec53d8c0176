"""Forms of identifiers, as the databases document them; of two that overlap, the one that stands first wins.

UniProt: https://www.uniprot.org/help/accession_numbers. Words end where no ASCII letter, digit or underscore
follows, so that Chinese text may stand beside them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

BEGIN = r"(?<![A-Za-z0-9_.])"
END = r"(?![A-Za-z0-9_])"
VERSION = r"(?:\.(?P<version>\d{1,4}))?"
ANY = re.IGNORECASE


@dataclass(frozen=True)
class Form:
    """A namespace and what its identifiers look like; ``value`` names the group that is the identifier.

    ``whole``: the version belongs to the value. ``context``: words of which one must stand in the text unless
    the identifier is all of it; without them it is uncertain.
    """

    namespace: str
    pattern: re.Pattern[str]
    whole: bool = False
    upper: bool = True
    context: tuple[str, ...] = ()


def _form(namespace: str, body: str, **more: Any) -> Form:
    """A form between word ends."""
    pattern = re.compile(f"{BEGIN}{body}{END}", ANY)
    return Form(namespace, pattern, **more)


UNIPROT = r"(?P<value>[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2})"
FORMS: tuple[Form, ...] = (
    Form(
        "doi", re.compile(r"(?<![A-Za-z0-9.])(?P<value>10\.\d{4,9}/[^\s\"<>，。；、）]+)", ANY), upper=False
    ),
    Form(
        "pmid",
        re.compile(
            r"(?<![A-Za-z0-9_])(?:PMID|PubMed(?: ID)?|pubmed\.ncbi\.nlm\.nih\.gov/)"
            r"\s*[:：#]?\s*(?P<value>[1-9]\d{0,8})(?![A-Za-z0-9_])",
            ANY,
        ),
    ),
    _form("refseq_protein", rf"(?P<value>[NXYWA]P_\d{{6,12}}){VERSION}", whole=True),
    _form("refseq_transcript", rf"(?P<value>[NX][MR]_\d{{6,12}}){VERSION}", whole=True),
    _form(
        "refseq_genomic", rf"(?P<value>(?:NC|NG|NT|NW|AC|NZ)_(?:[A-Z]{{4}})?\d{{6,12}}){VERSION}", whole=True
    ),
    _form("ensembl_gene", rf"(?P<value>ENS(?:[A-Z]{{3,4}})?G\d{{11}}){VERSION}", whole=True),
    _form("ensembl_transcript", rf"(?P<value>ENS(?:[A-Z]{{3,4}})?T\d{{11}}){VERSION}", whole=True),
    _form("ensembl_protein", rf"(?P<value>ENS(?:[A-Z]{{3,4}})?P\d{{11}}){VERSION}", whole=True),
    _form("interpro", r"(?P<value>IPR\d{6})"),
    _form("pfam", r"(?P<value>PF\d{5})"),
    _form("go", r"(?P<value>GO:\d{7})"),
    _form("dbsnp", r"(?P<value>rs[1-9]\d{1,10})", upper=False),
    _form("pdb", r"(?P<value>pdb_0000[1-9][a-z0-9]{3})", upper=False),
    _form("uniprot_entry", r"(?P<value>[A-Z0-9]{1,10}_[A-Z0-9]{3,5})"),
    _form("uniprot", rf"{UNIPROT}(?:-(?P<isoform>[1-9]\d?))?{VERSION}"),
    _form(
        "pdb",
        r"(?P<value>[1-9](?=[A-Z0-9]*[A-Z])[A-Z0-9]{3})",
        context=("pdb", "structure", "crystal", "cryo", "结构", "晶体"),
    ),
)
NOT_PDB = re.compile(
    r"\d+(ST|ND|RD|TH|KB|MB|GB|BP|KD|DA|KDA|MDA|NM|UM|MM|CM|ML|UL|MG|UG|NG|AA|NT|X|H|D|S|G|M|UTR|HT\d?|MER)",
    ANY,
)
