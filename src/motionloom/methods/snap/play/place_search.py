"""The shortest graph walk to a place: best first over nodes and where they lie.

First every graph walk in the order of how soon it could be there at best, which finds the shortest one; where that
takes too long, again in a hurry: what leads towards the place comes first, and places that were seen are not gone to
again. A graph walk found in a hurry is near the place but may be longer than need be, and says so.
"""

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from motionloom.errors import BadInput
from motionloom.methods.snap.graph.clip_controls import ClipControls
from motionloom.methods.snap.graph.hub_graph import HubGraph

HURRY = 4.0  # so many times longer seems what is left to go, in a hurry
CELL_HEADING = math.pi / 12  # radians: placements that differ less, and lie together, count as one in a hurry


class Tables(Protocol):
    """What the search reads of a planner."""

    graph: HubGraph
    controls: ClipControls
    lengths: list[int]
    targets: list[int]
    placements: list[list[float]]
    offers: list[np.ndarray]


@dataclass(frozen=True)
class Goal:
    """A place on the ground, how to stand there, and what is near enough."""

    x: float  # metres, world
    z: float
    heading: float | None = None  # radians, world
    tolerance: float = 0.25  # metres
    heading_tolerance: float = 0.5  # radians

    def __post_init__(self) -> None:
        numbers = [self.x, self.z, self.heading or 0.0, self.tolerance, self.heading_tolerance]
        if not np.isfinite(numbers).all() or self.tolerance <= 0 or self.heading_tolerance <= 0:
            raise BadInput(
                f"the place {self.x}, {self.z} cannot be gone to within {self.tolerance} m; give finite numbers"
            )

    def distance(self, x: float, z: float) -> float:
        """Metres from here to there."""
        return math.hypot(self.x - x, self.z - z)

    def heading_off(self, heading: float) -> float:
        """Radians from the heading wished for, 0 where none is."""
        return 0.0 if self.heading is None else abs(wrap_angle(heading - self.heading))

    def miss(self, x: float, z: float, heading: float) -> float:
        """What is missing: metres outside the tolerance, and as many for radians; 0 where it is near enough."""
        off = max(0.0, self.distance(x, z) - self.tolerance)
        return off + max(0.0, self.heading_off(heading) - self.heading_tolerance)


class PlaceWalk(NamedTuple):
    """A graph walk towards a place, and where it really ends."""

    clips: tuple[int, ...]
    seconds: float
    x: float  # metres, world: where it ends
    z: float
    heading: float  # radians, world
    distance: float  # metres from the place
    heading_off: float  # radians from the heading wished for; 0 where none was
    is_reached: bool  # near enough, in place and heading
    is_shortest: bool  # no graph walk is there sooner; false where the search was cut short


class _Found(NamedTuple):
    miss: float
    frames: int
    entry: int  # of the list of entries; 0 is where it begins


