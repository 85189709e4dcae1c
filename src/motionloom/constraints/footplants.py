"""Footplants: foot-skate clean-up with the least change of a motion."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.constraints.foot_targets import MAX_ITERATIONS, Foot, FootDemands, FootStiffness, correct_foot
from motionloom.constraints.footplant_demands import Disagreement, Footplant, PlantDemands, PlantRules, demand_plants
from motionloom.constraints.knee_steps import slow_ankles
from motionloom.constraints.overstretch import Overstretch, correct_overstretch
from motionloom.constraints.root_reach import move_root
from motionloom.errors import BadInput
from motionloom.features.feet import POINTS, columns_of, foot_points
from motionloom.features.floor import check_floor
from motionloom.motion import (
    Footing,
    Ground,
    Motion,
    check_motion,
    find_runs,
    hinges,
    kinematics,
    rotations,
    two_bone_ik,
)

SIDES = ("left", "right")
LEG_ROLES = ("hip", "knee", "foot")
NOTICED = 1e-3  # metres: tolerance within which a plant is met
SURFACE_ROUNDS = 6  # of planting on terrain, each at the heights of where the last one put the feet
SAME_SURFACE = 2e-4  # metres by which these heights may differ
REFERENCE_LEG = 0.8  # metres of thigh and shin that the settings are for; other bodies are scaled


_Place = tuple[np.ndarray, np.ndarray]  # of a foot: (F, 3) metres, world, of its ankle, and (F, 4) foot to world


@dataclass(frozen=True)
class FootplantSettings:
    """Costs and limits of the change of a motion."""

    spread: float = 0.15  # seconds over which the change of a foot fades out around a plant
    root_spread: float = 0.08  # seconds over which the change of the root fades out
    pitch_lever: float = 0.06  # metres of translation that cost as much as pitching a foot by one radian, 0.8 m legs
    lever: float = 0.3  # metres of translation that cost as much as one radian about another axis, 0.8 m legs
    reach_weight: float = 60.0  # weight of a translation of a foot beyond the leg's reach
    far_turn: float = 0.25  # radians of rotation of a foot beyond which it costs more
    turn_weight: float = 30.0  # square metres per cubic radian beyond
    clearance: float = 0.002  # metres: minimum height of heels and balls above the floor
    other_support: float = 0.03  # metres above its rest height from which a planted point rests on another object
    bent: float = 0.96  # of a leg's length: soft limit of the distance from hip to foot, unless the source exceeds it
    straight: float = 0.98  # of a leg's length: beyond it the root moves, so that knees get no straighter than before
    straightest: float = 0.998  # of a leg's length: hard limit, against knee popping, in the source too
    short_swing: float = 0.15  # seconds: plants of a point with shorter gaps have one height
    lock_fade: float = 0.1  # seconds after a locked frame within which planted points come to rest
    max_iterations: int = MAX_ITERATIONS  # of Newton's method; five are accurate to millimetres


DEFAULT = FootplantSettings()


@dataclass(frozen=True)
class Missed:
    """A plant that is not met in some frames: out of reach, or in conflict with locked frames."""

    plant: int  # index into Planted.plants
    frames: tuple[int, ...]  # in which the point is displaced
    millimetres: float  # largest displacement
    out_of_reach_mm: float  # millimetres by which the leg was too short, at most; 0 for other causes


@dataclass(frozen=True)
class PlantReport:
    """The outcome of planting the feet."""

    missed: tuple[Missed, ...]  # plants that are not met
    disagreements: tuple[Disagreement, ...]  # locked frames between which a planted point has to move
    farthest_before_mm: float  # largest displacement of a planted point between two frames, millimetres
    farthest_after_mm: float
    deepest_before_mm: float  # largest depth of a foot point below the floor, millimetres
    deepest_after_mm: float
    mean_change_mm: float  # over all joints and frames
    root_change_mm: float  # the largest
    overstretched: tuple[Overstretch, ...] = ()  # legs beyond straight in the source, which were brought back


@dataclass(frozen=True, eq=False)
class Planted:
    """A motion with planted feet, its plants and the report."""

    motion: Motion
    plants: tuple[Footplant, ...]
    report: PlantReport


def plant_feet(
    motion: Motion,
    contacts: np.ndarray,
    floor_height: float = 0.0,
    *,
    footing: Footing | None = None,
    locked: Sequence[int] = (),
    heels: np.ndarray | None = None,
    settings: FootplantSettings = DEFAULT,
) -> Planted:
    """Foot-skate clean-up: keep planted heels and balls in place with the least change of the motion.

    After Kovar, Schreiner and Gleicher 2002, "Footskate cleanup for motion capture editing": feet first, then the root
    as far as the legs need it, then the legs by two-bone IK. Bones stay rigid. Knees that are overstretched in the
    source are brought back first.

    Args:
        motion: of a skeleton with hips, knees and feet.
        contacts: (F, 4) bool in the order of `features.feet.POINTS`: when each point is planted.
        floor_height: metres, world.
        footing: what the feet stand on besides the floor; None for nothing.
        locked: frames whose root and feet do not change, nor their knees unless they are overstretched.
        heels: (2, 3) heel offsets, from `heel_offsets`; None for those of this motion.
        settings: costs and limits.
    """
    source = _read(motion, floor_height, heels, None if footing is None else footing.ground)
    flags = _check_contacts(source, contacts)
    locks = _check_locks(motion, locked)
    under = floor_height if footing is None or footing.is_flat else _under(source.points, flags, footing)
    if not flags.any():
        return _finish(source, source.motion if source.overstretched else motion, {}, flags, (), (under, under))
    rules = PlantRules(
        settings.clearance, settings.other_support, settings.short_swing, settings.lock_fade, settings.spread
    )
    if footing is None or footing.ground.terrain is None or not isinstance(under, np.ndarray):
        demands = demand_plants(source.points, flags, locks, motion.fps, under, rules)
        return _finish(source, *_plant(source, flags, locks, demands, settings), (under, under))
    target = under
    for _ in range(SURFACE_ROUNDS):
        demands = demand_plants(source.points, flags, locks, motion.fps, under, rules, target)
        planted = _plant(source, flags, locks, demands, settings)
        last, target = target, _under(_points_after(source, *kinematics.world(planted[0])), flags, footing)
        if np.abs(target - last)[flags].max() < SAME_SURFACE:
            break
    return _finish(source, *planted, (under, target))


def _under(points: np.ndarray, contacts: np.ndarray, footing: Footing) -> np.ndarray:
    """(F, 4) metres, world: what is under each point; that of the source also counts after planting."""
    return np.where(np.isnan(points[..., 1]), np.nan, footing.under(np.nan_to_num(points), contacts))


@dataclass(frozen=True, eq=False)
class _Source:
    """The source motion, with its forward kinematics and foot points."""

    motion: Motion
    sides: tuple[str, ...]  # with a leg and a foot
    positions: np.ndarray  # (F, J, 3) metres, world
    turned: np.ndarray  # (F, J, 4) joint to world
    points: np.ndarray  # (F, 4, 3) metres, world; NaN if missing
    overstretched: tuple[Overstretch, ...]  # legs that were brought back

    def joint(self, side: str, role: str) -> int:
        return self.motion.skeleton.index(f"{side}_{role}")


def _plant(
    source: _Source, flags: np.ndarray, locks: np.ndarray, demands: PlantDemands, settings: FootplantSettings
) -> tuple[Motion, dict[str, np.ndarray], np.ndarray, tuple[Disagreement, ...]]:
    """The motion with planted feet, metres by which ankles were out of reach, contacts and disagreements."""
    feet = {side: _correct_foot(source, side, demands, settings) for side in source.sides}
    root = source.motion.root_positions + _root_moves(source, feet, demands.held, settings)
    feet = {side: _slow_foot(source, side, feet[side], root, flags, demands.held_feet) for side in source.sides}
    planted, misses = _solve_legs(source, replace(source.motion, root_positions=root), feet)
    return _restore(planted, source.motion, locks), misses, flags, demands.disagreements


def _read(motion: Motion, floor_height: float, heels: np.ndarray | None, ground: Ground | None) -> _Source:
    """Check a motion and compute its forward kinematics."""
    check_floor(floor_height)
    doubled = check_motion(motion)
    sides = tuple(side for side in SIDES if motion.skeleton.has(*(f"{side}_{role}" for role in LEG_ROLES)))
    if not sides:
        raise BadInput(
            f"skeleton '{motion.skeleton.name}' has no leg to plant a foot with "
            f"(roles: {', '.join(sorted(motion.skeleton.roles)) or 'none'}); "
            "assign left_hip, left_knee, left_foot and those of the right with Skeleton.with_roles"
        )
    bent = correct_overstretch(doubled, [f"{side}_leg" for side in sides])
    points = foot_points(bent.motion, floor_height, heels=heels, ground=ground)
    return _Source(bent.motion, sides, *kinematics.world(bent.motion), points, bent.found)


def _check_contacts(source: _Source, contacts: np.ndarray) -> np.ndarray:
    flags = np.asarray(contacts)
    expected = (source.motion.n_frames, len(POINTS))
    if flags.shape != expected:
        raise BadInput(f"contacts have shape {flags.shape}, expected {expected}: {', '.join(POINTS)}")
    if flags.dtype.kind not in "biu":
        raise BadInput(f"contacts have type {flags.dtype}, expected bool")
    flags = flags.astype(bool)
    for column, point in enumerate(POINTS):
        exists = point.split("_")[0] in source.sides and not np.isnan(source.points[:, column]).any()
        if flags[:, column].any() and not exists:
            raise BadInput(
                f"contacts of {point} are given, but skeleton '{source.motion.skeleton.name}' lacks this point or its "
                "leg; assign hip, knee, foot and ball with Skeleton.with_roles, or leave these contacts false"
            )
    return flags


def _check_locks(motion: Motion, locked: Sequence[int]) -> np.ndarray:
    locks = np.unique(np.asarray(locked, int))
    outside = locks[(locks < 0) | (locks >= motion.n_frames)]
    if len(outside):
        raise BadInput(f"locked frame {outside[0]} is out of range: the motion has {motion.n_frames} frames")
    return locks


def _correct_foot(source: _Source, side: str, demands: PlantDemands, settings: FootplantSettings) -> _Place:
    columns = [column for column in columns_of(side) if not np.isnan(source.points[:, column]).any()]
    hip, ankle = source.joint(side, "hip"), source.joint(side, "foot")
    ankles, hips = source.positions[:, ankle], source.positions[:, hip]
    back = rotations.inverse(source.turned[:, ankle])
    arms = rotations.rotate(back[:, None], source.points[:, columns] - ankles[:, None])
    own, length = np.linalg.norm(ankles - hips, axis=-1), _leg_length(source, side)
    reaches = np.clip(own, settings.bent * length, settings.straightest * length)
    axes = rotations.to_matrix(source.turned[:, ankle])
    foot = Foot(np.ascontiguousarray(ankles), axes, arms, hips, reaches)
    asked = FootDemands(
        demands.planted[:, columns],
        demands.steps[:, columns],
        demands.heights[:, columns],
        demands.elsewhere[:, columns],
        demands.lowest[:, columns],
        demands.held_feet[:, SIDES.index(side)],
    )
    stiffness = FootStiffness(
        settings.spread,
        settings.pitch_lever,
        settings.lever,
        settings.reach_weight,
        settings.far_turn,
        settings.turn_weight,
    )
    size = _size(source)
    ankles, turns = correct_foot(
        foot.scaled(1 / size), asked.scaled(1 / size), stiffness, source.motion.fps, settings.max_iterations
    )
    return size * ankles, rotations.multiply(source.turned[:, ankle], turns)


def _leg_length(source: _Source, side: str) -> float:
    return sum(hinges.rest_lengths(source.motion.skeleton, f"{side}_leg"))


def _size(source: _Source) -> float:
    """The size of the body relative to the one that settings in metres are for."""
    return sum(_leg_length(source, side) for side in source.sides) / len(source.sides) / REFERENCE_LEG


def _root_moves(source: _Source, feet: dict[str, _Place], held: np.ndarray, settings: FootplantSettings) -> np.ndarray:
    """(F, 3) translation of the root in metres that brings all feet within reach."""
    hips = np.stack([source.positions[:, source.joint(side, "hip")] for side in source.sides], axis=1)
    own = np.stack([source.positions[:, source.joint(side, "foot")] for side in source.sides], axis=1)
    lengths = np.array([_leg_length(source, side) for side in source.sides])
    reaches = np.clip(np.linalg.norm(hips - own, axis=-1), settings.straight * lengths, settings.straightest * lengths)
    ankles = np.stack([feet[side][0] for side in source.sides], axis=1)
    size = _size(source)
    scaled = (hips / size, ankles / size, reaches / size)
    return size * move_root(*scaled, held, fps=source.motion.fps, spread=settings.root_spread)


def _slow_foot(
    source: _Source, side: str, foot: _Place, root: np.ndarray, flags: np.ndarray, held_feet: np.ndarray
) -> _Place:
    """Slow down a foot in the air where its knee would jump."""
    hip, knee, ankle = (source.joint(side, role) for role in LEG_ROLES)
    hips = source.positions[:, hip] + root - source.motion.root_positions
    line = source.positions[:, ankle] - source.positions[:, hip]
    line = line / np.maximum(np.linalg.norm(line, axis=-1, keepdims=True), 1e-9)
    own = np.linalg.norm(np.cross(source.positions[:, knee] - source.positions[:, hip], line), axis=-1)
    bones = hinges.rest_lengths(source.motion.skeleton, f"{side}_leg")
    free = ~flags[:, columns_of(side)].any(axis=1) & ~held_feet[:, SIDES.index(side)]
    return slow_ankles(hips, foot[0], bones, free, own, source.motion.fps), foot[1]


def _solve_legs(source: _Source, motion: Motion, feet: dict[str, _Place]) -> tuple[Motion, dict[str, np.ndarray]]:
    """Solve the legs by two-bone IK; also (F,) metres by which each side's ankle was out of reach."""
    local_rotations, misses = motion.local_rotations, {}
    for side, (ankles, turned) in feet.items():
        local_rotations, misses[side] = two_bone_ik.reach(
            motion.skeleton, motion.root_positions, local_rotations, f"{side}_leg", ankles, end_rotations=turned
        )
    return replace(motion, local_rotations=local_rotations), misses


