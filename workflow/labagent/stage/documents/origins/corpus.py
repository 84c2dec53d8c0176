"""``corpus:FOLDER``: a local folder of texts, Markdown, PDF and MEDLINE files, for tasks without the web."""

from __future__ import annotations

from pathlib import Path

from labagent.errors import SourceError
from labagent.files import list_files
from labagent.stage.documents.origins import Wanted

PREFIX, KINDS = "corpus:", ("papers",)
FORM = "corpus:FOLDER"
SUFFIXES = (".txt", ".md", ".rst", ".pdf", ".nbib", ".medline")


def bring(wanted: Wanted) -> list[Path]:
    """The documents below a folder, sorted; hidden files, links and other kinds of file are left out.

    Raises:
        SourceError: there is no such folder, or no document in it.
    """
    folder = wanted.base / Path(wanted.text).expanduser()
    if not folder.is_dir():
        raise SourceError(f'"{PREFIX}{wanted.text}": there is no folder {folder}')
    found = [
        path
        for path in list_files(folder)
        if path.suffix.lower() in SUFFIXES
        and not any(part.startswith(".") for part in path.relative_to(folder).parts)
    ]
    if not found:
        raise SourceError(f'"{PREFIX}{wanted.text}": holds no document; use {", ".join(SUFFIXES)}')
    return found
