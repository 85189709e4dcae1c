"""A malformed file: what is in it, what lies beside it, and what is said of it."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

WHOLE = Path(__file__).parents[1] / "whole"  # what the malformed ones are made from


class Malformed(NamedTuple):
    """A file that is refused, and the exact sentence it gets."""

    name: str  # its ending says the format
    content: Callable[[], bytes]
    beside: dict[str, bytes]  # other files in its folder
    message: str  # after the name of the file at fault


def whole(name: str) -> str:
    """The text of a file in which nothing is wrong."""
    return (WHOLE / name).read_text()


def swap(text: str, old: str, new: str, count: int = 1) -> bytes:
    """A file with something in it replaced, which must be there."""
    assert old in text
    return text.replace(old, new, count).encode()
