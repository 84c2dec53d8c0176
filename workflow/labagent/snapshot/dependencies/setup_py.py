"""``setup.py``, read as text: what its ``setup()`` call is given, as far as literals and files tell."""

from __future__ import annotations

from pathlib import PurePosixPath

from labagent.models.snapshot import Dependency
from labagent.snapshot.dependencies import requirements
from labagent.snapshot.dependencies._requirement import python_requirements
from labagent.snapshot.setup_call import SetupCall, read_setup
from labagent.snapshot.walk import Tree


def accepts(path: PurePosixPath) -> bool:
    """The file's name."""
    return path.name == "setup.py"


def read(tree: Tree, path: PurePosixPath) -> list[Dependency]:
    """``install_requires`` and ``extras_require``, with requirements files the script reads."""
    call = read_setup(tree, path)
    found = _listed(tree, path, call, "install_requires", "")
    extras = call.value("extras_require")
    if isinstance(extras, dict):
        for name, listed in extras.items():
            if isinstance(listed, list | tuple):
                texts = [item for item in listed if isinstance(item, str)]
                found += python_requirements(texts, path, call.text, extra=str(name))
    return found


def _listed(tree: Tree, path: PurePosixPath, call: SetupCall, keyword: str, extra: str) -> list[Dependency]:
    """A keyword's requirements: literal ones, else those of the files its value is read from."""
    value = call.value(keyword)
    if isinstance(value, str):
        value = value.splitlines()
    if isinstance(value, list | tuple):
        texts = [item for item in value if isinstance(item, str)]
        return python_requirements(texts, path, call.text, extra)
    files = [file for file in call.files(keyword) if file.suffix in requirements.SUFFIXES]
    return [d for file in files for d in requirements.read_file(tree, file, extra)]
