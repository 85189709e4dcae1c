"""Supported contacts: when heels and balls of the feet rest on the floor or on something above it, and how high."""

from collections import defaultdict
from dataclasses import dataclass, field, replace

import numpy as np

from motionloom.features.body_size import size_factor
from motionloom.features.carrying import CarryingSettings, Posture, find_posture
from motionloom.features.cells import Cell, cells_between
from motionloom.features.contacts import ContactSettings, contacts_from_points, find_rests, point_rest_heights
from motionloom.features.feet import POINTS, foot_points
from motionloom.features.floor import check_floor, estimate_floor
from motionloom.features.given_ground import check_ground, rest_on_surface, surface_under
from motionloom.features.supports import RaisedContact, Support, lay_boxes
from motionloom.features.velocities import speeds
from motionloom.motion import Footing, Ground, Motion, Skeleton, check_motion, find_runs
from motionloom.motion import Support as FramedSupport
from motionloom.motion.skeleton import SOLE_THICKNESS

_OTHER_SIDE = [2, 3, 0, 1]  # contact points with left and right swapped
_SAME_TOP = 1e-3  # metres: heights are stored with single precision
_BESIDE = 0.1  # metres beside a box at which a point still rests on it: feet are longer than from heel to ball
_ROUNDING = 1e-6  # metres
_SPEED_BORDER = 4  # frames beside a range, with `_AROUND`, that the speeds in it depend on at any rate
_AROUND = 0.5  # seconds before and after a pause in which the contact may begin and end


@dataclass(frozen=True)
class SupportSettings:
    """What rests above the floor: heights in metres above it, speeds in metres per second, shares of the leg."""

    raised: float = 0.085  # what carries a foot higher than this is not the floor, which is uneven by some centimetres
    above: float = 0.05  # where something is higher than that, so may be other things from this height on
    clear: float = 0.05  # a foot higher than this is off the floor
    swing: float = 0.7  # so is a foot that is faster than this, and than the root
    level: float = 0.05  # metres by which the height of a resting point may vary
    sole: float = 0.05  # metres by which a resting point may be higher than the other one of its foot
    alone: float = 0.15  # seconds for which a foot carries the body without another one on the floor
    stretched: float = 0.75  # of the leg: the hip gets that far above the ankle meanwhile, farther than in sitting
    travel: float = 0.1  # of the leg: the body moves that far over the foot meanwhile
    near: float = 0.5  # of the leg: feet that rest this near to a foot that carried, and level with it, stand too
    contacts: ContactSettings = field(default_factory=ContactSettings)
    carrying: CarryingSettings = field(default_factory=CarryingSettings)

    def for_body(self, skeleton: Skeleton) -> "SupportSettings":
        """The thresholds for a body: heights and speeds are scaled for those smaller than adults."""
        factor, names = min(size_factor(skeleton), 1.0), ("raised", "above", "clear", "swing", "level", "sole")
        if factor == 1.0:
            return self
        scaled = {name: factor * getattr(self, name) for name in names}
        return replace(self, **scaled, contacts=self.contacts.for_body(skeleton))


DEFAULT = SupportSettings()


@dataclass(frozen=True, eq=False)
class Supported:
    """Contacts at any height, and what is below them."""

    contacts: np.ndarray  # (F, 4) bool, in the order of `CONTACT_POINTS`
    heights: np.ndarray  # (F, 4) metres, world: of the surface that the point rests on; NaN where it does not rest
    supports: tuple[Support, ...]  # what was stood on above the floor, in the order of first use
    floor_height: float  # metres, world
    given: Ground = field(default_factory=Ground)  # that was known before; only the floor if nothing was

    @property
    def ground(self) -> Ground:
        """The floor, the given ground, and the boxes of the supports."""
        boxes = tuple(support.box for support in self.supports)
        return Ground(self.floor_height, (*self.given.boxes, *boxes), self.given.terrain)


