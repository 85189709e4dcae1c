"""Connections of the server: a request has to arrive in a reasonable time, or its connection is closed.

Once a request is there, its answer may take as long as it needs, and so may a body that somebody uploads.
"""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS_FOR_HEAD = 20.0  # for the request line and the headers, from the first byte that could be sent
MOST = 400  # connections at once; more are answered with 503


class Connection(H11Protocol):
    """A connection of uvicorn's that does not wait for ever."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._expect_request()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._expect_request()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        if self._deadline is not None:
            self._deadline.cancel()

    def _expect_request(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = self.loop.call_later(SECONDS_FOR_HEAD, self._close_if_waiting)

    def _close_if_waiting(self) -> None:
        is_answered = self.cycle is None or self.cycle.response_complete
        if is_answered and self.transport.get_protocol() is self:  # a websocket has another one
            self.transport.close()
