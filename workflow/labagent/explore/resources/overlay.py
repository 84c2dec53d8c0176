"""A copy of an installed package in which staged files replace the package's own data files.

A released loader reads its data from inside the package. So that it reads what is staged for this run, the
package is copied to ``overlay/`` in the current folder, each staged file is laid over the file of the same
name, and the copy comes first on the import path of the steps that follow. The installed package itself
is never changed. Standard library only.
"""

import hashlib
import importlib.util
import os
import shutil
import sys

FOLDER = "overlay"
SOURCE = os.path.join(os.environ.get("LABAGENT_SKILL", "."), "assets", "source")


def make(package):
    """Copy ``package`` and lay the staged files over it; print what was replaced.

    Stops with a message when files are staged and none of them has a counterpart in the package.
    """
    use()
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"overlay: {package} is not an installed package")
    source = list(spec.submodule_search_locations)[0]
    target = os.path.join(FOLDER, package)
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    staged = staged_files()
    replaced = [name for name, path in staged.items() if lay_over(target, name, path)]
    print(f"overlay of {package}: {len(staged)} staged files, {len(replaced)} replace the package's own")
    for name in replaced:
        print(f"replaced {name}, sha256 {digest(staged[name])[:16]}")
    if staged and not replaced:
        raise SystemExit("overlay: no staged file has the name of a data file of the package")


def staged_files():
    """Names and paths of the staged files."""
    found = {}
    for folder, _, names in os.walk(os.environ["LABAGENT_DATA"]):
        for name in sorted(names):
            found.setdefault(name, os.path.join(folder, name))
    return found


def lay_over(target, name, path):
    """Replace the package's files called ``name``; whether there was one."""
    hits = [os.path.join(folder, name) for folder, _, names in os.walk(target) if name in names]
    for hit in hits:
        shutil.copyfile(path, hit)
    return bool(hits)


def digest(path):
    """The SHA-256 of a file."""
    with open(path, "rb") as stream:
        return hashlib.sha256(stream.read()).hexdigest()


def use():
    """Put the skill's own copy of the lab's source, and then the overlay, first on the import path."""
    for folder in (SOURCE, FOLDER):
        if os.path.isdir(folder):
            sys.path.insert(0, os.path.abspath(folder))
