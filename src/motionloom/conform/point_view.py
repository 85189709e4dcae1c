"""Point view: takes of points with the markers they share, at one frame rate, with the head motion taken off."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom.conform.base_view import BaseView
from motionloom.conform.people import People, find_people
from motionloom.motion import PointMotion
from motionloom.motion.head_motion import HeadMotion, put_on_head


@dataclass(frozen=True, eq=False, kw_only=True)
class PointView(BaseView):
    """Takes of the same M markers, at one frame rate, in the frame of the head, concatenated over all N frames.

    The head is whatever the markers sit on: what moves least in them. Its frame has y up, as the recordings are upright
    on average; +z is the front where the markers look like those of a face (`has_front`), else that of the recordings
    on average; the origin is the middle of the markers at rest.
    """

    markers: tuple[str, ...]  # M names, in the order of the first take
    positions: np.ndarray  # (N, M, 3) float32 metres, in the frame of the head; NaN in gaps
    head_positions: np.ndarray  # (N, 3) float32 metres, world: world = head position + rotate(head rotation, position)
    head_rotations: np.ndarray  # (N, 4) float32 wxyz, head to world
    rest: np.ndarray  # (M, 3) metres: the markers at rest, on average, in the frame of the head
    steady: np.ndarray  # (S,) int: markers that the head is found by; none where nothing is rigid and motion stays in
    moves: np.ndarray  # (M,) metres: how far from rest each marker is, root mean square
    has_front: bool  # whether markers tell what +z is

    @property
    def has_head(self) -> bool:
        """Whether head motion was taken off; without a rigid part it stays in, and the head is still."""
        return len(self.steady) > 0

    def motion(self, name: str) -> PointMotion:
        """One take in the frame of the head."""
        start, stop = self.range_of(name)
        return PointMotion(self.markers, np.array(self.positions[start:stop], float), self.fps)

    def head(self, name: str) -> HeadMotion:
        """The head motion of one take."""
        start, stop = self.range_of(name)
        arrays = (np.array(array[start:stop], float) for array in (self.head_positions, self.head_rotations))
        return HeadMotion(*arrays)

    def with_head(self, name: str) -> PointMotion:
        """One take in the world."""
        return put_on_head(self.motion(name), self.head(name))

    @cached_property
    def people(self) -> People:
        """Whose faces the takes show."""
        takes = [self.positions[start:stop] for start, stop in zip(self.starts[:-1], self.starts[1:])]
        return find_people(takes, self.steady)

    def shape(self, name: str) -> np.ndarray:
        """(M, 3) metres: by how much the face of a take is of another shape than the one that is seen most."""
        people = self.people
        return people.shapes[people.of_takes[self.names.index(name)]]

    def describe_head(self) -> str:
        """A sentence for reports: what the head was found by."""
        if not self.has_head:
            return "head motion stays in: no part of the markers is rigid"
        found = 1000 * float(np.sqrt(np.mean(self.moves[self.steady] ** 2)))
        names = ", ".join(self.markers[marker] for marker in self.steady)
        front = "" if self.has_front else "; which way is front is taken from the recordings"
        return f"head motion taken off by {len(self.steady)} steady markers, which move {found:.2g} mm: {names}{front}"
