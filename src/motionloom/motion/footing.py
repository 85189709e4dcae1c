"""Footing: what the feet of a motion stand on, frame by frame: a ground, and supports for some frames."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from motionloom.errors import BadInput
from motionloom.motion.ground import FLAT, Box, Ground
from motionloom.motion.placement import Placement

# Metres below the top of a support from which on a point is beside it: how far it extends is not known exactly.
SUNK_IN = 0.06  # a point that rests
GRAZED = 0.005  # one that passes by
COLUMNS = ("start", "stop", "x", "z", "half x", "half z", "turn", "top", "bottom")  # of a support as a row of numbers


@dataclass(frozen=True)
class Support:
    """A box that feet stand on in the frames [start, stop) of a motion; it need not be there in others."""

    box: Box
    start: int
    stop: int

    def __post_init__(self) -> None:
        if not self.start < self.stop:
            raise BadInput(f"a support from frame {self.start} to {self.stop} has no frames; the stop comes after")

    def to_row(self) -> list[float]:
        """As the numbers of `COLUMNS`."""
        box = self.box
        return [float(self.start), float(self.stop), *box.centre, *box.half, box.turn, box.top, box.bottom]

    @staticmethod
    def from_row(row: Iterable[float]) -> "Support":
        """Back from the numbers of `COLUMNS`."""
        start, stop, x, z, a, b, turn, top, bottom = (float(value) for value in row)
        return Support(Box((x, z), (a, b), turn, top, bottom), int(start), int(stop))


@dataclass(frozen=True)
class Footing:
    """What feet stand on: a ground that is always there, and supports for some frames.

    Recordings have no props, so the step that a foot stood on is known only while it stood there. A motion that is made
    of several recordings takes their supports along, each for its frames.
    """

    ground: Ground = FLAT
    supports: tuple[Support, ...] = ()

    @property
    def is_flat(self) -> bool:
        """Whether there is nothing but the floor."""
        return self.ground.is_flat and not self.supports

    def under(self, points: np.ndarray, resting: np.ndarray | None = None) -> np.ndarray:
        """(F, K) metres: the height of what is under each of the points.

        A support counts in its own frames, for points above its top or a little below: a foot that is beside a step is
        not in it.

        Args:
            points: (F, K, 3) metres, world.
            resting: (F, K) bool: points that rest may have sunk in deeper than those that pass by; None for none.
        """
        lowest = np.full(points.shape[:-1], GRAZED) if resting is None else np.where(resting, SUNK_IN, GRAZED)
        surface = self.ground.supports_at(points)
        for support in self.supports:
            frames = slice(max(support.start, 0), max(support.stop, 0))
            inside, top = points[frames], support.box.top
            stands = support.box.covers(inside[..., [0, 2]]) & (inside[..., 1] >= top - lowest[frames])
            surface[frames] = np.where(stands, np.maximum(surface[frames], top), surface[frames])
        return surface

    def sampled(self, times: np.ndarray) -> "Footing":
        """That of the frames of a motion at (M,) ascending times, in frames: a support lasts while they are in it."""
        kept = []
        for support in self.supports:
            first, last = np.searchsorted(times, (support.start - 0.5, support.stop - 0.5))
            if first < last:
                kept.append(replace(support, start=int(first), stop=int(last)))
        return replace(self, supports=tuple(kept))

    def cut(self, start: int, stop: int) -> "Footing":
        """That of the frames [start, stop), counted from the first of them."""
        kept = (
            replace(support, start=max(support.start, start) - start, stop=min(support.stop, stop) - start)
            for support in self.supports
            if support.start < stop and support.stop > start
        )
        return replace(self, supports=tuple(kept))

    def moved(self, placement: Placement) -> "Footing":
        """That of the motion moved over the floor."""
        supports = (replace(support, box=support.box.moved(placement)) for support in self.supports)
        return Footing(self.ground.moved(placement), tuple(supports))

    def scaled(self, factor: float) -> "Footing":
        """That of the motion scaled about the origin."""
        supports = (replace(support, box=support.box.scaled(factor)) for support in self.supports)
        return Footing(self.ground.scaled(factor), tuple(supports))

    def raised(self, metres: float) -> "Footing":
        """That of the motion moved up."""
        supports = (replace(support, box=support.box.raised(metres)) for support in self.supports)
        return Footing(self.ground.raised(metres), tuple(supports))

    def mirrored(self) -> "Footing":
        """That of the mirrored motion: left and right are exchanged at x = 0."""
        supports = (replace(support, box=support.box.mirrored()) for support in self.supports)
        return Footing(self.ground.mirrored(), tuple(supports))

    def to_rows(self) -> np.ndarray:
        """(N, 9) the supports as rows of numbers, see `COLUMNS`."""
        return np.array([support.to_row() for support in self.supports], float).reshape(-1, len(COLUMNS))

    @staticmethod
    def from_rows(rows: np.ndarray, ground: Ground = FLAT) -> "Footing":
        """Back from `to_rows`."""
        return Footing(ground, tuple(Support.from_row(row) for row in rows))


def concatenate_supports(parts: Iterable[tuple[int, Footing]]) -> tuple[Support, ...]:
    """The supports of motions that are played one after another: each with its number of frames and its footing."""
    supports: list[Support] = []
    begin = 0
    for n_frames, footing in parts:
        supports += (
            replace(support, start=support.start + begin, stop=support.stop + begin) for support in footing.supports
        )
        begin += n_frames
    return tuple(supports)
