"""A local server that answers as UniProt's REST interface and NCBI's E-utilities do: real HTTP, own facts.

``BioServer()`` knows two proteins and the papers of ``PAPERS``; ``server.script`` holds replies
that come first, one a request (faults). ``server.asked`` are the requests, with their time of arrival.
"""

from __future__ import annotations

import gzip
import json
import socket
import struct
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

SEQUENCE = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEK"


@dataclass(frozen=True)
class Reply:
    """A reply: ``body`` is text, or JSON values. ``cut``: that many bytes are sent, then the connection ends
    while more were promised. ``drop``: it is reset before a byte is sent. ``seconds``: before each kilobyte.
    ``packed``: compressed.
    """

    status: int = 200
    body: Any = ""
    headers: dict[str, str] = field(default_factory=dict)
    cut: int = -1
    drop: bool = False
    seconds: float = 0.0
    packed: bool = False


@dataclass(frozen=True)
class Asked:
    """A request."""

    method: str
    path: str
    values: dict[str, str]
    headers: dict[str, str]
    at: float


def entry(accession: str = "Q0TST1", **more: Any) -> dict[str, Any]:
    """An entry as UniProt gives it, of a protein that does not exist."""
    return {
        "entryType": "UniProtKB reviewed (Swiss-Prot)",
        "primaryAccession": accession,
        "secondaryAccessions": ["Q0OLD1"],
        "uniProtkbId": "TEST1_HUMAN",
        "entryAudit": {
            "firstPublicDate": "2001-01-01",
            "lastAnnotationUpdateDate": "2025-02-05",
            "entryVersion": 77,
            "sequenceVersion": 2,
        },
        "organism": {"scientificName": "Homo sapiens", "commonName": "Human", "taxonId": 9606},
        "proteinExistence": "1: Evidence at protein level",
        "proteinDescription": {
            "recommendedName": {
                "fullName": {"value": "Testin kinase 1"},
                "shortNames": [{"value": "TK-1"}],
                "ecNumbers": [{"value": "2.7.11.99"}],
            },
            "alternativeNames": [{"fullName": {"value": "Protein of tests"}}],
        },
        "genes": [
            {
                "geneName": {"value": "TSTK1"},
                "synonyms": [{"value": "TST"}],
                "orfNames": [{"value": "FLJ00001"}],
            }
        ],
        "comments": COMMENTS,
        "features": FEATURES,
        "keywords": [{"id": "KW-0001", "name": "Kinase"}, {"id": "KW-0002", "name": "Membrane"}],
        "references": [
            {"citation": {"citationCrossReferences": [{"database": "PubMed", "id": "90000001"}]}},
            {"citation": {"citationCrossReferences": [{"database": "DOI", "id": "10.1/x"}]}},
            {"citation": {"citationCrossReferences": [{"database": "PubMed", "id": "90000002"}]}},
        ],
        "uniProtKBCrossReferences": [
            {
                "database": "GO",
                "id": "GO:0005737",
                "properties": [
                    {"key": "GoTerm", "value": "C:cytoplasm"},
                    {"key": "GoEvidenceType", "value": "IDA:UniProtKB"},
                ],
            },
            {"database": "PDB", "id": "9TST", "properties": [{"key": "Method", "value": "X-ray"}]},
        ],
        "sequence": {"value": SEQUENCE, "length": len(SEQUENCE), "molWeight": 5900, "crc64": "0" * 16},
        **more,
    }


