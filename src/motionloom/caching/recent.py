"""A bounded cache in memory: the things kept last, by key."""

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """Keeps at most so many things; of more, those that were put there first go. Threads may share it."""

    def __init__(self, at_most: int) -> None:
        self._at_most = at_most
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def newest_first(self) -> list[Key]:
        """The keys of all that is kept, the newest first."""
        with self._lock:
            return list(reversed(self._kept))

    def get(self, key: Key) -> Value | None:
        """What is kept under a key; None if nothing is. Its turn to go stays as it was: `put` it again to renew it."""
        with self._lock:
            return self._kept.get(key)

    def put(self, key: Key, value: Value) -> list[Value]:
        """Keep something as the newest; returns what had to go."""
        with self._lock:
            self._kept[key] = value
            self._kept.move_to_end(key)
            return [self._kept.popitem(last=False)[1] for _ in range(len(self._kept) - self._at_most)]

    def update(self, key: Key, value: Value) -> None:
        """Put something in the place of what is kept under a key, if anything still is; its turn to go stays."""
        with self._lock:
            if key in self._kept:
                self._kept[key] = value

    def pop(self, key: Key) -> Value | None:
        """Take something out; None if it is not kept."""
        with self._lock:
            return self._kept.pop(key, None)
