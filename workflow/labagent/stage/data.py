"""Staging a target's data: what a run sees, read-only, as ``/data``."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from labagent.errors import SourceError
from labagent.files import fresh_folder
from labagent.models.sources import DataManifest
from labagent.models.tables import LAB_DATA, Target
from labagent.stage.columns import without_columns
from labagent.stage.download import download, url_name
from labagent.stage.folder import MANIFEST, built_beside, content_hash, staged_files
from labagent.stage.items import Item, check_pin, find, parse_item
from labagent.stage.trees import copy_tree, settle_links

SCHEME = re.compile(r"^[a-z][a-z0-9+]+:")


def stage_data(target: Target, folder: Path, *, base: Path, artifacts: Path, cache: Path) -> DataManifest:
    """Copy a target's data into ``folder/files`` and write ``folder/manifest.json``.

    A file is placed as ``files/<name>``, a folder's content below ``files/<name of the folder>/``. What
    is missing or has another hash is an outcome, not an error: status ``failed`` with the reason.

    Args:
        target: the row of ``targets.tsv``.
        folder: replaced whole, at the end.
        base: what relative paths of the row are relative to.
        artifacts: holds the labs' staged artifacts, for ``lab:SKILL/PATH`` items.
        cache: keeps downloads of known hash.

    Raises:
        InfrastructureError: a server cannot be reached; nothing is recorded.
    """
    with built_beside(folder) as fresh:
        manifest = _fill(target, fresh, base=base, artifacts=artifacts, cache=cache)
        manifest.write(fresh / MANIFEST)
    return manifest


def _fill(target: Target, fresh: Path, *, base: Path, artifacts: Path, cache: Path) -> DataManifest:
    """Place all items; the first that cannot be had makes the manifest a failed one."""
    files = fresh_folder(fresh / "files")
    scratch = fresh_folder(fresh / "scratch")
    placed: dict[str, str] = {}
    try:
        for text in target.data:
            item = parse_item(text)
            for source in _sources(item, base, artifacts, cache, scratch):
                _claim(placed, source.name, item)
                _place(source, files / source.name, item)
    except SourceError as error:
        fresh_folder(files)
        return DataManifest(target=target.target, status="failed", reason=f"data {error}")
    finally:
        shutil.rmtree(scratch)
    staged = staged_files(files)
    return DataManifest(
        target=target.target, status="staged", files=staged, content_sha256=content_hash([("", staged)])
    )


def _sources(item: Item, base: Path, artifacts: Path, cache: Path, scratch: Path) -> Iterator[Path]:
    """The files and folders an item stands for, checked against its hash."""
    if item.is_remote:
        path = scratch / url_name(item.place)
        download(item.place, path, cache=cache, sha256=item.sha256)
        yield path
        return
    lab = LAB_DATA.match(item.place)
    if lab:
        found = _in_lab(item, artifacts / lab["skill"] / "repository", lab["path"])
    elif SCHEME.match(item.place):
        raise SourceError(f'"{item.text}": must be a path, lab:SKILL/PATH or an https:// URL')
    else:
        found = find(base, item.place, item.text, confined=False)
    check_pin(item, found)
    yield from found


def _in_lab(item: Item, repository: Path, place: str) -> list[Path]:
    """Files of a lab's staged repository, in which nothing sealed is left."""
    if not repository.is_dir():
        raise SourceError(f'"{item.text}": that lab has no staged repository')
    try:
        return find(repository, place, item.text, confined=True)
    except SourceError as error:
        raise SourceError(f"{error} (sealed files are not staged)") from error


def _claim(placed: dict[str, str], name: str, item: Item) -> None:
    """Refuse two items that would be placed under one name."""
    if name in placed:
        raise SourceError(f'"{item.text}": gives "{name}", as "{placed[name]}" does; names must differ')
    placed[name] = item.text


def _place(source: Path, target: Path, item: Item) -> None:
    """Copy a file, without columns that are withheld, or a folder, following no link out of it."""
    if item.drop:
        without_columns(source, target, item.drop)
        return
    if not source.is_dir():
        shutil.copyfile(source, target)
        return
    target.mkdir()
    copy_tree(source, target)
    left_out = settle_links(target)
    if left_out:
        raise SourceError(f'"{item.text}": {"; ".join(left_out)}')