COMMENTS: list[dict[str, Any]] = [
    {"commentType": "FUNCTION", "texts": [{"value": "Phosphorylates tests (PubMed:90000001)"}]},
    {"commentType": "FUNCTION", "molecule": "Isoform 2", "texts": [{"value": "Fails on purpose"}]},
    {
        "commentType": "SUBCELLULAR LOCATION",
        "subcellularLocations": [
            {
                "location": {"value": "Cell membrane", "id": "SL-0039"},
                "topology": {"value": "Single-pass membrane protein"},
            },
            {"location": {"value": "Cytoplasm"}},
        ],
    },
    {
        "commentType": "ALTERNATIVE PRODUCTS",
        "isoforms": [
            {
                "name": {"value": "1"},
                "isoformIds": ["Q0TST1-1"],
                "isoformSequenceStatus": "Displayed",
            },
            {
                "name": {"value": "2"},
                "synonyms": [{"value": "short"}],
                "isoformIds": ["Q0TST1-2"],
                "sequenceIds": ["VSP_000001", "VSP_000002"],
                "isoformSequenceStatus": "Described",
            },
            {
                "name": {"value": "3"},
                "isoformIds": ["Q0TST1-3"],
                "isoformSequenceStatus": "Not described",
            },
        ],
    },
    {
        "commentType": "DISEASE",
        "disease": {
            "diseaseId": "Flaky syndrome 1",
            "acronym": "FLK1",
            "diseaseCrossReference": {"database": "MIM", "id": "999999"},
        },
        "note": {"texts": [{"value": "Caused by variants of the gene"}]},
    },
    {"commentType": "DISEASE", "note": {"texts": [{"value": "No name here"}]}},
]


def _feature(kind: str, first: int, last: int, **more: Any) -> dict[str, Any]:
    """A feature with known ends."""
    place = {"start": {"value": first, "modifier": "EXACT"}, "end": {"value": last, "modifier": "EXACT"}}
    return {"type": kind, "location": place, "description": "", **more}


FEATURES: list[dict[str, Any]] = [
    _feature("Domain", 5, 30, description="Test"),
    _feature("Binding site", 12, 12, ligand={"name": "ATP"}),
    {
        "type": "Signal",
        "location": {
            "start": {"value": 1, "modifier": "EXACT"},
            "end": {"value": None, "modifier": "UNKNOWN"},
        },
    },
    _feature(
        "Alternative sequence",
        1,
        3,
        featureId="VSP_000001",
        alternativeSequence={"originalSequence": "MKT", "alternativeSequences": ["MG"]},
    ),
    _feature("Alternative sequence", 50, 53, featureId="VSP_000002", alternativeSequence={}),
    _feature(
        "Natural variant",
        7,
        7,
        featureId="VAR_000001",
        description="in FLK1; dbSNP:rs1234567",
        featureCrossReferences=[{"database": "dbSNP", "id": "rs1234567"}],
        evidences=[{"source": "PubMed", "id": "90000002"}],
        alternativeSequence={"originalSequence": "A", "alternativeSequences": ["V"]},
    ),
    _feature("Natural variant", 9, 10, featureId="VAR_000002", alternativeSequence={}),
    _feature(
        "Natural variant",
        11,
        11,
        featureId="VAR_000003",
        description="in a syndrome not matching FLK1; dbSNP:rs22 and dbSNP:rs33",
        featureCrossReferences=[{"database": "dbSNP", "id": "rs33"}],
        alternativeSequence={"originalSequence": "Q", "alternativeSequences": ["W"]},
    ),
    {
        "type": "Natural variant",
        "location": {
            "start": {"value": 3, "modifier": "EXACT"},
            "end": {"value": 3, "modifier": "EXACT"},
            "sequence": "Q0TST1-2",
        },
        "alternativeSequence": {"originalSequence": "Y", "alternativeSequences": ["C"]},
    },
    _feature(
        "Natural variant",
        5,
        5,
        alternativeSequence={"originalSequence": "W", "alternativeSequences": ["C"]},
    ),
]
SUBMITTED = entry(
    "A0A0T3ST01",
    entryType="UniProtKB unreviewed (TrEMBL)",
    uniProtkbId="A0A0T3ST01_MOUSE",
    secondaryAccessions=[],
    proteinDescription={"submissionNames": [{"fullName": {"value": "Testin-like"}}]},
    genes=[{"orfNames": [{"value": "mCG_1"}]}],
    comments=[],
    features=[],
)
INACTIVE = {
    "Q0SPL1": {"inactiveReasonType": "DEMERGED", "mergeDemergeTo": ["Q0TST1", "A0A0T3ST01"]},
    "Q0MRG1": {"inactiveReasonType": "MERGED", "mergeDemergeTo": ["Q0TST1"]},
    "Q0DEL1": {"inactiveReasonType": "DELETED", "deletedReason": "Redundant test"},
}
PAPERS: dict[str, dict[str, Any]] = {
    "90000001": {"title": "Testin kinase and the <i>flaky</i> pathway", "year": "2021", "doi": "10.1/one"},
    "90000002": {"title": "TNF-α in tests", "year": "2019", "doi": "10.1/two"},
    "90000003": {"title": "A retracted story", "year": "2018", "doi": "", "retracted": True},
}
SEARCH_TYPE = (
    '<!DOCTYPE eSearchResult PUBLIC "-//NLM//DTD esearch 20060628//EN" '
    '"https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20060628/esearch.dtd">'
)
SUMMARY_TYPE = (
    '<!DOCTYPE eSummaryResult PUBLIC "-//NLM//DTD esummary v1 20041029//EN" '
    '"https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20041029/esummary-v1.dtd">'
)
ARTICLE_TYPE = (
    '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2099//EN" '
    '"https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_990101.dtd">'
)
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def search_xml(pmids: list[str], total: int, more: str = "") -> str:
    """An answer of esearch."""
    ids = "".join(f"<Id>{p}</Id>" for p in pmids)
    return (
        f"{HEAD}{SEARCH_TYPE}\n<eSearchResult><Count>{total}</Count><RetMax>{len(pmids)}</RetMax>"
        f"<RetStart>0</RetStart><IdList>{ids}</IdList><TranslationSet/>"
        f"<QueryTranslation>tests[All Fields]</QueryTranslation>{more}</eSearchResult>"
    )


