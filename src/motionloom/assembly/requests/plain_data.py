"""Plain data: numbers, words, lists and mappings, which JSON can hold; and what may go wrong in reading it."""

import math
import zipfile
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

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
