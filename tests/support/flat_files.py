"""Files that mirrors are built from, with facts of our own: UniProtKB flat files, PubMed XML, MEDLINE."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from Bio.SeqUtils.CheckSum import crc64

AMINO = "ACDEFGHIKLMNPQRSTVWY"
WORDS = "binding kinase membrane nuclear receptor repair transport stress growth signal zinc folding".split()


def chain(seed: int, length: int = 120) -> str:
    """A sequence; the same for the same seed."""
    return "M" + "".join(random.Random(seed).choices(AMINO, k=length - 1))


@dataclass(frozen=True)
class Entry:
    """An entry of a flat file."""

    accession: str
    name: str
    sequence: str
    secondary: tuple[str, ...] = ()
    reviewed: bool = True
    gene: str = "ABC1"
    synonyms: tuple[str, ...] = ()
    full: str = "Example protein"
    organism: str = "Homo sapiens (Human)"
    taxon: int = 9606
    comments: tuple[tuple[str, str], ...] = ()
    references: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ("Cytoplasm", "Kinase")
    features: tuple[str, ...] = ()
    pmids: tuple[str, ...] = ()

    def text(self) -> str:
        """The entry as the database writes it."""
        status = "Reviewed" if self.reviewed else "Unreviewed"
        genes = f"GN   Name={self.gene};" + (
            f" Synonyms={', '.join(self.synonyms)};" if self.synonyms else ""
        )
        rows = [
            f"ID   {self.name:<24}{status};{len(self.sequence):>12} AA.",
            f"AC   {'; '.join((self.accession, *self.secondary))};",
            "DT   01-JAN-2001, integrated into UniProtKB/Swiss-Prot.",
            "DT   02-FEB-2002, sequence version 3.",
            "DT   03-MAR-2023, entry version 77.",
            f"DE   RecName: Full={self.full} {{ECO:0000305}};",
            "DE            EC=2.7.11.1;",
            genes if self.gene else "",
            f"OS   {self.organism}.",
            "OC   Eukaryota; Metazoa.",
            f"OX   NCBI_TaxID={self.taxon};",
            *(
                row
                for number, pmid in enumerate(self.pmids, start=1)
                for row in (
                    f"RN   [{number}]",
                    "RP   FUNCTION.",
                    f"RX   PubMed={pmid};",
                    "RL   J. X. 1:1-2(2001).",
                )
            ),
            *(row for topic, text in self.comments for row in _comment(topic, text)),
            *(f"DR   {reference}." for reference in self.references),
            "PE   1: Evidence at protein level;",
            f"KW   {'; '.join(self.keywords)}.",
            *(f"FT   {row}" for row in self.features),
            f"SQ   SEQUENCE   {len(self.sequence)} AA;  13000 MW;  {crc64(self.sequence)[4:]} CRC64;",
            *_residues(self.sequence),
            "//",
        ]
        return "\n".join(row for row in rows if row) + "\n"


SEQUENCE = "MDSKGSSQKGSRLLLLLVVSNLLLPQGVVAEDCIGKPTEEWLNAVRTKCDGE"
ALPHA = Entry(
    "P11111",
    "ALPH_HUMAN",
    SEQUENCE,
    secondary=("Q22222", "Q33333"),
    gene="ALPH1",
    synonyms=("TGFB9", "NF-X"),
    full="Alpha-synthase β-like",
    comments=(
        ("FUNCTION", "Repairs broken strands of DNA in the nucleus. {ECO:0000269|PubMed:123}"),
        ("SUBCELLULAR LOCATION", "Nucleus, nucleolus {ECO:0000305}. Membrane; Lipid-anchor. Note=Seen once"),
        ("DISEASE", "Test disease 7 (TD7) [MIM:600123]: A disease. Note=Caused by variants"),
        (
            "ALTERNATIVE PRODUCTS",
            "Event=Alternative splicing; Named isoforms=2; Name=1; IsoId=P11111-1; Sequence=Displayed; "
            "Name=Short; Synonyms=B; IsoId=P11111-2; Sequence=VSP_000001, VSP_000002;",
        ),
    ),
    references=(
        "RefSeq; NP_000999.2; NM_001008.3. [P11111-1]",
        "PDB; 9XYZ; X-ray; 2.00 A; A=1-50",
        "GO; GO:0005634; C:nucleus; IDA:UniProtKB",
        "Ensembl; ENST00000123456; ENSP00000123456; ENSG00000123456",
    ),
    features=(
        "VAR_SEQ         2..5",
        '                /note="Missing (in isoform Short)"',
        '                /id="VSP_000001"',
        "VAR_SEQ         10",
        '                /note="G -> WW (in isoform Short)"',
        '                /id="VSP_000002"',
        "VARIANT         4",
        '                /note="K -> E (in TD7; dbSNP:rs777000777)"',
        '                /evidence="ECO:0000269|PubMed:555, ECO:0000269|PubMed:556"',
        '                /id="VAR_000009"',
        "VARIANT         6..7",
        '                /note="Missing (in TD7)"',
        "VARIANT         5",
        '                /note="W -> E (the residue is not there)"',
        "MUTAGEN         8",
        '                /note="Q->A,D: Loss of binding"',
        "CHAIN           ?..50",
        '                /note="Example chain, long enough for its note to go on over',
        '                the line"',
        "BINDING         P11111-2:7",
        '                /ligand="ATP"',
    ),
    pmids=("123", "555"),
)
OTHERS = (
    Entry("P44444", "BETA_MOUSE", chain(2), secondary=("Q33333",), gene="Alph1", taxon=10090,
          organism="Mus musculus (Mouse)", comments=(("FUNCTION", "Breaks strands"),)),
    Entry("P55555", "GAMM_YEAST", chain(3), gene="GAM1", taxon=559292, reviewed=False,
          organism="Saccharomyces cerevisiae (strain ATCC 204508 / S288c) (Baker's yeast)"),
)  # fmt: skip


def accession_of(number: int) -> str:
    """An accession of ten characters."""
    digits = f"{number:06d}"
    return f"A0A{digits[:3]}A{digits[3:]}"


def many(count: int, *, start: int = 0, words: int = 60) -> Iterator[str]:
    """Entries with accessions of :func:`accession_of`, each with words of its own."""
    for number in range(start, start + count):
        rng = random.Random(number)
        told = " ".join(rng.choices(WORDS, k=words))
        yield Entry(
            accession_of(number),
            f"X{number}_HUMAN",
            chain(number, 300),
            gene=f"GEN{number}",
            comments=(("FUNCTION", told),),
            pmids=(str(1000 + number),),
        ).text()


@dataclass(frozen=True)
class Paper:
    """A paper."""

    pmid: str
    title: str
    abstract: str = ""
    year: int = 2010
    authors: tuple[tuple[str, str], ...] = (("Casbon", "JA"),)
    journal: str = "J Test"
    mesh: tuple[str, ...] = ()
    types: tuple[str, ...] = ("Journal Article",)
    doi: str = ""
    version: int = 1
    keywords: tuple[str, ...] = field(default=())

    def xml(self) -> str:
        """As an element of PubMed XML; title and abstract may hold markup."""
        people = "".join(
            f"<Author><LastName>{escape(n)}</LastName><Initials>{i}</Initials></Author>"
            for n, i in self.authors
        )
        heads = "".join(
            f"<MeshHeading><DescriptorName>{escape(m)}</DescriptorName></MeshHeading>" for m in self.mesh
        )
        types = "".join(f"<PublicationType>{escape(t)}</PublicationType>" for t in self.types)
        words = "".join(f"<Keyword>{escape(k)}</Keyword>" for k in self.keywords)
        abstract = (
            f"<Abstract><AbstractText>{self.abstract}</AbstractText></Abstract>" if self.abstract else ""
        )
        doi = f'<ELocationID EIdType="doi">{escape(self.doi)}</ELocationID>' if self.doi else ""
        return (
            "<PubmedArticle><MedlineCitation>"
            f'<PMID Version="{self.version}">{self.pmid}</PMID><Article><Journal>'
            f"<JournalIssue><PubDate><Year>{self.year}</Year></PubDate></JournalIssue>"
            "<Title>Journal of Tests</Title>"
            f"<ISOAbbreviation>{self.journal}</ISOAbbreviation></Journal><ArticleTitle>{self.title}</ArticleTitle>"
            f"{doi}{abstract}<AuthorList>{people}</AuthorList><Language>eng</Language>"
            f"<PublicationTypeList>{types}</PublicationTypeList></Article><MeshHeadingList>{heads}</MeshHeadingList>"
            f"<KeywordList>{words}</KeywordList></MedlineCitation></PubmedArticle>\n"
        )

    def medline(self) -> str:
        """As MEDLINE text."""
        rows = [
            ("PMID", self.pmid),
            ("TI", self.title),
            ("DP", f"{self.year} Jan"),
            ("JT", "Journal of Tests"),
        ]
        rows += [("AB", self.abstract)] if self.abstract else []
        rows += [("LID", f"{self.doi} [doi]")] if self.doi else []
        rows += [("AU", f"{name} {initials}") for name, initials in self.authors]
        rows += (
            [("MH", m) for m in self.mesh]
            + [("PT", t) for t in self.types]
            + [("OT", k) for k in self.keywords]
        )
        rows += [("TA", self.journal), ("LA", "eng")]
        return "".join(f"{tag:<4}- {value}\n" for tag, value in rows) + "\n"


def pubmed_xml(papers: Sequence[Paper], deleted: Sequence[str] = ()) -> str:
    """A file of PubMed's."""
    gone = "".join(f"<PMID>{pmid}</PMID>" for pmid in deleted)
    gone = f"<DeleteCitation>{gone}</DeleteCitation>" if gone else ""
    head = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE PubmedArticleSet SYSTEM "pubmed.dtd">\n'
    return f"{head}<PubmedArticleSet>\n{''.join(p.xml() for p in papers)}{gone}</PubmedArticleSet>\n"


def _comment(topic: str, text: str) -> Iterator[str]:
    """A comment in lines of at most 75 characters."""
    line = f"CC   -!- {topic}:"
    for word in text.split():
        if len(line) + len(word) > 74:
            yield line
            line = f"CC       {word}"
        else:
            line += f" {word}"
    yield line if line.endswith(";") else line + "."


def _residues(sequence: str) -> Iterator[str]:
    """Sixty residues a line, in tens."""
    for at in range(0, len(sequence), 60):
        row = sequence[at : at + 60]
        yield "     " + " ".join(row[k : k + 10] for k in range(0, len(row), 10))
