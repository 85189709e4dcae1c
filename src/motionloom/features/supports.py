"""Supports: boxes that feet rest on, from footprints that share a height and a neighbourhood."""

from bisect import insort
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionloom.features.cells import Cell, cells_between
from motionloom.features.feet import POINTS
from motionloom.motion import Box
from motionloom.motion.placement import direction_of, heading_of, turn_ground

SAME_LEVEL = 0.05  # metres by which the heights of feet on one box may differ
APART = 0.1  # metres: footprints with the same height and a wider gap between them are on two boxes
TOES = 0.35  # of the length from heel to ball: toes ahead of the ball
WIDTH = 0.3  # of that length: half the width of a foot
SHORTEST_FOOT = 0.05  # metres from heel to ball, for feet without a ball
EDGE = 0.02  # metres that a box is wider than the feet on it
BOARD = 0.04  # metres: thickness of what one can pass below
PASSED = 0.07  # metres below the top: where a foot was lower than this there is no box, or it passed below it
NARROWEST = 0.01  # metres from where a foot rests to the edge
TINY = 1e-3  # metres
CELL = np.array([0.5, 0.5])  # metres along x and z: cells by which places nearby are looked up


@dataclass(frozen=True)
class RaisedContact:
    """A stretch of frames in which a point of a foot rests above the floor."""

    column: int  # index into `POINTS`
    start: int  # frames [start, stop)
    stop: int
    top: float  # metres, world: height of the surface below the point

    @property
    def point(self) -> str:
        """One of `POINTS`."""
        return POINTS[self.column]


@dataclass(frozen=True)
class Support:
    """Something above the floor that feet rested on, and their contacts with it."""

    box: Box
    contacts: tuple[RaisedContact, ...]


def lay_boxes(contacts: list[RaisedContact], points: np.ndarray, floor_height: float) -> tuple[Support, ...]:
    """Group footprints that share a height and a neighbourhood, and lay a box under each group.

    Each step of a stair becomes a box, and uneven ground many small ones: feet tell its height only where they stood,
    and boxes can be moved, joined and drawn without guessing what is between. A box reaches down to the floor unless
    a foot has passed below its top: then it is a board or a rung.

    Args:
        contacts: of both feet, in temporal order.
        points: (F, 4, 3) metres, world, of heels and balls in all frames.
        floor_height: metres, world.
    """
    places = _Places(points)
    supports = [_lay(group, places, floor_height) for group in _group(_find_footprints(contacts, points))]
    return tuple(sorted(supports, key=lambda support: min(contact.start for contact in support.contacts)))


@dataclass(frozen=True, eq=False)
class _Footprint:
    """A foot that stands somewhere: its heel, its ball or both."""

    contacts: tuple[RaisedContact, ...]
    outline: np.ndarray  # (4, 2) metres along x and z: its corners, heel first
    top: float  # metres, world: the surface below its lower point

    @property
    def n_frames(self) -> int:
        return max(contact.stop - contact.start for contact in self.contacts)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """The cells in which it is, or nearly: footprints no farther than `APART` share one."""
        beside = APART / 2 + TINY
        return tuple(cells_between(self.outline.min(axis=0) - beside, self.outline.max(axis=0) + beside, CELL))


def _find_footprints(contacts: list[RaisedContact], points: np.ndarray) -> list[_Footprint]:
    """Footprints in temporal order: heel and ball of one foot that rest at the same time rest on one surface."""
    feet: list[list[RaisedContact]] = []
    down: list[list[RaisedContact]] = []  # of them, those that a later contact may belong to
    for contact in contacts:
        down = [foot for foot in down if any(contact.start < member.stop for member in foot)]
        same = [foot for foot in down if any(_is_same_foot(contact, member) for member in foot)]
        if same:
            same[0].append(contact)
        else:
            feet.append([contact])
            down.append(feet[-1])
    return [_Footprint(tuple(foot), _outline(points, foot), min(contact.top for contact in foot)) for foot in feet]


def _is_same_foot(one: RaisedContact, other: RaisedContact) -> bool:
    at_once = one.start < other.stop and other.start < one.stop
    return one.column // 2 == other.column // 2 and at_once and abs(one.top - other.top) < SAME_LEVEL


