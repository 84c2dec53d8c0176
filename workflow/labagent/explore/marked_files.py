"""Files in a model's reply: what they are, and which of them a skill may have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from labagent.files import fresh_folder, write_text

MARK = re.compile(r"^=== FILE: (?P<path>[^\n]+?) ===[ \t]*$", re.MULTILINE)
END = re.compile(r"^=== END ===[ \t]*$", re.MULTILINE)
ALLOWED = re.compile(
    r"SKILL\.md|environment\.yaml|evidence\.jsonl|assets/quickstart\.yaml"
    r"|references/[a-z0-9]+(?:-[a-z0-9]+)*\.md|scripts/[A-Za-z0-9][\w-]*\.(?:py|sh|R)"
)
NEEDED = ("SKILL.md", "environment.yaml", "evidence.jsonl", "assets/quickstart.yaml")
MAX_CHARACTERS = 400_000


class UnusableReply(Exception):
    """A reply is not a set of files; the text says what is wrong, for the model."""


def parse_files(reply: str, optional: tuple[str, ...] = ()) -> dict[str, str]:
    """The files of a reply, by path; those of ``optional`` may be missing.

    Raises:
        UnusableReply: no files, a path that is not allowed or stands twice, a file missing, too much text.
    """
    if len(reply) > MAX_CHARACTERS:
        raise UnusableReply(f"the reply has {len(reply)} characters; at most {MAX_CHARACTERS} are read")
    end = END.search(reply)
    text = reply[: end.start()] if end else reply
    marks = list(MARK.finditer(text))
    if not marks:
        raise UnusableReply('the reply holds no line "=== FILE: path ==="')
    files: dict[str, str] = {}
    for mark, following in zip(marks, [*marks[1:], None], strict=True):
        path = mark["path"].strip()
        if not ALLOWED.fullmatch(path):
            raise UnusableReply(f'the file "{path}" is not allowed')
        if path in files:
            raise UnusableReply(f'the file "{path}" stands twice')
        content = text[mark.end() : following.start() if following else len(text)]
        files[path] = content.strip("\n") + "\n"
    missing = [path for path in NEEDED if path not in files and path not in optional]
    if missing:
        raise UnusableReply(f"missing: {', '.join(missing)}")
    return files


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write parsed files into a fresh folder."""
    fresh_folder(folder)
    for path, text in files.items():
        write_text(folder / path, text)
