"""What kind of source a file of a repository is, by its name and place."""

from __future__ import annotations

from pathlib import PurePosixPath

from labagent.snapshot.walk import DOCS, EXAMPLES, TESTS, folder_names

KINDS = (
    "code",
    "docs",
    "example",
    "test",
    "notebook",
    "config",
    "ci",
    "build",
    "release",
    "paper",
    "tutorial",
    "issue",
)
CI_FILES = frozenset(
    ".travis.yml .gitlab-ci.yml appveyor.yml azure-pipelines.yml jenkinsfile noxfile.py tox.ini".split()
)
CI_FOLDERS = frozenset({".github", ".circleci", ".ci", "ci", ".gitlab"})
BUILD_STEMS = ("dockerfile", "containerfile", "requirements", "environment", "makefile", "snakefile")
BUILD_FILES = frozenset(
    "pyproject.toml setup.py setup.cfg description namespace pipfile meta.yaml renv.lock".split()
)
RELEASE_STEMS = ("changelog", "changes", "news", "history", "release", "tags")
DOC_SUFFIXES = frozenset(".md .rst .txt .rd .rmd .qmd .rnw .tex .html .adoc".split())
CONFIG_SUFFIXES = frozenset(".yaml .yml .toml .json .cfg .ini .gin .conf .properties".split())


def kind_of(path: PurePosixPath) -> str:
    """One of :data:`KINDS` for a file of a repository."""
    folders, name, suffix = folder_names(path), path.name.lower(), path.suffix.lower()
    if folders & CI_FOLDERS or name in CI_FILES:
        return "ci"
    if name in BUILD_FILES or name.startswith(BUILD_STEMS):
        return "build"
    if name.startswith(RELEASE_STEMS):
        return "release"
    if suffix == ".ipynb":
        return "notebook"
    if folders & (EXAMPLES | {"vignettes"}):
        return "example"
    if folders & TESTS or name.startswith("test_"):
        return "test"
    if suffix in DOC_SUFFIXES or folders & DOCS:
        return "docs"
    return "config" if suffix in CONFIG_SUFFIXES else "code"
