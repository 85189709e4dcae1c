"""The shortest graph walk to a place: best-first search over nodes with their placements.

First A* with an admissible heuristic, straight distance over the fastest clip, which finds the shortest graph walk.
If that exceeds half of the effort, a greedy pass with a weighted heuristic, which expands each cell of placements once;
what it finds is near the place but may not be the shortest, and is marked so.
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
from motionloom.motion.angles import wrap_angle_outside

HEURISTIC_WEIGHT = 4.0  # of the greedy pass
CELL_HEADING = math.pi / 12  # radians: size of a cell of placements in the greedy pass


class Tables(Protocol):
    """The tables of a planner that the search reads."""

    graph: HubGraph
    controls: ClipControls
    lengths: list[int]
    targets: list[int]
    placements: list[list[float]]
    offers: list[np.ndarray]


@dataclass(frozen=True)
class Goal:
    """A place on the ground with a heading, and the tolerances of both."""

    x: float  # metres, world
    z: float
    heading: float | None = None  # radians, world
    tolerance: float = 0.25  # metres
    heading_tolerance: float = 0.5  # radians

    def __post_init__(self) -> None:
        numbers = [self.x, self.z, self.heading or 0.0, self.tolerance, self.heading_tolerance]
        if not np.isfinite(numbers).all() or self.tolerance <= 0 or self.heading_tolerance <= 0:
            raise BadInput(
                f"place, heading and tolerances must be finite, and tolerances positive; "
                f"got {self.x}, {self.z} within {self.tolerance} m"
            )

    def distance(self, x: float, z: float) -> float:
        """Metres from a point to the place."""
        return math.hypot(self.x - x, self.z - z)

    def heading_off(self, heading: float) -> float:
        """Deviation from the wanted heading, radians; 0 if none is wanted."""
        return 0.0 if self.heading is None else abs(wrap_angle_outside(heading - self.heading))

    def miss(self, x: float, z: float, heading: float) -> float:
        """The deviation outside the tolerances, metres plus radians; 0 within them."""
        off = max(0.0, self.distance(x, z) - self.tolerance)
        return off + max(0.0, self.heading_off(heading) - self.heading_tolerance)


class PlaceWalk(NamedTuple):
    """A graph walk towards a place, and where it ends."""

    clips: tuple[int, ...]
    seconds: float
    x: float  # metres, world: of its end
    z: float
    heading: float  # radians, world
    distance: float  # metres from the place
    heading_off: float  # radians from the wanted heading; 0 if none is wanted
    is_reached: bool  # within the tolerances of place and heading
    is_shortest: bool  # proven to be the shortest; false if the search reached its limit of effort


class _Found(NamedTuple):
    miss: float
    frames: int
    entry: int  # index in the list of entries; 0 is the start


def search(tables: Tables, node: int, placement: Sequence[float], goal: Goal, seconds: float, effort: int) -> PlaceWalk:
    """Find the shortest graph walk to a place, or the nearest of those that were expanded.

    Args:
        tables: of the graph.
        node: at which it starts.
        placement: x, z in metres and heading in radians of that node, world.
        goal: the place.
        seconds: maximum duration.
        effort: maximum number of expanded placements, half of them in the greedy pass.
    """
    most = min(seconds * tables.graph.fps + 1e-6, 1e9)
    exact = _Pass(tables, goal, most, effort // 2, is_greedy=False)
    found = exact.run(node, placement)
    if found.miss > 0 and not exact.is_exhausted:
        greedy = _Pass(tables, goal, most, effort - effort // 2, is_greedy=True)
        nearer = greedy.run(node, placement)
        if nearer[:2] < found[:2]:
            return greedy.walk_of(nearer, False)
    return exact.walk_of(found, exact.is_exhausted)


class _Pass:
    """One pass of the search: its open queue, and expanded placements as entries that point to their predecessor."""

    def __init__(self, tables: Tables, goal: Goal, most: float, effort: int, is_greedy: bool) -> None:
        self.tables, self.goal, self.most, self.effort = tables, goal, most, effort
        self.is_greedy = is_greedy
        self.is_exhausted = False  # no better graph walk is left in the queue
        frames = np.array(tables.lengths, float)
        self.fastest = float((tables.controls.distance / frames).max())  # metres per frame
        self.entries: list[tuple[int, int, float, float, float]] = []  # predecessor, clip, x, z, heading
        self.seen: set[tuple[int, int, int, int]] = set()

    def run(self, node: int, placement: Sequence[float]) -> _Found:
        """Expand placements by rank until none can be better, or the limit of effort is reached."""
        goal, tables = self.goal, self.tables
        x, z, heading = (float(value) for value in placement)
        self.entries = [(-1, -1, x, z, heading)]
        best = _Found(goal.miss(x, z, heading), 0, 0)
        queue = [(self._rank(0, x, z), 0, 0, node)]  # rank, entry, frames, node
        left = self.effort
        while queue:
            _, before, frames_so_far, node = heapq.heappop(queue)
            _, _, x, z, heading = self.entries[before]
            if best.miss == 0 and frames_so_far + self._frames_left(x, z) >= best.frames:
                if not self.is_greedy:
                    break  # everything left in the queue has a higher lower bound
                continue
            cos, sin = math.cos(heading), math.sin(heading)
            for clip in tables.offers[node].tolist():
                if left == 0:
                    return best
                left -= 1
                frames = frames_so_far + tables.lengths[clip]
                dx, dz, turn = tables.placements[clip]
                to_x, to_z = cos * dx + sin * dz + x, -sin * dx + cos * dz + z
                to_heading = wrap_angle_outside(heading + turn)
                if frames > self.most or self._was_seen(tables.targets[clip], to_x, to_z, to_heading):
                    continue
                entry = len(self.entries)
                self.entries.append((before, clip, to_x, to_z, to_heading))
                miss = goal.miss(to_x, to_z, to_heading)
                if (miss, frames) < best[:2]:
                    best = _Found(miss, frames, entry)
                rank = self._rank(frames, to_x, to_z)
                heapq.heappush(queue, (rank, entry, frames, tables.targets[clip]))
        self.is_exhausted = not self.is_greedy
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
        """The heuristic: a lower bound of the frames from a point to the place."""
        away = max(0.0, self.goal.distance(x, z) - self.goal.tolerance)
        return away / self.fastest if self.fastest > 0 else 0.0

    def _rank(self, frames: int, x: float, z: float) -> float:
        left = self._frames_left(x, z)
        return frames + (HEURISTIC_WEIGHT * left if self.is_greedy else left)

    def _was_seen(self, node: int, x: float, z: float, heading: float) -> bool:
        if not self.is_greedy:
            return False
        cell = self.goal.tolerance / 2
        key = (node, math.floor(x / cell), math.floor(z / cell), math.floor(heading / CELL_HEADING))
        if key in self.seen:
            return True
        self.seen.add(key)
        return False
