"""Times in requests: '2.5s', '150f', 'start', 'end'."""

import re
from typing import Annotated, Any

import numpy as np
from pydantic import BeforeValidator, Field

from motionloom.errors import BadInput

_TIME = re.compile(r"(?P<number>[0-9]{1,9}(\.[0-9]+)?)(?P<unit>[sf])")


def check_time(text: Any) -> str:
    """Raise unless a text says a time: '2.5s', '150f', 'start' or 'end'."""
    if text in ("start", "end"):
        return text
    found = _TIME.fullmatch(text) if isinstance(text, str) else None
    if not found:
        raise ValueError(f"'{text}' is not a valid time; expected seconds like 2.5s, frames like 150f, start or end")
    if found["unit"] == "f" and found[2]:
        raise ValueError(f"'{text}' is not an integer number of frames; expected 150f, or seconds like 2.5s")
    return text


Time = Annotated[
    str,
    BeforeValidator(check_time),
    Field(
        json_schema_extra={
            "pattern": r"^([0-9]{1,9}(\.[0-9]+)?s|[0-9]{1,9}f|start|end)$",
            "examples": ["2.5s", "150f", "end"],
        }
    ),
]
Finite = Annotated[float, Field(allow_inf_nan=False)]


def frames_of(time: str, fps: float, n_frames: int | None = None) -> int:
    """A time as a number of frames; 'end' is one past the last."""
    if time == "start":
        return 0
    if time == "end":
        if n_frames is None:
            raise BadInput("'end' is not a valid length; expected seconds like 10s or frames like 600f")
        return n_frames
    number, unit = float(time[:-1]), time[-1]
    return int(np.floor(number * fps + 0.5)) if unit == "s" else int(number)
