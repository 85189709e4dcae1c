"""Broadcast: messages to all pages that have a socket open."""

import asyncio
import contextlib
from collections.abc import Coroutine

from pydantic import BaseModel

from motionloom.tasks import Call

MOST_WAITING = 1000  # messages; a page that reads none of so many is not there any more
MOST_BYTES = 16 << 20  # of all messages that wait, likewise
FRAMES_WAITING = 2 << 20  # bytes; while more wait, a page is not listened to
ANSWERS_WAITING = 100  # messages, likewise


class Subscriber:
    """The messages that wait for one page."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[str | bytes | None] = asyncio.Queue(MOST_WAITING)  # None: nothing more will come
        self.under_way: set[asyncio.Task] = set()  # answers that take a moment
        self.drags: list[Call] = []  # of the page to which desks have no answer yet, the oldest first
        self._size = 0  # bytes that wait
        self._has_room = asyncio.Event()
        self._has_room.set()

    def put(self, message: str | bytes) -> bool:
        """Add a message; False where too many wait."""
        if self.queue.full() or self._size + len(message) > MOST_BYTES:
            return False
        self.queue.put_nowait(message)
        self._count(len(message))
        return True

    async def get(self) -> str | bytes | None:
        """The next message, once there is one; None: nothing more will come."""
        message = await self.queue.get()
        self._count(-len(message or ""))
        return message

    def begin(self, answering: Coroutine[None, None, None]) -> None:
        """Answer something beside everything else; given up when the page goes."""
        task = asyncio.create_task(answering)
        self.under_way.add(task)
        task.add_done_callback(self.under_way.discard)

    async def wait_for_room(self) -> None:
        """Wait until the page has read most of what it asked for."""
        await self._has_room.wait()

    def _count(self, size: int) -> None:
        self._size += size
        if self._size <= FRAMES_WAITING and self.queue.qsize() <= ANSWERS_WAITING:
            self._has_room.set()
        else:
            self._has_room.clear()

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

    def __len__(self) -> int:
        return len(self._subscribers)

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
