"""Curves: named values over time that were recorded beside a motion, such as the coefficients of a face."""

import re
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion.arrays import check_rate

DAY = 86_400.0  # seconds
SAME = 1e-9  # seconds: what is nearer is the same instant
TURNED = ("Yaw", "Roll")  # ends of names of angles that change their sign in a mirror


@dataclass(frozen=True, eq=False)
class Curves:
    """C values over F rows at a rate of their own, each row with its timecode."""

    names: tuple[str, ...]  # C, unique
    values: np.ndarray  # (F, C); a row without values is NaN
    seconds: np.ndarray  # (F,) whole seconds of the timecode since midnight
    frames: np.ndarray  # (F,) frames of the timecode since that second, fractional
    timecode_fps: float  # frames of a second of the timecode
    fps: float  # rows per second
    start: float = 0.0  # seconds of the motion at which the first row is; negative before it

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        for name in ("values", "seconds", "frames"):
            array = np.array(getattr(self, name), float)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        n_rows = len(self.seconds)
        if self.values.shape != (n_rows, len(self.names)) or self.frames.shape != (n_rows,) or not n_rows:
            raise BadInput(
                f"curves have values of shape {self.values.shape}, {n_rows} seconds and {len(self.frames)} frames of "
                f"timecode; expected the same rows of each, at least one, and {len(self.names)} values"
            )
        if not self.names or len(set(self.names)) != len(self.names):
            raise BadInput("names of curves must be unique, and there must be one")
        check_rate(self.fps)
        check_rate(self.timecode_fps)
        if not np.isfinite(self.start) or not np.isfinite(self.seconds).all() or not np.isfinite(self.frames).all():
            raise BadInput("timecodes and the start of curves must be finite")
        finite = np.isfinite(self.values)
        if (finite.any(axis=1) & ~finite.all(axis=1)).any() or np.isinf(self.values).any():
            raise BadInput("values of curves must be finite, or missing in a whole row")
        if (np.diff(self.times) < 0).any():
            row = int((np.diff(self.times) < 0).argmax()) + 1
            raise BadInput(f"the timecode of row {row + 1} is before that of the row above it")

    @property
    def n_rows(self) -> int:
        return len(self.seconds)

    @cached_property
    def times(self) -> np.ndarray:
        """(F,) seconds from the first row; midnight may be between two rows."""
        of_day = self.seconds + self.frames / self.timecode_fps
        days = np.cumsum(np.diff(of_day, prepend=of_day[:1]) < -DAY / 2)
        return np.asarray(of_day + DAY * days - of_day[0])

    @property
    def n_empty(self) -> int:
        """Rows without values."""
        return int(np.isnan(self.values[:, 0]).sum())

    @property
    def n_dropped(self) -> int:
        """Rows that the rate has and the recording has not."""
        return int(np.maximum(np.rint(np.diff(self.times) * self.fps) - 1, 0).sum())

    @property
    def duration(self) -> float:
        """Seconds from the first row to the end of the last one."""
        return float(self.times[-1]) + 1.0 / self.fps

    def is_same(self, other: "Curves") -> bool:
        """Whether names, timecodes and values are the same; both may begin at other seconds of their motion."""
        arrays = ("values", "seconds", "frames")
        return self.names == other.names and all(
            np.array_equal(getattr(self, name), getattr(other, name), equal_nan=True) for name in arrays
        )

    def at(self, seconds: np.ndarray) -> np.ndarray:
        """(N, C) at seconds (N,) of the motion, between rows linearly; NaN outside, and beside rows without values."""
        wanted, is_there = np.asarray(seconds, float) - self.start, ~np.isnan(self.values[:, 0])
        sampled = np.full((len(wanted), len(self.names)), np.nan)
        before = np.searchsorted(self.times, wanted + SAME, side="right") - 1
        after = np.searchsorted(self.times, wanted - SAME)
        known = (before >= 0) & (wanted <= self.times[-1] + 1.0 / self.fps + SAME)
        known[known] &= is_there[before[known]] & is_there[np.minimum(after, self.n_rows - 1)[known]]
        if known.any():
            columns = self.values[is_there].T
            sampled[known] = np.stack([np.interp(wanted[known], self.times[is_there], each) for each in columns], -1)
        return sampled

    def beginning_at(self, start: float) -> "Curves":
        """The same, with the first row at other seconds of the motion."""
        return replace(self, start=start)

    def cut(self, start: float, stop: float) -> "Curves | None":
        """The rows in [start, stop) seconds of the motion, for a motion that begins there; None without any."""
        at = self.start + self.times
        inside = (at >= start - SAME) & (at < stop - SAME)
        if not inside.any():
            return None
        first = float(at[inside][0]) - start
        return replace(
            self, values=self.values[inside], seconds=self.seconds[inside], frames=self.frames[inside], start=first
        )

    def mirrored(self) -> "Curves":
        """Those of the mirrored motion: left is right, and heads and eyes turn and tilt to the other side."""
        columns = {name: column for column, name in enumerate(self.names)}
        partners = [columns.get(_other_side(name), column) for name, column in columns.items()]
        signs = np.where([name.endswith(TURNED) for name in self.names], -1.0, 1.0)
        return replace(self, values=signs * self.values[:, partners])


def _other_side(name: str) -> str:
    return re.sub("Left|Right", lambda found: "Right" if found[0] == "Left" else "Left", name)
