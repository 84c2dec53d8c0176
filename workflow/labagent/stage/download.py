"""Fetching one file over https, with limits; what has a known hash is kept and used again."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from labagent.errors import InfrastructureError, SourceError
from labagent.files import CHUNK, sha256_file

if TYPE_CHECKING:
    import requests

MAX_BYTES = 4 << 30
TIMEOUT = (15.0, 120.0)  # seconds: connect, and between two pieces of the answer
GONE = frozenset({400, 401, 403, 404, 405, 410, 451})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def hide_userinfo(text: str) -> str:
    """``text`` with user name and password taken out of every URL in it."""
    return re.sub(r"(?<=://)[^/\s'\"]*@", "", text)


def url_name(url: str) -> str:
    """The file name a URL ends in; ``download`` where it has none."""
    name = unquote(urlsplit(url).path).rstrip("/").rpartition("/")[2]
    cleaned = re.sub(r"[^\w.+-]", "_", name).lstrip(".")
    return cleaned or "download"


def download(url: str, target: Path, *, cache: Path, sha256: str = "", limit: int = MAX_BYTES) -> None:
    """Write what ``url`` serves to ``target``.

    Args:
        url: ``https://…``; plain ``http`` is allowed for this machine only.
        target: the file to write; its folder exists.
        cache: folder that keeps files of known hash, so that a second call needs no network.
        sha256: the hash the file must have, or empty.
        limit: the largest size accepted, in bytes.

    Raises:
        SourceError: not https, refused or not found by the server, too large, or another hash.
        InfrastructureError: the server cannot be reached or fails.
    """
    kept = cache / "files" / sha256
    if sha256 and kept.is_file() and sha256_file(kept) == sha256:
        shutil.copyfile(kept, target)
        return
    found = _fetch(url, target, limit)
    if sha256 and found != sha256:
        target.unlink()
        raise SourceError(f"{hide_userinfo(url)}: sha256 is {found}, expected {sha256}")
    if sha256:
        kept.parent.mkdir(parents=True, exist_ok=True)
        partial = kept.with_suffix(".part")
        shutil.copyfile(target, partial)
        partial.replace(kept)


def _fetch(url: str, target: Path, limit: int) -> str:
    """Stream ``url`` into ``target``; the hash of what came."""
    import requests

    shown = hide_userinfo(url)
    check_scheme(url)
    try:
        hooks = {"response": _check_redirect}
        with requests.get(url, stream=True, timeout=TIMEOUT, hooks=hooks) as reply:
            _check_status(shown, reply)
            return _write(shown, reply, target, limit)
    except (requests.exceptions.InvalidURL, requests.exceptions.MissingSchema) as error:
        raise SourceError(f"{shown}: not a URL: {hide_userinfo(str(error))}") from error
    except requests.RequestException as error:
        reason = hide_userinfo(str(error))
        raise InfrastructureError(f"{shown}: cannot be fetched: {reason}") from error


def check_scheme(url: str) -> None:
    """https, or http to this machine.

    Raises:
        SourceError: another address.
    """
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
        bare = urlunsplit((parts.scheme, parts.hostname or "", parts.path, "", ""))
        raise SourceError(f"{bare}: only https:// URLs are fetched")


def _check_redirect(reply: requests.Response, **_: object) -> None:
    """Refuse a redirect that leaves https, before it is followed."""
    if reply.is_redirect:
        check_scheme(urljoin(reply.url, reply.headers["location"]))


def _check_status(shown: str, reply: requests.Response) -> None:
    """Tell a file that is not there from a server that fails."""
    if reply.status_code in GONE:
        raise SourceError(f"{shown}: the server answers {reply.status_code} {reply.reason}")
    if reply.status_code != 200:
        raise InfrastructureError(f"{shown}: the server answers {reply.status_code} {reply.reason}")


def _write(shown: str, reply: requests.Response, target: Path, limit: int) -> str:
    """Write the body up to ``limit`` bytes."""
    digest = hashlib.sha256()
    size = 0
    with target.open("wb") as stream:
        for piece in reply.iter_content(CHUNK):
            size += len(piece)
            if size > limit:
                raise SourceError(f"{shown}: larger than the limit of {limit} bytes")
            digest.update(piece)
            stream.write(piece)
    return digest.hexdigest()