def detect_supports(
    motion: Motion, floor_height: float, settings: SupportSettings = DEFAULT, *, ground: Ground | None = None
) -> Supported:
    """Detect contacts of heels and balls with the floor and with whatever else the feet stand on.

    Contacts with the floor are those of `detect_contacts`. Above it, a foot rests where it is still and the body shows
    that the foot carries it. Feet that rest beside such a foot, level with it, stand as well.

    On a given ground, heights are measured above its surface under each point, as elsewhere above the floor; supports
    are what feet stand on besides.

    Args:
        motion: of a skeleton with feet; missing feet have no contacts.
        floor_height: metres, world.
        settings: thresholds.
        ground: boxes and terrain that are known, with its floor at `floor_height`; None for the floor alone.
    """
    check_floor(floor_height)
    motion, given = check_motion(motion), check_ground(ground, floor_height)
    settings = settings.for_body(motion.skeleton)
    points = foot_points(motion, floor_height, ground=given)
    under = floor_height if given.is_flat else surface_under(points, given)
    contacts = contacts_from_points(points, motion.root_positions, motion.fps, under, settings.contacts)
    body = _observe(motion, points, floor_height, settings)
    raised = _find_borders(body, _spread(body, *_find_carrying(body)))
    if isinstance(under, np.ndarray):
        contacts, raised = rest_on_surface(contacts, raised, points, under, settings.raised)
    supports = lay_boxes(raised, points, floor_height)
    heights = np.where(contacts, under, np.nan)
    for support in supports:
        for contact in support.contacts:
            contacts[contact.start : contact.stop, contact.column] = True
            heights[contact.start : contact.stop, contact.column] = support.box.top
    return Supported(contacts, heights, supports, floor_height, given)


def detect_footing(
    motion: Motion, floor_height: float, settings: SupportSettings = DEFAULT, *, ground: Ground | None = None
) -> tuple[np.ndarray, Footing]:
    """Contacts of `detect_supports`, (F, 4) bool, and what they rest on: the given ground, and supports."""
    supported = detect_supports(motion, floor_height, settings, ground=ground)
    points = foot_points(motion, floor_height, ground=supported.given)
    found = Ground(floor_height, tuple(support.box for support in supported.supports))
    return supported.contacts, replace(find_footing(points, supported.heights, found), ground=supported.given)


def find_floor(motion: Motion) -> float:
    """The floor height of a motion in metres: the estimate, or lower where feet never rest.

    A body that flies, falls or hangs throughout says nothing about what is under it, except that it is not inside.
    """
    estimated = estimate_floor(motion)
    points = foot_points(motion, estimated)
    if np.isnan(points).all() or detect_supports(motion, estimated).contacts.any():
        return estimated
    return min(estimated, float(np.nanmin(points[..., 1])))


def find_footing(points: np.ndarray, heights: np.ndarray, ground: Ground) -> Footing:
    """The floor, and the boxes of a ground as supports: each in the frames in which feet rest on it.

    Args:
        points: (F, 4, 3) metres, world: heels and balls.
        heights: (F, 4) metres, world: of the surface that each rests on; NaN where it does not rest.
        ground: with the boxes.
    """
    supports = []
    frames, columns = np.nonzero(~np.isnan(heights))
    order = np.argsort(heights[frames, columns])
    frames, columns = frames[order], columns[order]
    tops, places = heights[frames, columns], np.nan_to_num(points[frames, columns][:, [0, 2]])
    for box in ground.boxes:
        level = slice(*np.searchsorted(tops, [box.top - 2 * _SAME_TOP, box.top + 2 * _SAME_TOP]).tolist())
        rests = (np.abs(tops[level] - box.top) < _SAME_TOP) & box.covers(places[level], _BESIDE)
        for start, stop in _find_ranges(frames[level][rests]):
            supports.append(FramedSupport(box, start, stop))
    supports.sort(key=lambda support: (support.start, support.stop))
    return Footing(Ground(ground.floor), tuple(supports))


def _find_ranges(frames: np.ndarray) -> list[tuple[int, int]]:
    """The half-open ranges of consecutive frames among (N,) frames."""
    frames = np.unique(frames)
    parts = np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1) if len(frames) else []
    return [(int(part[0]), int(part[-1]) + 1) for part in parts]


