"""Broadcast: messages to all pages that have a socket open."""

import asyncio
import contextlib

from pydantic import BaseModel

MOST_WAITING = 1000  # messages; a page that reads none of so many is not there any more


class Subscriber:
    """The messages that wait for one page."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[str | bytes | None] = asyncio.Queue(MOST_WAITING)  # None: nothing more will come

    def put(self, message: str | bytes) -> bool:
        """Add a message; False where too many wait."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            return False
        return True

    def close(self) -> None:
        """Send nothing more; the page is to connect again and load everything anew."""
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


class Broadcast:
    """All subscribers; messages may come from any thread."""

    def __init__(self) -> None:
        self._subscribers: set[Subscriber] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Set the event loop of the subscribers."""
        self._loop = loop

    def subscribe(self) -> Subscriber:
        """Add a page."""
        subscriber = Subscriber()
        self._subscribers.add(subscriber)
        return subscriber

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Remove a page."""
        self._subscribers.discard(subscriber)

    def send_to(self, subscriber: Subscriber, message: str | bytes) -> None:
        """Send a message to one page; one that has stopped reading is closed."""
        if not subscriber.put(message):
            self.unsubscribe(subscriber)
            subscriber.close()

    def send(self, message: BaseModel) -> None:
        """Send a message to all pages, soon."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has been closed: there are no pages any more
                self._loop.call_soon_threadsafe(self._send_all, message.model_dump_json())

    def _send_all(self, text: str) -> None:
        for subscriber in list(self._subscribers):
            self.send_to(subscriber, text)
