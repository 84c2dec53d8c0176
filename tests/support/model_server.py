"""A local OpenAI-compatible chat server: real HTTP, scripted replies and faults.

``ModelServer([Say("hello"), Fault(status=429, retry_after=0.1), Say("again")])`` answers the first request
with ``hello``, fails the second and answers the third. When the script is over, further requests get status
410 and ``server.over`` counts them. ``server.requests`` holds the bodies as received.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class Say:
    """A reply. ``text`` may be a function of the request's body."""

    text: str | Callable[[dict[str, Any]], str]
    prompt_tokens: int = 100
    completion_tokens: int = 20
    cached_tokens: int = 0
    finish_reason: str = "stop"
    seconds: float = 0.0
    usage: bool = True


@dataclass(frozen=True)
class Fault:
    """What goes wrong instead of a reply.

    ``status`` with ``retry_after`` (seconds) and ``message``; or ``kind``: ``drop`` (connection reset
    before a byte is sent), ``cut`` (closed in the middle of the body), ``truncated`` (a whole response
    whose JSON is not), ``hang`` (no answer for ``seconds``), ``drip`` (a byte every 50 ms for ``seconds``).
    """

    status: int = 0
    kind: str = ""
    retry_after: float | None = None
    message: str = "scripted fault"
    code: str = ""
    seconds: float = 5.0


@dataclass
class ModelServer:
    """The server, as a context manager; ``url`` is what ``api_base`` wants."""

    script: Iterable[Say | Fault]
    forever: Say | Fault | None = None
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    over: int = 0

    def __enter__(self) -> Self:
        self._steps = iter(self.script)
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        """The base address, ending in ``/v1``."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def next_step(self, body: dict[str, Any], headers: dict[str, str]) -> Say | Fault:
        """Record a request and take the next step of the script."""
        with self._lock:
            self.requests.append(body)
            self.headers.append(headers)
            step = next(self._steps, self.forever)
            if step is None:
                self.over += 1
                step = Fault(status=410, message="the script is over")
            return step

    def wait(self, seconds: float) -> None:
        """Sleep, but not beyond the end of the server."""
        self._stop.wait(seconds)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        """A handler class bound to this server."""
        server = self

        class Handler(_Handler):
            model = server

        return Handler


class _Handler(BaseHTTPRequestHandler):
    """Answers ``POST /v1/chat/completions``."""

    model: ModelServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """One chat completion."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.endswith("/chat/completions"):
            self.send_error(404)
            return
        step = self.model.next_step(body, {k.lower(): v for k, v in self.headers.items()})
        if isinstance(step, Say):
            self.model.wait(step.seconds)
            self._send(200, json.dumps(_completion(step, body)).encode())
        elif step.status:
            self._refuse(step)
        else:
            getattr(self, f"_{step.kind}")(step, json.dumps(_completion(Say("x" * 400), body)).encode())

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on stderr."""

    def _send(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _refuse(self, fault: Fault) -> None:
        error = {"message": fault.message, "type": "scripted", "code": fault.code or str(fault.status)}
        headers = {} if fault.retry_after is None else {"Retry-After": f"{fault.retry_after:g}"}
        self._send(fault.status, json.dumps({"error": error}).encode(), headers)

    def _drop(self, fault: Fault, content: bytes) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _cut(self, fault: Fault, content: bytes) -> None:
        self._start(content)
        self.wfile.write(content[: len(content) // 2])
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def _truncated(self, fault: Fault, content: bytes) -> None:
        self._send(200, content[: len(content) // 2])

    def _hang(self, fault: Fault, content: bytes) -> None:
        self.model.wait(fault.seconds)
        self.close_connection = True

    def _drip(self, fault: Fault, content: bytes) -> None:
        self._start(content)
        for byte in content[: int(fault.seconds / 0.05)]:
            try:
                self.wfile.write(bytes([byte]))
            except OSError:
                break
            self.model.wait(0.05)
        self.close_connection = True

    def _start(self, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()


def _completion(say: Say, body: dict[str, Any]) -> dict[str, Any]:
    """A chat completion as the OpenAI API gives it."""
    text = say.text(body) if callable(say.text) else say.text
    message = {"role": "assistant", "content": text}
    completion: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": say.finish_reason}],
    }
    if say.usage:
        completion["usage"] = {
            "prompt_tokens": say.prompt_tokens,
            "completion_tokens": say.completion_tokens,
            "total_tokens": say.prompt_tokens + say.completion_tokens,
            "prompt_tokens_details": {"cached_tokens": say.cached_tokens},
        }
    return completion