@dataclass(frozen=True, eq=False)
class _Body:
    """A body with its feet, and when each of them is off the floor."""

    points: np.ndarray  # (F, 4, 3) metres, world
    fps: float
    floor_height: float
    settings: SupportSettings
    soles: np.ndarray  # (F, 4) metres of the sole at each point above the floor
    lowest: np.ndarray  # (F, 2) metres: of the lower point of each foot
    speed: np.ndarray  # (F, 4) metres per second
    slow: np.ndarray  # (F,) metres per second: speed below which points are still
    off_floor: np.ndarray  # (F, 2) bool
    posture: Posture


def _observe(motion: Motion, points: np.ndarray, floor_height: float, settings: SupportSettings) -> _Body:
    rest = point_rest_heights(points, motion.fps, floor_height, settings.contacts)
    usual = np.array([0.0, SOLE_THICKNESS] * 2)
    rest = np.where(np.isnan(rest), np.where(np.isnan(rest[_OTHER_SIDE]), usual, rest[_OTHER_SIDE]), rest)
    soles, speed = points[..., 1] - floor_height - rest, speeds(points, motion.fps)
    root_speed = speeds(motion.root_positions, motion.fps)
    lowest, slowest = (np.fmin(values[:, ::2], values[:, 1::2]) for values in (soles, speed))
    swings = slowest > np.maximum(settings.swing, root_speed)[:, None]
    return _Body(
        points,
        motion.fps,
        floor_height,
        settings,
        soles,
        lowest,
        speed,
        slow=np.maximum(settings.contacts.slow, settings.contacts.slow_share * root_speed),
        off_floor=swings | ~(lowest <= settings.clear),  # also a foot that does not exist
        posture=find_posture(motion, floor_height, settings.carrying),
    )


@dataclass(frozen=True, eq=False)
class _Pause:
    """A stretch of frames in which a point of a foot is still and level, above the floor."""

    column: int  # index into `POINTS`
    start: int
    stop: int
    level: float  # metres above the floor of the surface that it would rest on
    place: np.ndarray  # (2,) metres along x and z

    @property
    def side(self) -> int:
        return self.column // 2

    @property
    def frames(self) -> slice:
        return slice(self.start, self.stop)

    @property
    def position(self) -> np.ndarray:
        """(3,) metres: level, and place along x and z."""
        return np.array([self.level, *self.place])


def _find_pauses(body: _Body) -> list[_Pause]:
    """Pauses of all points that may be contacts, by column and time."""
    shortest = body.settings.contacts.shortest * body.fps
    pauses = []
    for column in range(len(POINTS)):
        soles, places = body.soles[:, column], body.points[:, column][:, [0, 2]]
        still = body.speed[:, column] < body.settings.contacts.leave_faster * body.slow  # false where NaN
        for first, last in find_runs(still):
            for start, stop in _split_levels(soles[first:last], body.settings.level):
                start, stop = first + start, first + stop
                level, place = float(np.median(soles[start:stop])), np.median(places[start:stop], axis=0)
                pause = _Pause(column, start, stop, level, place)
                if stop - start >= shortest and level > body.settings.above and _is_sole(body, pause):
                    pauses.append(pause)
    return pauses


def _split_levels(heights: np.ndarray, level: float) -> list[tuple[int, int]]:
    """Ranges of (N,) heights in each of which they vary by no more than `level`."""
    ranges, start = [], 0
    low = high = float(heights[0])
    for frame, height in enumerate(heights.tolist()):
        low, high = min(low, height), max(high, height)
        if high - low > level:
            ranges.append((start, frame))
            start, low, high = frame, height, height
    return [*ranges, (start, len(heights))]


def _is_sole(body: _Body, pause: _Pause) -> bool:
    """Whether the sole is about level, or the point is its lower end: a heel in the air does not rest."""
    higher = body.soles[pause.frames, pause.column] - body.lowest[pause.frames, pause.side]
    return bool(np.median(higher) < body.settings.sole)


