"""Commands that a lab releases: lines of README, docs and CI, and scripts that run without arguments."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from labagent.explore.data_files import Repository, is_data
from labagent.models.snapshot import Snapshot

INTERPRETERS = {"python": ".py", "python3": ".py", "Rscript": ".R", "bash": ".sh", "sh": ".sh"}
NEVER = frozenset({"setup.py", "conftest.py", "versioneer.py", "noxfile.py", "ez_setup.py", "fabfile.py"})
PLACEHOLDER = re.compile(r"[<>{}\[\]$*]|\.\.\.|path/to|YOUR|your_|/home/|~/")
SHELL = frozenset({"|", "&&", ";", ">", "<", ">>", "||", "&"})
TARGET = re.compile(r"(?P<module>[A-Za-z_][\w.]*):(?P<function>[A-Za-z_]\w*)")
BETWEEN = re.compile(r"<[^<>|]*>")
OUTPUT_FLAGS = re.compile(r"^--?(o|out|output|prefix|save|results?|dest|log)", re.IGNORECASE)
RUN_STEP = re.compile(r"^\s*-?\s*run:\s*(?P<line>[^|>\s].*)$|^\s+(?P<more>(?:python3?|Rscript|bash)\s+\S.*)$")
DOCUMENTS = frozenset({".md", ".rst", ".Rmd", ".qmd"})
CI = (".github/workflows/", ".travis.yml", ".gitlab-ci.yml", ".circleci/")
SCORES = {"readme": 6.0, "docs": 4.0, "ci": 3.0, "script": 2.0}
MAX_LINES = 8


@dataclass(frozen=True)
class Command:
    """A command line of a lab: words behind the script, the script's path, and where it is written.

    ``program`` is the console command that is called instead of the script, ``target`` the function behind it
    (``package.module:function``), which the script defines.
    """

    words: tuple[str, ...]
    interpreter: str
    script: str
    file: str
    line: int
    origin: str
    program: str = ""
    target: str = ""

    @property
    def text(self) -> str:
        """The command as it is run from the top of the repository."""
        head = (self.program,) if self.program else (self.interpreter, self.script)
        return shlex.join((*head, *self.words))

    @property
    def without_installation(self) -> str:
        """The command as it is run where the lab's package is on the import path but not installed."""
        if not self.program:
            return self.text
        module, _, function = self.target.partition(":")
        start = f"import sys; from {module} import {function} as main"
        call = f"{start}; sys.argv[0] = '{self.program}'; sys.exit(main())"
        return shlex.join(("python", "-c", call, *self.words))

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the options it is given."""
        found = (word.partition("=")[0] for word in self.words if re.match(r"--?[A-Za-z]", word))
        return tuple(dict.fromkeys(found))


def commands(snapshot: Snapshot, repository: Repository) -> list[Command]:
    """All commands of a lab that run one of its scripts, as written; each once."""
    found: dict[tuple[str, ...], Command] = {}
    for command in (
        *_written(snapshot, repository),
        *_in_documents(snapshot, repository),
        *_of_ci(repository),
        *_bare_scripts(snapshot, repository),
    ):
        found.setdefault((command.program, command.script, *command.words), command)
    return list(found.values())


def _written(snapshot: Snapshot, repository: Repository) -> Iterator[Command]:
    """Commands in shell blocks of README and docs."""
    for example in snapshot.examples:
        if example.language == "bash":
            origin = "readme" if example.origin == "readme" else "docs"
            for line, text in _lines(example.code):
                first = example.first_line + line
                yield from _parse(text, repository, example.file, first, origin)
                yield from _program(text, snapshot, repository, example.file, first, origin)


def _program(
    text: str, snapshot: Snapshot, repository: Repository, file: str, line: int, origin: str
) -> Iterator[Command]:
    """A command line that calls a console command of the lab's package."""
    words = _words(text)
    target = {point.name: point.target for point in snapshot.entry_points}.get(words[0] if words else "")
    match = TARGET.fullmatch(target or "")
    if set(words) & SHELL or {"--help", "-h", "--version"} & set(words):
        return
    if target in repository.files and len(words) > 1:
        interpreter = interpreter_of(repository.text(target))
        if interpreter:
            yield Command(tuple(_filled(words[1:])), interpreter, target, file, line, origin)
    elif match:
        inner = match["module"].replace(".", "/")
        files = [f"{top}{inner}{end}" for top in ("", "src/") for end in (".py", "/__init__.py")]
        path = next((path for path in files if path in repository.files), "")
        if path:
            rest = tuple(_filled(words[1:]))
            yield Command(rest, "python", path, file, line, origin, words[0], target or "")


def interpreter_of(text: str) -> str:
    """The program that a script names in its first line; empty where it is none that is known."""
    words = re.split(r"[\s/]+", text.partition("\n")[0]) if text.startswith("#!") else []
    known = [word for word in words if re.sub(r"[\d.]+$", "", word) in INTERPRETERS]
    return re.sub(r"[\d.]+$", "", known[-1]) if known else ""


def _in_documents(snapshot: Snapshot, repository: Repository) -> Iterator[Command]:
    """Lines of documents, in whatever block, that call an installed command with options or files."""
    names = {point.name for point in snapshot.entry_points}
    for path in sorted(repository.files) if names else ():
        if PurePosixPath(path).suffix not in DOCUMENTS:
            continue
        for offset, line in _lines(repository.text(path)):
            text = line.lstrip("$!%> ")
            words = _words(text) if text.partition(" ")[0] in names else []
            if any(word.startswith("-") or is_data(word) for word in words[1:]):
                yield from _program(text, snapshot, repository, path, offset + 1, "docs")