def _outline(points: np.ndarray, foot: list[RaisedContact]) -> np.ndarray:
    """(4, 2) metres along x and z: corners of the footprint, from where the foot is while it rests longest."""
    longest = max(foot, key=lambda contact: contact.stop - contact.start)
    first = 2 * (longest.column // 2)
    heel, ball = np.median(points[longest.start : longest.stop, first : first + 2][..., [0, 2]], axis=0)
    ball = heel if np.isnan(ball).any() else ball
    length = max(float(np.linalg.norm(ball - heel)), SHORTEST_FOOT)
    ahead = direction_of(heading_of(ball - heel))
    across, toes = np.array([ahead[1], -ahead[0]]) * WIDTH * length, ball + ahead * TOES * length
    return np.array([heel - across, heel + across, toes + across, toes - across])


def _group(footprints: list[_Footprint]) -> list[list[_Footprint]]:
    """Footprints that share a height and a neighbourhood; groups that a footprint belongs to become one."""
    groups: dict[int, list[int]] = {}  # footprints by the number of their group
    tops: dict[int, list[float]] = {}  # their heights, sorted
    near: dict[Cell, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))  # footprints by cell and group
    for number, footprint in enumerate(footprints):
        beside: dict[int, list[list[int]]] = defaultdict(list)
        for cell in footprint.cells:
            for key, members in near[cell].items():
                beside[key].append(members)
        level = (key for key in beside if abs(_median(tops[key]) - footprint.top) <= SAME_LEVEL)
        joined = [key for key in level if _is_near(footprint, (footprints[i] for part in beside[key] for i in part))]
        joined.sort(key=lambda key: groups[key][-1])
        if len(joined) != 1:
            groups[number] = [member for key in joined for member in groups.pop(key)]
            tops[number] = sorted(top for key in joined for top in tops.pop(key))
            _move(near, [(member, footprints[member]) for member in groups[number]], joined, number)
        key = joined[0] if len(joined) == 1 else number
        groups[key].append(number)
        insort(tops[key], footprint.top)
        for cell in footprint.cells:
            near[cell][key].append(number)
    return [[footprints[i] for i in members] for members in sorted(groups.values(), key=lambda members: members[-1])]


def _move(
    near: dict[Cell, dict[int, list[int]]], members: list[tuple[int, _Footprint]], groups: list[int], group: int
) -> None:
    """Make one group of several in the cells of their members."""
    for number, footprint in members:
        for cell in footprint.cells:
            for key in groups:
                near[cell].pop(key, None)
            near[cell][group].append(number)


