"""Asking a web service: retries, waits, limits of time and size, redirects within the service, no secrets in
errors.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin, urlsplit

from labagent import __version__
from labagent.errors import ToolError
from labagent.redaction import redact

if TYPE_CHECKING:
    import requests

    from labagent.tools.backends._limiter import RateLimit

CHUNK = 1 << 16
REDIRECTS = frozenset({301, 302, 303, 307, 308})
AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504})
FINAL: Mapping[int, str] = {400: "input", 404: "not_found", 410: "not_found", 413: "limit", 414: "limit"}


@dataclass(frozen=True)
class Patience:
    """How long to try. ``connect``, ``read``: seconds for one step; ``whole``: for one answer, however slowly
    it comes; ``tries``: requests altogether; ``backoff``: first wait, doubled each time; ``longest``: seconds
    of waiting altogether; ``largest``: bytes of an answer.
    """

    connect: float = 10.0
    read: float = 30.0
    whole: float = 120.0
    tries: int = 4
    backoff: float = 0.5
    longest: float = 60.0
    largest: int = 32 << 20


@dataclass(frozen=True)
class Answer:
    """An answer of status 200. ``url`` is what was asked last, ``asked`` what was asked first (without the
    query).
    """

    body: bytes
    headers: Mapping[str, str]
    url: str
    asked: str

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode("utf-8", "replace")


@dataclass
class Service:
    """A web service at one address.

    Args:
        name: for messages (``UniProt``).
        server: its address, http or https; requests and redirects stay on this host.
        patience: limits.
        limit: requests a second, shared between processes; ``None``: no limit.
        sleep: how to wait.
        secret: a value that is sent and must not come back in a message.

    Raises:
        ToolError: ``input``: the address is none of http or https.
    """

    name: str
    server: str = field(repr=False)
    patience: Patience = field(default_factory=Patience)
    limit: RateLimit | None = None
    sleep: Callable[[float], None] = time.sleep
    secret: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        parts = urlsplit(self.server)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            message = f"the address of {self.name} must begin with https:// or http:// and name a host"
            raise ToolError("input", message, field="server", value=self.shown(self.server))
        self.server = self.server.rstrip("/") + "/"

    def get(
        self,
        path: str,
        values: Mapping[str, Any],
        *,
        check: Callable[[Answer], None] = lambda answer: None,
        post: bool = False,
    ) -> Answer:
        """One answer.

        Args:
            path: below the service's address.
            values: of the query; sent as a form where ``post``.
            check: raises ``ValueError`` for an answer that is cut off or no answer at all; then it is asked
                again.
            post: whether the values may be too long for an address.

        Raises:
            ToolError: ``not_found``, ``input``: the service says so. ``limit``: the answer is too large.
                ``unavailable``: it cannot be reached, fails, or asks to wait for too long.
        """
        url, waited, reason = urljoin(self.server, path), 0.0, ""
        for attempt in range(self.patience.tries):
            wait = self.patience.backoff * 2**attempt
            try:
                answer = self._follow(url, values, post)
                check(answer)
            except _Again as again:
                reason, wait = str(again), wait if again.wait is None else again.wait
            except ValueError as error:
                reason = f"the answer is cut off or damaged ({self.cleaned(str(error))[:80]})"
            else:
                return answer
            waited += wait
            if waited > self.patience.longest:
                raise self._down(f"{reason}; it asks to wait for {wait:.0f} s", attempt + 1)
            if attempt < self.patience.tries - 1:
                if self.limit is not None and wait > self.limit.interval:
                    self.limit.postpone(wait)
                self.sleep(wait)
        raise self._down(reason, self.patience.tries)

    def shown(self, url: str) -> str:
        """An address without user, password and query."""
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"[:200]

    def _follow(self, url: str, values: Mapping[str, Any], post: bool) -> Answer:
        """An answer, over redirects within the service."""
        asked, query = url, dict(values)
        for _ in range(6):
            status, headers, body = self._once(url, query, post)
            if status == 200:
                return Answer(body, headers, url, asked)
            if status not in REDIRECTS:
                raise self._refused(status, headers, body)
            following = urljoin(url, headers.get("location", ""))
            if _host(following) != _host(self.server):
                raise ToolError(
                    "unavailable", f"{self.name} redirects to another server, which is not followed"
                )
            # A redirect names the whole address; of the query only what it leaves out is added again.
            kept = {p.partition("=")[0] for p in urlsplit(following).query.split("&")}
            url, query = following, {k: v for k, v in values.items() if k not in kept}
        raise ToolError("unavailable", f"{self.name} redirects in a circle")

    def _once(self, url: str, values: Mapping[str, Any], post: bool) -> tuple[int, Mapping[str, str], bytes]:
        """One request, whatever its status."""
        import requests
        from urllib3.exceptions import HTTPError

        if self.limit is not None:
            self.limit.wait()
        patience = self.patience
        try:
            with _session(url) as session:
                how: dict[str, Any] = {"data" if post else "params": values}
                with session.request(
                    "POST" if post else "GET",
                    url,
                    **how,
                    timeout=(patience.connect, patience.read),
                    allow_redirects=False,
                    stream=True,
                ) as reply:
                    return reply.status_code, dict(_lowered(reply)), self._body(reply)
        except (requests.RequestException, HTTPError) as error:
            # Its text holds the address with its query, and that may hold the key.
            raise _Again(f"it cannot be reached or breaks off: {type(error).__name__}") from None

    def _body(self, reply: requests.Response) -> bytes:
        """The body, within the limits of size and time."""
        end, parts, size = time.monotonic() + self.patience.whole, [], 0
        # As much as has come: a server that sends a byte now and then is not waited for.
        while part := reply.raw.read1(CHUNK, decode_content=True):
            parts.append(part)
            size += len(part)
            if size > self.patience.largest:
                allowed = f"{self.patience.largest >> 20} MB"
                raise ToolError(
                    "limit", f"the answer of {self.name} is larger than {allowed}", allowed=allowed,
                    hints=["ask for less: fewer hits, or a narrower query"],
                )  # fmt: skip
            if time.monotonic() > end:
                raise _Again(f"an answer takes longer than {self.patience.whole:.0f} s")
        return b"".join(parts)

    def _refused(self, status: int, headers: Mapping[str, str], body: bytes) -> Exception:
        """What a status means."""
        said = self.cleaned(_message(body))
        if status in AGAIN:
            return _Again(f"it answers {status}{said}", _asked_wait(headers))
        code = FINAL.get(status, "unavailable")
        hints = ["see what it says; asking again does not help"] if code == "unavailable" else []
        return ToolError(code, f"{self.name} answers {status}{said}", hints=hints)

    def _down(self, reason: str, tries: int) -> ToolError:
        """The service does not answer."""
        return ToolError(
            "unavailable",
            f"{self.name} ({self.shown(self.server)}) does not answer: {reason} ({tries} tries)",
            hints=["try again later, or use a backend that needs no network (facts, mirror:NAME)"],
        )

    def cleaned(self, text: str) -> str:
        """Text of the service without secrets and control characters."""
        text = text.replace(self.secret, "[redacted]") if self.secret else text
        return "".join(c if c.isprintable() else " " for c in redact(text))


class _Again(Exception):
    """Worth asking again, after so many seconds (``None``: the usual wait)."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        self.wait = wait
        super().__init__(reason)


def _session(url: str) -> requests.Session:
    """A session that uses the environment's proxies and no password of a ``.netrc``."""
    import requests

    session = requests.Session()
    session.trust_env = False
    session.proxies = dict(requests.utils.get_environ_proxies(url))
    session.headers.update({"User-Agent": f"labagent/{__version__}", "Accept": "*/*"})
    return session


def _host(url: str) -> tuple[str, str | None, int | None]:
    """Scheme, host and port of an address."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


def _lowered(reply: requests.Response) -> Mapping[str, str]:
    """Headers by their names in lower case."""
    return {k.lower(): v for k, v in reply.headers.items()}


def _asked_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that ``Retry-After`` asks for: a number, or a date."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(0.0, (moment.astimezone(UTC) - datetime.now(UTC)).total_seconds())


def _message(body: bytes) -> str:
    """What the service says of an error: its JSON messages, or nothing."""
    import json

    try:
        said = json.loads(body[:10_000])
    except ValueError:
        return ""
    if not isinstance(said, dict):
        return ""
    found = said.get("messages") or said.get("error") or said.get("message") or ""
    text = "; ".join(map(str, found)) if isinstance(found, list) else str(found)
    return f": {text[:300]}" if text else ""