def _restore(planted: Motion, motion: Motion, locks: np.ndarray) -> Motion:
    """Restore the locked frames exactly."""
    root_positions, local_rotations = planted.root_positions.copy(), planted.local_rotations.copy()
    root_positions[locks], local_rotations[locks] = motion.root_positions[locks], motion.local_rotations[locks]
    return replace(planted, root_positions=root_positions, local_rotations=local_rotations)


def _finish(
    source: _Source,
    planted: Motion,
    misses: dict[str, np.ndarray],
    flags: np.ndarray,
    disagreements: tuple[Disagreement, ...],
    under: tuple[np.ndarray | float, np.ndarray | float],
) -> Planted:
    """Measure the result and assemble the report; `under` is what is under the points before and after."""
    positions, turned = kinematics.world(planted)
    points = _points_after(source, positions, turned)
    plants, missed = _collect(points, misses, flags)
    changes = np.linalg.norm(positions - source.positions, axis=-1)
    report = PlantReport(
        missed,
        disagreements,
        _farthest_mm(source.points, flags),
        _farthest_mm(points, flags),
        _deepest_mm(source.points, under[0]),
        _deepest_mm(points, under[1]),
        1000 * float(changes.mean()),
        1000 * float(changes[:, 0].max()),
        source.overstretched,
    )
    return Planted(planted, plants, report)


