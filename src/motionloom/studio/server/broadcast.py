"""Broadcast: messages to all pages that have a socket open."""

import asyncio
import contextlib
from typing import Any

from pydantic import BaseModel

MOST_WAITING = 1000  # messages; a page that reads none of so many is not there any more


class Listener:
    """One page's mailbox."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[str | bytes | None] = asyncio.Queue(MOST_WAITING)  # None: nothing more will come

    def put(self, message: str | bytes) -> bool:
        """Put a message into the box; False where it is full."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            return False
        return True

    def hang_up(self) -> None:
        """Say nothing more; the page is to come back and look at everything anew."""
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


class Broadcast:
    """All listeners; messages may come from any thread."""

    def __init__(self) -> None:
        self._listeners: set[Listener] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        """Say in which loop the listeners live."""
        self._loop = loop

    def add(self) -> Listener:
        """A new listener."""
        listener = Listener()
        self._listeners.add(listener)
        return listener

    def remove(self, listener: Listener) -> None:
        """A listener has gone."""
        self._listeners.discard(listener)

    def give(self, listener: Listener, message: str | bytes) -> None:
        """Give one page a message; one that has stopped reading is let go."""
        if not listener.put(message):
            self.remove(listener)
            listener.hang_up()

    def tell(self, message: BaseModel) -> None:
        """Tell all pages."""
        self._in_loop(self._tell_all, message.model_dump_json())

    def run(self, function: Any, *arguments: Any) -> None:
        """Run something in the loop, soon."""
        self._in_loop(function, *arguments)

    def _tell_all(self, text: str) -> None:
        for listener in list(self._listeners):
            self.give(listener, text)

    def _in_loop(self, function: Any, *arguments: Any) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it has been closed: nobody listens any more
                self._loop.call_soon_threadsafe(function, *arguments)
