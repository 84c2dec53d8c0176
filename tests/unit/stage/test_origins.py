"""Threads from the GitHub API, abstracts from PubMed and local corpora, against a real HTTP server."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from labagent.errors import InfrastructureError, SourceError
from labagent.files import list_files
from labagent.models.skill import Source
from labagent.skills.passages import passage

TOKEN = "token-of-the-test-0123456789"
KEY = "key-of-the-test-0123456789"


class Web:
    """A server with scripted answers: ``path -> [(status, headers, body), …]``, the last one repeated."""

    def __init__(self) -> None:
        self.answers: dict[str, list[tuple[int, dict[str, str], Any]]] = {}
        self.requests: list[tuple[str, dict[str, list[str]], str]] = []
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                web.requests.append(
                    (parts.path, parse_qs(parts.query), self.headers.get("Authorization", ""))
                )
                page = parse_qs(parts.query).get("page", [""])[0]
                known = web.answers.get(f"{parts.path}#{page}") or web.answers.get(parts.path)
                status, headers, body = (
                    known.pop(0) if known and len(known) > 1 else (known or [(404, {}, "")])[0]
                )
                data = body.encode() if isinstance(body, str) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Length": str(len(data)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def say(self, path: str, *answers: tuple[int, dict[str, str], Any]) -> None:
        self.answers[path] = list(answers)

    def paths(self) -> list[str]:
        return [path for path, _, _ in self.requests]


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    found = Web()
    for name in ("GH_TOKEN", "ENTREZ_API_KEY", "http_proxy", "HTTP_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    monkeypatch.setenv("GITHUB_API_URL", found.url)
    monkeypatch.setenv("LABAGENT_ENTREZ_URL", found.url)
    monkeypatch.setenv("ENTREZ_EMAIL", "a@example.org")
    yield found
    found.server.shutdown()
    found.server.server_close()


@pytest.fixture
def src(tmp_path: Path, write: Any) -> Path:
    write(tmp_path / "src", {"README.md": "# lab\n"})
    return tmp_path


def github(web: Web) -> None:
    """Two pages of threads; number 2 is a pull request with a review comment."""
    web.say("/repos/o/r/issues#", (200, {"Link": f'<{web.url}/repos/o/r/issues?page=2>; rel="next"'}, [
        {"number": 7, "title": "Wrong sign", "body": "why?", "comments": 2, "user": {"login": "someone"}},
    ]))  # fmt: skip
    web.say("/repos/o/r/issues#2", (200, {}, [
        {"number": 2, "title": "Fix", "body": None, "comments": 0, "pull_request": {"url": "x"}},
    ]))  # fmt: skip
    more = {"Link": '</repos/o/r/issues/7/comments?page=2>; rel="next"'}
    posts = [
        {"id": n, "created_at": f"2020-01-0{n}", "body": body}
        for n, body in enumerate(("ref_level is ignored", "since 0.5", "rename it"), 1)
    ]
    web.say("/repos/o/r/issues/7/comments#", (200, more, posts[:1]))
    web.say("/repos/o/r/issues/7/comments#2", (200, {}, posts[1:2]))
    web.say("/repos/o/r/pulls/2/comments", (200, {}, posts[2:]))


def test_threads_come_page_by_page_and_can_be_cited(stage, src, web):
    github(web)
    stage.lab(repository="src", issues="github:o/r")
    threads = json.loads((stage.folder / "issues/o-r.json").read_text())
    assert [(t["number"], len(t["comments"])) for t in threads] == [(2, 1), (7, 2)]
    place = Source(kind="issue", path="o-r.json", issue=7, comment=2)
    assert passage(place, stage.folder) == "since 0.5"
    assert {sent for _, _, sent in web.requests} == {f"Bearer {TOKEN}"}
    assert "someone" not in json.dumps(threads)
    for path in [*list_files(stage.folder), *list_files(stage.cache)]:
        assert TOKEN.encode() not in path.read_bytes()


def test_what_was_fetched_is_used_again(stage, src, web):
    github(web)
    first = stage.lab(repository="src", issues="github:o/r")
    asked = len(web.requests)
    web.answers.clear()
    assert stage.lab(repository="src", issues="github:o/r").content_sha256 == first.content_sha256
    assert len(web.requests) == asked


def test_one_thread_and_a_number_of_threads(stage, src, web):
    github(web)
    web.say("/repos/o/r/issues/7", (200, {}, {"number": 7, "title": "t", "body": "b", "comments": 0}))
    stage.lab(repository="src", issues="github:o/r/7; github:o/r?threads=1")
    assert stage.names("issues") == ["o-r-7.json", "o-r.json"]
    assert "/repos/o/r/pulls/2/comments" not in web.paths()


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (429, {"retry-after": "0"}),
        (403, {"retry-after": "0"}),
        (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1"}),
        (502, {}),
    ],
)
def test_limits_and_failing_servers_are_waited_for(stage, src, web, monkeypatch, status, headers):
    monkeypatch.setattr("labagent.stage.documents.origins._api.FIRST_WAIT", 0.01)
    thread = {"number": 7, "title": "t", "body": "b", "comments": 0}
    web.say("/repos/o/r/issues/7", (status, headers, ""), (status, headers, ""), (200, {}, thread))
    stage.lab(repository="src", issues="github:o/r/7")
    assert web.paths().count("/repos/o/r/issues/7") == 3


def test_a_limit_that_lasts_is_no_outcome(stage, src, web):
    web.say("/repos/o/r/issues/7", (429, {"retry-after": "3600"}, ""))
    with pytest.raises(InfrastructureError, match="for another 3600 s; set GITHUB_TOKEN") as error:
        stage.lab(repository="src", issues="github:o/r/7")
    assert TOKEN not in str(error.value)
    assert web.paths() == ["/repos/o/r/issues/7"]


def test_a_server_that_stays_down_is_infrastructure(stage, src, web, monkeypatch):
    monkeypatch.setattr("labagent.stage.documents.origins._api.FIRST_WAIT", 0.01)
    web.say("/repos/o/r/issues", (503, {}, ""))
    with pytest.raises(InfrastructureError, match="503 Service Unavailable, 4 times"):
        stage.lab(repository="src", issues="github:o/r")
    assert not list(stage.cache.rglob("*.json"))


def test_a_token_follows_no_link_to_another_server(stage, src, web):
    other = Web()
    web.say("/repos/o/r/issues", (200, {"Link": f'<{other.url}/steal>; rel="next"'}, []))
    with pytest.raises(InfrastructureError, match="another server"):
        stage.lab(repository="src", issues="github:o/r")
    web.say("/repos/o/r/issues", (302, {"Location": f"{other.url}/steal"}, ""))
    with pytest.raises(SourceError, match="302"):
        stage.lab(repository="src", issues="github:o/r")
    assert other.requests == []
    other.server.shutdown()
    other.server.server_close()


@pytest.mark.parametrize(
    "item", ["github:o", "github:o/r/x", "github:../r", "github:o/r?threads=0", "github:o/gone"]
)
def test_items_of_another_form_are_refused(stage, src, web, item):
    with pytest.raises(SourceError, match=r"must read github:OWNER/REPO|404"):
        stage.lab(repository="src", issues=item)


def test_an_origin_stands_in_its_column(stage, src, web):
    with pytest.raises(SourceError, match="github: stands in issues, not in papers"):
        stage.lab(repository="src", papers="github:o/r")


MEDLINE = """
PMID- 111
DP  - 2014
TA  - Genome Biol
TI  - Moderated estimation of
      dispersion.
