from __future__ import annotations

import json

import pytest

from labagent.errors import SourceError
from labagent.files import sha256_file
from labagent.stage.documents.papers import tables_of


def pdf(path, pages, password=""):
    """A PDF that says each of ``pages`` in Helvetica; an empty string is a page without text."""
    from pypdf import PdfWriter
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = PdfWriter()
    for text in pages:
        page = writer.add_blank_page(width=300, height=200)
        font = DictionaryObject(
            {NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1"),
             NameObject("/BaseFont"): NameObject("/Helvetica")}
        )  # fmt: skip
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F"): font})}
        )
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F 12 Tf 20 100 Td ({text}) Tj ET".encode() if text else b"")
        page[NameObject("/Contents")] = writer._add_object(stream)
    if password:
        writer.encrypt(password)
    path.parent.mkdir(exist_ok=True)
    writer.write(path)


@pytest.fixture
def src(tmp_path, write):
    write(tmp_path / "src", {"README.md": "# lab\n", "docs/a/index.md": "a", "docs/b/index.md": "b"})
    return tmp_path


def test_paper_pages_are_apart(stage, src):
    pdf(src / "p/paper.pdf", ["Growth rate", "", "Table two"])
    manifest = stage.lab(repository="src", papers="p/paper.pdf")
    pages = (stage.folder / "papers/paper.txt").read_text().split("\f")
    assert [p.strip() for p in pages] == ["Growth rate", "", "Table two"]
    assert manifest.warnings == ("papers/paper.txt: no text on page 2 of 3 (scanned?)",)
    assert [f.path for f in manifest.papers] == ["paper.txt"]


def test_tables_keep_their_columns(stage, src):
    rows = ("Gene", "logFC", "p"), ("ABC1", "1.25", "0.003"), ("XYZ2", "", "0.8"), ("LONG3", "-0.44", "1e-6")
    cells = [(40 + 90 * c, 150 - 15 * r, t) for r, row in enumerate(rows) for c, t in enumerate(row) if t]
    words = [(20, 180, "In 2 lines"), (20, 165, "of text."), *cells, (20, 60, "The end of 3.")]
    placed = ") Tj ET BT /F 10 Tf ".join(f"{x} {y} Td ({text}" for x, y, text in words)
    pdf(src / "p/paper.pdf", [f") Tj ET BT /F 10 Tf {placed}"])
    stage.lab(repository="src", papers="p/paper.pdf")
    text = (stage.folder / "papers/paper.txt").read_text()
    assert "XYZ2 0.8" in text
    table = text.split("[table as laid out]\n")[1].split("\n")
    assert [row.split() for row in table] == [[cell for cell in row if cell] for row in rows]
    columns = [row.index(cell) for row, cell in zip(table, ("p", "0.003", "0.8", "1e-6"), strict=True)]
    assert len(set(columns)) == 1


def test_text_in_columns_is_no_table():
    prose = "We fit the model to the counts of all genes    and print how many of them were kept.\n" * 9
    assert tables_of(prose) == []
    assert tables_of("a    1\nb    2\n") == []
    assert tables_of("a    1\n\nb    2\nc    3\n\nd    x\n") == ["a    1\nb    2\nc    3"]


def test_papers_that_cannot_be_read(stage, src):
    pdf(src / "locked.pdf", ["x"], password="secret")
    pdf(src / "whole.pdf", ["x"])
    (src / "cut.pdf").write_bytes((src / "whole.pdf").read_bytes()[:200])
    (src / "fake.pdf").write_text("not a pdf")
    (src / "p.docx").write_bytes(b"PK\0")
    for name, reason in (
        ("locked", "encrypted"),
        ("cut", "cannot be read|no pages"),
        ("fake", "not a PDF"),
    ):
        with pytest.raises(SourceError, match=f"{name}.pdf: .*({reason})"):
            stage.lab(repository="src", papers=f"{name}.pdf")
    with pytest.raises(SourceError, match=r"p\.docx.*use \.pdf"):
        stage.lab(repository="src", papers="p.docx")


def test_items_of_the_own_repository_and_names_that_meet(stage, src):
    manifest = stage.lab(repository="src", tutorials="repo:docs/*/index.md; repo:README.md")
    assert [f.path for f in manifest.tutorials] == ["README.md", "b-index.md", "index.md"]
    assert (stage.folder / "tutorials/b-index.md").read_text() == "b"


@pytest.mark.parametrize("item", ["repo:../x.md", "repo:docs", "none.md", "repo:docs/a/index.md"])
def test_items_that_are_not_there(stage, src, item, write):
    write(src, {"x.md": "x"})
    with pytest.raises(SourceError, match=item.split(":")[-1].split("/")[-1]):
        stage.lab(repository="src", tutorials=item, sealed="docs/a")


