"""Access control: host, origin, token and size limits of requests.

The studio runs on a person's computer, where every web page they visit could try to talk to it. So:

* only requests for a name that the server was started under are answered (a stranger's name that was made to point at
  this computer is not one of them),
* what a page of another site sends is refused; it may link to the studio, no more,
* a token is asked for, so that neither other users of this computer nor other computers get in: once in the address,
  then kept in a cookie; the browser that is opened gets a ticket instead, which lets in once,
* bodies are counted while they come in, and refused as soon as they are too large.
"""

import asyncio
import contextlib
import html
import ipaddress
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from motionloom.errors import BadInput
from motionloom.studio.server.security.names import check_extension
from motionloom.studio.server.security.tokens import Ticket, is_same
from motionloom.studio.server.settings import UPLOAD_LIMIT

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
UPLOAD_PATH = "/api/upload"  # takes the bytes of one file, whose name is the parameter `file`
BODY_LIMIT = 4 * 1024 * 1024  # bytes of anything but a file
_DRAIN_SECONDS = 1.0  # how long a refused body is thrown away, so that its sender gets to read why

_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' blob: data:; "
    "media-src 'self' blob:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass(frozen=True)
class Hosts:
    """The names under which a server may be asked for."""

    port: int
    names: tuple[str, ...] = LOOPBACK
    takes_addresses: bool = False  # listens everywhere: any address of a computer will do, but no stranger's name

    def allow(self, host: str) -> bool:
        """Whether a Host header names this server."""
        name, colon, port = host.lower().rpartition(":")
        if not colon or host.endswith("]"):
            name, port = host.lower(), "80"
        if port != str(self.port):
            return False
        return name in self.names or (self.takes_addresses and _is_address(name))


class Refusal(Exception):
    """Why a request is not answered."""

    def __init__(self, status: int, error: str, page: str = "", **headers: str) -> None:
        super().__init__(error)
        self.status = status
        self.error = error
        self.page = page  # for a person at a browser, in the place of the error
        self.headers = headers


@dataclass(frozen=True)
class Guard:
    """Stands before an application and lets in who may.

    Args:
        app: what is guarded.
        hosts: the names it may be asked for under.
        token: that everybody must know; None for tests of everything else.
        ticket: that lets in once in the place of the token.
    """

    app: Application
    hosts: Hosts
    token: str | None = None
    ticket: Ticket | None = None

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with a reason."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = _Headers(scope["headers"])
        try:
            self._check(scope, headers)
            limit = _limit(scope, headers)
        except Refusal as refusal:
            await _refuse(scope, headers, receive, send, refusal)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await _Exchange(limit, receive, _with_headers(scope, send)).run(self.app, scope)

    def _check(self, scope: Message, headers: "_Headers") -> None:
        host = headers.only("host")
        if host is None or not self.hosts.allow(host):
            raise Refusal(403, "this address is not the studio's own; use the one that `motionloom studio` printed")
        if not _is_from_here(scope, headers, host):
            raise Refusal(403, "another web site asked for this; the studio answers its own pages only")
        if self.token is not None:
            self._check_token(scope, headers, self.token)

    def _check_token(self, scope: Message, headers: "_Headers", token: str) -> None:
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in pairs if name == "token"]
        tickets = [value for name, value in pairs if name == "ticket"]
        rest = urlencode([pair for pair in pairs if pair[0] not in ("token", "ticket")])
        where = "/" + quote(scope["path"].lstrip("/")) + (f"?{rest}" if rest else "")
        is_get = scope["type"] == "http" and scope["method"] == "GET"
        if is_get and (any(is_same(text, token) for text in given[:1]) or self._redeem(tickets)):
            raise _welcome(where, f"{self.cookie}={token}; HttpOnly; SameSite=Strict; Path=/", headers)
        known = [*given, *headers.bearers(), *headers.cookies(self.cookie)]
        matches = [is_same(accepted, token) for accepted in known]  # all of them, however the first compares
        if any(matches):
            return
        if is_get and headers.only("sec-fetch-site") == "cross-site" and not known:  # a link: its cookie stays behind
            raise Refusal(200, "", page=_forward(where))
        words = "the token is wrong" if known else "this address was used already" if tickets else "a token is needed"
        sentence = f"{words}; open the studio by the whole address that `motionloom studio` printed"
        page = _PAGE.format(head="", body=f"<p>{html.escape(sentence)}.</p>") if headers.wants_page() else ""
        raise Refusal(401, sentence, page=page, www_authenticate="Bearer")

    def _redeem(self, tickets: list[str]) -> bool:
        return self.ticket is not None and any(self.ticket.redeem(text) for text in tickets[:1])

    @property
    def cookie(self) -> str:
        """The name of the cookie; cookies know no ports, and a computer may run two studios."""
        return f"motionloom-{self.hosts.port}"