def search(tables: Tables, node: int, placement: Sequence[float], goal: Goal, seconds: float, effort: int) -> PlaceWalk:
    """Find the shortest graph walk to a place, or the one that comes nearest among those looked at.

    Args:
        tables: of the graph.
        node: where it begins.
        placement: x, z in metres and heading in radians of that node, world.
        goal: the place.
        seconds: that it may take at most.
        effort: placements that are looked at, half of them in a hurry.
    """
    most = min(seconds * tables.graph.fps + 1e-6, 1e9)
    exact = _Pass(tables, goal, most, effort // 2, is_hurried=False)
    found = exact.run(node, placement)
    if found.miss > 0 and not exact.is_exhausted:
        hurried = _Pass(tables, goal, most, effort - effort // 2, is_hurried=True)
        other = hurried.run(node, placement)
        if other[:2] < found[:2]:
            return hurried.walk_of(other, False)
    return exact.walk_of(found, exact.is_exhausted)


class _Pass:
    """One search; what it has looked at is a list of entries that name the one they came from."""

    def __init__(self, tables: Tables, goal: Goal, most: float, effort: int, is_hurried: bool) -> None:
        self.tables, self.goal, self.most, self.effort = tables, goal, most, effort
        self.is_hurried = is_hurried
        self.is_exhausted = False  # nothing better is left to look at
        frames = np.array(tables.lengths, float)
        self.fastest = float((tables.controls.distance / frames).max())  # metres per frame
        self.entries: list[tuple[int, int, float, float, float]] = []  # before, clip, x, z, heading
        self.seen: set[tuple[int, int, int, int]] = set()

    def run(self, node: int, placement: Sequence[float]) -> _Found:
        """Look at graph walks in their order until none can be better, or the effort is spent."""
        goal, tables = self.goal, self.tables
        x, z, heading = (float(value) for value in placement)
        self.entries = [(-1, -1, x, z, heading)]
        best = _Found(goal.miss(x, z, heading), 0, 0)
        queue = [(self._rank(0, x, z), 0, 0, node)]  # rank, entry, frames, node
        left = self.effort
        while queue:
            _, before, spent, node = heapq.heappop(queue)
            _, _, x, z, heading = self.entries[before]
            if best.miss == 0 and spent + self._frames_left(x, z) >= best.frames:
                if not self.is_hurried:
                    break  # whatever is still in the queue is there later
                continue
            cos, sin = math.cos(heading), math.sin(heading)
            for clip in tables.offers[node].tolist():
                if left == 0:
                    return best
                left -= 1
                frames = spent + tables.lengths[clip]
                dx, dz, turn = tables.placements[clip]
                to_x, to_z = cos * dx + sin * dz + x, -sin * dx + cos * dz + z
                to_heading = wrap_angle(heading + turn)
                if frames > self.most or self._was_seen(tables.targets[clip], to_x, to_z, to_heading):
                    continue
                entry = len(self.entries)
                self.entries.append((before, clip, to_x, to_z, to_heading))
                miss = goal.miss(to_x, to_z, to_heading)
                if (miss, frames) < best[:2]:
                    best = _Found(miss, frames, entry)
                rank = self._rank(frames, to_x, to_z)
                heapq.heappush(queue, (rank, entry, frames, tables.targets[clip]))
        self.is_exhausted = not self.is_hurried
        return best

    def walk_of(self, found: _Found, is_shortest: bool) -> PlaceWalk:
        """The graph walk that ends with an entry."""
        clips: list[int] = []
        entry = found.entry
        _, _, x, z, heading = self.entries[entry]
        while entry > 0:
            before, clip = self.entries[entry][:2]
            clips.append(clip)
            entry = before
        return PlaceWalk(
            tuple(clips[::-1]),
            found.frames / self.tables.graph.fps,
            x,
            z,
            heading,
            self.goal.distance(x, z),
            self.goal.heading_off(heading),
            found.miss == 0,
            is_shortest and found.miss == 0,
        )

    def _frames_left(self, x: float, z: float) -> float:
        """Frames that it takes at least from here."""
        away = max(0.0, self.goal.distance(x, z) - self.goal.tolerance)
        return away / self.fastest if self.fastest > 0 else 0.0

    def _rank(self, frames: int, x: float, z: float) -> float:
        left = self._frames_left(x, z)
        return frames + (HURRY * left if self.is_hurried else left)

    def _was_seen(self, node: int, x: float, z: float, heading: float) -> bool:
        if not self.is_hurried:
            return False
        cell = self.goal.tolerance / 2
        key = (node, math.floor(x / cell), math.floor(z / cell), math.floor(heading / CELL_HEADING))
        if key in self.seen:
            return True
        self.seen.add(key)
        return False


def wrap_angle(angle: float) -> float:
    """An angle in radians, brought into [-pi, pi)."""
    return angle - 2 * math.pi * math.floor((angle + math.pi) / (2 * math.pi))
