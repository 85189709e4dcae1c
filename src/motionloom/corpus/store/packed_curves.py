"""Curves as they are stored beside a take: one float64 array of rows, and a text about them with its digest."""

import hashlib
import json

import numpy as np

from motionloom.errors import BadInput, CorpusError
from motionloom.formats import limits
from motionloom.motion import Curves

NUMBERS = ("timecode_fps", "fps", "start")


def pack_curves(curves: Curves) -> np.ndarray:
    """(F, 2 + C) float64: whole seconds and frames of the timecode, then the values."""
    return np.column_stack([curves.seconds, curves.frames, curves.values])


def describe_curves(curves: Curves) -> tuple[str, str]:
    """Names, rates and start as JSON, and the digest of that."""
    about = {"names": curves.names, **{name: getattr(curves, name) for name in NUMBERS}}
    content = json.dumps(about, sort_keys=True)
    return content, _digest_of(content)


def unpack_curves(content: object, digest: object, rows: np.ndarray) -> Curves:
    """The curves of a row of the catalogue and its array; raises if they cannot be right."""
    if not isinstance(content, str) or _digest_of(content) != digest:
        raise CorpusError("what is known of them has another digest")
    try:
        about = json.loads(content)
        if rows.ndim != 2:
            raise BadInput(f"their rows have shape {rows.shape}")
        numbers = (float(about[name]) for name in NUMBERS)
        curves = Curves(tuple(about["names"]), rows[:, 2:], rows[:, 0], rows[:, 1], *numbers)
        excess = limits.find_excess_of_curves(curves)
        if excess is not None:
            raise BadInput(excess)
    except (BadInput, KeyError, TypeError, ValueError, IndexError) as error:
        raise CorpusError(f"they cannot be read ({error})") from error
    return curves


def _digest_of(content: str) -> str:
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
