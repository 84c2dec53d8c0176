"""``labagent mirror``: local copies of UniProtKB and PubMed that need no network: build, describe, search."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from labagent.tools.backends import Source
    from labagent.tools.literature.records import PaperHits
    from labagent.tools.mirrors.building import Progress
    from labagent.tools.proteins.records import ProteinHits

HELP = "local mirrors of UniProtKB and PubMed: build, describe, search"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    building = actions.add_parser("build", help="build a mirror (an SQLite file) of downloaded files")
    building.add_argument("mirror", type=Path, help="the file to make, or the mirror to replace")
    building.add_argument(
        "files",
        type=Path,
        nargs="+",
        help="UniProtKB flat files, or PubMed XML and MEDLINE text; plain or gzipped; read in this order",
    )
    info = actions.add_parser("info", help="what a mirror holds, of which files, and since when")
    info.add_argument("mirror", type=Path)
    info.add_argument("--json", action="store_true", help="as JSON")
    searching = actions.add_parser("search", help="look for proteins by words, papers in PubMed's syntax")
    searching.add_argument("mirror", type=Path)
    searching.add_argument("query", nargs="?", default="", help='words, "phrases"; papers: with fields, too')
    searching.add_argument("--gene", default="", help="proteins: gene name or synonym")
    searching.add_argument("--organism", default="", help="proteins: scientific or common name")
    searching.add_argument("--size", type=int, default=10, help="most hits (default 10)")
    searching.add_argument("--json", action="store_true", help="as JSON")


def run(args: argparse.Namespace) -> int:
    """Build, describe or search."""
    return {"build": _build, "info": _info, "search": _search}[args.action](args)


def _build(args: argparse.Namespace) -> int:
    """Build, with a bar on a terminal."""
    from labagent.tools.mirrors.building import build

    with _Bar(sum(path.stat().st_size for path in args.files if path.is_file())) as progress:
        built = build(args.mirror, args.files, progress)
    counts = ", ".join(f"{count} {change}" for change, count in sorted(built.changes.items()))
    print(f"{built.path}: {built.entries} {built.kind}, {built.size / 1e6:.1f} MB ({counts})")
    return 0


class _Bar:
    """Shows how far a build is; nothing where nobody looks."""

    def __init__(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        console = Console(stderr=True)
        columns = (
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %  {task.description}"),
            TimeRemainingColumn(),
        )
        self._bar = Progress(*columns, console=console, disable=not console.is_terminal)
        self._task = self._bar.add_task("0 entries", total=total)

    def __enter__(self) -> Progress:
        self._bar.start()
        return self._show

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def _show(self, taken: int, entries: int) -> None:
        """Every 500th entry."""
        if entries % 500 == 0:
            self._bar.update(self._task, completed=taken, description=f"{entries:,} entries")


def _info(args: argparse.Namespace) -> int:
    """What the mirror says of itself."""
    from labagent.tools.mirrors.database import opened

    _, meta = opened(args.mirror)
    sources = json.loads(meta["sources"])
    if args.json:
        print(json.dumps({**meta, "entries": int(meta["entries"]), "sources": sources}, indent=2))
        return 0
    print(f"{args.mirror}: {meta['entries']} {meta['kind']}, built {meta['built']} (UTC) of")
    for source in sources:
        print(f"  {source['name']}  {source['bytes']} bytes  sha256 {source['sha256']}")
    return 0


def _search(args: argparse.Namespace) -> int:
    """Hits, one a line."""
    from labagent.tools.backends import Choice
    from labagent.tools.backends.mirror import connect

    source = connect(Choice(name=f"mirror:{args.mirror.stem}", path=args.mirror))
    hits = _hits(source, args)
    if args.json:
        print(json.dumps(hits.model_dump(mode="json"), ensure_ascii=False, indent=2))
        return 0
    for line in _lines(hits):
        print(line)
    for note in (f"{hits.total} found; {hits.order}", *hits.notes):
        print(note, file=sys.stderr)
    return 0


def _hits(source: Source, args: argparse.Namespace) -> ProteinHits | PaperHits:
    """Ask the mirror for what it has."""
    from pydantic import ValidationError

    from labagent.errors import ToolError
    from labagent.models.base import first_fault
    from labagent.tools.literature.records import SearchArguments as PaperQuery
    from labagent.tools.proteins.records import SearchArguments as ProteinQuery

    try:
        if source.literature is not None:
            return source.literature.search_papers(PaperQuery(query=args.query, size=args.size))
        assert source.proteins is not None
        query = ProteinQuery(query=args.query, gene=args.gene, organism=args.organism, size=args.size)
        return source.proteins.search_proteins(query)
    except ValidationError as error:
        raise ToolError("arguments", first_fault(error)) from error


def _lines(hits: ProteinHits | PaperHits) -> Iterator[str]:
    """A hit a line."""
    from labagent.tools.proteins.records import ProteinHits

    if isinstance(hits, ProteinHits):
        for hit in hits.hits:
            yield f"{hit.accession}\t{hit.entry_name}\t{hit.gene}\t{hit.organism}\t{hit.name}"
        return
    for paper in hits.hits:
        yield f"{paper.pmid}\t{paper.year or ''}\t{paper.journal}\t{paper.title}"