def _of_ci(repository: Repository) -> Iterator[Command]:
    """Commands that the lab's CI runs."""
    for path in sorted(repository.files):
        if path.startswith(CI) and path.endswith((".yml", ".yaml")):
            for line, text in enumerate(repository.text(path).split("\n"), 1):
                if step := RUN_STEP.match(text):
                    yield from _parse(step["line"] or step["more"], repository, path, line, "ci")


def _bare_scripts(snapshot: Snapshot, repository: Repository) -> Iterator[Command]:
    """Python scripts that run when they are called and ask for no argument."""
    for path in sorted(repository.files):
        parts = PurePosixPath(path)
        tested = parts.name.startswith("test") or {"tests", "test", "docs"} & set(parts.parts)
        if parts.suffix != ".py" or parts.name in NEVER or tested or len(parts.parts) > 3:
            continue
        tree = repository.tree(path)
        line = guard_line(tree) if tree else 0
        if tree and line and not required_arguments(tree):
            yield Command((), "python", path, path, line, "script")


def guard_line(tree: ast.Module) -> int:
    """The line of ``if __name__ == "__main__"``; 0 where there is none."""
    for node in tree.body:
        if (
            isinstance(node, ast.If)
            and "__name__" in ast.dump(node.test)
            and "__main__" in ast.dump(node.test)
        ):
            return node.lineno
    return 0


def required_arguments(tree: ast.Module) -> list[str]:
    """Arguments without which a script stops: positional ones, those said to be required, ``sys.argv[n]``."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add_argument":
            names = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
            given = {k.arg: k.value for k in node.keywords}
            needed = getattr(given.get("required"), "value", False) is True
            optional = "default" in given or getattr(given.get("nargs"), "value", None) in ("?", "*")
            if names and (needed or (not names[0].startswith("-") and not optional)):
                found.append(names[0])
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "sys.argv":
            found.append(ast.unparse(node))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "docopt":
            found.append("docopt")
    return found


def defined_options(text: str) -> frozenset[str]:
    """Options that a script's source names."""
    return frozenset(re.findall(r"[\"'](--?[A-Za-z][\w-]*)[\"']", text))


def _lines(code: str) -> Iterator[tuple[int, str]]:
    """Command lines of a shell block with their offsets; continued lines are joined."""
    joined, start = "", 0
    for offset, line in enumerate(code.split("\n")):
        start = start if joined else offset
        joined += line.strip().removesuffix("\\") + (" " if line.rstrip().endswith("\\") else "")
        if not line.rstrip().endswith("\\"):
            if joined.strip():
                yield start, joined.strip()
            joined = ""


def _parse(text: str, repository: Repository, file: str, line: int, origin: str) -> Iterator[Command]:
    """A command line that runs a script; options whose value is a placeholder are left out."""
    words = _words(text)
    if not words or set(words) & SHELL:
        return
    interpreter = PurePosixPath(words[0]).name
    if interpreter in INTERPRETERS and len(words) > 1:
        script, rest = words[1], words[2:]
    elif words[0].startswith("./") and PurePosixPath(words[0]).suffix in {".py", ".sh", ".R"}:
        script, rest = words[0], words[1:]
        interpreter = {".py": "python", ".sh": "bash", ".R": "Rscript"}[PurePosixPath(script).suffix]
    else:
        return
    path = _script(script, repository)
    if path and PurePosixPath(path).name not in NEVER:
        yield Command(
            tuple(_filled(rest)), interpreter.replace("python3", "python"), path, file, line, origin
        )


def _words(text: str) -> list[str]:
    """The words of a command line without variables in front; none where it is not one."""
    plain = BETWEEN.sub(lambda m: m[0].replace(" ", "_"), text.removeprefix("$ ").lstrip("! "))
    try:
        words = shlex.split(plain, comments=True)
    except ValueError:
        return []
    while words and re.fullmatch(r"[A-Z_]+=\S*", words[0]):
        words = words[1:]
    return words


def _script(text: str, repository: Repository) -> str:
    """The path of a script in the repository; empty where it is not there."""
    clean = text.removeprefix("./")
    if clean in repository.files:
        return clean
    ends = [path for path in sorted(repository.files) if path.endswith(f"/{clean}")]
    return ends[0] if len(ends) == 1 and PurePosixPath(clean).suffix else ""


def _filled(words: list[str]) -> Iterator[str]:
    """Words without optional arguments that only say what could stand there."""
    skip = False
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else ""
        if skip:
            skip = False
        elif word.startswith("-") and PLACEHOLDER.search(following) and not following.startswith("-"):
            skip = True
        elif not (word.startswith("-") and PLACEHOLDER.search(word)):
            yield word


def unusable(command: Command, repository: Repository) -> str:
    """Why a command cannot be run as written; empty where it can."""
    for at, word in enumerate(command.words):
        before = command.words[at - 1] if at else ""
        value = word.partition("=")[2] if word.startswith("-") else word
        if PLACEHOLDER.search(value):
            return f'"{word}" stands for something that is not given'
        is_output = OUTPUT_FLAGS.match(before) or OUTPUT_FLAGS.match(word)
        if is_data(value) and not is_output and repository.find(value, command.file) is None:
            return f'reads "{value}", which the repository does not have'
    text = repository.text(command.script)
    unknown = sorted(set(command.options) - defined_options(text)) if "add_argument" in text else []
    if unknown and command.script.endswith(".py"):
        return f"{command.script} does not name the option {unknown[0]}"
    return ""
