"""Packs a run set into one file; the same content gives the same bytes."""

from __future__ import annotations

import gzip
import io
import json
import os
import platform
import tarfile
from collections.abc import Mapping
from importlib.metadata import distributions
from pathlib import Path

import labagent
from labagent.errors import InputError, InputFault, LabagentError
from labagent.files import sha256_file, to_json
from labagent.inputs import Inputs
from labagent.models.archive import ArchivedFile, ArchiveManifest
from labagent.operations.archive.contents import CONFIG, input_files, result_files
from labagent.operations.archive.crate import CRATE, description
from labagent.redaction import redact

MANIFEST = "manifest.json"
LARGEST_TEXT = 64 << 20
LEVEL = 6
STAGED = ("results/artifacts/", "results/data/")
"""What labs released: strings in the shape of keys are theirs, in examples."""


def pack(inputs: Inputs, results: Path, out: Path) -> ArchiveManifest:
    """Pack inputs, results, versions and a description.

    Args:
        inputs: what the runs were made from.
        results: their folder.
        out: the archive, ``….tar.gz``; replaced where it is there.

    Returns:
        What it holds.

    Raises:
        InputError: there are no results.
        LabagentError: a file holds a secret of this process' environment, or what looks like a key.
    """
    files = dict(result_files(results))
    runs = [name for name in files if name.startswith("results/runs/") and name.endswith("/run.json")]
    if not runs:
        raise InputError(
            [InputFault(str(results), "holds no result of an attempt; there is nothing to keep")]
        )
    given, outside = input_files(inputs)
    files |= given
    _refuse_secrets(files)
    config = to_json(inputs.config.model_dump(mode="json")).encode()
    manifest = ArchiveManifest(
        labagent=labagent.__version__,
        python=platform.python_version(),
        packages=tuple(sorted({f"{d.name}=={d.version}" for d in distributions()})),
        results=inputs.config.results,
        entries=len({name.rsplit("/", 2)[0] for name in runs}),
        runs=len(runs),
        newest=_newest(files),
        outside=outside,
        files={
            **{
                name: ArchivedFile(sha256=sha256_file(p), bytes=p.stat().st_size) for name, p in files.items()
            },
            CONFIG: _described(config),
        },
    )
    made = {CONFIG: config, MANIFEST: to_json(manifest.to_json()).encode()}
    made[CRATE] = to_json(description(manifest)).encode()
    _write(out, {**files, **made})
    return manifest


def _described(content: bytes) -> ArchivedFile:
    """Hash and size."""
    from hashlib import sha256

    return ArchivedFile(sha256=sha256(content).hexdigest(), bytes=len(content))


def _write(out: Path, members: Mapping[str, Path | bytes]) -> None:
    """A tar sorted by name, without times, owners and the archive's own name; whole or not at all."""
    out.parent.mkdir(parents=True, exist_ok=True)
    part = out.with_name(f".{out.name}.part")
    try:
        with (
            part.open("wb") as raw,
            gzip.GzipFile(filename="", mode="wb", fileobj=raw, compresslevel=LEVEL, mtime=0) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
        ):
            for name in sorted(members):
                _add(tar, name, members[name])
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)


def _add(tar: tarfile.TarFile, name: str, source: Path | bytes) -> None:
    """One file."""
    info = tarfile.TarInfo(name)
    info.mode = 0o755 if isinstance(source, Path) and os.access(source, os.X_OK) else 0o644
    if isinstance(source, bytes):
        info.size = len(source)
        tar.addfile(info, io.BytesIO(source))
    else:
        info.size = source.stat().st_size
        with source.open("rb") as stream:
            tar.addfile(info, stream)


def _refuse_secrets(files: Mapping[str, Path]) -> None:
    """No file may hold a secret.

    Raises:
        LabagentError: names the files.
    """
    found = []
    for name, path in files.items():
        if name.startswith(STAGED) or path.stat().st_size > LARGEST_TEXT:
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        if redact(text) != text:
            found.append(name)
    if found:
        more = f" and {len(found) - 10} more" if len(found) > 10 else ""
        raise LabagentError(
            f"not archived: what looks like a secret is in {', '.join(found[:10])}{more}; take it out first"
        )


def _newest(files: Mapping[str, Path]) -> float:
    """The time of the last event of any run."""
    last = 0.0
    for name, path in files.items():
        if name.endswith("/trace.jsonl"):
            lines = path.read_bytes().splitlines()
            try:
                last = max(last, float(json.loads(lines[-1])["time"]))
            except (IndexError, ValueError, KeyError, TypeError):
                continue
    return last
