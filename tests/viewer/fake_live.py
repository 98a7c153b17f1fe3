"""A small table server for the page: it sends what a test tells it to, and keeps what it is sent."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty, Queue
from typing import Any, TypeAlias

from tianhei.transcripts.viewer.site import CONTENT_POLICY, PAGE, page_words

Sent: TypeAlias = Mapping[str, Any] | None
"""A message; None cuts the stream."""
KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}


class FakeTable:
    """Serves the page on a free port. ``tell`` sends a message to every open stream, after all those before it."""

    def __init__(self) -> None:
        self.messages: list[Mapping[str, Any]] = []
        self.posts: list[tuple[str, str, Any]] = []
        """Path, token and body of what was sent here, in order."""
        self.replies: dict[str, tuple[int, Any]] = {}
        """What a path answers; anything else answers an empty object."""
        self.paths: list[str] = []
        self.policies: set[str] = set()
        self._streams: list[Queue[Sent]] = []
        self._turn = threading.Lock()
        table = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, format: str, *args: Any) -> None:
                pass

            def do_GET(self) -> None:
                table.get(self)

            def do_POST(self) -> None:
                table.post(self)

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self.cut()
        self._server.shutdown()
        self._server.server_close()

    def tell(self, message: Mapping[str, Any]) -> None:
        with self._turn:
            self.messages.append(message)
            for stream in self._streams:
                stream.put(message)

    def cut(self) -> None:
        """Break every open stream off, as a network does."""
        with self._turn:
            for stream in self._streams:
                stream.put(None)

    def get(self, handler: BaseHTTPRequestHandler) -> None:
        path = handler.path
        self.paths.append(path)
        if path in self.replies:
            self._send(handler, *self.replies[path])
        elif path.endswith("/stream"):
            self._stream(handler)
        elif path == "/page/words.json":
            self._send(handler, 200, page_words())
        elif path.startswith("/page/"):
            name = path.removeprefix("/page/")
            self._send(handler, 200, PAGE.joinpath(*name.split("/")).read_bytes(), KINDS[name.rsplit(".", 1)[1]])
        elif path == "/" or path.startswith(("/t/", "/replay/")):
            self._send(handler, 200, PAGE.joinpath("index.html").read_bytes(), "text/html")
        else:
            self._send(handler, 404, {"error": {"code": "no_table", "message": "no such table"}})

    def post(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        self.posts.append((handler.path, handler.headers.get("Authorization", ""), body))
        self._send(handler, *self.replies.get(handler.path, (200, {})))

    def _send(self, handler: BaseHTTPRequestHandler, status: int, body: Any, kind: str = "application/json") -> None:
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", f"{kind}; charset=utf-8")
        handler.send_header("Content-Security-Policy", CONTENT_POLICY)
        handler.send_header("Content-Length", str(len(raw)))
        handler.end_headers()
        handler.wfile.write(raw)

    def _stream(self, handler: BaseHTTPRequestHandler) -> None:
        queue: Queue[Sent] = Queue()
        with self._turn:
            for message in self.messages:
                queue.put(message)
            self._streams.append(queue)
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.end_headers()
        try:
            while (sent := self._next(queue, handler)) is not None:
                handler.wfile.write(f"data: {json.dumps(sent)}\n\n".encode())
                handler.wfile.flush()
        except OSError:
            pass  # the page has gone
        finally:
            with self._turn:
                self._streams.remove(queue)

    def _next(self, queue: Queue[Sent], handler: BaseHTTPRequestHandler) -> Sent:
        while True:
            try:
                return queue.get(timeout=5)
            except Empty:
                handler.wfile.write(b": still here\n\n")
                handler.wfile.flush()