def _find_carrying(body: _Body) -> tuple[list[_Pause], list[_Pause]]:
    """Pauses in which a foot evidently carries the body, and the others; none without a raised one."""
    pauses = _find_pauses(body)
    levels = np.full(body.off_floor.shape, np.inf)  # (F, 2) metres above the floor of feet that pause
    for pause in pauses:
        levels[pause.frames, pause.side] = np.minimum(levels[pause.frames, pause.side], pause.level)
    carries = [_carries(body, pause, levels[pause.frames, 1 - pause.side]) for pause in pauses]
    carrying = [pause for pause, does in zip(pauses, carries) if does]
    if not any(pause.level > body.settings.raised for pause in carrying):
        return [], pauses
    return carrying, [pause for pause, does in zip(pauses, carries) if not does]


def _carries(body: _Body, pause: _Pause, other_levels: np.ndarray) -> bool:
    """Whether the body must stand on a foot: nothing lower is down, it does not fall, and it moves over the foot.

    A heel is not asked: it rests beside its ball, and nobody stands on it alone.
    """
    settings, posture, frames = body.settings, body.posture, pause.frames
    if pause.column % 2 == 0 and not np.isnan(body.soles[pause.start, pause.column + 1]):
        return False
    alone = body.off_floor[frames].all(axis=1) & ~(other_levels < pause.level - settings.level)
    alone &= posture.held[frames] & posture.below[frames, pause.side]
    if alone.sum() < settings.alone * body.fps:
        return False
    stretched = posture.drops[frames, pause.side][alone].max() > settings.stretched * posture.leg
    travel = np.linalg.norm(np.ptp(posture.hips[frames][alone], axis=0))
    return bool(stretched and travel > settings.travel * posture.leg)


def _spread(body: _Body, standing: list[_Pause], others: list[_Pause]) -> list[_Pause]:
    """The pauses that stand: those that carry, and those near to one that stands and level with it."""
    upright = [p for p in others if body.posture.below[p.frames, p.side].mean() > 0.5]
    reach = np.array([body.settings.level, *[body.settings.near * body.posture.leg] * 2]) + _ROUNDING
    left: dict[Cell, set[int]] = defaultdict(set)  # of `upright`, those that do not stand yet
    for number, pause in enumerate(upright):
        for cell in cells_between(pause.position, pause.position, reach):
            left[cell].add(number)
    standing, new = list(standing), standing
    while new:
        near: set[int] = set()
        for other in new:
            for cell in cells_between(other.position - reach, other.position + reach, reach):
                found = {number for number in left.get(cell, ()) if _is_beside(body, upright[number], other)}
                left[cell] -= found
                near |= found
        new = [upright[number] for number in sorted(near)]
        standing += new
    return standing


def _is_beside(body: _Body, pause: _Pause, other: _Pause) -> bool:
    level = abs(pause.level - other.level) < body.settings.level
    return bool(level and np.linalg.norm(pause.place - other.place) < body.settings.near * body.posture.leg)


def _find_borders(body: _Body, pauses: list[_Pause]) -> list[RaisedContact]:
    """The contacts of points that pause, with borders found as for contacts with the floor, in temporal order."""
    contacts: dict[tuple[int, int, int], RaisedContact] = {}
    around = round(_AROUND * body.fps)
    for pause in pauses:
        first = max(pause.start - 2 * around - _SPEED_BORDER, 0)
        seen = slice(first, pause.stop + 2 * around + _SPEED_BORDER)
        window = slice(max(pause.start - around, 0) - first, pause.stop + around - first)
        height = np.full(len(body.slow[seen]), np.inf)
        height[window] = body.soles[seen, pause.column][window] - pause.level
        rests = find_rests(body.points[seen, pause.column], height, body.slow[seen], body.fps, body.settings.contacts)
        for start, stop in find_runs(rests):
            start, stop = start + first, stop + first
            if start < pause.stop and stop > pause.start:
                top = body.floor_height + pause.level
                contacts.setdefault((start, stop, pause.column), RaisedContact(pause.column, start, stop, top))
    return [contacts[key] for key in sorted(contacts)]