FAU - Love, M
AB  - Shrinkage of fold changes.
MH  - RNA-Seq

PMID- 222
TI  - Outlier counts.
AB  - Cook's distance flags them.
"""


def entrez(web: Web) -> None:
    web.say("/esearch.fcgi", (200, {}, {"esearchresult": {"idlist": ["111", "222"]}}))
    web.say("/efetch.fcgi", (200, {"Content-Type": "text/plain"}, MEDLINE))


def test_abstracts_are_pages_that_can_be_cited(stage, src, web, monkeypatch):
    monkeypatch.setenv("ENTREZ_API_KEY", KEY)
    entrez(web)
    manifest = stage.lab(repository="src", papers="entrez:2:fold change shrinkage")
    assert [f.path for f in manifest.papers] == ["pubmed-fold-change-shrinkage.txt"]
    place = Source(kind="paper", path=manifest.papers[0].path, page=1)
    text = passage(place, stage.folder)
    assert "PMID 111 2014 Genome Biol\nModerated estimation of dispersion.\nLove, M" in text
    assert "Cook's distance" in passage(place.model_copy(update={"page": 2}), stage.folder)
    (_, search, _), (_, fetch, _) = web.requests
    assert (search["term"], search["retmax"], search["email"]) == (
        ["fold change shrinkage"],
        ["2"],
        ["a@example.org"],
    )
    assert (fetch["id"], fetch["api_key"]) == (["111,222"], [KEY])
    for path in [*list_files(stage.folder), *list_files(stage.cache)]:
        assert KEY.encode() not in path.read_bytes()
    stage.lab(repository="src", papers="entrez:2:fold  change shrinkage")
    assert len(web.requests) == 2


def test_a_search_is_tried_again_and_fails_without_an_outcome(stage, src, web):
    entrez(web)
    web.answers["/esearch.fcgi"][:0] = [(429, {}, ""), (500, {}, "")]
    stage.lab(repository="src", papers="entrez:once")
    assert web.paths() == ["/esearch.fcgi"] * 3 + ["/efetch.fcgi"]
    web.say("/esearch.fcgi", (500, {}, ""))
    with pytest.raises(InfrastructureError, match="esearch: the server answers 500"):
        stage.lab(repository="src", papers="entrez:twice")
    web.say("/esearch.fcgi", (200, {}, "<html>"))
    with pytest.raises(InfrastructureError, match="cannot be read"):
        stage.lab(repository="src", papers="entrez:twice")


def test_a_search_that_cannot_be_made_says_why(stage, src, web, monkeypatch):
    web.say("/esearch.fcgi", (200, {}, {"esearchresult": {"idlist": []}}))
    with pytest.raises(SourceError, match="finds nothing"):
        stage.lab(repository="src", papers="entrez:nothing at all")
    for item in ("entrez:", "entrez:0:x", "entrez:900:x"):
        with pytest.raises(SourceError, match="must read entrez:QUERY"):
            stage.lab(repository="src", papers=item)
    monkeypatch.delenv("ENTREZ_EMAIL")
    with pytest.raises(SourceError, match="set ENTREZ_EMAIL"):
        stage.lab(repository="src", papers="entrez:x")


def test_a_corpus_is_staged_and_searched(stage, src, write):
    from labagent.explore.index import open_index

    write(src / "shelf", {"a/one.md": "# Growth\n", "b/one.txt": "Dispersion trend\n", ".hidden/x.md": "x"})
    write(src / "shelf", {"c.nbib": MEDLINE, "table.csv": "1,2\n"})
    stage.lab(repository="src", papers="corpus:shelf")
    assert stage.names("papers") == ["c.txt", "one.md", "one.txt"]
    with open_index(stage.folder) as index:
        (hit,) = index.search("outlier", kinds=["paper"])
    assert (hit.source.path, hit.source.page) == ("c.txt", 2)
    with pytest.raises(SourceError, match="there is no folder"):
        stage.lab(repository="src", papers="corpus:none")
    write(src / "empty", {"table.csv": "1\n"})
    with pytest.raises(SourceError, match="holds no document"):
        stage.lab(repository="src", papers="corpus:empty")
