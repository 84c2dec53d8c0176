"""Asking a JSON API page by page: limits are waited for, failing servers asked again, tokens kept to it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests

from labagent.errors import InfrastructureError, SourceError
from labagent.stage.download import TIMEOUT, check_scheme

TRIES = 4
LONGEST = 120.0  # seconds of waiting for one answer
FIRST_WAIT = 0.5  # seconds, doubled each time a server fails
REFUSED = frozenset({400, 401, 403, 404, 410, 422, 451})


class Api:
    """A JSON API at one address; ``hint`` is told where its limit is reached."""

    def __init__(self, server: str, token: str, hint: str) -> None:
        check_scheme(server)
        self.server = server.rstrip("/") + "/"
        self.hint = hint
        self._session = requests.Session()
        self._session.trust_env = False  # no token from ~/.netrc
        self._session.proxies = requests.utils.get_environ_proxies(server)
        self._session.headers["Accept"] = "application/vnd.github+json"
        if token:
            self._session.headers["Authorization"] = f"Bearer {token}"

    def __enter__(self) -> Api:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session.close()

    def get(self, path: str) -> Any:
        """One record.

        Raises:
            SourceError: the server refuses it.
            InfrastructureError: the server cannot be reached, fails, or asks to wait for too long.
        """
        return self._json(self._answer(urljoin(self.server, path), {}))

    def pages(self, path: str, values: Mapping[str, Any]) -> Iterator[Any]:
        """The items of a list over all its pages; see :meth:`get` for errors."""
        url, asked = urljoin(self.server, path), dict(values)
        seen: set[str] = set()
        while url and url not in seen:
            seen.add(url)
            reply = self._answer(url, asked)
            items = self._json(reply)
            if not isinstance(items, list):
                raise InfrastructureError(f"{self._shown(url)}: no list in the answer")
            yield from items
            url, asked = self._next(reply), {}

    def _next(self, reply: requests.Response) -> str:
        """The address of the next page, of this server; empty after the last."""
        link = str(reply.links.get("next", {}).get("url", ""))
        url = urljoin(reply.url, link) if link else ""
        if url and urlsplit(url)[:2] != urlsplit(self.server)[:2]:
            raise InfrastructureError(f"{self._shown(reply.url)}: the next page lies on another server")
        return url

    def _answer(self, url: str, values: dict[str, Any]) -> requests.Response:
        """An answer of status 200; waits are bounded altogether."""
        waited, reason = 0.0, ""
        for attempt in range(TRIES):
            try:
                reply = self._session.get(url, params=values, timeout=TIMEOUT, allow_redirects=False)
            except requests.RequestException as error:
                reason, wait = f"cannot be reached: {type(error).__name__}", FIRST_WAIT * 2**attempt
            else:
                if reply.status_code == 200:
                    return reply
                reason, wait = f"the server answers {reply.status_code} {reply.reason}", _wait(reply, attempt)
                if wait is None:
                    raise SourceError(f"{self._shown(url)}: {reason}")
            waited += wait
            if waited > LONGEST:
                raise InfrastructureError(
                    f"{self._shown(url)}: {reason}, for another {wait:.0f} s; {self.hint}, or try again later"
                )
            if attempt < TRIES - 1:
                time.sleep(wait)
        raise InfrastructureError(f"{self._shown(url)}: {reason}, {TRIES} times")

    def _json(self, reply: requests.Response) -> Any:
        """The answer's content."""
        try:
            return reply.json()
        except ValueError as error:
            raise InfrastructureError(f"{self._shown(reply.url)}: the answer is no JSON") from error

    def _shown(self, url: str) -> str:
        """An address without query, user and password."""
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.hostname}{parts.path}"


def _wait(reply: requests.Response, attempt: int) -> float | None:
    """Seconds until it is worth asking again; ``None`` where it is not."""
    headers = reply.headers
    asked = headers.get("retry-after")
    spent = reply.status_code == 429 or headers.get("x-ratelimit-remaining") == "0"
    if reply.status_code in {403, 429} and (spent or asked):
        now = time.time()
        wait = (
            _seconds(asked, 60.0) if asked else _seconds(headers.get("x-ratelimit-reset"), now + 60.0) - now
        )
        return max(0.0, wait)
    if reply.status_code in REFUSED or 300 <= reply.status_code < 400:
        return None
    return FIRST_WAIT * float(2**attempt)


def _seconds(value: str | None, otherwise: float) -> float:
    """A header's number."""
    try:
        return float(value) if value else otherwise
    except ValueError:
        return otherwise
