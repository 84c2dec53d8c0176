from __future__ import annotations

import json

import pytest

from labagent.stage.licence import detect_licence


@pytest.fixture
def src(tmp_path, write):
    return write(
        tmp_path / "src",
        {
            "README.md": "r",
            "tests/data/gold.csv": "gene1,0.632812315254828,0.0123456789\n",
            "tests/test_a.py": "assert 1",
            "a/b/gold.csv": "other",
            "docs/gold_copy.csv": "gene1,0.632812315254828,0.0123456789\n",
            "docs/x.html": "h",
        },
    )


@pytest.mark.parametrize(
    ("globs", "left", "counts"),
    [
        ("tests", ["README.md", "a/b/gold.csv", "docs/gold_copy.csv", "docs/x.html"], {"tests": 2}),
        ("tests/**/*.csv", None, {"tests/**/*.csv": 1}),
        ("gold.csv", None, {"gold.csv": 2}),
        ("**/gold*;docs/*.html", ["README.md", "tests/test_a.py"], {"**/gold*": 3, "docs/*.html": 1}),
        ("/README.md;./docs", None, {"/README.md": 1, "./docs": 2}),
    ],
)
def test_globs(stage, src, globs, left, counts):
    manifest = stage.lab(repository="src", sealed=globs)
    assert manifest.sealed == counts
    assert len(stage.names()) == 6 - sum(counts.values())
    if left:
        assert stage.names() == left
    assert [f.path for f in manifest.repository] == stage.names()


def test_no_match_is_a_warning(stage, src):
    manifest = stage.lab(repository="src", sealed="nothing/*.csv")
    assert manifest.sealed == {"nothing/*.csv": 0}
    assert manifest.warnings == ('sealed: "nothing/*.csv" matches no file',)


def test_links_and_copies_of_sealed_files(stage, src):
    (src / "link.csv").symlink_to("tests/data/gold.csv")
    manifest = stage.lab(repository="src", sealed="tests")
    assert "link.csv" not in stage.names()
    assert any("docs/gold_copy.csv" in w and "same bytes" in w for w in manifest.warnings)
    assert not any("0.632812" in w for w in manifest.warnings)


def test_notebook_outputs(stage, src):
    output = [{"output_type": "stream", "name": "stdout", "text": "ANSWER"}]
    cell = {"cell_type": "code", "metadata": {}, "execution_count": 1, "source": "1", "outputs": output}
    (src / "n.ipynb").write_text(
        json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [cell]})
    )
    sheet = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": [dict(cell)]}]}
    (src / "old.ipynb").write_text(json.dumps(sheet))
    (src / "broken.ipynb").write_text('{"cells": [{"outputs": "ANSWER"')
    kept = stage.lab(repository="src")
    assert "ANSWER" in (stage.folder / "repository/n.ipynb").read_text()
    assert kept.sealed == {}
    manifest = stage.lab(repository="src", sealed="notebook-outputs")
    assert manifest.sealed == {"notebook-outputs": 3}
    everything = "".join(p.read_text() for p in stage.folder.rglob("*") if p.is_file())
    assert "ANSWER" not in everything


MIT = "Copyright (c) X\n\nPermission is hereby granted, free of charge, to any person obtaining a copy"
GPL = "                    GNU GENERAL PUBLIC LICENSE\n                       Version 3, 29 June 2007"


@pytest.mark.parametrize(
    ("files", "licence"),
    [
        ({"LICENSE": MIT}, "MIT"),
        ({"COPYING.txt": GPL}, "GPL-3.0-only"),
        (
            {"pyproject.toml": '[project]\nlicense = "Apache-2.0 OR MIT"', "LICENSE": MIT},
            "Apache-2.0 OR MIT",
        ),
        ({"pyproject.toml": '[project]\nlicense = {file = "LICENSE"}', "LICENSE": MIT}, "MIT"),
        (
            {"PKG-INFO": "Name: x\nClassifier: License :: OSI Approved :: Apache Software License\n"},
            "Apache-2.0",
        ),
        ({"DESCRIPTION": "Package: x\nLicense: BSD_3_clause + file LICENSE\n"}, "BSD_3_clause"),
        ({"LICENSE": "All rights reserved"}, ""),
        ({"pyproject.toml": "broken = ["}, ""),
        ({}, ""),
    ],
)
def test_licence(tmp_path, write, files, licence):
    (tmp_path / "r").mkdir()
    assert detect_licence(write(tmp_path / "r", files)) == licence
