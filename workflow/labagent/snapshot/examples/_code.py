"""Languages of code blocks, prompts, doctests, and where a file's examples come from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from labagent.models.snapshot import Example
from labagent.snapshot.python_load import parses
from labagent.snapshot.walk import EXAMPLES, TESTS, folder_names

Language = Literal["python", "r", "bash"]
Origin = Literal["readme", "docs", "example", "docstring", "test", "notebook", "vignette"]
TAGS: dict[str, Language] = {
    **dict.fromkeys(
        ("python", "py", "python3", "pycon", "ipython", "ipython3", "testcode", "doctest"), "python"
    ),
    **dict.fromkeys(("r", "rscript", "splus"), "r"),
    **dict.fromkeys(("bash", "sh", "shell", "console", "shell-session", "zsh", "terminal", "cmd"), "bash"),
}
COMMAND = re.compile(
    r"^(\$ |pip3? |conda |mamba |git |python3? |Rscript |R CMD |cd |wget |curl |mkdir |export |make|docker "
    r"|sudo |uv )"
)
PROMPT = re.compile(r"^\s*(>>>|\.\.\.)( |$)")
IPYTHON = re.compile(r"^\s*(In \[\d*\]: |\s*\.\.\.: ?)")
R_SIGNS = re.compile(r"<-|\blibrary\(|::\w|install\.packages\(")
GAP = 60  # lines of output between two prompts of one session


@dataclass(frozen=True)
class Block:
    """A run of lines of a file; the lines count from 1."""

    lines: tuple[str, ...]
    first: int
    tag: str = ""


def origin_of(path: PurePosixPath) -> Origin:
    """What a text file's examples are, by its name and place."""
    folders = folder_names(path)
    if path.name.lower().startswith("readme"):
        return "readme"
    if "vignettes" in folders:
        return "vignette"
    if folders & TESTS:
        return "test"
    return "example" if folders & EXAMPLES else "docs"


def examples_of(block: Block, path: PurePosixPath, origin: Origin) -> Iterator[Example]:
    """The code of a block: doctest sessions without prompts and output, else the block as it is."""
    if any(line.lstrip().startswith(">>>") for line in block.lines):
        yield from doctests(block.lines, block.first, path, origin)
        return
    code = dedent(block.lines)
    language = TAGS.get(block.tag.lower()) if block.tag else guess(code)
    if language is None or not code.strip():
        return
    if language == "bash":
        code = strip_shell_prompts(code)
    elif language == "python" and IPYTHON.search(code):
        code = "\n".join(IPYTHON.sub("", line) for line in code.split("\n") if IPYTHON.match(line))
    yield Example(
        language=language,
        code=code.strip("\n") + "\n",
        file=path.as_posix(),
        first_line=block.first,
        last_line=block.first + len(block.lines) - 1,
        origin=origin,
    )


def doctests(
    lines: tuple[str, ...] | list[str], first: int, path: PurePosixPath, origin: Origin
) -> Iterator[Example]:
    """The statements behind ``>>>`` and ``...``; one example a session."""
    session: list[str] = []
    started = last = 0
    for number, line in enumerate(lines, start=first):
        match = PROMPT.match(line)
        if match and (match[1] == ">>>" or last == number - 1):
            if session and match[1] == ">>>" and _is_new(lines, last - first + 1, number - first):
                yield _session(session, started, last, path, origin)
                session = []
            started = started if session else number
            session.append(line[match.end() :])
            last = number
    if session:
        yield _session(session, started, last, path, origin)


def _is_new(lines: tuple[str, ...] | list[str], begin: int, end: int) -> bool:
    """Whether what stands between two prompts ends a session: the end of a docstring, or a long way."""
    between = lines[begin:end]
    return len(between) > GAP or any('"""' in line or "'''" in line for line in between)


def _session(session: list[str], started: int, last: int, path: PurePosixPath, origin: Origin) -> Example:
    """One example."""
    code = "\n".join(session) + "\n"
    return Example(
        language="python",
        code=code,
        file=path.as_posix(),
        first_line=started,
        last_line=last,
        origin=origin,
    )


def dedent(lines: tuple[str, ...] | list[str]) -> str:
    """Lines as text without their common indentation."""
    filled = [line for line in lines if line.strip()]
    width = min((len(line) - len(line.lstrip()) for line in filled), default=0)
    return "\n".join(line[width:].rstrip() for line in lines)


def guess(code: str) -> Language | None:
    """The language of a block that does not say it; ``None`` for prose, output and data."""
    solid = [line.strip() for line in code.split("\n") if line.strip() and not line.strip().startswith("#")]
    if not solid:
        return None
    if all(COMMAND.match(line) or line.startswith("-") for line in solid):
        return "bash"
    if any(line.startswith("$ ") for line in solid):
        return "bash"
    if R_SIGNS.search(code):
        return "r"
    calls = any(re.search(r"^(import |from \w)|\w\(.*\)|^\w+ = ", line) for line in solid)
    return "python" if calls and parses(code) else None


def strip_shell_prompts(code: str) -> str:
    """Where a block shows prompts: the commands alone, without their output."""
    lines = code.split("\n")
    if not any(line.startswith("$ ") for line in lines):
        return code
    kept = []
    continued = False
    for line in lines:
        if line.startswith("$ ") or continued:
            kept.append(line.removeprefix("$ "))
            continued = line.rstrip().endswith("\\")
    return "\n".join(kept)