def _collect(
    points: np.ndarray, misses: dict[str, np.ndarray], planted: np.ndarray
) -> tuple[tuple[Footplant, ...], tuple[Missed, ...]]:
    """The plants with their positions, and those that are not met."""
    plants: list[Footplant] = []
    missed: list[Missed] = []
    for column, name in enumerate(POINTS):
        side, point = name.split("_")
        for start, stop in find_runs(planted[:, column]):
            position = np.median(points[start:stop, column], axis=0)
            away = np.linalg.norm(points[start:stop, column] - position, axis=-1)
            if away.max() > NOTICED:
                frames = tuple((start + np.flatnonzero(away > NOTICED)).tolist())
                short = misses[side][start:stop].max()
                missed.append(Missed(len(plants), frames, 1000 * float(away.max()), 1000 * float(short)))
            plants.append(Footplant(side, point, start, stop, position))
    return tuple(plants), tuple(missed)


def _points_after(source: _Source, positions: np.ndarray, turned: np.ndarray) -> np.ndarray:
    """(F, 4, 3) metres, world: foot points after the change, with the same offsets in the feet."""
    points = np.full_like(source.points, np.nan)
    for side in source.sides:
        ankle = source.joint(side, "foot")
        turn = rotations.multiply(turned[:, ankle], rotations.inverse(source.turned[:, ankle]))
        arms = source.points[:, columns_of(side)] - source.positions[:, None, ankle]
        points[:, columns_of(side)] = positions[:, None, ankle] + rotations.rotate(turn[:, None], arms)
    return points


def _farthest_mm(points: np.ndarray, planted: np.ndarray) -> float:
    both = planted[1:] & planted[:-1]
    moved = np.linalg.norm(np.diff(points, axis=0), axis=-1)[both]
    return 1000 * float(moved.max()) if moved.size else 0.0


def _deepest_mm(points: np.ndarray, under: np.ndarray | float) -> float:
    depths = (under - points[..., 1])[~np.isnan(points[..., 1])]
    return 1000 * max(float(depths.max()), 0.0) if depths.size else 0.0