def _median(values: list[float]) -> float:
    """The median of sorted values."""
    return (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2


def _is_near(footprint: _Footprint, others: Iterable[_Footprint]) -> bool:
    return any(_gap(footprint.outline, other.outline) < APART for other in others)


def _gap(one: np.ndarray, other: np.ndarray) -> float:
    """Metres between two footprints, from corners and middles of edges: exact to a few centimetres."""
    a, b = (np.concatenate([outline, (outline + np.roll(outline, 1, axis=0)) / 2]) for outline in (one, other))
    return float(np.linalg.norm(a[:, None] - b[None], axis=-1).min())


class _Places:
    """Where feet were, by the cells of a grid."""

    def __init__(self, points: np.ndarray) -> None:
        """Sort (F, 4, 3) points in metres, world; those that do not exist are NaN."""
        self.points = points
        known = points[~np.isnan(points).any(axis=-1)]  # (N, 3)
        cells = np.floor(known[:, [0, 2]] / CELL).astype(int)
        order = np.lexsort(cells.T)
        self._sorted, cells = known[order], cells[order]
        borders = np.flatnonzero((np.diff(cells, axis=0) != 0).any(axis=1)) + 1
        starts, stops = [0, *borders.tolist()], [*borders.tolist(), len(known)]
        self._ranges = {tuple(cells[start].tolist()): (start, stop) for start, stop in zip(starts, stops) if stop}

    def between(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """(N, 3) metres, world: all that are between (2,) metres along x and z, and some beside them."""
        if np.prod((high - low) / CELL) > len(self._ranges):
            return self._sorted
        ranges = [self._ranges[cell] for cell in cells_between(low, high, CELL) if cell in self._ranges]
        return np.concatenate([self._sorted[:0], *(self._sorted[start:stop] for start, stop in ranges)])


def _lay(group: list[_Footprint], places: _Places, floor_height: float) -> Support:
    """The box below a group of footprints: along the feet, as small as they allow, and not where feet went lower."""
    contacts = tuple(contact for footprint in group for contact in footprint.contacts)
    top = float(np.median(np.repeat([print_.top for print_ in group], [print_.n_frames for print_ in group])))
    turn = _main_heading(np.array([footprint.outline for footprint in group]))
    corners = turn_ground(np.concatenate([footprint.outline for footprint in group]), -turn)
    resting = np.concatenate([places.points[contact.start : contact.stop, contact.column] for contact in contacts])
    resting = turn_ground(resting[:, [0, 2]], -turn)
    kept = resting.min(axis=0) - NARROWEST, resting.max(axis=0) + NARROWEST
    widest = corners.min(axis=0) - EDGE, corners.max(axis=0) + EDGE
    lower = _find_lower(places, np.minimum(widest[0], kept[0]), np.maximum(widest[1], kept[1]), turn, top - PASSED)
    low, high = _carve(*widest, *kept, turn_ground(lower[:, [0, 2]], -turn))
    x, z = turn_ground((low + high) / 2, turn).tolist()
    half_x, half_z = ((high - low) / 2).tolist()
    box = Box((x, z), (half_x, half_z), turn, top, min(floor_height, top))
    if box.covers(lower[:, [0, 2]]).any():
        box = replace(box, bottom=top - BOARD)
    return Support(box, contacts)


def _find_lower(places: _Places, low: np.ndarray, high: np.ndarray, turn: float, height: float) -> np.ndarray:
    """(N, 3) metres, world: where feet were lower than a height, in a box and beside it.

    Args:
        places: where feet were.
        low: (2,) metres: the edges, in the box's own axes.
        high: (2,) metres.
        turn: radians of those axes.
        height: metres, world.
    """
    ends = np.array([[low[0], low[1]], [low[0], high[1]], [high[0], low[1]], [high[0], high[1]]])
    ends = turn_ground(ends, turn)
    beside = places.between(ends.min(axis=0) - TINY, ends.max(axis=0) + TINY)
    return beside[beside[:, 1] < height]


def _carve(
    low: np.ndarray, high: np.ndarray, kept_low: np.ndarray, kept_high: np.ndarray, lower: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Move the edges of a box inwards, to exclude places where feet were lower than its top, as beside a stair.

    Args:
        low: (2,) metres: the edges, in the box's own axes.
        high: (2,) metres.
        kept_low: (2,) metres: edges of what stays inside, because feet rested there.
        kept_high: (2,) metres.
        lower: (N, 2) metres: places at which feet were lower.
    """
    low, high = np.minimum(low, kept_low), np.maximum(high, kept_high)
    inside = lower[((lower >= low) & (lower <= high)).all(axis=1)]
    outside_kept = np.concatenate([inside < kept_low, inside > kept_high], axis=1)  # (N, 4): which edges could be moved
    cuts = np.where(outside_kept, np.concatenate([inside - low, high - inside], axis=1), np.inf)
    edges = np.where(np.isfinite(cuts).any(axis=1), cuts.argmin(axis=1), -1)  # the edge that moves least
    for axis in (0, 1):
        below, above = inside[edges == axis, axis], inside[edges == 2 + axis, axis]
        low[axis] = max(low[axis], below.max(initial=-np.inf) + TINY)
        high[axis] = min(high[axis], above.min(initial=np.inf) - TINY)
    return np.minimum(low, kept_low), np.maximum(high, kept_high)


def _main_heading(outlines: np.ndarray) -> float:
    """Radians: the mean direction of (N, 4, 2) feet up to quarter turns, because a box looks the same after one."""
    along = outlines[:, 2] + outlines[:, 3] - outlines[:, 0] - outlines[:, 1]
    return float(heading_of(direction_of(4 * heading_of(along)).sum(axis=0))) / 4
