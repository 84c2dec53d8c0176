"""``pypi:NAME==VERSION``: the source distribution of an exact version. Its build is never run."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from labagent.errors import InfrastructureError, SourceError
from labagent.files import read_json, sha256_file, sha256_text, write_json
from labagent.stage.archives import unpack
from labagent.stage.download import hide_userinfo
from labagent.stage.repositories import Fetched, Request
from labagent.stage.trees import copy_tree, strip_top_folder

if TYPE_CHECKING:
    from pypi_simple import DistributionPackage, PyPISimple

SCHEME = "pypi:"
INDEX_VARIABLES = ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL")
TIMEOUT = (15.0, 120.0)  # seconds: connect, and between two pieces of the answer


def accepts(text: str, path: Path | None) -> bool:
    """Texts of the form ``pypi:…``."""
    return text.startswith(SCHEME)


def fetch(request: Request) -> Fetched:
    """Unpack the source distribution, from the cache where it was fetched before."""
    name, _, version = request.text.removeprefix(SCHEME).partition("==")
    index = next((os.environ[v] for v in INDEX_VARIABLES if os.environ.get(v)), "")
    record = request.cache / "pypi" / "index" / f"{sha256_text(index)[:8]}-{name}-{version}.json"
    archive = _from_cache(record, request.cache) or _from_index(name, version, index, record, request.cache)
    with tempfile.TemporaryDirectory(dir=request.target.parent, prefix=".unpack-") as scratch:
        unpack(archive, Path(scratch))
        copy_tree(strip_top_folder(Path(scratch)), request.target)
    day = str(read_json(record).get("released", ""))
    return Fetched(origin=f"{request.text} sha256:{archive.parent.name}", released=day)


def _from_cache(record: Path, cache: Path) -> Path | None:
    """The archive fetched before for this name and version, if it is still whole."""
    if not record.is_file():
        return None
    known = read_json(record)
    archive = cache / "pypi" / known["sha256"] / known["file"]
    return archive if archive.is_file() and sha256_file(archive) == known["sha256"] else None


def _from_index(name: str, version: str, index: str, record: Path, cache: Path) -> Path:
    """Ask the index for the source distribution, fetch it and check its hash."""
    import requests
    from pypi_simple import DigestMismatchError, NoSuchProjectError, PyPISimple, UnsupportedContentTypeError

    label = f"{SCHEME}{name}=={version}"
    client = PyPISimple(endpoint=index) if index else PyPISimple()
    try:
        package = _choose(client, name, version)
        return _download(client, package, record, cache)
    except NoSuchProjectError as error:
        raise SourceError(f'{label}: the package index has no project "{name}"') from error
    except DigestMismatchError as error:
        raise SourceError(f"{label}: {hide_userinfo(str(error))}") from error
    except (requests.RequestException, UnsupportedContentTypeError) as error:
        reason = hide_userinfo(str(error))
        raise InfrastructureError(f"{label}: the package index cannot be asked: {reason}") from error
    finally:
        client.s.close()


def _choose(client: PyPISimple, name: str, version: str) -> DistributionPackage:
    """The one source distribution of the version; else an error that says what there is."""
    from packaging.version import InvalidVersion, Version

    packages = client.get_project_page(name, timeout=TIMEOUT).packages

    def same(text: str | None) -> bool:
        try:
            return text is not None and Version(text) == Version(version)
        except InvalidVersion:
            return text == version

    files = [p for p in packages if same(p.version)]
    sources = [p for p in files if p.package_type == "sdist" and "sha256" in p.digests]
    if sources:
        return min(sources, key=lambda p: (not p.filename.endswith(".tar.gz"), p.filename))
    if files:
        names = ", ".join(sorted(p.filename for p in files))
        raise SourceError(f"{SCHEME}{name}=={version}: no source distribution with a sha256; files: {names}")
    versions = list(dict.fromkeys(p.version for p in packages if p.version))
    shown = ", ".join(versions[-10:]) or "none"
    raise SourceError(f"{SCHEME}{name}=={version}: no such version; the last ones are: {shown}")


def _download(client: PyPISimple, package: DistributionPackage, record: Path, cache: Path) -> Path:
    """Fetch into ``cache/pypi/<sha256>/``; the record that finds it again is written last."""
    sha256 = package.digests["sha256"]
    archive = cache / "pypi" / sha256 / Path(package.filename).name
    if not (archive.is_file() and sha256_file(archive) == sha256):
        partial = archive.with_name(f".{archive.name}.{os.getpid()}")
        client.download_package(package, partial, timeout=TIMEOUT)
        partial.replace(archive)
    day = package.upload_time.date().isoformat() if package.upload_time else ""
    write_json(record, {"file": archive.name, "sha256": sha256, "released": day})
    return archive
