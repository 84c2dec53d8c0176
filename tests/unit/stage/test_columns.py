"""Columns left out of staged data: a second target of the same data, with a variable withheld."""

import http.server
import threading
from functools import partial

import pytest

from labagent.files import sha256_file
from labagent.models.tables import Target, data_place
from labagent.stage.data import stage_data
from labagent.stage.items import parse_item

TABLE = 'cell,donor,note,value\r\n"a,1",P1,"said ""x""",1.50\r\nb,P2,,2\r\n'


@pytest.fixture
def stage(tmp_path):
    def run(*items):
        target = Target(target="t", family="f", task="t.md", answer="q=a.json:q", data=items)
        folder = tmp_path / "staged"
        manifest = stage_data(
            target, folder, base=tmp_path, artifacts=tmp_path / "artifacts", cache=tmp_path / "cache"
        )
        return manifest, folder / "files"

    return run


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "cells.csv"
    path.write_bytes(b"\xef\xbb\xbf" + TABLE.encode())
    return path


def test_the_rest_of_the_table_stays_as_it_is(stage, table):
    manifest, files = stage("cells.csv#drop=donor")
    assert manifest.status == "staged"
    assert (files / "cells.csv").read_text() == 'cell,note,value\n"a,1","said ""x""",1.50\nb,,2\n'
    before = manifest.content_sha256
    assert stage("cells.csv#drop=donor")[0].content_sha256 == before
    assert stage("cells.csv")[0].content_sha256 != before


def test_several_columns_of_a_tsv_and_the_pin_of_the_source(stage, table, tmp_path):
    (tmp_path / "x.tsv").write_text("a\tb\tc\n1\t2\t3\n")
    pin = sha256_file(tmp_path / "x.tsv")
    manifest, files = stage(f"x.tsv#drop=a,c#sha256={pin}")
    assert (manifest.status, (files / "x.tsv").read_text()) == ("staged", "b\n2\n")
    assert stage(f"x.tsv#drop=a#sha256={'0' * 64}")[0].status == "failed"


def test_a_downloaded_table_is_pinned_then_cut(stage, table, tmp_path):
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    handler.log_message = lambda *_: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/cells.csv"
        manifest, files = stage(f"{url}#drop=donor,note#sha256={sha256_file(table)}")
        wrong, _ = stage(f"{url}#sha256={'0' * 64}")
        server.shutdown()
    assert (manifest.status, wrong.status) == ("staged", "failed")
    assert "expected 000" in wrong.reason
    assert stage(f"{url}#drop=donor,note#sha256={sha256_file(table)}")[0].status == "staged"
    assert "P1" not in (files / "cells.csv").read_text()


@pytest.mark.parametrize(
    ("item", "content", "reason"),
    [
        ("cells.csv#drop=batch", TABLE, 'no single column "batch"'),
        ("cells.csv#drop=a", "a,a,b\n1,2,3\n", 'no single column "a"'),
        ("cells.csv#drop=", TABLE, "must name at least one column"),
        ("cells.csv#drop=donor", "donor,b\n1\n", "line 2 has 1 cells"),
        ("cells.csv#drop=donor", b"donor,b\n\xff,1\n", "UTF-8"),
        ("cells.csv#drop=donor", 'donor,b\n"1,2\n', "no table"),
        ("cells.csv#drop=donor", "", "no single column"),
        ("cells.csv#sha256=abc", TABLE, "64 hexadecimal digits"),
        ("cells.json#drop=donor", TABLE, ".csv and .tsv files alone"),
        (".#drop=donor", TABLE, ".csv and .tsv files alone"),
    ],
)
def test_what_cannot_be_cut_is_an_outcome_with_its_reason(stage, table, tmp_path, item, content, reason):
    for name in ("cells.csv", "cells.json"):
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    manifest, files = stage(item)
    assert manifest.status == "failed"
    assert reason in manifest.reason
    assert list(files.iterdir()) == []


def test_options_of_an_item_are_told_from_its_place():
    pin = "ab" * 32
    for text, place, drop, sha256 in (
        ("a.csv", "a.csv", (), ""),
        ("a#b.csv", "a#b.csv", (), ""),
        (f"a.csv#sha256={pin}", "a.csv", (), pin),
        ("a.csv#drop=x, y", "a.csv", ("x", "y"), ""),
        (f"https://h/a.csv#drop=x#sha256={pin}", "https://h/a.csv", ("x",), pin),
    ):
        item = parse_item(text)
        assert (item.place, item.drop, item.sha256) == (place, drop, sha256)
        assert data_place(text) == place
