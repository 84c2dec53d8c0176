"""The static API snapshot of a repository: nothing in it was imported or run."""

from __future__ import annotations

from typing import Literal

from labagent.models.base import FileRecord, Record


class Parameter(Record):
    """A parameter of a callable; ``default`` is source text, ``None`` where there is none."""

    name: str
    kind: Literal["positional_only", "positional", "var_positional", "keyword_only", "var_keyword"]
    default: str | None = None
    annotation: str | None = None


class Callable_(Record):
    """A public function, method or class (its constructor's parameters).

    ``returns`` is the path at which the class of the result is defined, where its annotation tells that.
    """

    name: str
    kind: Literal["function", "class", "method"]
    parameters: tuple[Parameter, ...]
    file: str
    line: int
    inherited: bool = False
    summary: str = ""
    returns: str = ""


class Unreadable(Record):
    """A source file that could not be parsed, and why."""

    file: str
    reason: str


class Dependency(Record):
    """A declared dependency: a requirement as written, and the file and line that declare it."""

    name: str
    specifier: str
    ecosystem: Literal["python", "r", "conda", "system"]
    extra: str = ""
    file: str
    line: int


class Example(Record):
    """A piece of released code that uses the lab's method: evidence for how it is called."""

    language: Literal["python", "r", "bash"]
    code: str
    file: str
    first_line: int
    last_line: int
    origin: Literal["readme", "docs", "example", "docstring", "test", "notebook", "vignette"]


class EntryPoint(Record):
    """A console command a package installs."""

    name: str
    target: str


class Option(Record):
    """An option or a positional argument (no dashes in its names) of a program; texts as written."""

    names: tuple[str, ...]
    takes_value: bool = True
    required: bool = False
    default: str | None = None
    choices: tuple[str, ...] = ()
    help: str = ""
    line: int


class Program(Record):
    """A script or command with its command line, read from its source.

    ``command`` is the subcommand these options belong to, empty for those of the program itself. Where
    ``complete`` is false it may take further options.
    """

    file: str
    module: str = ""
    command: str = ""
    kind: str
    options: tuple[Option, ...] = ()
    complete: bool = True
    help: str = ""
    line: int


class ConfigFile(Record):
    """A configuration file; ``values`` maps dotted keys to the values written there, as text."""

    file: str
    format: Literal["yaml", "toml", "json", "gin"]
    values: dict[str, str]


class Snapshot(FileRecord):
    """``results/explore/api/<skill>.json``.

    ``objects`` maps importable dotted names (through re-exports, too) to callables; ``modules`` and
    ``constants`` list the other importable names.
    """

    skill: str
    language: Literal["python", "r", "mixed", "none"]
    distribution: str = ""
    version: str = ""
    summary: str = ""
    licence: str = ""
    requires_python: str = ""
    modules: tuple[str, ...] = ()
    objects: dict[str, Callable_] = {}
    constants: tuple[str, ...] = ()
    dynamic: tuple[str, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    entry_points: tuple[EntryPoint, ...] = ()
    programs: tuple[Program, ...] = ()
    configuration: tuple[ConfigFile, ...] = ()
    examples: tuple[Example, ...] = ()
    data_files: tuple[str, ...] = ()
    content_sha256: str = ""
