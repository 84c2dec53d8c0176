"""Papers, tutorials and issue threads as text that evidence can point into.

A module per kind, named as the column of ``labs.tsv`` and as the staged folder. It offers
``convert(source) -> Converted``. Items are a path, a glob, ``repo:PATH`` (a path or glob in the lab's own
staged repository, where nothing sealed is left), an ``https://`` URL, or what a module of ``origins/`` brings
(a search, an API, a corpus), each with an optional ``#sha256=HEX``.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from labagent.errors import SourceError
from labagent.stage.documents._converted import Converted
from labagent.stage.documents.origins import Wanted, origin_of
from labagent.stage.download import download, hide_userinfo, url_name
from labagent.stage.items import check_pin, find, parse_item

__all__ = ["KINDS", "Collector", "Converted"]

KINDS = ("papers", "tutorials", "issues")
MAX_BYTES = 256 << 20
OWN = "repo:"


@dataclass(frozen=True)
class Collector:
    """Where items are looked for: ``base`` of relative paths, the staged repository, the cache."""

    base: Path
    repository: Path
    cache: Path

    def collect(self, kind: str, items: Sequence[str], folder: Path) -> list[str]:
        """Convert ``items`` of one kind into ``folder``; returns warnings.

        Raises:
            SourceError: an item is missing, has another hash, or cannot be read.
            InfrastructureError: a server cannot be reached.
        """
        convert = importlib.import_module(f"{__name__}.{kind}").convert
        folder.mkdir()
        warnings: list[str] = []
        for text in items:
            with tempfile.TemporaryDirectory(prefix="labagent-") as scratch:
                for source in self._sources(kind, text, Path(scratch)):
                    try:
                        converted = convert(source)
                    except SourceError as error:
                        raise SourceError(f'{kind}: "{hide_userinfo(text)}": {error}') from error
                    name = _free_name(folder, source, converted.suffix)
                    (folder / name).write_text(converted.text, encoding="utf-8", newline="\n")
                    warnings += [f"{kind}/{name}: {warning}" for warning in converted.warnings]
        return warnings

    def _sources(self, kind: str, text: str, scratch: Path) -> list[Path]:
        """The files an item stands for."""
        item = parse_item(text)
        if (origin := origin_of(kind, item.place)) is not None:
            wanted = Wanted(item.place.removeprefix(origin.PREFIX), self.base, scratch, self.cache)
            brought: list[Path] = origin.bring(wanted)
            check_pin(item, brought)
            return brought
        if item.is_remote:
            path = scratch / url_name(item.place)
            download(item.place, path, cache=self.cache, sha256=item.sha256, limit=MAX_BYTES)
            return [path]
        own = item.place.startswith(OWN)
        root, place = (self.repository, item.place[len(OWN) :]) if own else (self.base, item.place)
        found = [p for p in find(root, place, text, confined=own) if not p.is_dir()]
        if not found:
            raise SourceError(f'"{text}": names a folder; name files, or a glob such as {place}/*')
        check_pin(item, found)
        return found


def _free_name(folder: Path, source: Path, suffix: str) -> str:
    """``stem + suffix``, with names of parent folders in front where that is taken."""
    stem = source.stem
    for parent in source.parents:
        if not (folder / f"{stem}{suffix}").exists():
            break
        stem = f"{parent.name}-{stem}" if parent.name else f"{stem}-"
    return f"{stem}{suffix}"