class _Headers:
    """Headers of a request, by lower-case name."""

    def __init__(self, pairs: Iterable[tuple[bytes, bytes]]) -> None:
        self._pairs = [(name.decode("latin-1").lower(), value.decode("latin-1").strip()) for name, value in pairs]

    def all(self, name: str) -> list[str]:
        return [value for key, value in self._pairs if key == name]

    def only(self, name: str) -> str | None:
        """A header that must come once; None where it does not."""
        values = self.all(name)
        return values[0] if len(values) == 1 else None

    def wants_page(self) -> bool:
        """Whether a person looks at the answer."""
        return any("text/html" in value for value in self.all("accept"))

    def bearers(self) -> list[str]:
        return [value[7:].strip() for value in self.all("authorization") if value[:7].lower() == "bearer "]

    def cookies(self, name: str) -> list[str]:
        """Values of a cookie, whatever other programs on this computer have left beside it."""
        pairs = [pair.strip().partition("=") for value in self.all("cookie") for pair in value.split(";")]
        return [value for key, _, value in pairs if key == name]


_PAGE = '<!doctype html><meta charset="utf-8">{head}<title>motionloom studio</title>{body}'


def _welcome(where: str, cookie: str, headers: _Headers) -> Refusal:
    """Where somebody goes who showed the token.

    Browsers keep the cookie back while they follow a link of another site, also after a redirect: then a page of our
    own goes there.
    """
    if headers.only("sec-fetch-site") == "cross-site":
        return Refusal(200, "", page=_forward(where), set_cookie=cookie)
    return Refusal(303, "", location=where, set_cookie=cookie)


def _forward(where: str) -> str:
    shown = html.escape(where)
    head = f'<meta http-equiv="refresh" content="0; url={shown}">'
    return _PAGE.format(head=head, body=f'<p><a href="{shown}">The studio</a></p>')


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _is_from_here(scope: Message, headers: _Headers, host: str) -> bool:
    """Whether a request comes from a page of ours, or from no page at all (a person, a program)."""
    is_reading = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
    sites = headers.all("sec-fetch-site")
    if any(site not in ("same-origin", "none") for site in sites) and not (is_reading and _is_link(scope, headers)):
        return False
    return all(origin.lower() == f"http://{host.lower()}" for origin in headers.all("origin"))


def _is_link(scope: Message, headers: _Headers) -> bool:
    """Whether a link to the page itself is followed, in a window of its own."""
    is_page = not scope["path"].startswith("/api")
    return is_page and headers.all("sec-fetch-mode") == ["navigate"] and headers.all("sec-fetch-dest") == ["document"]


def _limit(scope: Message, headers: _Headers) -> int:
    """How many bytes the body may have; raises where it says by itself that it is too large, or no recording."""
    limit = BODY_LIMIT
    if scope["path"] == UPLOAD_PATH:
        limit = UPLOAD_LIMIT
        named = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        try:
            check_extension(named.get("file", ""))
        except BadInput as error:
            raise Refusal(415, str(error)) from None
    lengths = headers.all("content-length")
    if any(not length.isdecimal() or len(length) > 15 or int(length) > limit for length in lengths):
        raise _too_large(limit)
    return limit


