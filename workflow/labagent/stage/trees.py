"""Copying folders without trusting what is in them: no history, no special files, no way out by a link."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from labagent.errors import SourceError

HISTORY = frozenset({".git", ".hg", ".svn", ".bzr"})


def copy_tree(source: Path, target: Path, *, without: tuple[Path, ...] = ()) -> None:
    """Copy ``source`` into the existing folder ``target``: contents and the executable bit.

    History folders and special files are left out, symbolic links are kept as links (see
    :func:`settle_links`). ``without`` are folders that are not entered (where the copy itself is written).

    Raises:
        SourceError: a file cannot be read.
    """
    barred = {path.resolve() for path in without}
    for folder, names, files in os.walk(source):
        here = Path(folder)
        there = target / here.relative_to(source)
        there.mkdir(exist_ok=True)
        linked = [n for n in names if (here / n).is_symlink()]
        names[:] = [
            n for n in names if n not in HISTORY and n not in linked and (here / n).resolve() not in barred
        ]
        for name in [*files, *linked]:
            if name not in HISTORY:
                _copy_entry(here / name, there / name)


def _copy_entry(source: Path, target: Path) -> None:
    """Copy one file or link; sockets, pipes and devices are left out."""
    mode = source.lstat().st_mode
    if stat.S_ISLNK(mode):
        target.symlink_to(source.readlink())
    elif stat.S_ISREG(mode):
        try:
            shutil.copyfile(source, target)
        except PermissionError as error:
            raise SourceError(f"{source}: cannot be read: {error.strerror}") from error
        target.chmod(0o755 if mode & stat.S_IXUSR else 0o644)


def drop_history(root: Path) -> None:
    """Remove version-control folders (and the ``.git`` files of submodules) below ``root``."""
    for folder, names, files in os.walk(root):
        for name in [n for n in names if n in HISTORY]:
            entry = Path(folder, name)
            entry.unlink() if entry.is_symlink() else shutil.rmtree(entry)
        names[:] = [n for n in names if n not in HISTORY]
        for name in [n for n in files if n in HISTORY]:
            Path(folder, name).unlink()


def settle_links(root: Path) -> list[str]:
    """Replace links to files inside ``root`` by copies and remove all others.

    Returns:
        One warning a removed link: it leaves the folder, leads nowhere, or leads to a folder.
    """
    inside = root.resolve()
    links = _links(root)
    targets = {link: Path(os.path.realpath(link)) for link in links}
    warnings = []
    for link in links:
        target = targets[link]
        name = link.relative_to(root).as_posix()
        if not target.is_relative_to(inside):
            reason = "it leaves the folder"
        elif target.is_dir():
            reason = "it leads to a folder"
        elif not target.is_file():
            reason = "it leads to nothing that is staged"
        else:
            link.unlink()
            shutil.copy2(target, link)
            continue
        link.unlink()
        warnings.append(f'the symbolic link "{name}" was left out: {reason}')
    return warnings


def _links(root: Path) -> list[Path]:
    """All symbolic links below ``root``, sorted."""
    found = []
    for folder, names, files in os.walk(root):
        found += [p for p in (Path(folder, n) for n in [*names, *files]) if p.is_symlink()]
    return sorted(found)


def strip_top_folder(folder: Path) -> Path:
    """The only folder in ``folder`` where there is nothing else in it, else ``folder`` itself."""
    entries = list(folder.iterdir())
    if len(entries) == 1 and entries[0].is_dir() and not entries[0].is_symlink():
        return entries[0]
    return folder
