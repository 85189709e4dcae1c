"""Supports: boxes that feet rest on, from footprints that share a height and a neighbourhood."""

from dataclasses import dataclass, replace

import numpy as np

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
    groups: list[list[_Footprint]] = []
    for footprint in _find_footprints(contacts, points):
        joined = [group for group in groups if _belongs(footprint, group)]
        groups = [group for group in groups if group not in joined]
        groups.append([member for group in joined for member in group] + [footprint])
    supports = [_lay(group, points, floor_height) for group in groups]
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


def _find_footprints(contacts: list[RaisedContact], points: np.ndarray) -> list[_Footprint]:
    """Footprints in temporal order: heel and ball of one foot that rest at the same time rest on one surface."""
    feet: list[list[RaisedContact]] = []
    for contact in contacts:
        same = [foot for foot in feet if any(_is_same_foot(contact, member) for member in foot)]
        if same:
            same[0].append(contact)
        else:
            feet.append([contact])
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


def _belongs(footprint: _Footprint, group: list[_Footprint]) -> bool:
    if abs(float(np.median([member.top for member in group])) - footprint.top) > SAME_LEVEL:
        return False
    return any(_gap(footprint.outline, member.outline) < APART for member in group)


def _gap(one: np.ndarray, other: np.ndarray) -> float:
    """Metres between two footprints, from corners and middles of edges: exact to a few centimetres."""
    a, b = (np.concatenate([outline, (outline + np.roll(outline, 1, axis=0)) / 2]) for outline in (one, other))
    return float(np.linalg.norm(a[:, None] - b[None], axis=-1).min())


def _lay(group: list[_Footprint], points: np.ndarray, floor_height: float) -> Support:
    """The box below a group of footprints: along the feet, as small as they allow, and not where feet went lower."""
    contacts = tuple(contact for footprint in group for contact in footprint.contacts)
    top = float(np.median(np.repeat([print_.top for print_ in group], [print_.n_frames for print_ in group])))
    turn = _main_heading(np.array([footprint.outline for footprint in group]))
    corners = turn_ground(np.concatenate([footprint.outline for footprint in group]), -turn)
    resting = np.concatenate([points[contact.start : contact.stop, contact.column] for contact in contacts])
    resting = turn_ground(resting[:, [0, 2]], -turn)
    lower = points[points[..., 1] < top - PASSED]
    kept = resting.min(axis=0) - NARROWEST, resting.max(axis=0) + NARROWEST
    low, high = _carve(
        corners.min(axis=0) - EDGE, corners.max(axis=0) + EDGE, *kept, turn_ground(lower[:, [0, 2]], -turn)
    )
    x, z = turn_ground((low + high) / 2, turn).tolist()
    half_x, half_z = ((high - low) / 2).tolist()
    box = Box((x, z), (half_x, half_z), turn, top, min(floor_height, top))
    if box.covers(lower[:, [0, 2]]).any():
        box = replace(box, bottom=top - BOARD)
    return Support(box, contacts)


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
