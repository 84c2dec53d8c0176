"""A folder that cannot be written is one message, not a traceback."""

from __future__ import annotations

import pytest

from labagent.cli import main


@pytest.mark.parametrize(
    ("words", "folder", "what"),
    [
        (["--out", "file"], "file", "the answer"),
        (["--out", "file/deep/er"], "file/deep/er", "the answer"),
        (["--session", "s"], "results/sessions", "the session"),
    ],
)
def test_a_file_in_the_way_of_a_folder_is_one_message(words, folder, what, tmp_path, monkeypatch, capsys):
    for name in ("file", "results"):
        (tmp_path / name).write_text("in the way")
    monkeypatch.chdir(tmp_path)
    assert main(["ask", "GC content of ATGGCCAAATTAA", *words]) == 75
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and f"{folder}: {what} cannot be kept there" in said
    assert "choose another folder" in said