def test_paper_by_url(stage, src, serve):
    pdf(src / "web/1234.5678", ["From the web"])
    url = f"{serve(src / 'web').url}/1234.5678"
    digest = sha256_file(src / "web/1234.5678")
    stage.lab(repository="src", papers=f"{url}#sha256={digest}")
    assert "From the web" in (stage.folder / "papers/1234.txt").read_text()


KERNEL = {"kernelspec": {"name": "ir", "language": "R", "display_name": "R"}}
NOTEBOOK_4 = {
    "nbformat": 4, "nbformat_minor": 5, "metadata": KERNEL,
    "cells": [
        {"cell_type": "markdown", "id": "a", "metadata": {}, "source": ["# T\n", "text"]},
        {"cell_type": "raw", "id": "b", "metadata": {}, "source": "raw"},
        {"cell_type": "code", "id": "c", "metadata": {}, "execution_count": 1, "source": "1 + 1",
         "outputs": [{"output_type": "stream", "name": "stdout", "text": "ANSWER"}]},
    ],
}  # fmt: skip
NOTEBOOK_3 = {
    "nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""},
    "worksheets": [{"metadata": {}, "cells": [
        {"cell_type": "code", "language": "python", "collapsed": False, "metadata": {}, "input": "x = 1",
         "outputs": [{"output_type": "stream", "stream": "stdout", "text": "ANSWER"}]},
    ]}],
}  # fmt: skip


def test_notebooks_become_cells_with_what_they_printed(stage, src, write):
    write(src, {"four.ipynb": json.dumps(NOTEBOOK_4), "three.ipynb": json.dumps(NOTEBOOK_3)})
    stage.lab(repository="src", tutorials="four.ipynb; three.ipynb")
    assert json.loads((stage.folder / "tutorials/four.json").read_text()) == [
        {"cell": 1, "type": "markdown", "source": "# T\ntext"},
        {"cell": 3, "type": "code", "source": "1 + 1", "outputs": "ANSWER"},
    ]
    assert json.loads((stage.folder / "tutorials/three.json").read_text()) == [
        {"cell": 1, "type": "code", "source": "x = 1", "outputs": "ANSWER"}
    ]


def test_sealed_outputs_are_in_no_tutorial(stage, src, write):
    write(src, {"four.ipynb": json.dumps(NOTEBOOK_4)})
    manifest = stage.lab(repository="src", tutorials="four.ipynb", sealed="notebook-outputs")
    assert "ANSWER" not in (stage.folder / "tutorials/four.json").read_text()
    assert manifest.sealed == {"notebook-outputs": 1}
    assert manifest.warnings == ()


@pytest.mark.parametrize("text", ["{", "[]", '{"cells": 3}', '{"nbformat": 4, "cells": [{}]}'])
def test_broken_notebook_is_named(stage, src, write, text):
    write(src, {"bad.ipynb": text})
    with pytest.raises(SourceError, match=r"bad\.ipynb"):
        stage.lab(repository="src", tutorials="bad.ipynb")


API = [
    {"number": 7, "title": "b", "body": None, "comments": 1, "user": {"login": "x"}},
    {"number": 3, "title": "a", "body": "does\r\nnot", "comments": []},
]
GH = [{"number": 3, "title": "a", "body": "x", "comments": [{"id": "1", "author": {}, "body": "use v2"}]}]
SPLIT = {
    "issues": API,
    "comments": [
        {"body": "yes", "issue_url": "https://api.example.org/repos/o/n/issues/7"},
        {"body": "lost", "issue_url": "https://api.example.org/repos/o/n/issues/70"},
    ],
}


@pytest.mark.parametrize(
    ("exported", "expected"),
    [
        (API, [(3, "does\nnot", []), (7, "", [])]),
        ([API], [(3, "does\nnot", []), (7, "", [])]),
        (GH, [(3, "x", ["use v2"])]),
        (SPLIT, [(3, "does\nnot", []), (7, "", ["yes"])]),
        (GH[0], [(3, "x", ["use v2"])]),
    ],
)
def test_issue_exports_come_to_one_shape(stage, src, write, exported, expected):
    write(src, {"threads.json": json.dumps(exported)})
    manifest = stage.lab(repository="src", issues="threads.json")
    threads = json.loads((stage.folder / "issues/threads.json").read_text())
    assert [(t["number"], t["body"], [c["body"] for c in t["comments"]]) for t in threads] == expected
    assert set(threads[0]) == {"number", "title", "body", "comments"}
    assert len(manifest.warnings) == (1 if exported is SPLIT else 0)


@pytest.mark.parametrize("text", ["{", '{"a": 1}', '[{"title": "no number"}]', "3"])
def test_issue_exports_of_another_shape_are_refused(stage, src, write, text):
    write(src, {"threads.json": text})
    with pytest.raises(SourceError, match=r"threads\.json"):
        stage.lab(repository="src", issues="threads.json")