def summary_xml(pmids: list[str]) -> str:
    """An answer of esummary."""
    parts = []
    for pmid in pmids:
        paper = PAPERS[pmid]
        parts.append(
            f"<DocSum><Id>{pmid}</Id>"
            f'<Item Name="PubDate" Type="Date">{paper["year"]} Mar 5</Item>'
            f'<Item Name="Source" Type="String">J Tests</Item>'
            '<Item Name="AuthorList" Type="List"><Item Name="Author" Type="String">Doe JA</Item>'
            '<Item Name="Author" Type="String">Roe R</Item></Item>'
            f'<Item Name="Title" Type="String">{escape(paper["title"])}</Item>'
            f'<Item Name="DOI" Type="String">{paper["doi"]}</Item>'
            '<Item Name="FullJournalName" Type="String">Journal of tests</Item></DocSum>'
        )
    return f"{HEAD}{SUMMARY_TYPE}\n<eSummaryResult>{''.join(parts)}</eSummaryResult>"


def article_xml(pmids: list[str]) -> str:
    """An answer of efetch; its document type is one that nobody has."""
    return f"{HEAD}{ARTICLE_TYPE}\n<PubmedArticleSet>{''.join(map(_article, pmids))}</PubmedArticleSet>"


def _article(pmid: str) -> str:
    """One article."""
    paper = PAPERS[pmid]
    retracted = "<PublicationType UI='D016441'>Retracted Publication</PublicationType>"
    return (
        f'<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">{pmid}</PMID>'
        '<Article PubModel="Print"><Journal><JournalIssue CitedMedium="Print"><Volume>7</Volume>'
        f"<Issue>2</Issue><PubDate><Year>{paper['year']}</Year></PubDate></JournalIssue>"
        "<Title>Journal of tests</Title></Journal>"
        f"<ArticleTitle>{paper['title']}</ArticleTitle><Pagination><MedlinePgn>1-9</MedlinePgn></Pagination>"
        '<Abstract><AbstractText Label="METHODS">We ran it.</AbstractText>'
        '<AbstractText Label="RESULTS">CO<sub>2</sub> &lt; 5.</AbstractText></Abstract>'
        '<AuthorList CompleteYN="Y"><Author ValidYN="Y"><LastName>Doe</LastName><ForeName>Jane A</ForeName>'
        "<Initials>JA</Initials></Author><Author><CollectiveName>Test Group</CollectiveName></Author>"
        "</AuthorList><Language>eng</Language><PublicationTypeList>"
        '<PublicationType UI="D016428">Journal Article</PublicationType>'
        f"{retracted if paper.get('retracted') else ''}</PublicationTypeList></Article>"
        '<MeshHeadingList><MeshHeading><DescriptorName UI="D1" MajorTopicYN="N">Tests</DescriptorName>'
        '</MeshHeading></MeshHeadingList><KeywordList Owner="NOTNLM"><Keyword MajorTopicYN="N">flaky'
        "</Keyword></KeywordList></MedlineCitation><PubmedData><ArticleIdList>"
        f'<ArticleId IdType="pubmed">{pmid}</ArticleId><ArticleId IdType="doi">{paper["doi"]}</ArticleId>'
        '<ArticleId IdType="pmc">PMC1</ArticleId></ArticleIdList></PubmedData></PubmedArticle>'
    )


