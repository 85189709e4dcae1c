"""Plain data: numbers, words, lists and mappings, which JSON can hold; and what may go wrong in reading it."""

import math
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from motionloom.assembly.requests.yaml_text import MOST_DEPTH, MOST_DIGITS, UNUSABLE, shorten, written
from motionloom.errors import BadInput

UNREADABLE = (  # what reading a damaged .json or .npz file may raise
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    EOFError,
    MemoryError,
    OverflowError,
    RuntimeError,  # RecursionError and NotImplementedError are such
    zipfile.BadZipFile,
    zlib.error,
)

_LARGEST = 10**MOST_DIGITS


def plain(value: Any, what: str = "value") -> Any:
    """The value with arrays, numbers of numpy and tuples as JSON can hold them; refuses what it cannot hold.

    Args:
        value: of any kind.
        what: it is, for the message.
    """
    if isinstance(value, Mapping):
        return {str(key): plain(part, f"{what}: {key}") for key, part in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(item, what) for item in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    raise BadInput(f"{what}: {value!r} cannot be kept; give finite numbers, words, lists and mappings")


def check_plain(data: Any, what: str) -> None:
    """Raise where plain data holds what no file can keep: control characters, halves of characters, no numbers.

    Args:
        data: as JSON gave it, from anybody.
        what: it is, for the message.
    """
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), data)]
    while waiting:
        where, value = waiting.pop()
        if len(where) > MOST_DEPTH:
            raise BadInput(f"{what}: lists and mappings are more than {MOST_DEPTH} deep")
        problem = _problem(value)
        if problem:
            raise BadInput(f"{shorten(written(where)) or what}: {problem}")
        if isinstance(value, dict):
            for key in value:
                if _problem(key):
                    raise BadInput(f"{shorten(written(where)) or what}: in a key, {_problem(key)}")
            waiting += [((*where, key), value[key]) for key in reversed(value)]
        elif isinstance(value, (list, tuple)):
            waiting += [((*where, number), item) for number, item in reversed(list(enumerate(value)))]


def _problem(value: Any) -> str:
    """Why a value cannot be kept; "" where it can."""
    if isinstance(value, str):
        found = UNUSABLE.search(value)
        return f"the character U+{ord(found[0]):04X} cannot be used in a text" if found else ""
    if isinstance(value, int):
        return "" if abs(value) < _LARGEST else f"a number has more than {MOST_DIGITS} digits"
    if isinstance(value, float) and not math.isfinite(value):
        return f"{value} cannot be used; it should be a finite number"
    return ""