def _too_large(limit: int) -> Refusal:
    size = f"{limit / 1024 / 1024:.0f} MB"
    if limit == UPLOAD_LIMIT:
        return Refusal(413, f"a file may have {size} and this one is larger; split it, or use `motionloom import`")
    return Refusal(413, f"a message to the studio may have {size} and this one is larger")


class _Exchange:
    """One request and its answer, with the body counted as it comes in."""

    def __init__(self, limit: int, receive: Receive, send: Send) -> None:
        self._limit = limit
        self._receive = receive
        self._send = send
        self._count = 0
        self._has_answered = False
        self._refusal: Refusal | None = None

    async def run(self, app: Application, scope: Message) -> None:
        """Let the application answer; too large a body looks to it as if its sender had gone."""
        try:
            await app(scope, self._count_in, self._pass_on)
        except Exception:
            if self._refusal is None:
                raise
        if self._refusal is not None and not self._has_answered:
            await _answer(self._send, self._receive, self._refusal, is_drained=True)

    async def _count_in(self) -> Message:
        if self._refusal is not None:
            return {"type": "http.disconnect"}
        message = await self._receive()
        self._count += len(message.get("body", b""))
        if self._count > self._limit:
            self._refusal = _too_large(self._limit)
            return {"type": "http.disconnect"}
        return message

    async def _pass_on(self, message: Message) -> None:
        if self._refusal is not None and not self._has_answered:
            return  # whatever the application made of the body that ended early
        self._has_answered = True
        await self._send(message)


def _with_headers(scope: Message, send: Send) -> Send:
    """Adds security headers to every response."""
    path = scope["path"]
    cache = "no-store" if path.startswith("/api") else "no-cache"
    if path.startswith("/assets/"):
        cache = "public, max-age=31536000, immutable"  # their names change with their content
    extra = [(k.lower().encode(), v.encode()) for k, v in {**_HEADERS, "Cache-Control": cache}.items()]

    async def send_more(message: Message) -> None:
        if message["type"] == "http.response.start":
            kept = [(k, v) for k, v in message.get("headers", []) if k.lower() != b"cache-control"]
            message = {**message, "headers": [*kept, *extra]}
        await send(message)

    return send_more


async def _refuse(scope: Message, headers: _Headers, receive: Receive, send: Send, refusal: Refusal) -> None:
    if scope["type"] == "http":
        has_body = bool(headers.all("content-length") or headers.all("transfer-encoding"))
        waits = bool(headers.all("expect"))  # for our word before it sends anything
        await _answer(_with_headers(scope, send), receive, refusal, is_drained=has_body and not waits)
        return
    await receive()  # the wish to connect
    if "websocket.http.response" in scope.get("extensions", {}):
        pairs, body = _written(refusal)
        await send({"type": "websocket.http.response.start", "status": refusal.status, "headers": pairs})
        await send({"type": "websocket.http.response.body", "body": body})
    else:
        await send({"type": "websocket.close", "code": 1008, "reason": refusal.error})


async def _answer(send: Send, receive: Receive, refusal: Refusal, is_drained: bool) -> None:
    pairs, body = _written(refusal)
    await send(
        {"type": "http.response.start", "status": refusal.status, "headers": [*pairs, (b"connection", b"close")]}
    )
    await send({"type": "http.response.body", "body": body, "more_body": True})
    if is_drained:
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(_drain(receive), _DRAIN_SECONDS)
    await send({"type": "http.response.body", "body": b""})


async def _drain(receive: Receive) -> None:
    while True:
        message = await receive()
        if message["type"] != "http.request" or not message.get("more_body"):
            return


def _written(refusal: Refusal) -> tuple[list[tuple[bytes, bytes]], bytes]:
    body = json.dumps({"error": refusal.error}, ensure_ascii=False).encode() if refusal.error else b""
    body, kind = (refusal.page.encode(), b"text/html; charset=utf-8") if refusal.page else (body, b"application/json")
    pairs = [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    more = [(key.replace("_", "-").encode(), value.encode()) for key, value in refusal.headers.items()]
    return pairs + more, body