@dataclass
class BioServer:
    """The server, as a context manager; ``url`` is its address."""

    script: list[Reply] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)
    found: list[dict[str, Any]] = field(default_factory=lambda: [entry()])
    total: int = 1

    def __enter__(self) -> Self:
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def reply(self, asked: Asked) -> Reply:
        """What a request gets."""
        with self._lock:
            self.asked.append(asked)
            if self.script:
                return self.script.pop(0)
        if asked.path.endswith(".fcgi"):
            return self._entrez(asked)
        if asked.path == "/uniprotkb/search":
            headers = {"X-Total-Results": str(self.total)}
            return Reply(body={"results": self.found}, headers=headers)
        return self._entry(asked.path.rpartition("/")[2])

    def _entry(self, accession: str) -> Reply:
        """An entry, where it went, or that there is none."""
        if accession == "Q0OLD1":  # UniProt answers a secondary accession so
            return Reply(303, headers={"Location": "/uniprotkb/Q0TST1?from=Q0OLD1"})
        if accession in INACTIVE:
            values = {"entryType": "Inactive", "primaryAccession": accession}
            return Reply(body={**values, "inactiveReason": INACTIVE[accession]})
        known = {"Q0TST1": entry(), "A0A0T3ST01": SUBMITTED}
        if accession in known:
            return Reply(body=known[accession])
        return Reply(404, {"url": "http://rest/x", "messages": ["Resource not found"]})

    def _entrez(self, asked: Asked) -> Reply:
        """What a program of the E-utilities says."""
        program = asked.path.rpartition("/")[2].partition(".")[0]
        pmids = [p for p in asked.values.get("id", "").split(",") if p in PAPERS]
        if program == "esearch":
            return Reply(body=search_xml(list(PAPERS)[: int(asked.values["retmax"])], 41))
        return Reply(body=summary_xml(pmids) if program == "esummary" else article_xml(pmids))

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        """The handler's class, bound to this server."""
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self._answer(urlsplit(self.path).query)

            def do_POST(self) -> None:
                self._answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

            def _answer(self, query: str) -> None:
                values = {k: v[0] for k, v in parse_qs(query).items()}
                path = urlsplit(self.path).path
                headers = {k.lower(): v for k, v in self.headers.items()}
                reply = outer.reply(Asked(self.command, path, values, headers, time.monotonic()))
                self._send(reply)

            def _send(self, reply: Reply) -> None:
                if reply.drop:
                    self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    self.close_connection = True
                    self.connection.close()
                    return
                text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
                data = gzip.compress(text.encode()) if reply.packed else text.encode()
                self.send_response(reply.status)
                packing = {"Content-Encoding": "gzip"} if reply.packed else {}
                for name, value in {"Content-Length": str(len(data)), **packing, **reply.headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                try:
                    self._body(reply, data)
                except OSError:
                    self.close_connection = True

            def _body(self, reply: Reply, data: bytes) -> None:
                if reply.cut >= 0:
                    self.wfile.write(data[: reply.cut])
                    self.wfile.flush()
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_WR)
                    return
                for start in range(0, max(len(data), 1), 1024):
                    if reply.seconds:
                        time.sleep(reply.seconds)
                    self.wfile.write(data[start : start + 1024])
                    self.wfile.flush()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        return Handler
